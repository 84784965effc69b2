"""Input that is not in order: one clear fault naming file and place, and nothing written.

A row of the matrix is a file (name and content), what reads it, and words that its one fault must
hold. To add one, append a row; a new kind of input also needs an entry in READERS.
"""

import io
import json
import os
import re
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from embedding_ledger.claims import COLUMNS, read_claims
from embedding_ledger.config import load, read_yaml
from embedding_ledger.corpora import text_sentences
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import read_csv
from embedding_ledger.grammar import parse_grammars
from embedding_ledger.manifest import fingerprint, read_sidecar, verify
from embedding_ledger.occurrences import read_occurrences
from embedding_ledger.pages import claim_row
from embedding_ledger.pagetext import read_page
from embedding_ledger.published import read_published
from embedding_ledger.safetensors import open_safetensors
from embedding_ledger.tables import load_table
from embedding_ledger.verdicts import judge_all

CLAIM = dict.fromkeys(COLUMNS, "") | {
    "id": "d7.a",
    "group": "sums",
    "section": "First steps",
    "statement": "One and one are two.",
    "stated": "2",
    "kind": "digits",
    "evidence": "computed",
    "expected": "reproduced",
    "artefact": "a.csv",
    "column": "value",
}
SIDECAR = {
    "rule": "measure",
    "script": "scripts/measure.py",
    "config": {},
    "inputs": {},
    "outputs": {"results/a.csv": fingerprint("a")},
}
TABLE = {"name": "t", "source": "", "licence": "", "case": True, "space": False}
TABLE["tokens"] = ["a", "b"]
GRAMMAR = {
    "subjects": ["the cat"],
    "verbs": ["saw"],
    "objects": ["it"],
    "endings": ["today"],
    "ending_probability": 0.5,
}
PLACE = "0123abcd"
NUMERALS = "document,numeral,before,after,claims,reason\n"
PUBLISHED = "key,value,unit,title,address,date,note\n"
DEEP = "[" * 5000
HUGE = "9" * 5000
LOOP = object()  # stands for a symbolic link to itself


def claims(*changes, columns=COLUMNS):
    rows = [",".join(columns)]
    for change in changes:
        cells = CLAIM | change
        rows.append(",".join('"' + cells[c].replace('"', '""') + '"' for c in columns))
    return "\n".join(rows) + "\n"


def sidecar(**changes):
    return json.dumps(SIDECAR | changes)


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def config(**changes):
    """Text of a file that overrides keys of the default configuration."""
    return yaml.safe_dump(changes)


def _grammars(path):
    return parse_grammars(read_yaml(path))


def _table(path):
    """Read the table of which one file is bad; the other one is written here."""
    other = {"table.json": json.dumps(TABLE).encode(), "vectors.npy": npy(np.eye(2))}
    for name, content in other.items():
        if not os.path.lexists(path.parent / name):
            (path.parent / name).write_bytes(content)
    return load_table(path.parent)


def _stray(path):
    claim_file = path.parent / "007.csv"
    claim_file.write_text(claims({}))
    return judge_all(read_claims([claim_file]), path.parent, {})


READERS = {
    "config": lambda path: load(["config/config.yaml", path]),
    "claims": lambda path: read_claims([path]),
    "sidecar": read_sidecar,
    "verified": lambda path: verify([path], {}),
    "numerals": lambda path: read_occurrences(path, [SimpleNamespace(id="d7.a", document="007")]),
    "published": read_published,
    "grammars": _grammars,
    "artefact": read_csv,
    "stray artefact": _stray,
    "table": _table,
    "safetensors": open_safetensors,
    "text": lambda path: list(text_sentences(path)),
    "page": read_page,
}

