"""Each verdict, reached from a tiny registry and table."""

import csv
import dataclasses
from xml.etree import ElementTree

import pytest

from embedding_ledger.claims import COLUMNS, EVIDENCE, VERDICTS, Claim, read_claims
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import write_csv, write_json
from embedding_ledger.manifest import verify, write_sidecar
from embedding_ledger.verdicts import (
    agreeing,
    excuses,
    judge,
    judge_all,
    junit,
    parse_row,
    read_summary,
    scoreboard,
    select_cells,
    summarize,
    told,
    unexpected,
)

TABLE = (
    ["word", "start", "x", "x_low", "x_high"],
    [
        {"word": "cat", "start": "10", "x": "0.6341", "x_low": "0.63", "x_high": "0.64"},
        {"word": "dog", "start": "10", "x": "0.25", "x_low": "0.1", "x_high": "0.4"},
        {"word": "cat", "start": "30", "x": "0.8", "x_low": "0.8", "x_high": "0.8"},
        {"word": "bad", "start": "0", "x": "nan", "x_low": "nan", "x_high": "nan"},
    ],
)


def claim(**changes):
    values = dict.fromkeys(COLUMNS, "") | {
        "id": "d7.a",
        "stated": "0.634",
        "kind": "digits",
        "evidence": "computed",
        "artefact": "t.csv",
        "row": "word=cat;start=10",
        "column": "x",
        "expected": "reproduced",
    }
    return Claim(document="007", file="claims/007.csv", line=2, **{**values, **changes})


def spread(stated, cap, row="word=cat;start=10"):
    return claim(kind="spread", stated=stated, tolerance=cap, row=row)


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "reproduced"),
        ({"stated": "0.635"}, "differs"),  # a planted wrong digit
        ({"stated": "0.644"}, "differs"),
        ({"stated": "−0.634"}, "differs"),
        ({"stated": "0.6;0.8", "row": "word=cat"}, "reproduced"),
        ({"stated": "0.8;0.6", "row": "word=cat"}, "differs"),
        ({"stated": "0.6", "row": "word=cat"}, "differs"),  # two cells, one stated
        ({"kind": "tolerance", "stated": "0.6", "tolerance": "0.04"}, "reproduced"),
        ({"kind": "tolerance", "stated": "0.6", "tolerance": "0.03"}, "differs"),
        ({"kind": "bound", "stated": "< 1"}, "reproduced"),
        ({"kind": "bound", "stated": "> 1"}, "differs"),
        ({"kind": "ordering", "stated": "1;2", "row": "word=cat"}, "reproduced"),
        ({"kind": "ordering", "stated": "2;1", "row": "word=cat"}, "differs"),
        ({"kind": "set", "stated": "dog;cat", "row": "start=10", "column": "word"}, "reproduced"),
        ({"kind": "set", "stated": "dog;bus", "row": "start=10", "column": "word"}, "differs"),
        ({"kind": "list", "stated": "cat;0.63", "column": "word;x"}, "reproduced"),
        ({"kind": "truth", "stated": "true"}, "differs"),
        ({"row": "word=bad"}, "differs"),
        ({"kind": "bound", "stated": "< 1", "row": "word=bad"}, "differs"),
        ({"kind": "none", "expected_reason": "a matter of taste"}, "not checkable"),
        ({"other_stated": "0.7", "other_section": "Exercise 2"}, "contradicted"),
    ],
)
def test_verdict(changes, verdict):
    assert judge(claim(**changes), TABLE).verdict == verdict


