"""The pipeline as its users meet it: idle when done, red with a name when something is wrong."""

import json
import os
import re

from copies import QUICK

from embedding_ledger.claims import read_claims


def jobs(told):
    """Return the names of the rules in the job table of a dry run."""
    table = told.split("Job stats:")[1].split("total")[0]
    return set(re.findall(r"^(\w+) +\d+$", table, re.MULTILINE)) - {"all"}


def test_second_run_has_nothing_to_do(copy):
    status, told = copy.run(*QUICK)
    assert status == 0
    assert "Nothing to be done" in told


def test_check_prints_scoreboard(copy):
    status, told = copy.run("check", *QUICK)
    assert status == 0
    assert "verdicts are the expected ones" in told


def test_every_claim_has_a_verdict(copy):
    summary = json.loads(copy.path("build/quick/summary.json").read_text())
    registry = read_claims(copy.path("claims").glob("[0-9]*.csv"))
    assert sum(summary["verdicts"].values()) == summary["claims"] == len(registry)
    assert summary["evidence"]["computed"]["reproduced"] >= 120


def test_planted_wrong_digit_turns_check_red(copy):
    copy.edit("claims/004.csv", "is 7.485.,7.485,", "is 7.485.,7.486,")
    status, told = copy.run("check", *QUICK)
    assert status != 0
    assert "d4.dot.1.start10: differs, expected reproduced" in told
    # the verdict is kept for reading: only `check` fails
    assert "differs" in copy.path("build/quick/claims.csv").read_text()


def test_unexpected_success_turns_check_red(copy):
    copy.edit("claims/004.csv", ",dot_product,reproduced,", ",dot_product,differs,made up")
    status, told = copy.run("check", *QUICK)
    assert status != 0
    assert "reproduced, expected differs" in told


def test_edited_artefact_is_named_and_refused(copy):
    copy.edit("build/quick/positions/dot_products.csv", "7.48", "7.49")
    status, told = copy.run(*QUICK)
    assert status != 0
    name = "build/quick/positions/dot_products.csv"
    assert f"{name}: changed after rule measure_positions made it" in told


def test_edited_verdict_is_named_by_check(copy):
    copy.edit("build/quick/claims.csv", ",reproduced,", ",differs,")
    _, told = copy.run("check", *QUICK)
    assert "build/quick/claims.csv: changed after rule check_claims made it" in told


def test_misspelt_config_key_is_named(copy):
    copy.edit("config/config.yaml", "\n  long_rows:", "\n  longrows:")
    status, told = copy.run(*QUICK)
    assert status != 0
    assert "unknown key 'positions.longrows' (did you mean 'long_rows'?)" in told
    assert "config/config.yaml:" in told


def test_missing_column_is_named(copy):
    text = copy.path("claims/003.csv").read_text()
    copy.path("claims/003.csv").write_text(text.replace(",unit,", ",", 1))
    status, told = copy.run(*QUICK)
    assert status != 0
    assert "claims/003.csv:1: missing column 'unit'" in told


def test_library_edit_reruns_just_what_uses_it(copy):
    copy.edit("src/embedding_ledger/positions.py", "BASE = 10000.0", "BASE = 10000.00")
    _, told = copy.run(*QUICK, "--dry-run")
    assert "measure_positions" in jobs(told)
    assert not {"measure_arithmetic", "count_parameters"} & jobs(told)


def test_comment_in_a_page_reruns_only_the_report(copy):
    copy.edit("report/method.qmd", "## Files", "## The files")
    _, told = copy.run(*QUICK, "--dry-run")
    assert jobs(told) == {"make_pages", "render_site", "check_site"}


def test_what_is_stale_is_named_by_check(copy):
    """A module that changed behind Snakemake's back, and a site that is not of these results."""
    module = copy.path("src/embedding_ledger/positions.py")
    times = module.stat()
    copy.edit("src/embedding_ledger/positions.py", "BASE = 10000.0", "BASE = 10000.00")
    os.utime(module, ns=(times.st_atime_ns, times.st_mtime_ns))
    copy.edit("build/quick/site/index.html", "</p>", " as of yesterday</p>")
    status, told = copy.run("check", *QUICK)
    assert status != 0
    name = "src/embedding_ledger/positions.py"
    assert f"{name}: changed after rule measure_positions read it; run the pipeline again" in told
    assert "build/quick/site: changed after rule render_site made it" in told


def test_results_of_another_configuration_are_named_by_check(copy):
    """Settings that changed after the run, and a Snakemake that was told not to look at them."""
    copy.edit("config/quick.yaml", "seeds: [2, 3]", "seeds: [2, 4]")
    status, told = copy.run("check", *QUICK, "--rerun-triggers", "mtime")
    assert status != 0
    assert "made with another configuration (order.seeds); run the pipeline again" in told
