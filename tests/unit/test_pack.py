"""The archive of results: the same bytes each time, and a crate that fits what is in it."""

import hashlib
import json
import os
import zipfile

import pytest
from rocrate.rocrate import ROCrate

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import sha256
from embedding_ledger.pack import METADATA, describe, pack

CITATION = {
    "title": "T",
    "version": "1",
    "abstract": "About it.\n",
    "date-released": "2026-11-29",
    "license": "MIT",
}


@pytest.fixture
def run(tmp_path):
    """Files of a run and their sidecar: (folder, files, records)."""
    folder = tmp_path / "out"
    files = [folder / "a/values.csv", folder / "summary.json", folder / "b/truths.csv"]
    for number, file in enumerate(files):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{number}\n" * 100)
    record = {"rule": "measure", "script": "scripts/measure.py"}
    record["outputs"] = {str(file): sha256(file) for file in files}
    return folder, files, [record]


def packed(run, name="one.zip"):
    folder, files, records = run
    archive = folder.parent / name
    text = json.dumps(describe(files, records, folder, CITATION), sort_keys=True)
    pack(archive, files, folder, text)
    return archive


def test_two_archives_are_the_same_bytes(run):
    first = packed(run).read_bytes()
    for file in run[1]:
        os.utime(file, (0, 0))
    folder, files, records = run
    assert packed((folder, files[::-1], records), "two.zip").read_bytes() == first


def test_entries_are_the_files_of_the_sidecars(run):
    folder, _, records = run
    with zipfile.ZipFile(packed(run)) as archive:
        names = archive.namelist()
        found = {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names}
        crate = json.loads(archive.read(METADATA))
    assert names == ["a/values.csv", "b/truths.csv", METADATA, "summary.json"]
    recorded = {str(folder / name): found[name] for name in names if name != METADATA}
    assert recorded == records[0]["outputs"]
    told = {item["@id"]: item.get("sha256") for item in crate["@graph"]}
    assert all(told[name] == found[name] for name in names if name != METADATA)


def test_the_crate_can_be_read(run, tmp_path):
    with zipfile.ZipFile(packed(run)) as archive:
        archive.extractall(tmp_path / "crate")
    crate = ROCrate(tmp_path / "crate")
    root = crate.root_dataset
    for name in ("name", "description", "license", "datePublished", "hasPart"):
        assert root[name], name
    assert root["datePublished"] == CITATION["date-released"]
    assert {part.id for part in root["hasPart"]} == {"a/values.csv", "b/truths.csv", "summary.json"}
    action = crate.get("#measure")
    assert action.type == "CreateAction"
    assert action["instrument"]["name"] == "scripts/measure.py"
    assert len(action["result"]) == 3


def test_a_file_that_was_edited_is_refused(run):
    folder, files, records = run
    files[0].write_text("other\n")
    with pytest.raises(LedgerError, match=r"a/values\.csv: changed after rule measure made it"):
        describe(files, records, folder, CITATION)


def test_a_file_that_no_sidecar_knows_is_refused(run):
    folder, files, _ = run
    with pytest.raises(LedgerError) as error:
        describe(files, [], folder, CITATION)
    assert len(error.value.faults) == 3
