"""Findings of the front page: no sentence outlives the verdicts that it rests on."""

import csv
import re
from pathlib import Path

import pytest
from lxml import html

from embedding_ledger.claims import VERDICTS
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import write_csv, write_text
from embedding_ledger.findings import (
    OTHER_SIDE,
    Finding,
    Version,
    answer,
    as_html,
    current,
    faults,
    matching,
    read_findings,
    tell,
    value,
)
from embedding_ledger.verdicts import Verdict

ROOT = Path(__file__).resolve().parents[2]
QUESTION, FINDINGS = read_findings(ROOT / "report" / "_findings.yml")
VERSIONS = [
    pytest.param(finding, version, id=f"{finding.heading[:30]} {next(iter(version.when.values()))}")
    for finding in (QUESTION, *FINDINGS)
    for version in finding.versions
]


def row(name, verdict="reproduced", **changes):
    values = dict.fromkeys(Verdict.__dataclass_fields__, "")
    return (
        values | {"id": name, "verdict": verdict, "stated": "0.63", "measured": "0.6341"} | changes
    )


def registered():
    """One row a registered claim, all not checkable: no finding asks for that."""
    found = []
    for path in sorted((ROOT / "claims").glob("0*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            found += [row(line["id"], "not checkable") for line in csv.DictReader(stream)]
    return found


def fields(finding, version):
    return re.findall(r"\{([^{}]+)\}", finding.heading + version.text)


def set_verdict(found, verdict):
    if verdict == OTHER_SIDE:
        reason = "stated 1; Recap has 2; the measurement agrees with Recap."
        found |= {"verdict": "contradicted", "other_section": "Recap", "reason": reason}
    else:
        found |= {"verdict": verdict, "reason": ""}


def true_for(finding, version, results):
    """Rows under which a version is true, and artefacts that hold its cells."""
    rows = registered()
    for name, verdict in version.when.items():
        for found in matching(rows, name):
            set_verdict(found, verdict)
    cells = {}
    for field in fields(finding, version):
        if ":" in field:
            name, _, column = field.rpartition(":")
            for found in matching(rows, name):
                if column in found:
                    found[column] = found[column] or "1"
                elif column != "count":
                    found["reason"] += f"; {column} = 7 8"
        else:
            artefact, where, column = field.split(" ")
            line = dict(condition.split("=") for condition in where.split(";")) | {column: "2.5"}
            cells.setdefault(artefact, []).append(line)
    for artefact, lines in cells.items():
        columns = sorted({column for line in lines for column in line})
        write_csv(results / artefact, columns, [[x.get(c, "") for c in columns] for x in lines])
    return rows


def test_every_claim_and_verdict_of_the_findings_exists():
    assert faults([QUESTION, *FINDINGS], registered()) == []
    assert len(FINDINGS) >= 5


@pytest.mark.parametrize(("finding", "version"), VERSIONS)
def test_fields_belong_to_claims_that_the_sentence_rests_on(finding, version):
    """A number of a claim without its verdict in `when` could change unnoticed."""
    for field in fields(finding, version):
        if ":" in field:
            name = field.rpartition(":")[0]
            assert any(name == known or matching([row(name)], known) for known in version.when)


@pytest.mark.parametrize(("finding", "version"), VERSIONS)
def test_no_number_is_typed(finding, version):
    text = re.sub(
        r"\{[^{}]+\}|document \d{3}|GPT-2|offset 28| at 32|word2vec", "", version.text, flags=re.I
    )
    assert not re.findall(r"\d+\.\d+|\d{2,}", text)


@pytest.mark.parametrize(("finding", "version"), VERSIONS)
def test_a_changed_verdict_changes_or_drops_the_sentence(finding, version, tmp_path):
    rows = true_for(finding, version, tmp_path)
    told = tell(finding, rows, tmp_path)
    assert told and "{" not in told.text + told.heading
    for name, verdict in version.when.items():
        wrong_side = {"reason": "the measurement agrees with this side."}
        changes = [{"verdict": v} for v in VERDICTS if v != verdict.partition(",")[0]]
        for change in [*changes, wrong_side] if verdict == OTHER_SIDE else changes:
            other = [dict(r) for r in rows]
            matching(other, name)[-1].update(change)
            now = tell(finding, other, tmp_path)
            assert now is None or now.text != told.text


@pytest.mark.parametrize(("finding", "version"), VERSIONS)
def test_without_its_claims_a_finding_is_left_out(finding, version, tmp_path):
    assert tell(finding, [], tmp_path) is None


FOUND = Finding(
    "About {d7.a:stated}",
    (
        Version({"d7.a": "differs"}, "It is {d7.a:measured}."),
        Version({"d7.a": "reproduced", "d7.b.*": "not run"}, "All {d7.b.*:count} wait."),
    ),
)


def test_the_first_true_version_is_told(tmp_path):
    waiting = [row("d7.b.1", "not run"), row("d7.b.2", "not run")]
    assert tell(FOUND, [row("d7.a", "differs")], tmp_path).text == "It is 0.6341."
    told = tell(FOUND, [row("d7.a"), *waiting], tmp_path)
    assert (told.heading, told.text) == ("About 0.63", "All 2 wait.")
    assert tell(FOUND, [row("d7.a"), waiting[0], row("d7.b.2")], tmp_path) is None
    assert tell(FOUND, [row("d7.a")], tmp_path) is None


@pytest.mark.parametrize(
    ("verdict", "reason", "opening"),
    [
        ("not run", "absent", "Not decided by this run. "),
        ("reproduced", "", "Yes. "),
        ("reproduced", "unverified weights", "Yes, with a reservation: "),
        ("differs", "unverified weights; outside", "No. "),
    ],
)
def test_answers_to_the_question(verdict, reason, opening, tmp_path):
    told = tell(QUESTION, [row("d1.cos.paris_france", verdict, reason=reason)], tmp_path)
    assert told.heading == "Does 0.63 hold?"
    assert told.text.startswith(opening) and reason in told.text
    assert verdict == "not run" or "0.6341" in told.text


def test_a_field_without_value_drops_the_version(tmp_path):
    assert tell(FOUND, [row("d7.a", "differs", measured="")], tmp_path) is None


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("d7.a:stated", "10 and 300"),
        ("d7.a:measured", "0.123456789"),
        ("d7.a:spread_low", "1.180"),
        ("d7.a:ranks near", "1, 2, 3"),
        ("d7.a:no such number", ""),
        ("d7.*:count", "1"),
        ("a/b.csv x=1 y", "2.500"),
        ("a/b.csv x=2 y", "38,597,376"),
        ("no/such.csv x=2 y", ""),
    ],
)
def test_fields(field, shown, tmp_path):
    write_csv(tmp_path / "a/b.csv", ("x", "y"), [("1", "2.5"), ("2", "38597376")])
    given = row(
        "d7.a",
        stated="10;300",
        measured="0.123456789",
        spread_low="1.18",
        reason="seeds = 3; ranks near = 1 2 3",
    )
    assert value(field, [given], tmp_path) == shown


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("d7.x:stated", "{d7.x:stated} of a finding names 0 claims"),
        ("d7.*:stated", "names 2 claims"),
        ("a/b.csv x=1", "is no artefact, row and column"),
        ("a/b.csv x=1 z", "no column 'z'"),
        ("a/b.csv x=9 y", "no row with x=9"),
    ],
)
def test_fields_that_name_nothing(field, said, tmp_path):
    write_csv(tmp_path / "a/b.csv", ("x", "y"), [("1", "2.5")])
    with pytest.raises(LedgerError, match=re.escape(said)):
        value(field, [row("d7.a"), row("d7.b")], tmp_path)


