"""The short form of campaigns/faults.py: kills, a read-only folder, two runs in one folder."""

import pytest
from faults import SOME, Campaign, kills, read_only_results, two_at_once


@pytest.fixture
def campaign(copy, built):
    return Campaign(copy.folder, built.path("build/quick"), seconds=20, cleared=SOME)


def test_kills_are_survived(campaign):
    told = [*kills(campaign, 3)]
    assert len(told) == 3
    for fault, moment, _, problem in told:
        assert not problem, f"{fault} {moment}: {problem}"


def test_a_read_only_folder_is_told(campaign):
    ((*_, problem),) = read_only_results(campaign, finish=False)
    assert not problem


def test_two_runs_at_once(campaign):
    ((*_, problem),) = two_at_once(campaign)
    assert not problem