# kind, name of the file, content (text, bytes or LOOP), words of the fault
MATRIX = [
    # configuration
    ("config", "c.yaml", "positions: {widht: 16}\n", "c.yaml:1 positions.widht 'width' allowed"),
    ("config", "c.yaml", "positions: {width: }\n", "c.yaml:1 positions.width None integer"),
    ("config", "c.yaml", "positions: {width: wide}\n", "c.yaml:1 'wide' integer"),
    ("config", "c.yaml", "positions: {width: -2}\n", "c.yaml:1 -2 least"),
    ("config", "c.yaml", "positions: {width: 16.0}\n", "c.yaml:1 16.0 integer"),
    ("config", "c.yaml", "positions: {width: true}\n", "c.yaml:1 True integer"),
    ("config", "c.yaml", "positions: {rows: 9000000000000}\n", "c.yaml:1 9000000000000 up to"),
    ("config", "c.yaml", f"positions: {{rows: {HUGE}}}\n", "c.yaml not YAML"),
    ("config", "c.yaml", "positions: {starts: 10}\n", "c.yaml:1 positions.starts 10 list"),
    ("config", "c.yaml", "positions: {starts: []}\n", "c.yaml:1 positions.starts [] more"),
    ("config", "c.yaml", "positions: {starts: [1, 1]}\n", "c.yaml:1 positions.starts repetitions"),
    ("config", "c.yaml", "positions: 3\n", "c.yaml:1 positions 3 mapping"),
    ("config", "c.yaml", "positions:\n", "c.yaml:1 positions None mapping"),
    ("config", "c.yaml", "bigram: {alpha: .nan}\n", "c.yaml:1 bigram.alpha nan finite"),
    ("config", "c.yaml", "bigram: {alpha: .inf}\n", "c.yaml:1 bigram.alpha inf finite"),
    ("config", "c.yaml", "bigram: {alpha: -1}\n", "c.yaml:1 bigram.alpha -1 least"),
    ("config", "c.yaml", "order: {seeds: [2, -3]}\n", "c.yaml:1 order.seeds.1 -3 least"),
    ("config", "c.yaml", "results: ../elsewhere\n", "c.yaml:1 results ../elsewhere build/quick"),
    (
        "config",
        "c.yaml",
        "results: /tmp/elsewhere\n",
        "c.yaml:1 /tmp/elsewhere build/quick",
    ),
    ("config", "c.yaml", 'results: "build\\n"\n', "c.yaml:1 results build build/quick"),
    ("config", "c.yaml", "claims: [claims/../../x.csv]\n", "c.yaml:1 claims.0 claims/004.csv"),
    ("config", "c.yaml", "claims: [/etc/passwd]\n", "c.yaml:1 claims.0 /etc/passwd claims/004.csv"),
    ("config", "c.yaml", "report: {renderer: '$(reboot)'}\n", "c.yaml:1 report.renderer quarto"),
    ("config", "c.yaml", "results: a\nresults: b\n", "c.yaml:2 'results' twice line 1"),
    ("config", "c.yaml", "a: &a [1]\nb: [*a, *a]\n", "c.yaml:2 aliases"),
    ("config", "c.yaml", "a: !!python/object/apply:os.system [id]\n", "c.yaml:1 not YAML"),
    ("config", "c.yaml", f"a: {DEEP}\n", "c.yaml not YAML"),
    ("config", "c.yaml", "a: [1\n", "c.yaml:2 not YAML"),
    ("config", "c.yaml", "a: \0\n", "c.yaml not YAML"),
    ("config", "c.yaml", b"results: \xff\n", "c.yaml not UTF-8"),
    ("config", "c.yaml", "- results\n", "c.yaml mapping list"),
    ("config", "c.yaml", "", "c.yaml mapping NoneType"),
    ("config", "c.yaml", "? [a]\n: 1\n", "c.yaml:1 key word"),
    ("config", "c.yaml", LOOP, "c.yaml symbolic links"),
    # claims
    ("claims", "007.csv", "", "007.csv empty header"),
    ("claims", "007.csv", b"\xff\xfe\x00", "007.csv not UTF-8"),
    ("claims", "007.csv", claims({"id": "a"}), "007.csv:2 'id' 'a'"),
    ("claims", "007.csv", claims({}, {}), "007.csv:3 'id' 'd7.a' 007.csv:2"),
    ("claims", "007.csv", claims({"statement": ""}), "007.csv:2 'statement' empty"),
    ("claims", "007.csv", claims({"kind": "digit"}), "007.csv:2 'kind' 'digit' digits"),
    ("claims", "007.csv", claims({"evidence": "null"}), "007.csv:2 'evidence' 'null' computed"),
    ("claims", "007.csv", claims({"expected": ""}), "007.csv:2 'expected' '' reproduced"),
    ("claims", "007.csv", claims({"stated": "nan"}), "007.csv:2 'stated' 'nan' number"),
    ("claims", "007.csv", claims({"stated": "0x2"}), "007.csv:2 'stated' '0x2' number"),
    ("claims", "007.csv", claims({"stated": "٢"}), "007.csv:2 'stated' number"),
    ("claims", "007.csv", claims({"stated": HUGE}), "007.csv:2 'stated' digits"),
    ("claims", "007.csv", claims({"stated": "1e9999"}), "007.csv:2 'stated' '1e9999'"),
    ("claims", "007.csv", claims({"statement": "x" * 200_000}), "007.csv:2 not CSV"),
    ("claims", "007.csv", claims({"statement": "=1+1"}), "007.csv:2 'statement' '=1+1' formula"),
    ("claims", "007.csv", claims({"statement": "@SUM(A1)"}), "007.csv:2 'statement' formula"),
    ("claims", "007.csv", claims({"correction": "-1+cmd|' /C calc'!A0"}), "007.csv:2 formula"),
    ("claims", "007.csv", claims({"statement": "a\0b"}), "007.csv:2 'statement' control"),
    ("claims", "007.csv", claims({"statement": "a\x1bb"}), "007.csv:2 'statement' control"),
    ("claims", "007.csv", claims({"statement": "a\r\nb"}), "007.csv:2 'statement' line break"),
    ("claims", "007.csv", claims({"artefact": "../a.csv"}), "007.csv:2 'artefact' leaves"),
    ("claims", "007.csv", claims({"artefact": "/a.csv"}), "007.csv:2 'artefact' leaves"),
    ("claims", "007.csv", claims({"column": ""}), "007.csv:2 'column' empty"),
    ("claims", "007.csv", claims({"group": "a/../b"}), "007.csv:2 'group' 'a/../b' letters"),
    ("claims", "007.csv", claims({"kind": "ordering", "stated": "5"}), "007.csv:2 'stated' two"),
    ("claims", "007.csv", claims({"kind": "ordering", "stated": "1;1"}), "007.csv:2 'stated' two"),
    (
        "claims",
        "007.csv",
        claims({"other_stated": "2", "other_section": "Recap"}),
        "007.csv:2 'other_stated' contradiction",
    ),
    ("claims", "007.csv", claims({"row": "x"}), "007.csv:2 'row' 'x'"),
    ("claims", "007.csv", claims({"restates": "d9.z"}), "007.csv:2 'restates' 'd9.z'"),
    ("claims", "007.csv", claims({"tolerance": "1"}), "007.csv:2 'tolerance' '1' only"),
    (
        "claims",
        "007.csv",
        claims({"kind": "tolerance", "tolerance": "-1", "tolerance_reason": "x"}),
        "007.csv:2 'tolerance' '-1' width",
    ),
    ("claims", "007.csv", claims({}) + "a,b\n", "007.csv:3 2 cells"),
    ("claims", "007.csv", LOOP, "007.csv symbolic links"),
    # sidecars
    ("sidecar", "s.json", "{", "s.json:1 not JSON"),
    ("sidecar", "s.json", "[]", "s.json not a sidecar"),
    ("sidecar", "s.json", DEEP, "s.json not JSON"),
    ("sidecar", "s.json", f'{{"rule": {HUGE}}}', "s.json not JSON"),
    ("sidecar", "s.json", '{"rule": "a", "rule": "b"}', "s.json 'rule' twice"),
    ("sidecar", "s.json", b"\xff", "s.json not UTF-8"),
    ("sidecar", "s.json", sidecar(rule=None), "s.json 'rule' None text"),
    ("sidecar", "s.json", sidecar(outputs=["a.csv"]), "s.json 'outputs' object"),
    ("sidecar", "s.json", sidecar(inputs={"a.csv": 3}), "s.json 'inputs.a.csv' 3 SHA-256"),
    ("sidecar", "s.json", sidecar(outputs={"a.csv": "0" * 63}), "s.json SHA-256"),
    ("sidecar", "s.json", sidecar(outputs={"/etc/x": "0" * 64}), "s.json /etc/x leaves"),
    ("sidecar", "s.json", sidecar(outputs={"../x": "0" * 64}), "s.json ../x leaves"),
    ("verified", "s.json", sidecar(), "results/a.csv gone measure run the pipeline again"),
    # registry of numerals, published facts, grammars
    ("numerals", "n.csv", "document,numeral\n", "n.csv:1 columns expected"),
    ("numerals", "n.csv", NUMERALS + f"007,1,{PLACE},b,,\n", "n.csv:2 'b' 8"),
    ("published", "p.csv", PUBLISHED + "a,1,,t,https://a.b,2019,\n", "p.csv:2 'key' 'a'"),
    ("published", "p.csv", PUBLISHED + "a.b.width,x,,t,https://a.b,2019,\n", "p.csv:2 'x' number"),
    ("published", "p.csv", PUBLISHED + "a.b.width,-1,,t,https://a.b,2019,\n", "p.csv:2 '-1'"),
    ("published", "p.csv", PUBLISHED + "a.b.c,1,,t,http://a.b,2019,\n", "p.csv:2 https://"),
    ("published", "p.csv", PUBLISHED + "a.b.c,1,,t,https://a.b,2019-13,\n", "p.csv:2 'date'"),
    ("grammars", "g.yaml", config(G=GRAMMAR | {"verbs": []}), "'G' 'verbs'"),
    ("grammars", "g.yaml", config(G=GRAMMAR | {"verbs": None}), "'G' 'verbs'"),
    ("grammars", "g.yaml", config(G=GRAMMAR | {"ending_probability": -1}), "'G' -1"),
    ("grammars", "g.yaml", "G: {ending_probability: 1, ending_probability: 0}\n", "g.yaml:1 twice"),
    # artefacts
    ("artefact", "a.csv", "", "a.csv empty header"),
    ("artefact", "a.csv", b"value\n\xff\n", "a.csv not UTF-8"),
    ("artefact", "a.csv", "value\n1,2\n", "a.csv:2 2 cells"),
    ("artefact", "a.csv", "value,value\n1,2\n", "a.csv:1 'value' twice"),
    ("artefact", "a.csv", f"value\n{'1' * 200_000}\n", "a.csv:2 not CSV"),
    ("stray artefact", "a.csv", "value\n2\n", "a.csv no rule remove"),
    # embedding tables
    ("table", "table.json", "{", "table.json:1 not JSON"),
    ("table", "table.json", "[]", "table.json keys tokens"),
    ("table", "table.json", json.dumps(TABLE | {"tokens": "ab"}), "table.json 'tokens' list"),
    ("table", "table.json", json.dumps(TABLE | {"tokens": ["a", None]}), "table.json 'tokens'"),
    ("table", "table.json", json.dumps(TABLE | {"tokens": ["a", "a"]}), "table t 'a' once"),
    ("table", "table.json", json.dumps(TABLE | {"tokens": ["a"]}), "table t 1 tokens (2, 2)"),
    ("table", "vectors.npy", b"", "vectors.npy array"),
    ("table", "vectors.npy", b"no array", "vectors.npy array"),
    ("table", "vectors.npy", npy(np.eye(2))[:-8], "vectors.npy array"),
    ("table", "vectors.npy", npy(np.array([{}, {}])), "vectors.npy array"),
    ("table", "vectors.npy", npy(np.array([["1", "0"], ["0", "1"]])), "vectors.npy floats"),
    ("table", "vectors.npy", npy(np.eye(2) * np.nan), "vectors.npy nan"),
    ("table", "vectors.npy", npy(np.eye(3)), "table t 2 tokens (3, 3)"),
    ("table", "vectors.npy", LOOP, "vectors.npy symbolic links"),
    # checkpoints and texts; test_safetensors.py has more headers that lie
    ("safetensors", "t.safetensors", b"", "t.safetensors short 0"),
    ("safetensors", "t.safetensors", b"\xff" * 16, "t.safetensors short 16"),
    ("safetensors", "t.safetensors", b"\x05" + bytes(7) + b"[1,2]", "t.safetensors mapping"),
    ("safetensors", "t.safetensors", b"\x03" + bytes(7) + b"abc", "t.safetensors JSON"),
    ("safetensors", "t.safetensors", LOOP, "t.safetensors symbolic links"),
    ("text", "t.txt", "", "t.txt empty"),
    ("text", "t.txt", b"two words\n\xff", "t.txt not UTF-8"),
    ("text", "t.txt", "two words\na \0 b\n", "t.txt 2 binary"),
    ("text", "t.txt", b"\x1f\x8bno gzip", "t.txt read"),
    ("text", "t.txt", LOOP, "t.txt file"),
    # pages
    ("page", "p.html", b"<p>\xe9</p>", "p.html not UTF-8"),
    ("page", "p.html", "<![x[", "p.html not HTML"),
    ("page", "p.md", LOOP, "p.md symbolic links"),
]


