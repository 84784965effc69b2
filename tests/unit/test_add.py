"""A claim added: defaults, prompts, the whole registry validated before one byte is written."""

import pytest

from embedding_ledger import add
from embedding_ledger.claims import COLUMNS, read_claims
from embedding_ledger.errors import LedgerError
from embedding_ledger.manifest import write_sidecar

PLACE = {"group": "arithmetic", "section": "Opening"}
FIRST = {**PLACE, "id": "d7.a", "statement": "One, and one, are two.", "stated": "2"}
GIVEN = {**PLACE, "id": "d7.b", "statement": 'Two "and" two, are four.', "stated": "4.0"}


@pytest.fixture
def files(tmp_path):
    """A registry of two documents; the second has the line ends of Windows, none at its end."""
    paths = []
    for document, end, last in (("007", "\n", "\n"), ("008", "\r\n", "")):
        row = add.complete({**FIRST, "id": f"d{document[-1]}.a"})
        paths.append(tmp_path / f"{document}.csv")
        content = end.join([",".join(COLUMNS), add.csv_line(row)]) + last
        paths[-1].write_bytes(content.encode())
    return [str(path) for path in paths]


def test_every_column_has_a_hint():
    assert set(add.HINTS) == set(COLUMNS)


@pytest.mark.parametrize(
    ("stated", "kind"),
    [
        ("0.634", "digits"),
        ("1,024; −2", "digits"),
        ("31 %", "digits"),
        ("true", "truth"),
        ("false", "truth"),
        ("< 1", "bound"),
        (">= 0.5", "bound"),
        ("cat; dog", "list"),
        ("", "none"),
    ],
)
def test_default_kind(stated, kind):
    assert add.default("kind", {"stated": stated}) == kind


def test_default_expected():
    assert add.complete(GIVEN)["expected"] == "not run"
    address = {"artefact": "a.csv", "column": "value"}
    assert add.complete({**GIVEN, **address})["expected"] == "reproduced"
    assert add.complete({**GIVEN, "stated": ""})["expected"] == "not checkable"


def test_what_is_asked(files):
    """Only columns that are not given and have a use, in the order of the registry."""
    asked = []

    def ask(column, likely):
        asked.append(column)
        return likely

    row = add.complete({**GIVEN, "kind": "digits"}, ask)
    assert list(row) == list(COLUMNS)
    assert not {"id", "statement", "stated", "kind", "tolerance", "row", "column"} & set(asked)
    assert "other_section" not in asked
    asked.clear()
    add.complete({"kind": "tolerance", "artefact": "a.csv", "other_stated": "3"}, ask)
    assert asked == [c for c in COLUMNS if c not in ("kind", "artefact", "other_stated")]


def test_prompt_repeats_until_the_answer_is_allowed():
    questions, told = [], []
    answers = iter(["digit", "  spread "])

    def read(question):
        questions.append(question)
        return next(answers)

    assert add.prompt("kind", "digits", read, told.append) == "spread"
    assert len(questions) == 2
    assert "one of digits, tolerance" in questions[0] and "[digits]" in questions[0]
    assert len(told) == 1 and "'digit' is not one of" in told[0]
    assert add.prompt("unit", "", lambda question: "") == ""
    answers = iter(["", "Opening"])
    assert add.prompt("section", "", read, told.append) == "Opening"
    assert told[1:] == ["section may not be empty"]
    assert add.prompt("evidence", "computed", lambda question: "") == "computed"


@pytest.mark.parametrize(("document", "end"), [("007", b"\n"), ("008", b"\r\n")])
def test_one_line_is_added_and_all_bytes_stay(files, document, end):
    row = add.complete({**GIVEN, "id": f"d{document[-1]}.b"})
    path = add.find_file(files, document)
    before = path.read_bytes()
    file, content, claims = add.would_be(files, document, row)
    assert (file, path.read_bytes()) == (path, before)
    add.write_bytes(file, content)
    after = path.read_bytes()
    assert after.startswith(before) and after.endswith(end)
    added = after[len(before) :].removeprefix(end) if document == "008" else after[len(before) :]
    assert added.count(end) == 1
    claim = next(claim for claim in read_claims(files) if claim.id == row["id"])
    assert {column: getattr(claim, column) for column in COLUMNS} == row
    assert claims == read_claims(files)
    assert len(claims) == 3


