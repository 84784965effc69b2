"""The page of benchmarks against its files, and what it makes of a file."""

import importlib
import subprocess
import sys
from types import SimpleNamespace

import pytest


@pytest.fixture
def page(project, monkeypatch):
    """The module that writes the page."""
    monkeypatch.syspath_prepend(str(project / "benchmarks"))
    return importlib.import_module("page")


def run(project, *arguments):
    command = [sys.executable, str(project / "benchmarks/run.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=project)


def test_the_page_is_what_was_measured(project):
    done = run(project, "--check")
    assert done.returncode == 0, done.stderr


def test_an_edited_page_is_noticed(page, tmp_path, monkeypatch):
    text = page.PAGE.read_text(encoding="utf-8")
    edited = tmp_path / "benchmarks.md"
    edited.write_text(text.replace("<!-- goals -->\n", "<!-- goals -->\nfaster\n", 1))
    monkeypatch.setattr(page, "PAGE", edited)
    names, measured = importlib.import_module("run").NAMES, importlib.import_module("run").MEASURED
    assert page.check(names, measured) == 1
    edited.write_text(text)
    assert page.check(names, measured) == 0
    edited.write_text(text.replace("<!-- claims -->", ""))
    with pytest.raises(ValueError, match="no <!-- claims -->"):
        page.check(names, measured)


ROWS = """benchmark,side,size,repeat,quantity,value,machine
b,slow,10,0,seconds,8,M
b,slow,10,1,seconds,9,M
b,slow,10,2,seconds,30,M
b,fast,10,0,seconds,2,M
b,fast,10,1,seconds,3,M
b,fast,10,2,seconds,2,M
b,fast,10,0,loss,0.123456,M
b,fast,20,0,seconds,5,M
"""
BENCHMARK = SimpleNamespace(
    AXIS="rows",
    SIZES=(10, 20),
    OURS="fast",
    SIDES={"slow": None, "fast": None},
    SKIPPED={("slow", 20): "too long"},
)


def test_a_table_has_medians_ranges_and_ratios_of_each_repeat(page, tmp_path):
    path = tmp_path / "b.csv"
    path.write_text(ROWS)
    found, machines = page.read(path)
    assert machines == ["M"]
    # 8/2, 9/3, 30/2: the median of the ratios, not the ratio 9/2 of the medians
    assert page.ratio(found, BENCHMARK, "slow", 10) == 4
    assert page.table(BENCHMARK, found) == [
        "| rows |  | times as long as fast | time, s | loss |",
        "|---|---|---|---|---|",
        "| 10 | slow | 4 | 9 (8 to 30) |  |",
        "| 10 | fast | 1 | 2 (2 to 3) | 0.123 |",
        "| 20 | slow |  | not run: too long |  |",
        "| 20 | fast | 1 | 5 |  |",
    ]


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.00012345, "0.000123"), (3.14159, "3.142"), (1234.5, "1,234"), (7.0, "7"), (0.0, "0")],
)
def test_printed_numbers(page, number, text):
    assert page.shown(number) == text


def test_goals_are_met_or_not_or_unknown(page):
    assert page.verdict({"measured": "0.2", "limit": "0.3"}) == "yes"
    assert page.verdict({"measured": "0.3", "limit": "0.3"}) == "yes"
    assert page.verdict({"measured": "0.31", "limit": "0.3"}) == "no"
    assert page.verdict({"measured": "", "limit": "0.3"}) == ""


def test_a_quick_benchmark_runs_and_leaves_the_page_alone(project):
    before = (project / "docs/benchmarks.md").read_bytes()
    done = run(project, "--quick", "corpus_length")
    assert done.returncode == 0, done.stderr
    rows = (project / "build/benchmarks/corpus_length.csv").read_text().splitlines()
    assert {row.split(",")[1] for row in rows[1:]} == {"pair by pair", "from counts"}
    assert (project / "docs/benchmarks.md").read_bytes() == before


def test_an_unknown_name_is_refused(project):
    done = run(project, "nighbours")
    assert done.returncode == 2
    assert "no benchmark nighbours; there are bigram_literal" in done.stderr