def tree(folder):
    """Everything under a folder with its content."""
    return {p: p.is_file() and p.read_bytes() for p in folder.rglob("*") if not p.is_symlink()}


def write(path, content):
    if content is LOOP:
        path.symlink_to(path.name)
    else:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_the_matrix_is_large():
    assert len({(kind, str(content), words) for kind, _, content, words in MATRIX}) >= 60
    assert {kind for kind, *_ in MATRIX} == set(READERS)


@pytest.mark.parametrize(
    ("kind", "name", "content", "words"),
    [pytest.param(*row, id=f"{row[0]}-{number}") for number, row in enumerate(MATRIX)],
)
def test_bad_input_is_told(project, tmp_path, monkeypatch, kind, name, content, words):
    monkeypatch.chdir(project)
    path = write(tmp_path / name, content)
    with pytest.raises(LedgerError) as caught:
        READERS[kind](path)
    (fault,) = caught.value.faults
    assert fault.count("\n") == 0
    assert len(fault) < 1500
    for word in re.findall(r"'[^']*'|\S+", words):
        assert word in fault.replace(f"{tmp_path}/", "")
    # what the readers of artefacts and tables wrote beside it belongs to this test
    known = {"007.csv", "table.json", "vectors.npy", name}
    assert {path.name for path in tree(tmp_path)} <= known