@pytest.mark.parametrize(
    ("stated", "cap", "row", "verdict"),
    [
        ("0.634", "0.05", "word=cat;start=10", "consistent"),
        ("0.634", "0.01", "word=cat;start=10", "consistent"),  # as wide as the cap
        ("0.634", "0.009", "word=cat;start=10", "not pinned"),
        ("0.634", "0.05", "word=dog", "differs"),
        ("0.4", "0.2", "word=dog", "not pinned"),
        ("0.4", "0.3", "word=dog", "consistent"),
        ("0.44", "0.3", "word=dog", "differs"),
        ("0.45", "1", "word=dog", "differs"),
        ("0.8", "0", "start=30", "consistent"),
        ("0.6405", "0.05", "word=cat;start=10", "differs"),
        ("0.64", "0.05", "word=cat;start=10", "consistent"),
        ("0.0", "0.05", "word=dog", "differs"),
        ("0", "0.3", "word=dog", "consistent"),  # 0 stands for -0.5 to 0.5
    ],
)
def test_spread(stated, cap, row, verdict):
    found = judge(spread(stated, cap, row), TABLE)
    assert found.verdict == verdict
    (cells,) = (r for r in TABLE[1] if all(r[k] == v for k, v in parse_row(row).items()))
    assert (found.measured, found.spread_low, found.spread_high) == (
        cells["x"],
        cells["x_low"],
        cells["x_high"],
    )
    assert f"{cells['x_low']} to {cells['x_high']}" in found.reason


@pytest.mark.parametrize(
    ("stated", "cap", "verdict"),
    [
        ("0.634;0.8", "0.01", "consistent"),
        ("0.634;0.8", "0.009", "not pinned"),  # the first range is wider
        ("0.634;0.9", "1", "differs"),
        ("0.7;0.8", "1", "differs"),
    ],
)
def test_spread_of_a_list(stated, cap, verdict):
    found = judge(spread(stated, cap, row="word=cat"), TABLE)
    assert found.verdict == verdict
    assert found.measured == "0.6341;0.8"
    assert (found.spread_low, found.spread_high) == ("0.63;0.8", "0.64;0.8")
    assert "0.63 to 0.64 and 0.8 to 0.8" in found.reason


def test_reversed_range_is_no_cell():
    rows = [
        {"x": "1", "x_low": "0.9", "x_high": "1.1"},
        {"x": "2", "x_low": "2.1", "x_high": "1.9"},
    ]
    claimed = claim(kind="spread", stated="1.0;2.0", tolerance="1", row="")
    found = judge(claimed, (["x", "x_low", "x_high"], rows))
    assert found.verdict == "not run"
    assert "0.9 to 1.1 and 2.1 to 1.9: its ends are reversed" in found.reason


@pytest.mark.parametrize(
    ("stated", "cap", "told"),
    [
        ("0.634;0.8", "0.01", ", within the cap 0.01"),
        ("0.634;0.8", "0.009", ", wider than the cap 0.009"),
        ("0.7;0.9", "1", ": 0.7 and 0.9 lies outside"),
    ],
)
def test_spread_tells_range_and_what_is_known(stated, cap, told):
    claimed = spread(stated, cap, row="word=cat")
    told = f"the measured range is 0.63 to 0.64 and 0.8 to 0.8{told}"
    assert judge(claimed, TABLE).reason == told
    noted = dataclasses.replace(claimed, expected_reason="Known so.")
    assert judge(noted, TABLE).reason == f"{told}. Known so."


def test_not_run():
    found = judge(claim())
    assert (found.verdict, found.measured, found.low) == ("not run", "", "")
    assert (found.rule, found.script) == ("", "")
    assert found.reason == "experiment not built yet"
    assert judge(claim(expected_reason="no weights")).reason == "no weights"


def test_what_a_verdict_carries():
    maker = {"rule": "measure", "script": "scripts/measure.py"}
    found = judge(claim(stated="0.634;0.6", column="x;x"), TABLE, maker)
    assert (found.low, found.high) == ("0.6335;0.55", "0.6345;0.65")
    assert (found.measured, found.rule, found.script) == ("0.6341;0.6341", *maker.values())
    assert not found.edge
    for name in ("id", "document", "stated", "kind", "evidence", "artefact", "row", "column"):
        assert getattr(found, name) == getattr(claim(stated="0.634;0.6", column="x;x"), name)


