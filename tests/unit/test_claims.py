"""The registry: every fault is found, all in one pass, with file, line and column."""

import csv
import re

import pytest

from embedding_ledger.claims import COLUMNS, EVIDENCE, KINDS, VERDICTS, read_claims
from embedding_ledger.config import load
from embedding_ledger.errors import LedgerError

GOOD = {
    "id": "d7.a",
    "group": "arithmetic",
    "section": "Opening",
    "statement": "One and one are two.",
    "stated": "2",
    "kind": "digits",
    "evidence": "computed",
    "expected": "reproduced",
}
TOLERANCE = {"kind": "tolerance", "tolerance": "0.1", "tolerance_reason": "seeded"}
SPREAD = {**TOLERANCE, "kind": "spread"}
ADDRESS = {"artefact": "a/values.csv", "row": "quantity=sum", "column": "value"}
# what is changed in a good claim, and the words that the one fault must hold
FAULTS = [
    ({"id": ""}, "'id'"),
    ({"id": "sum"}, "'id' 'sum'"),
    ({"id": "d7"}, "'id' 'd7'"),
    ({"id": "d7.a b"}, "'id' 'd7.a b'"),
    ({"id": "d7.a."}, "'id'"),
    ({"statement": " "}, "'statement' empty"),
    ({"group": ""}, "'group' empty"),
    ({"section": " "}, "'section' empty"),
    ({"kind": "digit"}, "'kind' 'digit' digits, tolerance"),
    ({"evidence": "trained by us"}, "'evidence' published source"),
    ({"expected": "Reproduced"}, "'expected' 'Reproduced' not checkable"),
    ({"stated": ""}, "'stated'"),
    ({"stated": "two"}, "'stated' 'two'"),
    ({"stated": "nan"}, "'stated' 'nan'"),
    ({"stated": "1;2;"}, "'stated' ''"),
    ({**TOLERANCE, "stated": "1;x"}, "'stated' 'x'"),
    ({**SPREAD, "stated": "inf"}, "'stated' 'inf'"),
    ({"kind": "ordering", "stated": "1;b"}, "'stated' 'b'"),
    ({"kind": "bound", "stated": "1"}, "'stated' '1' bound"),
    ({"kind": "truth", "stated": "yes"}, "'stated' 'yes' true, false"),
    ({"kind": "truth", "stated": "True"}, "'stated' 'True'"),
    ({"kind": "list", "stated": ""}, "'stated' empty"),
    ({"kind": "set", "stated": ""}, "'stated' empty"),
    ({**TOLERANCE, "tolerance": ""}, "'tolerance' ''"),
    ({**TOLERANCE, "tolerance": "wide"}, "'tolerance' 'wide'"),
    ({**SPREAD, "tolerance": ""}, "'tolerance' ''"),
    ({**TOLERANCE, "tolerance_reason": " "}, "'tolerance_reason' empty"),
    ({**SPREAD, "tolerance_reason": ""}, "'tolerance_reason' empty"),
    ({"tolerance": "0.1"}, "'tolerance' '0.1' only"),
    ({**ADDRESS, "artefact": ""}, "'artefact' empty"),
    ({"column": "value"}, "'artefact' empty"),
    ({"row": "quantity=sum"}, "'artefact' empty"),
    ({**ADDRESS, "column": ""}, "'column' empty"),
    ({**ADDRESS, "artefact": "/etc/passwd"}, "'artefact' '/etc/passwd' leaves"),
    ({**ADDRESS, "artefact": "../secret.csv"}, "'artefact' leaves"),
    ({**ADDRESS, "artefact": "a/../../secret.csv"}, "'artefact' leaves"),
    ({**ADDRESS, "row": "quantity"}, "'row' 'quantity'"),
    ({**ADDRESS, "row": "quantity=sum;index 0"}, "'row' 'index 0'"),
    ({"expected": "differs"}, "'expected_reason' empty differs"),
    ({"expected": "not checkable"}, "'expected_reason' empty not checkable"),
    ({"other_stated": "3"}, "'other_stated' 'other_section'"),
    ({"other_section": "Exercise 1"}, "'other_stated' 'other_section'"),
]
VALID = [
    {},
    {"stated": "1,024; −2; 31 %"},
    TOLERANCE,
    {**TOLERANCE, "stated": "1;2", "tolerance": "0.1;0.2"},
    SPREAD,
    {"kind": "list", "stated": "cat; 0.5"},
    {"kind": "set", "stated": "cat"},
    {"kind": "ordering", "stated": "3;2;2"},
    {"kind": "truth", "stated": "false"},
    {"kind": "bound", "stated": "<= 1"},
    {"kind": "none", "stated": "", "expected": "not checkable", "expected_reason": "a matter"},
    {"expected": "differs", "expected_reason": "a misprint"},
    {"other_stated": "3", "other_section": "Exercise 1", "expected": "contradicted"},
    ADDRESS,
    {**ADDRESS, "row": "start=10;offset=4", "column": "a;b"},
    {**ADDRESS, "row": ""},
    {"statement": "“Réponse”, <b>, a second line"},
]