def test_unknown_claims_and_verdicts_are_named():
    wrong = Finding("Wrong", (Version({"d7.x": "true"}, "x"),))
    assert faults([wrong], [row("d7.a")]) == [
        "finding 'Wrong': no claim 'd7.x'",
        f"finding 'Wrong': 'true' is not one of {'; '.join([*VERDICTS, OTHER_SIDE])}",
    ]


@pytest.mark.parametrize("text", ["findings: []", "question: {heading: x}\nfindings: []", "[", ""])
def test_a_file_of_another_form_is_refused(text, tmp_path):
    write_text(tmp_path / "f.yml", text)
    with pytest.raises(LedgerError, match="a version has when and text"):
        read_findings(tmp_path / "f.yml")


def test_the_first_true_ones_are_current(tmp_path):
    many = [Finding(f"F{n}", (Version({"d7.a": v}, "x"),)) for n, v in enumerate([*VERDICTS] * 3)]
    assert [t.heading for t in current(many, [row("d7.a")], tmp_path, most=2)] == ["F0", "F7"]


def test_html_links_the_evidence_and_escapes(tmp_path):
    finding = Finding("A <b>", (Version({"d7.a": "reproduced", "d7.b.*": "not run"}, "<i>x</i>"),))
    rows = [row("d7.a"), row("d7.b.1", "not run"), row("d7.b.2", "not run")]
    told = tell(finding, rows, tmp_path)
    for text in (as_html([told]), answer(told)):
        page = html.fromstring(text)
        assert not page.xpath("//b | //i")
        assert "<i>x</i>" in page.text_content()
        assert page.xpath("//a/@href") == [
            "claims.html#d7.a",
            "claims.html?words=d7.b.&verdict=not%20run",
        ]
        assert page.xpath("//*[contains(@class, 'verdict')]/text()") == ["reproduced", "not run"]