def test_bom_and_windows_line_ends_are_accepted(project, tmp_path, monkeypatch):
    """Spreadsheets and Windows editors write them; they change nothing that is read."""
    monkeypatch.chdir(project)
    plain, windows = claims({}), claims({}).replace("\n", "\r\n").encode("utf-8-sig")
    for folder, content in (("a", plain.encode()), ("b", windows)):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / "007.csv", content)
    read = [read_claims([tmp_path / folder / "007.csv"]) for folder in "ab"]
    assert [vars(c) | {"file": ""} for c in read[0]] == [vars(c) | {"file": ""} for c in read[1]]
    (tmp_path / "c.yaml").write_bytes("results: build\r\n".encode("utf-8-sig"))
    assert read_yaml(tmp_path / "c.yaml") == {"results": "build"}


@pytest.mark.parametrize("column", ["statement", "stated", "measured", "reason", "evidence"])
def test_markup_of_a_claim_is_shown_not_run(column):
    row = dict.fromkeys(
        ("id", "statement", "stated", "unit", "measured", "spread_low", "spread_high", "verdict",
         "evidence", "reason", "artefact", "script"), ""
    )  # fmt: skip
    html = str(claim_row(row | {column: '<script>alert("1")</script> & <img onerror=x>'}))
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;script&gt;" in html


