"""The command: exit statuses, what goes to which stream, JSON; in a copy of the registry."""

import csv
import json
import os
import shutil
import subprocess
import sys

import pytest

from embedding_ledger import cli
from embedding_ledger.manifest import write_sidecar
from embedding_ledger.occurrences import DEFAULT
from embedding_ledger.verdicts import Verdict

PAGE = "# Towers\n\nThe red tower stands 73 metres tall, the blue one 58.5 % of it.\n"


@pytest.fixture
def registry(project, tmp_path, monkeypatch):
    """The working folder: configuration and claims of the project, numerals of one page."""
    shutil.copytree(project / "claims", tmp_path / "claims")
    (tmp_path / "config").mkdir()
    shutil.copy(project / "config" / "config.yaml", tmp_path / "config")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def page(registry, capsys):
    """A page whose numerals stand in the registry as document 003, each with a reason."""
    path = registry / "page.md"
    path.write_text(PAGE)
    register = ["scan", "page.md", "--document", "003", "--register", "--drop-gone"]
    assert cli.main(register) == 1
    numerals = registry / DEFAULT
    lines = numerals.read_text().splitlines()
    filled = [f"{line}made up" if line.endswith(",,") else line for line in lines]
    numerals.write_text("\n".join(filled) + "\n")
    capsys.readouterr()
    return path


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def status_of(*arguments):
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    return caught.value.code


def test_starts_fast():
    """None of the large packages is loaded by the command."""
    large = {"torch", "numpy", "pandas", "matplotlib", "snakemake"}
    program = f"import sys, embedding_ledger.cli; print({large} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("command", [(), ("scan",), ("diff",), ("number",), ("list",), ("add",)])
def test_help_everywhere(command, capsys):
    assert status_of(*command, "--help") == 0
    assert "usage: ledger" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("scann",),
        ("scan",),
        ("diff", "one"),
        ("number",),
        ("list", "--verdict", "good"),
        ("add", "--kind", "digit"),
        ("scan", "page.md", "--register"),
        ("scan", "page.md", "--drop-gone"),
    ],
)
def test_wrong_usage_is_2(arguments, capsys):
    assert status_of(*arguments) == 2
    told = capsys.readouterr().err
    command = arguments[0] if arguments and arguments[0] != "scann" else ""
    assert f"usage: ledger {command}" in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("scan", "absent.md"), "absent.md: No such file"),
        (("scan", "page.md", "--document", "999"), "a document '999'; there are: 000, 001"),
        (("scan", "page.docx"), "page.docx: .docx is no kind of file"),
        (("scan", "page.md", "--numerals", "none.csv"), "none.csv: No such file"),
        (("diff", "old", "new"), "old: No such file"),
        (("number", "d4.dot.1.start1"), "did you mean d4.dot.1.start10?"),
        (("list", "--results", "none"), "none/claims.csv: No such file"),
        (("add", "--id", "d4.x"), "name the document: --document"),
        (("add", "--document", "999"), "list claims/999.csv under claims in config/"),
    ],
)
def test_input_that_cannot_be_read_is_2(page, arguments, told, capsys):
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert all(line.startswith("ledger: ") for line in err.splitlines())
    assert told in err


def test_outside_the_project_is_2(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["number", "d4.dot.1.start10"]) == 2
    assert "config/config.yaml: No such file" in capsys.readouterr().err


def test_faulty_registry_is_2_with_all_faults(page, capsys):
    path = page.parent / DEFAULT
    path.write_text(
        path.read_text() + f"003,5,xyz,{'0' * 8},,\n003,5,{'0' * 8},{'0' * 8},d3.none,\n"
    )
    assert cli.main(["scan", "page.md"]) == 2
    err = capsys.readouterr().err
    assert "column 'before': 'xyz'" in err and "no claim 'd3.none'" in err