@pytest.mark.parametrize("table", [TABLE, None])
def test_only_a_spread_has_a_range(table):
    found = judge(claim(), table)
    assert (found.spread_low, found.spread_high) == ("", "")


def test_edge_is_told():
    found = judge(claim(stated="0.3", row="word=dog"), TABLE)
    assert (found.verdict, found.edge) == ("reproduced", True)
    assert found.reason == "lies exactly on the rounding edge"


def test_reason_of_a_difference():
    found = judge(claim(stated="0.7"), TABLE)
    assert "0.6341 lies outside 0.65 to 0.75" in found.reason
    changes = {"expected": "differs", "expected_reason": "A misprint."}
    assert judge(claim(stated="0.7", **changes), TABLE).reason.endswith(": A misprint.")
    assert "misprint" not in judge(claim(**changes), TABLE).reason


@pytest.mark.parametrize(
    ("stated", "other", "holding", "sides"),
    [
        ("0.634", "0.7", "agrees with this side", ["this side"]),
        ("0.7", "0.634", "agrees with Exercise 2", ["Exercise 2"]),
        ("0.634", "0.63", "agrees with this side and Exercise 2", ["this side", "Exercise 2"]),
        ("0.7", "0.8", "agrees with neither", []),
    ],
)
def test_contradiction_shows_both_sides(stated, other, holding, sides):
    found = judge(claim(stated=stated, other_stated=other, other_section="Exercise 2"), TABLE)
    assert found.verdict == "contradicted"
    assert f"stated {stated}; Exercise 2 has {other}; the measurement {holding}." in found.reason
    assert agreeing(dataclasses.asdict(found)) == sides
    assert (found.other_stated, found.other_section) == (other, "Exercise 2")


def test_contradiction_tells_what_is_known():
    sides = {"other_stated": "0.7", "other_section": "Exercise 2"}
    for note, ending in (("Known so.", "this side. Known so."), ("", "this side.")):
        assert judge(claim(expected_reason=note, **sides), TABLE).reason.endswith(ending)


@pytest.mark.parametrize(
    ("changes", "cells"),
    [
        ({"other_stated": "0.7", "other_section": "Exercise 2"}, {"x": "nan"}),
        (
            {"kind": "tolerance", "tolerance": "1", "other_stated": "0.7", "other_section": "E"},
            {"x": "nan"},
        ),
        ({"kind": "ordering", "other_stated": "0.7", "other_section": "E"}, {"x": "nan"}),
        (
            {"kind": "bound", "stated": "< 1", "other_stated": "< 2", "other_section": "E"},
            {"x": "nan"},
        ),
        ({"kind": "spread", "tolerance": "0.1"}, {"x": "nan"}),
        ({"kind": "spread", "tolerance": "0.1"}, {"x_low": "nan"}),
    ],
)
def test_nan_differs(changes, cells):
    row = TABLE[1][0] | cells
    assert judge(claim(**changes), (TABLE[0], [row])).verdict == "differs"


def test_no_row_meets_all_conditions():
    assert judge(claim(row="word=dog;start=30"), TABLE).reason == (
        "its address names no cell: no row with word=dog;start=30"
    )


@pytest.mark.parametrize(
    ("stated", "numbers", "reason"),
    [
        ("true", ["a = 1", "b = 2"], "a = 1 / b = 2"),
        ("true", ["", "b = 2"], "b = 2"),
        ("false", ["a = 1", "b = 2"], "measured true;true: a = 1 / b = 2"),
    ],
)
def test_truth_tells_the_numbers_behind_it(stated, numbers, reason):
    rows = [{"statement": "s", "holds": "true", "numbers": text} for text in numbers]
    truth = claim(kind="truth", stated=stated, row="statement=s", column="holds")
    assert judge(truth, (["statement", "holds", "numbers"], rows)).reason == reason
    bare = [{"statement": "s", "holds": "true"} for _ in numbers]
    assert "=" not in judge(truth, (["statement", "holds"], bare)).reason


