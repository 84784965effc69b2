"""The short form of benchmarks/faults.py: kills, a read-only folder, two runs in one folder."""

import pytest
from faults import Campaign, kills, read_only_results, two_at_once

# What takes long is left as it is, so that a run takes half a minute.
CLEARED = ("positions", "arithmetic", "mechanics", "attention", "claims.csv", "pages", "site")


@pytest.fixture
def campaign(copy, built):
    return Campaign(copy.folder, built.path("build/quick"), seconds=30, cleared=CLEARED)


def test_kills_are_survived(campaign):
    told = [*kills(campaign, 3)]
    assert len(told) == 3
    for fault, moment, _, problem in told:
        assert not problem, f"{fault} {moment}: {problem}"


def test_a_read_only_folder_is_told(campaign):
    campaign.cleared = ()
    ((*_, problem),) = read_only_results(campaign, finish=False)
    assert not problem


def test_two_runs_at_once(campaign):
    ((*_, problem),) = two_at_once(campaign)
    assert not problem