def write(path, *changes, columns=COLUMNS):
    """Write a registry of good claims, each with changes."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, restval="", extrasaction="ignore")
        writer.writeheader()
        for number, change in enumerate(changes):
            writer.writerow({**GOOD, "id": f"d7.a.{number}", **change})
    return path


def faults_of(*paths):
    with pytest.raises(LedgerError) as caught:
        read_claims(paths)
    return caught.value.faults


@pytest.mark.parametrize("change", VALID)
def test_good_claims_load(tmp_path, change):
    (claim,) = read_claims([write(tmp_path / "007.csv", change)])
    assert (claim.document, claim.line) == ("007", 2)
    expected = dict.fromkeys(COLUMNS, "") | GOOD | {"id": "d7.a.0"} | change
    assert {column: getattr(claim, column) for column in COLUMNS} == expected


@pytest.mark.parametrize(("change", "words"), FAULTS)
def test_fault_is_found(tmp_path, change, words):
    path = write(tmp_path / "007.csv", {}, change)
    faults = faults_of(path)
    assert len(faults) == 1
    assert faults[0].startswith(f"{path}:3: column")
    for word in re.findall(r"'[^']*'|[^' ]+", words):
        assert word in faults[0]


def test_all_faults_in_one_pass(tmp_path):
    faulty = [change for change, _ in FAULTS if "id" not in change]
    first = write(tmp_path / "007.csv", *faulty)
    second = write(tmp_path / "008.csv", {"id": "d8.a", "stated": "x", "kind": "tolerance"})
    faults = faults_of(second, first)
    assert [fault.split(": ")[0] for fault in faults] == [
        *(f"{first}:{line}" for line in range(2, 2 + len(faulty))),
        *[f"{second}:2"] * 3,  # stated, tolerance and its reason
    ]


def test_faults_of_headers_rows_and_other_files_together(tmp_path):
    header = write(tmp_path / "1.csv", {}, columns=(*COLUMNS[1:], "extra"))
    ragged = write(tmp_path / "2.csv", {})
    ragged.write_text(ragged.read_text() + "a,b\n")
    cell = write(tmp_path / "3.csv", {"kind": "x"})
    absent = tmp_path / "4.csv"
    faults = "\n".join(faults_of(header, ragged, cell, absent))
    for part in (
        f"{header}:1",
        f"{ragged}:3: 2 cells",
        f"{cell}:2: column 'kind'",
        f"{absent}: No such file",
    ):
        assert part in faults


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ([*COLUMNS, "tolerence"], "unknown column 'tolerence' (did you mean 'tolerance'?)"),
        ([*COLUMNS, "zzz"], "unknown column 'zzz'"),
        ([c for c in COLUMNS if c != "stated"], "missing column 'stated'"),
        ([*COLUMNS, "stated"], "column 'stated' occurs 2 times"),
    ],
)
def test_header_faults(tmp_path, columns, message):
    path = write(tmp_path / "007.csv", {}, columns=columns)
    faults = faults_of(path)
    assert faults == [f"{path}:1: {message}", f"{path}:1: the columns are {', '.join(COLUMNS)}"]


def test_renamed_column_is_unknown_and_missing(tmp_path):
    columns = ["statment" if column == "statement" else column for column in COLUMNS]
    text = "\n".join(faults_of(write(tmp_path / "007.csv", {}, columns=columns)))
    assert "unknown column 'statment' (did you mean 'statement'?)" in text
    assert "missing column 'statement'" in text


def test_duplicate_ids_in_a_file_and_across_files(tmp_path):
    first = write(tmp_path / "007.csv", {}, {"id": "d7.a.0"})
    second = write(tmp_path / "008.csv", {"id": "d7.a.0"})
    assert faults_of(first, second) == [
        f"{first}:3: column 'id': 'd7.a.0' stands in {first}:2",
        f"{second}:2: column 'id': 'd7.a.0' stands in {first}:2",
    ]


def test_restatements(tmp_path):
    first = write(tmp_path / "007.csv", {}, {"restates": "d8.a.0"}, {"restates": "d7.a.9"})
    second = write(tmp_path / "008.csv", {"id": "d8.a.0"}, {"id": "d8.a.1", "restates": "d7.a.1"})
    assert faults_of(first, second) == [
        f"{first}:4: column 'restates': 'd7.a.9' is no claim of the registry",
        f"{second}:3: column 'restates': 'd7.a.1' restates 'd8.a.0': name that one",
    ]


def test_cell_of_two_lines_is_refused(tmp_path):
    path = write(tmp_path / "007.csv", {"statement": "One\nand one."})
    assert faults_of(path) == [f"{path}:2: column 'statement': holds a line break"]


@pytest.mark.parametrize(
    "change",
    [
        {**TOLERANCE, "stated": "1;2;3", "tolerance": "0.1;0.2"},
        {**SPREAD, "tolerance": "0.1;0.2"},
        {"kind": "bound", "stated": "< 1; > 0"},
        {"other_stated": "three", "other_section": "Exercise 1"},
    ],
)
def test_claims_that_cannot_be_judged(tmp_path, change):
    faults_of(write(tmp_path / "007.csv", change))


@pytest.mark.parametrize("tolerance", ["-0.1", "5 %"])
def test_tolerance_is_a_width(tmp_path, tolerance):
    faults_of(write(tmp_path / "007.csv", {**TOLERANCE, "tolerance": tolerance}))


def test_real_registry(project):
    paths = [project / path for path in load([project / "config" / "config.yaml"])["claims"]]
    claims = read_claims(paths)
    rows = []
    for path in paths:
        with path.open(encoding="utf-8", newline="") as stream:
            rows += [(path.stem, row) for row in csv.DictReader(stream)]
    assert [(c.document, {name: getattr(c, name) for name in COLUMNS}) for c in claims] == rows
    assert len(claims) == len({claim.id for claim in claims}) >= 587
    documents = {claim.document for claim in claims}
    assert {"000", "001", "002", "003", "004"} <= documents <= {path.stem for path in paths}
    assert all(claim.id.startswith(f"d{int(claim.document)}.") for claim in claims)


def test_file_that_is_listed_but_absent(tmp_path):
    (fault,) = faults_of(write(tmp_path / "007.csv", {}), tmp_path / "009.csv")
    assert fault.startswith(f"{tmp_path / '009.csv'}: No such file")
    assert "config/config.yaml lists it" in fault and "ledger add --document 009" in fault


def test_every_choice_is_told():
    assert all([*KINDS.values(), *VERDICTS.values(), *EVIDENCE])
    assert len(VERDICTS) == 7
