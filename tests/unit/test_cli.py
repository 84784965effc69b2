"""The command: exit statuses, what goes to which stream, JSON; in a copy of the registry."""

import csv
import json
import os
import shutil
import subprocess
import sys

import pytest

from embedding_ledger import cli
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
    assert cli.main(["scan", "page.md", "--document", "003", "--register"]) == 1
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
    ],
)
def test_wrong_usage_is_2(arguments, capsys):
    assert status_of(*arguments) == 2
    assert "usage: ledger" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("scan", "absent.md"), "absent.md: No such file"),
        (("scan", "page.md", "--document", "999"), "no document '999'; there are: 000, 001"),
        (("scan", "page.md", "--numerals", "none.csv"), "none.csv: No such file"),
        (("diff", "old", "new"), "old: No such file"),
        (("number", "d4.dot.1.start1"), "did you mean d4.dot.1.start10?"),
        (("list", "--results", "none"), "none/claims.csv: No such file"),
        (("add", "--id", "d4.x"), "name the document: --document"),
        (("add", "--document", "999"), "document '999' has no registry file"),
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
    path.write_text(path.read_text() + "003,5,xyz,,\n003,5,0123abcd,d3.none,\n")
    assert cli.main(["scan", "page.md"]) == 2
    err = capsys.readouterr().err
    assert "column 'context': 'xyz'" in err and "no claim 'd3.none'" in err


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
    assert "give 1 row a claim or a reason" in capsys.readouterr().err
    page_rows = [r for r in rows_of(page.parent / DEFAULT) if r["document"] == "003"]
    assert [(r["numeral"], r["reason"]) for r in page_rows] == [
        ("73", "made up"),
        ("58.5 %", "made up"),
        ("9", ""),
    ]
    assert cli.main(["scan", "page.md"]) == 1


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
    """In a folder without results, a claim that expects a value is a finding."""
    assert cli.main(["number", "d4.dot.1.start10"]) == 1
    out = capsys.readouterr().out
    assert "measured   nothing yet" in out and "not run (expected: reproduced)" in out
    assert cli.main(["number", "d4.dot.1.start10", "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert (record["id"], record["measured"]) == ("d4.dot.1.start10", "")
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