def test_only_truths_tell_numbers():
    columns = [*TABLE[0], "numbers"]
    row = TABLE[1][0] | {"numbers": "a = 1"}
    assert judge(claim(), (columns, [row])).reason == ""


@pytest.mark.parametrize(
    ("row", "there"),
    [("word=cot", "word is cat ..."), ("start=99", "start is 10, 30, 0")],
)
def test_values_that_are_there_are_told(row, there):
    told = f"its address names no cell: no row with {row}; {there}"
    assert judge(claim(row=row), TABLE).reason == told


@pytest.mark.parametrize(
    ("row", "there"),
    [
        ("a=x1", "a is x19, x18, x17 ..."),  # three that are alike
        ("a=99", "a is x10, x11, x12, x13, x14, x15, x16, x17 ..."),  # or the first eight
    ],
)
def test_no_more_than_a_few_values_are_told(row, there):
    rows = [{"a": f"x{number}"} for number in range(10, 20)]
    reason = judge(claim(row=row), (["a", "x"], rows)).reason
    assert reason == f"its address names no cell: no row with {row}; {there}"


def test_intervals_of_a_spread():
    found = judge(spread("0.6;0.8", "0.1", "word=cat"), TABLE)
    assert (found.low, found.high) == ("0.55;0.75", "0.65;0.85")


def test_parse_row():
    assert parse_row("") == {}
    assert parse_row("start=10; word=a=b") == {"start": "10", "word": "a=b"}


