"""One number and where it comes from, on a small results folder with a sidecar of its own."""

from dataclasses import replace

import pytest

from embedding_ledger.claims import COLUMNS, Claim
from embedding_ledger.errors import LedgerError
from embedding_ledger.manifest import write_sidecar
from embedding_ledger.number import as_lines, as_record, find_claim, makers, measure, named_at

SCRIPT = '''"""Measure sums."""

from embedding_ledger.artefacts import write_values


def sums():
    return {"sum": 1 + 1, "twice": 4}


def doubled():
    return {"twice": 4}
'''
CLAIM = Claim(
    document="007",
    file="claims/007.csv",
    line=2,
    **{
        **dict.fromkeys(COLUMNS, ""),
        "id": "d7.sum",
        "statement": "One and one are two.",
        "stated": "2.0",
        "kind": "digits",
        "evidence": "computed",
        "expected": "reproduced",
        "artefact": "sums/values.csv",
        "row": "quantity=sum",
        "column": "value",
    },
)


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("scripts/measure_sums.py", SCRIPT),
        ("results/sums/values.csv", "quantity,index,value\nsum,0,2.01\n"),
    ):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    script = "scripts/measure_sums.py"
    write_sidecar(
        "results/manifest/measure_sums.json",
        "measure_sums",
        script,
        [script],
        ["results/sums/values.csv"],
    )
    return tmp_path / "results"


def test_number_and_its_place(results):
    record = as_record(CLAIM, "results")
    told = ("measured", "verdict", "low", "high", "rule", "script", "code", "registry")
    assert [record[name] for name in told] == [
        "2.01",
        "reproduced",
        "1.95",
        "2.05",
        "measure_sums",
        "scripts/measure_sums.py",
        "scripts/measure_sums.py:7 (sums)",
        "claims/007.csv:2",
    ]
    lines = as_lines(record)
    assert lines[0] == "d7.sum"
    assert "  interval   1.95 to 2.05" in lines
    assert "  cell       sums/values.csv  quantity=sum  value" in lines
    assert not any(line.split()[0] in ("range", "reason") for line in lines)


def test_range_of_a_spread(results):
    claim = replace(
        CLAIM, kind="spread", tolerance="0.5", tolerance_reason="seeds", row="", column="x"
    )
    (results / "sums/values.csv").write_text("x,x_low,x_high\n2.01,1.9,2.1\n")
    write_sidecar("results/manifest/measure_sums.json", "r", "s.py", [], [results / "x"][:0])
    write_sidecar(
        "results/manifest/measure_sums.json", "r", "s.py", [], ["results/sums/values.csv"]
    )
    lines = as_lines(as_record(claim, "results"))
    assert "  range      1.9 to 2.1" in lines
    assert "  measured   2.01" in lines
    assert "  verdict    consistent (expected: reproduced)" in lines


@pytest.mark.parametrize("changes", [{"artefact": "", "column": "", "row": ""}, {"artefact": "x"}])
def test_unmeasured_claim_says_so(results, changes):
    record = as_record(replace(CLAIM, **changes), "results")
    assert (record["verdict"], record["measured"], record["code"]) == ("not run", "", "")
    assert "  measured   nothing yet" in as_lines(record)


def test_artefact_that_no_job_made_does_not_count(results):
    (results / "other.csv").write_text("quantity,index,value\nsum,0,2\n")
    verdict, maker = measure(replace(CLAIM, artefact="other.csv"), "results")
    assert (verdict.verdict, maker) == ("not run", None)
    assert makers("results").get("results/other.csv") is None


@pytest.mark.parametrize(
    ("name", "told"),
    [("results/sums/values.csv", "made it"), ("scripts/measure_sums.py", "read it")],
)
def test_edited_artefact_and_old_code_are_refused(results, name, told):
    path = results.parent / name
    path.write_text(path.read_text() + "\n")
    with pytest.raises(LedgerError, match=f"{name}: changed after rule measure_sums {told}"):
        measure(CLAIM, "results")


def test_address_without_a_cell(results):
    verdict, _ = measure(replace(CLAIM, column="mean"), "results")
    assert verdict.verdict == "not run"
    assert "no column 'mean'" in verdict.reason


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ("quantity=sum;index=0", "scripts/measure_sums.py:7 (sums)"),
        ("statement=sum", "scripts/measure_sums.py:7 (sums)"),
        ("quantity=twice", ""),  # two functions name it
        ("quantity=none", ""),
        ("offset=sum", ""),
        ("", ""),
    ],
)
def test_code_is_told_only_where_one_place_names_it(results, row, place):
    assert named_at("scripts/measure_sums.py", row) == place
    assert named_at("scripts/absent.py", row) == ""


def test_unknown_id_suggests_those_that_look_like_it():
    claims = [replace(CLAIM, id=name) for name in ("d7.sum", "d7.product", "d7.dot.1.start10")]
    assert find_claim(claims, "d7.product") is claims[1]
    for name, near in (("d7.sun", "d7.sum"), ("start10", "d7.dot.1.start10")):
        with pytest.raises(LedgerError) as caught:
            find_claim(claims, name)
        assert caught.value.faults == [f"no claim {name!r}", f"did you mean {near}?"]
    with pytest.raises(LedgerError) as caught:
        find_claim(claims, "")
    assert caught.value.faults == ["no claim ''"]


def test_a_results_folder_by_any_spelling(results):
    for spelling in (
        "results",
        "results/",
        "./results",
        results,
        "../" + results.parent.name + "/results",
    ):
        assert measure(CLAIM, spelling)[0].measured == "2.01"


def test_an_absent_source_is_the_reason(results):
    waiting = replace(CLAIM, needs="weights", artefact="tables/x.csv")
    (results / "sources.csv").write_text("provides,here,reason\nweights,false,no file w.bin\n")
    found, maker = measure(waiting, "results")
    assert (found.verdict, found.reason, found.excused, maker) == (
        *("not run", "no file w.bin", True),
        None,
    )


def test_without_a_run_there_is_no_number(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LedgerError, match="there is no run in results"):
        measure(CLAIM, "results")
