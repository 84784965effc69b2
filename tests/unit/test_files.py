"""Files are written whole, read strictly and hashed by content."""

import csv
import hashlib
import json
import math
import os
import stat

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import (
    cell_text,
    read_csv,
    read_text,
    replacing,
    sha256,
    write_csv,
    write_json,
    write_text,
)

cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=8)


def test_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(KeyError), replacing(path) as temporary:
        temporary.write_text("half of the new")
        raise KeyError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_file_appears_only_when_the_block_ends(tmp_path):
    path = tmp_path / "new" / "folder" / "a.txt"
    with replacing(path) as temporary:
        temporary.write_text("x")
        assert temporary.parent == path.parent  # else the rename would not be atomic
        assert not path.exists()
    assert path.read_text() == "x"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert os.listdir(path.parent) == ["a.txt"]


def test_text_is_utf8_with_lf(tmp_path):
    write_text(tmp_path / "a.txt", "−1\nß\n")
    assert (tmp_path / "a.txt").read_bytes() == b"\xe2\x88\x921\n\xc3\x9f\n"


def test_json_is_sorted(tmp_path):
    for name, value in (("a", {"b": [1.5], "a": "−"}), ("b", {"a": "−", "b": [1.5]})):
        write_json(tmp_path / name, value)
    assert json.loads((tmp_path / "a").read_text(encoding="utf-8")) == value
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (np.bool_(False), "false"),
        (torch.tensor(True), "true"),
        (None, ""),
        (0.1, "0.1"),
        (np.float64(1) / 3, "0.3333333333333333"),
        (np.float32(0.5), "0.5"),
        (torch.tensor(2.5), "2.5"),
        (np.int64(7), "7"),
        (1, "1"),
        ("true story", "true story"),
        (math.nan, "nan"),
    ],
)
def test_cell_text(value, text):
    assert cell_text(value) == text


@given(st.floats(allow_nan=False))
def test_floats_come_back_bit_for_bit(number):
    for value in (number, np.float64(number), torch.tensor(number, dtype=torch.float64)):
        assert float(cell_text(value)).hex() == number.hex()


@given(st.lists(st.lists(cells, min_size=2, max_size=2), max_size=4))
def test_csv_round_trip(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "round.csv"
    write_csv(path, ("a", "b,c"), rows)
    assert read_csv(path) == (["a", "b,c"], [{"a": a, "b,c": b} for a, b in rows])
    with path.open(encoding="utf-8", newline="") as stream:
        assert list(csv.reader(stream)) == [["a", "b,c"], *rows]


@pytest.mark.parametrize("cell", ["\r", "a\rb", "a\r\nb"])
def test_carriage_returns_come_back(tmp_path, cell):
    write_csv(tmp_path / "a.csv", ("a", "b"), [("x", cell)])
    assert read_csv(tmp_path / "a.csv")[1] == [{"a": "x", "b": cell}]


def test_csv_dialect(tmp_path):
    write_csv(tmp_path / "a.csv", ("a", "b"), [(True, 'x "y"'), (None, "1,5")])
    assert (tmp_path / "a.csv").read_bytes() == b'a,b\ntrue,"x ""y"""\n,"1,5"\n'


@pytest.mark.parametrize("row", [("x",), ("x", "y", "z")])
def test_row_must_fit_the_columns(tmp_path, row):
    with pytest.raises(ValueError, match=r"a\.csv"):
        write_csv(tmp_path / "a.csv", ("a", "b"), [("x", "y"), row])
    assert list(tmp_path.iterdir()) == []


def test_rows_that_do_not_fit_are_all_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('a,b\n1,2\n1\n"x\ny",2\n1,2,3\n')
    with pytest.raises(LedgerError) as caught:
        read_csv(path)
    assert [fault.split(": ")[0] for fault in caught.value.faults] == [f"{path}:3", f"{path}:6"]


def test_windows_line_ends(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"a,b\r\n1,2\r\n")
    assert read_csv(tmp_path / "a.csv") == (["a", "b"], [{"a": "1", "b": "2"}])


@pytest.mark.parametrize("read", [read_text, read_csv])
def test_unreadable(tmp_path, read):
    with pytest.raises(LedgerError, match=r"absent\.csv: No such file"):
        read(tmp_path / "absent.csv")
    (tmp_path / "latin.csv").write_bytes(b"a,b\n\xe9,1\n")
    with pytest.raises(LedgerError, match=r"latin\.csv: not UTF-8 text \(byte 4\)"):
        read(tmp_path / "latin.csv")


def test_empty_csv(tmp_path):
    (tmp_path / "a.csv").touch()
    with pytest.raises(LedgerError, match=r"a\.csv: empty"):
        read_csv(tmp_path / "a.csv")


def test_hash_of_a_file(tmp_path):
    content = bytes(range(256)) * 5000
    (tmp_path / "a").write_bytes(content)
    assert sha256(tmp_path / "a") == hashlib.sha256(content).hexdigest()


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "folder"
    for name, text in (("a.txt", "1"), ("sub/b.txt", "2")):
        write_text(folder / name, text)
    return folder


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "a.txt").write_text("x"),
        lambda folder: (folder / "sub" / "b.txt").write_text("x"),
        lambda folder: (folder / "a.txt").unlink(),
        lambda folder: (folder / "c.txt").touch(),
        lambda folder: (folder / "a.txt").rename(folder / "c.txt"),
        lambda folder: (folder / "sub").rename(folder / "bus"),
        lambda folder: (folder / ".hidden").touch(),
    ],
)
def test_hash_of_a_folder_changes_with_it(folder, change):
    before = sha256(folder)
    assert before == sha256(folder)
    change(folder)
    assert sha256(folder) != before


def test_hash_of_a_folder_sees_names_and_contents_only(folder, tmp_path):
    before = sha256(folder)
    os.utime(folder / "a.txt", (0, 0))
    (folder / ".snakemake_timestamp").touch()
    copy = tmp_path / "copy"
    for name in ("sub/b.txt", "a.txt"):
        write_text(copy / name, (folder / name).read_text())
    assert sha256(folder) == sha256(copy) == before


def test_hash_of_a_folder_swapped_contents(folder):
    before = sha256(folder)
    (folder / "a.txt").write_text("2")
    (folder / "sub" / "b.txt").write_text("1")
    assert sha256(folder) != before