@pytest.mark.parametrize(
    ("document", "changes", "words"),
    [
        ("007", {"id": "d7.a"}, ":3: column 'id': 'd7.a' stands in"),
        ("007", {"id": "d8.a"}, "'d8.a' does not begin with d7. (document 007)"),
        ("007", {"id": "sum"}, "'sum' does not begin with d7."),
        ("007", {"kind": "digit"}, "column 'kind': 'digit' is not one of"),
        ("007", {"stated": "two", "kind": "digits"}, "column 'stated'"),
        ("007", {"kind": "tolerance"}, "column 'tolerance_reason': empty"),
        ("007", {"column": "value"}, "column 'artefact': empty"),
        ("007", {"group": ""}, "column 'group': empty"),
        ("007", {"section": ""}, "column 'section': empty"),
        ("009", {}, "document '009' has no registry file; there are: 007, 008"),
    ],
)
def test_faulty_claims_are_refused(files, document, changes, words):
    before = [add.Path(file).read_bytes() for file in files]
    with pytest.raises(LedgerError) as caught:
        add.would_be(files, document, add.complete({**GIVEN, **changes}))
    assert words in str(caught.value)
    assert [add.Path(file).read_bytes() for file in files] == before


def test_id_of_another_document_is_a_duplicate_too(files):
    with pytest.raises(LedgerError) as caught:
        add.would_be(files, "007", add.complete({**GIVEN, "id": "d8.a"}))
    assert f"{files[1]}:2: column 'id': 'd8.a' stands in {files[0]}:3" in caught.value.faults


def test_faults_name_the_registry_file_not_the_trial(files):
    with pytest.raises(LedgerError) as caught:
        add.would_be(files, "007", add.complete({**GIVEN, "kind": "digit", "stated": ""}))
    assert [fault.split(": ")[0] for fault in caught.value.faults] == [f"{files[0]}:3"]


def test_first_claim_of_a_document_makes_its_file(files, tmp_path):
    absent = tmp_path / "009.csv"
    row = add.complete({**GIVEN, "id": "d9.a"})
    file, content, claims = add.would_be([*files, str(absent)], "009", row)
    assert (file, absent.exists()) == (absent, False)
    assert claims[-1].file == absent.as_posix()
    add.write_bytes(file, content)
    assert read_claims([absent]) == claims[-1:]
    absent.unlink()
    with pytest.raises(LedgerError, match=r"009\.csv: No such file, though config/config\.yaml"):
        add.would_be([*files, str(absent)], "007", add.complete(GIVEN))


ADDRESS = {"artefact": "sums/values.csv", "row": "quantity=sum;index=0", "column": "value"}


@pytest.fixture
def claim_at(files, tmp_path, monkeypatch):
    """A run with one artefact, and a function that makes the would-be claim of an address."""
    monkeypatch.chdir(tmp_path)
    artefact = tmp_path / "results" / "sums" / "values.csv"
    artefact.parent.mkdir(parents=True)
    artefact.write_text("quantity,index,value\nsum,0,4.01\nsum,1,5\nproduct,0,4\n")
    (tmp_path / "results" / "claims.csv").write_text("id\n")
    for rule, made in (("measure_sums", "sums/values.csv"), ("check_claims", "claims.csv")):
        path = f"results/manifest/{rule}.json"
        write_sidecar(path, rule, "s.py", [], [f"results/{made}"])

    def claim_at(**changes):
        row = add.complete({**GIVEN, **ADDRESS, **changes})
        return add.would_be(files, "007", row)[2][1]

    return claim_at


def test_would_be_claim_is_measured(claim_at):
    record = add.measured(claim_at(), "results")
    assert (record["id"], record["measured"], record["verdict"]) == ("d7.b", "4.01", "reproduced")
    record = add.measured(claim_at(row="quantity=sum;index=1"), "results")
    assert (record["measured"], record["verdict"]) == ("5", "differs")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"artefact": "sums/value.csv"}, "no rule made .*did you mean 'sums/values.csv'"),
        ({"artefact": "claims.csv"}, "no rule made 'claims.csv'$"),
        ({"column": "valu"}, "column 'column': .* no column 'valu' .did you mean 'value'"),
        ({"column": "zzz"}, "no column 'zzz'; it has quantity, index, value"),
        ({"row": "quantiti=sum"}, "column 'row': .* no column 'quantiti' .did you mean 'quantity'"),
        ({"row": "quantity=sun;index=0"}, "no row with .*did you mean 'quantity=sum;index=0'"),
        (
            {"row": "quantity=product;index=1"},
            "no row with .*did you mean 'quantity=product;index=0'",
        ),
        (
            {"kind": "spread", "tolerance": "1", "tolerance_reason": "seeds"},
            "no column 'value_low'",
        ),
    ],
)
def test_address_that_names_no_cell(claim_at, changes, told):
    with pytest.raises(LedgerError, match=told):
        add.measured(claim_at(**changes), "results")


def test_claims_of_the_same_cell(claim_at):
    new = claim_at()
    same = add.replace(new, id="d8.same", row="index=0;quantity=sum")
    others = [add.replace(new, id="d8.row", row="quantity=sum;index=1"), claim_at(column="index")]
    assert add.same_cell(new, [new, same, *others]) == [same]
    bare = add.replace(new, artefact="", row="", column="")
    assert add.same_cell(bare, [add.replace(bare, id="d8.bare")]) == []
