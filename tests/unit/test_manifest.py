"""Sidecars name every file that is not what its job saw."""

import hashlib
import json

import pytest

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import write_text
from embedding_ledger.manifest import (
    fingerprint,
    read_sidecar,
    sidecar_faults,
    verify,
    write_sidecar,
)

CONFIG = {"positions": {"rows": 64, "width": 16}}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """The files of two jobs, one reading what the other made; give the paths of their sidecars."""
    monkeypatch.chdir(tmp_path)
    for name in ("source.csv", "code.py", "out/a.csv", "out/b.csv", "pages/x.md", "pages/y.md"):
        write_text(name, f"made as {name}")
    sidecars = ["out/manifest/measure.json", "out/manifest/gather.json"]
    write_sidecar(
        sidecars[0],
        "measure",
        "scripts/measure.py",
        ["source.csv", "code.py"],
        ["out/b.csv", "out/a.csv"],
        CONFIG,
    )
    write_sidecar(sidecars[1], "gather", "scripts/gather.py", ["out/a.csv"], ["pages"])
    return sidecars


def faults_of(sidecars):
    with pytest.raises(LedgerError) as caught:
        verify(sidecars, CONFIG)
    return caught.value.faults


def test_untouched_files_give_the_makers(run):
    makers = verify(run, CONFIG)
    assert {file: maker["rule"] for file, maker in makers.items()} == {
        "out/a.csv": "measure",
        "out/b.csv": "measure",
        "pages": "gather",
    }
    assert makers["pages"]["script"] == "scripts/gather.py"


def test_what_is_recorded(run, tmp_path):
    def digest(name):
        return hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()

    record = json.loads((tmp_path / run[0]).read_text())
    assert record == {
        "rule": "measure",
        "script": "scripts/measure.py",
        "config": {"positions.rows": fingerprint(64), "positions.width": fingerprint(16)},
        "inputs": {name: digest(name) for name in ("source.csv", "code.py")},
        "outputs": {name: digest(name) for name in ("out/a.csv", "out/b.csv")},
    }


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("out/b.csv", ["changed after rule measure made it; delete it"]),
        ("source.csv", ["changed after rule measure read it; run the pipeline again"]),
        ("code.py", ["changed after rule measure read it; run the pipeline again"]),
        ("out/a.csv", ["after rule gather read it", "after rule measure made it"]),
    ],
)
def test_edited_file_is_named(run, file, told):
    write_text(file, "edited")
    faults = faults_of(run)
    assert len(faults) == len(told)
    for fault, words in zip(faults, told, strict=True):
        assert fault.startswith(f"{file}: ")
        assert words in fault


@pytest.mark.parametrize("file", ["pages/x.md", "pages/new.md"])
def test_folder_is_named_when_a_file_in_it_changes(run, file):
    write_text(file, "edited")
    assert faults_of(run) == [
        "pages: changed after rule gather made it; delete it and run the pipeline again"
    ]


def test_missing_files_are_named(run, tmp_path):
    (tmp_path / "out/b.csv").unlink()
    (tmp_path / "source.csv").unlink()
    assert faults_of(run) == [
        "out/b.csv: gone, though rule measure made it; run the pipeline again",
        "source.csv: gone, though rule measure read it; run the pipeline again",
    ]


def test_all_faults_of_all_sidecars_at_once(run):
    for file in ("code.py", "out/b.csv", "pages/y.md"):
        write_text(file, "edited")
    assert [fault.split(":")[0] for fault in faults_of(run)] == ["code.py", "out/b.csv", "pages"]


def test_same_bytes_written_again_are_no_fault(run):
    write_text("out/b.csv", "made as out/b.csv")
    assert verify(run, CONFIG)


def test_hashes_are_computed_once(run):
    record = read_sidecar(run[0])
    told = sidecar_faults(record, {"out/a.csv": "another hash"})
    assert [fault.split(":")[0] for fault in told] == ["out/a.csv"]


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", r"bad\.json:1: not JSON"), ('{"rule": "x",\n', r"bad\.json:2: not JSON")],
)
def test_broken_sidecar(run, text, message):
    write_text("bad.json", text)
    with pytest.raises(LedgerError, match=message):
        verify([*run, "bad.json"], CONFIG)


def test_absent_sidecar(run):
    with pytest.raises(LedgerError, match=r"absent\.json: No such file"):
        verify([*run, "absent.json"], CONFIG)


@pytest.mark.parametrize("text", ["{}", "[]", '{"rule": "x", "inputs": {}}'])
def test_json_that_is_no_sidecar(run, text):
    write_text("bad.json", text)
    with pytest.raises(LedgerError):
        verify(["bad.json"], CONFIG)


@pytest.mark.parametrize("config", [{"positions": {"rows": 65, "width": 16}}, {}])
def test_result_of_another_configuration_is_named(run, config):
    with pytest.raises(LedgerError) as caught:
        verify(run, config)
    keys = "positions.rows" if config else "positions.rows, positions.width"
    told = f"made with another configuration ({keys}); run the pipeline again"
    assert caught.value.faults == [f"out/a.csv: {told}", f"out/b.csv: {told}"]


def test_a_part_of_a_section_is_enough(run):
    verify(run, {"positions": {"rows": 64, "width": 16, "shown": [1]}, "report": {}})


def test_fingerprint_sees_values_not_order():
    assert fingerprint({"a": 1, "b": [2, 3]}) == fingerprint({"b": [2, 3], "a": 1})
    assert fingerprint({"a": [2, 3]}) != fingerprint({"a": [3, 2]})
