"""The short form of benchmarks/faults.py: kills, a read-only folder, two runs in one folder."""

import pytest
from faults import Campaign, kills, read_only_results, two_at_once


@pytest.fixture
def campaign(copy, built):
    return Campaign(copy.folder, built.path("build/quick"), built.seconds)


def test_kills_and_a_read_only_folder_are_survived(campaign):
    told = [*read_only_results(campaign, finish=False), *kills(campaign, 3)]
    assert len(told) == 4
    for fault, moment, _, problem in told:
        assert not problem, f"{fault} {moment}: {problem}"


def test_two_runs_at_once(campaign):
    ((*_, problem),) = two_at_once(campaign, whole=False)
    assert not problem
