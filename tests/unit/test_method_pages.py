"""Pages on method: tables of small, known records."""

import sys

import pytest
from lxml import html

from embedding_ledger import method_pages

RECORDS = [
    {
        "rule": "measure_a",
        "script": "scripts/measure_a.py",
        "config": {"positions.width": "x", "positions.rows": "y"},
        "inputs": {"src/embedding_ledger/a.py": "1", "/machine/own/vectors.bin": "2"},
        "outputs": {"out/a/values.csv": "3"},
    },
    {
        "rule": "check_claims",
        "script": "scripts/check_claims.py",
        "config": {},
        "inputs": {"out/a/values.csv": "3", "claims/000.csv": "4", "out/manifest/a.json": "5"},
        "outputs": {"out/claims.csv": "6"},
    },
]


def cells(block):
    """Return the cells of the one table in a raw block, line by line."""
    (table,) = html.fragment_fromstring(block, create_parent="div").iter("table")
    return [[cell.text_content() for cell in line] for line in table.iter("tr")]


def test_a_line_a_rule():
    _, check, measure = cells(method_pages.rule_graph(RECORDS, "out"))
    assert check == ["check_claims", "claims/000.csv, measure_a", "", "1 in results", "0"]
    assert measure == ["measure_a", "vectors.bin", "positions", "1 in a", "1"]


def test_code_of_the_checkout_is_code_where_another_repository_runs_it():
    code = ("../ledger/src/embedding_ledger/a.py", "../ledger/scripts/a.py", "../requirements.lock")
    record = {**RECORDS[0], "inputs": dict.fromkeys((*code, "texts/src.csv"), "1")}
    assert cells(method_pages.rule_graph([record], "out"))[1][1::3] == ["texts/src.csv", "3"]


def test_every_file_has_a_line_and_no_place_of_the_machine():
    columns, rows = method_pages.provenance(RECORDS, "out")
    assert columns == ("rule", "script", "role", "file", "sha256")
    assert ("measure_a", "scripts/measure_a.py", "made", "a/values.csv", "3") in rows
    assert ("measure_a", "scripts/measure_a.py", "read", "vectors.bin", "2") in rows
    assert len(rows) == 7 and "/machine" not in str(rows)


def test_rules_are_counted_and_unused_ones_left_out():
    rows = [{"kind": kind} for kind in ("digits", "truth", "digits")]
    shown = cells(method_pages.comparisons(rows))
    assert [(line[0], line[2]) for line in shown[1:]] == [("digits", "2"), ("truth", "1")]


def test_environment_tells_what_is_locked_and_what_is_installed():
    lines = {line[0]: line[1:] for line in cells(method_pages.environment("NumPy==0.1\n"))}
    assert lines["Python"][1] == ".".join(map(str, sys.version_info[:3]))
    numpy = pytest.importorskip("numpy")
    assert lines["numpy"] == ["0.1", numpy.__version__]
    assert lines["matplotlib"][0] == "not locked"


def test_licences_of_what_is_here():
    tables = {
        "a": {"title": "A", "source": "from a", "licence": "MIT"},
        "b": {"title": "B", "source": "from b", "licence": "MIT"},
        "own": {},
    }
    here = [{"table": name, "here": told} for name, told in (("a", "true"), ("b", "false"))]
    here.append({"table": "own", "here": "true"})
    corpus = [{"quantity": "source", "value": "S"}, {"quantity": "licence", "value": "L"}]
    parts = [{"package": "p", "version": "1", "licence": "GPL"}] * 2
    shown = cells(method_pages.licences(tables, here, parts, corpus))[1:]
    assert shown[:4] == [
        ["A", "document 001", "from a", "MIT"],
        ["own", "document 001", "", "not stated"],
        ["Text", "word2vec, small models", "S", "L"],
        ["Text", "document 003", "p 1", "GPL"],
    ]


def test_timings_come_from_benchmark_files(tmp_path):
    for job, seconds in (("quick", "0.5"), ("slow", "20.25"), ("of_another_run", "1")):
        text = f"s\th:m:s\tmax_rss\n{seconds}\t0:00:01\t12.5\n"
        (tmp_path / f"{job}.tsv").write_text(text)
    columns, rows = method_pages.timings(tmp_path, {"quick", "slow", "absent"})
    assert columns == ("job", "seconds", "memory_mb")
    assert rows == [("slow", "20.25", "12.5"), ("quick", "0.5", "12.5")]