@pytest.mark.parametrize(
    ("row", "column", "cells"),
    [
        ("word=dog", "x", ["0.25"]),
        ("start=10", "x", ["0.6341", "0.25"]),
        ("", "word", ["cat", "dog", "cat", "bad"]),
        ("word=dog", "x_high;x_low", ["0.4", "0.1"]),
        ("start=10", "word;x", ["cat", "0.6341", "dog", "0.25"]),
    ],
)
def test_select_cells(row, column, cells):
    assert select_cells(*TABLE, row, column) == cells


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"column": "y"}, "no column 'y'; the columns are word, start, x"),
        ({"column": "x;y"}, "no column 'y'"),
        ({"row": "wrod=cat"}, "no column 'wrod'"),
        ({"row": "word=cot"}, "no row with word=cot; word is cat"),
        ({"row": "word=cat;start=99"}, "no row with word=cat;start=99; start is 10"),
        ({"kind": "spread", "column": "start"}, "no column 'start_low'"),
        ({"kind": "spread", "row": "word=cat"}, "2 rows with word=cat for 1 stated numbers"),
    ],
)
def test_address_without_cells(changes, message):
    verdict = judge(claim(tolerance="0.1", **changes), TABLE)
    assert verdict.verdict == "not run"
    assert verdict.reason.startswith(f"its address names no cell: {message}")


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Results of one rule, in a folder of their own, and its makers."""
    monkeypatch.chdir(tmp_path)
    rows = [row.values() for row in TABLE[1]]
    write_csv("results/t.csv", TABLE[0], rows)
    write_sidecar("results/m.json", "measure", "scripts/measure.py", [], ["results/t.csv"])
    return verify(["results/m.json"], {})


def test_judge_all(results):
    claims = [claim(), claim(stated="0.9"), claim(artefact=""), claim(artefact="none.csv")]
    found = judge_all(claims, "results", results)
    assert [v.verdict for v in found] == ["reproduced", "differs", "not run", "not run"]
    assert [v.script for v in found] == ["scripts/measure.py"] * 2 + [""] * 2


def test_file_that_no_rule_made_is_refused(results):
    write_csv("results/copied.csv", TABLE[0], [row.values() for row in TABLE[1]])
    with pytest.raises(
        LedgerError, match=r"^results/copied\.csv: no rule of this pipeline made it"
    ):
        judge_all([claim(artefact="copied.csv")], "results", results)


def test_bad_address_costs_its_own_claim_only(results):
    found = judge_all([claim(column="y"), claim()], "results", results)
    assert [verdict.verdict for verdict in found] == ["not run", "reproduced"]


@pytest.fixture
def verdicts():
    """Verdicts of two documents: one unexpected, one edge."""
    expected = [
        (claim(id="d7.a"), TABLE),
        (claim(id="d7.b", stated="0.9"), TABLE),
        (claim(id="d7.c", expected="not run", evidence="trained"), None),
        (dataclasses.replace(claim(id="d8.a", evidence="given"), document="008"), TABLE),
        (claim(id="d7.d", stated="0.9", expected="differs", expected_reason="misprint"), TABLE),
        (claim(id="d7.e", evidence="trained"), None),
    ]
    return [judge(*case) for case in expected]


def test_summary_counts(verdicts, tmp_path):
    summary = summarize(verdicts)
    none = dict.fromkeys(VERDICTS, 0)
    assert (summary["schema_version"], summary["claims"]) == (1, 6)  # 2 breaks its readers
    assert summary["verdicts"] == none | {"reproduced": 2, "differs": 2, "not run": 2}
    assert summary["documents"] == {
        "007": none | {"reproduced": 1, "differs": 2, "not run": 2},
        "008": none | {"reproduced": 1},
    }
    assert summary["evidence"] == dict.fromkeys(EVIDENCE, none) | {
        "computed": none | {"reproduced": 1, "differs": 2},
        "trained": none | {"not run": 2},
        "given": none | {"reproduced": 1},
    }
    assert summary["unexpected"] == ["d7.b", "d7.e"]
    write_json(tmp_path / "summary.json", summary)
    assert read_summary(tmp_path / "summary.json") == summary


def test_unexpected(verdicts):
    assert [verdict.id for verdict in unexpected(verdicts)] == ["d7.b", "d7.e"]


def test_junit(verdicts):
    text = junit(verdicts)
    assert text.startswith("<?xml")
    suite = ElementTree.fromstring(text.encode())
    assert (suite.tag, suite.get("name")) == ("testsuite", "claims")
    counts = {name: suite.get(name) for name in ("tests", "failures", "skipped")}
    assert counts == {"tests": "6", "failures": "2", "skipped": "1"}
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases == {
        "d7.a": [],
        "d7.b": ["failure"],
        "d7.c": ["skipped"],
        "d8.a": [],
        "d7.d": [],
        "d7.e": ["failure"],
    }
    (excused,) = (verdict for verdict in verdicts if verdict.id == "d7.c")
    assert ElementTree.fromstring(junit([*verdicts, excused]).encode()).get("skipped") == "2"
    message = suite.find("testcase[@name='d7.b']/failure").get("message")
    assert "stated 0.9, measured 0.6341 (t.csv word=cat;start=10 x)" in message
    assert "lies outside 0.85 to 0.95" in message
    assert {case.get("classname") for case in suite} == {"document.007", "document.008"}


def test_junit_compares_no_verdict_with_others(verdicts, monkeypatch):
    """Looking a verdict up among the others would make its work grow with the square."""
    expected = junit(verdicts)
    monkeypatch.setattr(type(verdicts[0]), "__eq__", lambda self, other: pytest.fail("compared"))
    assert junit(verdicts) == expected


@pytest.mark.parametrize("text", ['<a href="x">&amp;\'', "−½ “cat”", "]]>"])
def test_junit_keeps_any_text(verdicts, text):
    wrong = dataclasses.replace(verdicts[1], reason=text)
    failure = ElementTree.fromstring(junit([wrong]).encode()).find("testcase/failure")
    assert failure.get("message").endswith(text)


def test_junit_of_a_control_character(verdicts):
    wrong = dataclasses.replace(verdicts[1], measured="a\x0bb")
    failure = ElementTree.fromstring(junit([wrong]).encode()).find("testcase/failure")
    assert "measured a\ufffdb (" in failure.get("message")


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {},
            "claims/007.csv:2: d7.a: reproduced, expected reproduced; stated 0.634, "
            "measured 0.6341 (t.csv word=cat;start=10 x)",
        ),
        (
            {"low": "", "high": "", "measured": "", "artefact": "", "row": "", "column": ""}
            | {"verdict": "not run", "reason": "no weights"},
            "claims/007.csv:2: d7.a: not run, expected reproduced; stated 0.634, "
            "measured nothing; no weights",
        ),
    ],
)
def test_told(verdicts, changes, line):
    assert told(dataclasses.asdict(verdicts[0]) | changes) == line


def test_scoreboard(verdicts):
    head, *lines, last = scoreboard(summarize(verdicts))
    assert head.split() == ["all", "computed", "trained", "given"]
    assert {line[:13].strip(): line[13:].split() for line in lines} == dict.fromkeys(
        VERDICTS, ["0"] * 4
    ) | {
        "reproduced": ["2", "1", "0", "1"],
        "differs": ["2", "2", "0", "0"],
        "not run": ["2", "0", "2", "0"],
    }
    assert last.split() == ["claims", "6"]
    assert len({len(line) for line in [head, *lines]}) == 1  # the columns stand below each other


def test_a_wrong_digit_in_a_real_claim(project, tmp_path):
    """The real registry and the real shape of artefact: 890 becomes 891."""
    (source,) = project.glob("claims/000.csv")
    with source.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    (row,) = (row for row in rows if row["id"] == "d0.ids.distance")
    table = (["quantity", "value"], [{"quantity": "ids.distance", "value": "890"}])
    for stated, verdict in (("890", "reproduced"), ("891", "differs")):
        path = tmp_path / "000.csv"
        write_csv(path, list(row), [[*{**row, "stated": stated, "restates": ""}.values()]])
        (read,) = read_claims([path])
        assert judge(read, table).verdict == verdict


HERE = {"provides": "weights", "here": "true", "verified": "true", "reason": ""}
AWAY = {"provides": "weights", "here": "false", "verified": "false", "reason": "no file w.bin"}


def test_an_absent_source_excuses_what_is_not_run():
    found = judge(claim(needs="weights"), None, None, AWAY)
    assert (found.verdict, found.reason, found.excused) == ("not run", "no file w.bin", True)
    assert unexpected([found]) == []
    row = {**dataclasses.asdict(found), "excused": "true"}
    assert excuses([row]) == ["1 claim is not run: no file w.bin"]
    assert excuses([row] * 2) == ["2 claims are not run: no file w.bin"]


def test_sources_are_told_apart_by_what_they_provide():
    own = {**AWAY, "provides": ""}  # a table of one's own, which no claim waits for
    (found,) = judge_all([claim(needs="weights")], "results", {}, [own, AWAY])
    assert (found.reason, found.excused) == ("no file w.bin", True)


def test_a_source_that_is_there_excuses_nothing_known():
    assert not judge(claim(needs="weights"), TABLE, None, HERE).excused
    wrong = judge(claim(needs="weights", stated="0.7"), TABLE, None, HERE)
    assert (wrong.verdict, wrong.excused) == ("differs", False)
    assert unexpected([wrong]) == [wrong]
    # its rule did not run: the source is no excuse
    assert unexpected([judge(claim(needs="weights"), None, None, HERE)])


@pytest.mark.parametrize("stated", ["0.634", "0.7"])
def test_what_nobody_measured_before_is_listed(stated):
    found = judge(claim(needs="weights", stated=stated, expected="not run"), TABLE, None, HERE)
    assert found.excused
    row = {**dataclasses.asdict(found), "excused": "true"}
    assert excuses([row]) == [f"measured for the first time: d7.a: {found.verdict}"]
    alone = judge(claim(stated=stated, expected="not run"), TABLE)
    assert unexpected([alone]) == [alone]  # without an optional source it is a surprise


def test_unverified_weights_are_marked():
    source = {**HERE, "verified": "false"}
    assert judge(claim(), TABLE, None, source).reason == "unverified weights"
    wrong = judge(claim(stated="0.7"), TABLE, None, source)
    assert wrong.reason == "unverified weights; 0.6341 lies outside 0.65 to 0.75"