def survives(read, path, content, *arguments):
    """Read any content: it is either in order or refused as a LedgerError."""
    path.write_bytes(content)
    try:
        read(path, *arguments)
    except LedgerError as error:
        assert error.faults
        assert all(error.faults)


pieces = st.lists(
    st.sampled_from([",", '"', "\n", "\r", "id", "d7.a", "[", "{", "}", ":", "- ", "&a ", "*a", "'",
                     "1e9", "-", "<", "<!--", "<![", "&#", "`", "```", "---\n", "\0", "\ufeff"])
    | st.text(max_size=3), max_size=30,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("a.csv", read_csv),
        ("a.csv", READERS["claims"]),
        ("a.csv", read_published),
        ("a.json", read_sidecar),
        ("a.yaml", read_yaml),
        ("a.html", read_page),
        ("a.md", read_page),
    ],
)
@given(content=pieces.map(lambda text: text.encode(errors="replace")) | st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(tmp_path_factory, name, read, content):
    survives(read, tmp_path_factory.getbasetemp() / name, content)


cells = st.fixed_dictionaries({}, optional=dict.fromkeys(COLUMNS, st.text(max_size=6) | pieces))


@given(change=cells)
def test_any_cells_of_a_claim_are_read_or_refused(tmp_path_factory, change):
    content = claims(change).encode(errors="replace")
    survives(READERS["claims"], tmp_path_factory.getbasetemp() / "007.csv", content)
