"""What rules ask for is what they take: declared resources against benchmarks of a finished run."""

import csv
from pathlib import Path

import pytest
from snakemake.api import SnakemakeApi
from snakemake.settings.types import OutputSettings, Quietness, ResourceSettings

FLOOR_MB, FLOOR_MINUTES = 500, 5  # the smallest that a rule asks for, docs/cluster.md


@pytest.fixture(scope="module")
def declared(project):
    """Memory in MB and minutes of every rule by name, in the default configuration."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
            workflow = api.workflow(
                resource_settings=ResourceSettings(cores=1), snakefile=Path("Snakefile")
            )
            # there is no public way to ask a rule what it declares
            rules = [rule for rule in workflow._workflow.rules if rule.name != "all"]
            return {
                rule.name: tuple(rule.resources[name].value for name in ("mem_mb", "runtime"))
                for rule in rules
            }


@pytest.fixture(scope="module")
def measured(project, pytestconfig):
    """Memory in MB and seconds of the largest job of every rule, from the run that is tested."""
    largest = {}
    for file in sorted((project / pytestconfig.getoption("results") / "benchmarks").glob("*.tsv")):
        with file.open(encoding="utf-8") as stream:
            (row,) = csv.DictReader(stream, delimiter="\t")
        rule = file.name.split(".")[0]
        memory, seconds = largest.get(rule, (0, 0))
        largest[rule] = max(memory, float(row["max_rss"])), max(seconds, float(row["s"]))
    assert largest, "no benchmarks: run the pipeline first"
    return largest


def test_every_rule_asks_for_a_modest_machine(declared):
    assert len(declared) > 30
    assert {name: memory for name, (memory, _) in declared.items() if memory >= 2000} == {}


def test_memory_is_enough_and_at_most_twice_what_is_taken(declared, measured):
    wrong = {
        rule: f"asks for {declared[rule][0]} MB, takes {memory:.0f} MB"
        for rule, (memory, _) in measured.items()
        if not memory <= declared[rule][0] <= max(FLOOR_MB, 2 * memory)
    }
    assert wrong == {}


def test_time_is_enough_and_no_rule_asks_for_hours(declared, measured):
    # loosely, for a time hangs on the machine and on who else uses it
    wrong = {
        rule: f"asks for {declared[rule][1]} min, takes {seconds:.0f} s"
        for rule, (_, seconds) in measured.items()
        if not seconds <= 60 * declared[rule][1] <= max(60 * FLOOR_MINUTES, 10 * seconds)
    }
    assert wrong == {}