def test_scan_of_a_registered_page(page, capsys):
    assert cli.main(["scan", "page.md"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "page.md: document 003, the one that fits best"
    assert lines[1].split() == ["3:22", "73", "no", "claim:", "made", "up"]
    assert lines[2].split() == ["3:51", "58.5", "%", "no", "claim:", "made", "up"]
    assert len(lines) == 4


def test_scan_finds_the_planted_and_the_removed(page, capsys):
    page.write_text(PAGE.replace("73 metres", "37 metres"))
    assert cli.main(["scan", "page.md", "--document", "003", "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert record["document"] == "003"
    assert [(n["numeral"], n["match"]) for n in record["numerals"]] == [
        ("37", "unregistered"),
        ("58.5 %", "same"),
    ]
    assert record["numerals"][0] | {"line": 3, "column": 22} == record["numerals"][0]
    assert record["gone"] == [{"numeral": "73", "claims": []}]
    assert record["unregistered"] == 1


def test_scan_names_the_claims_that_are_no_longer_found(page, capsys):
    path = page.parent / DEFAULT
    text = path.read_text()
    (line,) = [row for row in text.splitlines() if row.startswith("003,73,")]
    claim = "d3.ids.no_size"
    path.write_text(text.replace(line, line.replace(",,made up", f",{claim},")))
    assert cli.main(["scan", "page.md"]) == 0
    assert claim in capsys.readouterr().out
    page.write_text(PAGE.replace("73", "some"))
    assert cli.main(["scan", "page.md"]) == 1
    assert f"no longer found: claim {claim}" in capsys.readouterr().out


def test_register_touches_one_document_only(page, project, capsys):
    original = rows_of(project / DEFAULT)
    now = rows_of(page.parent / DEFAULT)
    assert [r for r in now if r["document"] != "003"] == [
        r for r in original if r["document"] != "003"
    ]
    page.write_text(PAGE + "It has 9 floors.\n")
    assert cli.main(["scan", "page.md", "--document", "003", "--register"]) == 1
    told = capsys.readouterr().err.splitlines()
    lines = (page.parent / DEFAULT).read_text().splitlines()
    (line,) = [n for n, text in enumerate(lines, 1) if text.endswith(",,")]
    assert told[1:] == [
        "give each a claim or a reason:",
        f"{DEFAULT}:{line}: document 003, 9",
    ]
    page_rows = [r for r in rows_of(page.parent / DEFAULT) if r["document"] == "003"]
    assert [(r["numeral"], r["reason"]) for r in page_rows] == [
        ("73", "made up"),
        ("58.5 %", "made up"),
        ("9", ""),
    ]
    assert cli.main(["scan", "page.md"]) == 1


def test_part_of_a_page_is_not_registered(page, capsys):
    """Nothing is written unless it is said that what is gone may be dropped."""
    numerals = page.parent / DEFAULT
    before = numerals.read_bytes()
    page.write_text("The red tower stands 73 metres tall, the blue one of 12.\n")
    command = ["scan", "page.md", "--document", "003", "--register"]
    assert cli.main(command) == 2
    told = capsys.readouterr().err
    assert "nothing was written: 1 row of document 003 would be dropped, and 0 claims" in told
    assert "`ledger add --page`" in told and "--drop-gone" in told
    assert numerals.read_bytes() == before
    assert cli.main(["scan", "page.md", "--document", "001", "--register"]) == 2
    rows, lost = (
        len([r for r in rows_of(numerals) if r["document"] == "001"]),
        {
            claim
            for r in rows_of(numerals)
            if r["document"] == "001"
            for claim in r["claims"].split(";")
        },
    )
    told = capsys.readouterr().err
    assert f"{rows} rows of document 001 would be dropped" in told
    assert f"{len(lost - {''})} claims would lose the last numeral" in told
    assert numerals.read_bytes() == before
    assert cli.main([*command, "--drop-gone"]) == 1
    assert [r["numeral"] for r in rows_of(numerals) if r["document"] == "003"] == ["73", "12"]


def test_page_without_numerals(page, capsys):
    page.write_text("No number here.\n")
    assert cli.main(["scan", "page.md"]) == 0
    assert capsys.readouterr().out == "page.md: no numeral on the page\n"
    assert cli.main(["scan", "page.md", "--document", "003"]) == 1
    assert "no numeral on the page" in capsys.readouterr().out


def write_run(folder, measured):
    folder.mkdir()
    row = dict.fromkeys(Verdict.__dataclass_fields__, "")
    row |= {"id": "d7.a", "document": "007", "group": "g", "stated": "0.5"}
    row |= {"verdict": "reproduced", "measured": measured}
    with (folder / "claims.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, row, lineterminator="\n")
        writer.writeheader()
        writer.writerow(row)
        writer.writerow({**row, "id": "d7.b", "verdict": "differs"})


def test_diff(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "old", "0.51")
    write_run(tmp_path / "new", "0.52")
    assert cli.main(["diff", "old", "old"]) == 0
    assert capsys.readouterr().out == "no claim moved\n"
    assert cli.main(["diff", "old", "new/claims.csv"]) == 1
    assert "2 claims moved" in capsys.readouterr().out
    assert cli.main(["diff", "old", "new", "--markdown"]) == 1
    assert "| d7.a | digits | 0.5 |" in capsys.readouterr().out
    assert cli.main(["diff", "old", "new", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["after"] == "reproduced: 0.52"


def test_list(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "results", "0.51")
    assert cli.main(["list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert cli.main(["list", "--verdict", "differs", "--document", "007", "--group", "g"]) == 0
    assert capsys.readouterr().out.split() == ["differs", "d7.b", "0.5", "1", "claim"]
    assert cli.main(["list", "--group", "other", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_number_that_is_not_measured(registry, capsys):
    """In a folder without results there is nothing to show, but the artefact is known."""
    assert cli.main(["number", "d4.dot.1.start10"]) == 2
    assert "there is no run in results (make reproduce)" in capsys.readouterr().err
    assert cli.main(["number", "d4.dot.1.start10", "--artefact"]) == 0
    assert capsys.readouterr().out == "results/positions/dot_products.csv\n"


def test_number_without_an_address_has_no_artefact(registry, capsys):
    assert cli.main(CLAIM) == 0
    capsys.readouterr()
    assert cli.main(["number", "d4.made.up", "--artefact"]) == 0
    assert capsys.readouterr().out == "\n"


CLAIM = (
    *("add", "--document", "004", "--id", "d4.made.up", "--stated", "73"),
    *("--statement", "The tower has 73 steps."),
    *("--group", "towers", "--section", "Towers"),
)


def test_add_without_a_terminal(registry, capsys):
    path = registry / "claims" / "004.csv"
    before = path.read_bytes()
    assert cli.main([*CLAIM, "--dry-run"]) == 0
    assert "nothing was written" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert cli.main([*CLAIM, "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["row"]["kind"] == "digits"
    assert "ledger number d4.made.up" in err
    assert path.read_bytes().startswith(before)
    assert rows_of(path)[-1]["id"] == "d4.made.up"
    assert cli.main(CLAIM) == 2
    assert "'d4.made.up' stands in claims/004.csv" in capsys.readouterr().err
    assert cli.main(["number", "d4.made.up"]) == 0


@pytest.mark.parametrize(("last", "written"), [("", True), ("n", False)])
def test_add_on_a_terminal(registry, monkeypatch, capsys, last, written):
    answers = {"document": "004", "id": "d4.made.up", "statement": "A tower.", "stated": "< 9"}
    answers["group"] = "towers"
    asked = []

    def answer(question):
        asked.append(question.split(" ")[0])
        return last if question.startswith("Write") else answers.get(asked[-1], "")

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr(cli.add.prompt, "__defaults__", (answer, print))
    assert cli.main(["add", "--section", "Towers"]) == 0
    assert asked[:3] == ["document", "id", "group"] and asked[-1] == "Write"
    assert "section" not in asked
    row = rows_of(registry / "claims" / "004.csv")[-1]
    assert (row["id"] == "d4.made.up") == written
    if written:
        assert (row["kind"], row["section"], row["expected"]) == ("bound", "Towers", "not run")


def test_end_of_input_writes_nothing(registry, monkeypatch, capsys):
    def answer(question):
        raise EOFError

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", answer)
    assert cli.main(["add"]) == 2
    assert "nothing was written" in capsys.readouterr().err


def test_reader_of_a_pipe_that_has_seen_enough(page):
    page.write_text("5 apples\n" * 20000)
    command = f"'{sys.executable}' -m embedding_ledger.cli scan page.md --document 003 | head -1"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=page.parent,
        env=os.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "page.md: document 003\n"
    assert done.stderr == ""


def test_add_enters_the_numeral_on_a_part_of_a_page(registry, capsys):
    """One row more, all other rows of all documents stay; and the scan knows it."""
    numerals = registry / DEFAULT
    before = rows_of(numerals)
    part = registry / "part.md"
    part.write_text("Its tower has some 73 very steep steps.\n")
    assert cli.main([*CLAIM, "--page", "part.md", "--dry-run"]) == 0
    assert "part.md:1:20: 73 is d4.made.up" in capsys.readouterr().err
    assert rows_of(numerals) == before
    assert cli.main([*CLAIM, "--page", "part.md"]) == 0
    assert "--register" not in capsys.readouterr().err
    after = rows_of(numerals)
    (new,) = [row for row in after if row["claims"] == "d4.made.up"]
    after.remove(new)
    assert after == before
    cli.main(["scan", "part.md", "--document", "004"])
    out = capsys.readouterr().out
    assert "73  d4.made.up\n" in out and "1 numerals: 1 registered (0 moved)" in out


def test_add_writes_nothing_when_the_page_has_no_numeral_for_it(registry, capsys):
    before = {path: path.read_bytes() for path in (registry / "claims").iterdir()}
    (registry / "part.md").write_text("Its tower has 37 steps.\n")
    assert cli.main([*CLAIM, "--page", "part.md"]) == 2
    assert "part.md: 73 is not on the page" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in (registry / "claims").iterdir()} == before


def test_first_claim_of_a_page_of_ones_own(registry, capsys):
    config = registry / "config" / "config.yaml"
    text = config.read_text()
    config.write_text(text.replace("  - claims/004.csv", "  - claims/004.csv\n  - claims/005.csv"))
    (registry / "own.md").write_text("My tower has 73 steps and 4 doors.\n")
    assert cli.main(["scan", "own.md", "--document", "005"]) == 2
    assert "ledger add --document 005" in capsys.readouterr().err
    own = ["add", "--document", "005", "--id", "d5.steps", *CLAIM[5:], "--page", "own.md"]
    assert cli.main(own) == 0
    assert rows_of(registry / "claims" / "005.csv")[0]["id"] == "d5.steps"
    assert cli.main(["scan", "own.md", "--document", "005", "--register"]) == 1
    rows = [row for row in rows_of(registry / DEFAULT) if row["document"] == "005"]
    assert [(row["numeral"], row["claims"]) for row in rows] == [("73", "d5.steps"), ("4", "")]


def write_artefact(registry, value):
    artefact = registry / "results" / "towers" / "values.csv"
    artefact.parent.mkdir(parents=True)
    artefact.write_text(f"quantity,index,value\nsteps,0,{value}\n")
    sidecar = "results/manifest/measure_towers.json"
    write_sidecar(sidecar, "measure_towers", "s.py", [], ["results/towers/values.csv"])


ADDRESS = ("--artefact", "towers/values.csv", "--row", "quantity=steps", "--column", "value")


@pytest.mark.parametrize(
    ("value", "status", "verdict"), [("73.2", 0, "reproduced"), ("74", 1, "differs")]
)
def test_add_measures_the_new_claim(registry, capsys, value, status, verdict):
    write_artefact(registry, value)
    assert cli.main([*CLAIM, *ADDRESS, "--dry-run"]) == status
    out, err = capsys.readouterr()
    assert f"measured          {value}" in out and f"verdict           {verdict}" in out
    assert ("not the expected one" in err) == bool(status)
    assert (
        cli.main([*CLAIM, *ADDRESS, "--json", "--expected", verdict, "--expected-reason", "x"]) == 0
    )
    assert json.loads(capsys.readouterr().out)["number"]["measured"] == value
    second = ["d4.made.again" if part == "d4.made.up" else part for part in CLAIM]
    cli.main([*second, *ADDRESS, "--dry-run"])
    assert "d4.made.up has the same cell and states 73" in (err := capsys.readouterr().err)
    assert "--restates d4.made.up" in err
    cli.main([*second, *ADDRESS, "--dry-run", "--restates", "d4.made.up"])
    assert "same cell" not in capsys.readouterr().err


def test_add_refuses_an_address_without_a_cell(registry, capsys):
    """Unless the experiment is said to be not run; without a run there is nothing to look at."""
    wrong = ["towers/value.csv" if part == "towers/values.csv" else part for part in ADDRESS]
    assert cli.main([*CLAIM, *wrong, "--dry-run"]) == 0
    assert "not measured: there is no run in results" in capsys.readouterr().err
    write_artefact(registry, "73")
    assert cli.main([*CLAIM, *wrong]) == 2
    assert "did you mean 'towers/values.csv'" in capsys.readouterr().err
    assert cli.main([*CLAIM, *wrong, "--expected", "not run", "--dry-run"]) == 0
    assert "not measured: column 'artefact'" in capsys.readouterr().err
