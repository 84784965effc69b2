"""The safetensors reader: every kind of float, and headers that lie."""

import json

import numpy as np
import pytest

from embedding_ledger.errors import LedgerError
from embedding_ledger.safetensors import open_safetensors


def write(path, entries, data, length=None):
    text = entries if isinstance(entries, bytes) else json.dumps(entries).encode()
    path.write_bytes((length or len(text)).to_bytes(8, "little") + text + data)
    return path


def entry(kind, shape, start, end):
    return {"dtype": kind, "shape": shape, "data_offsets": [start, end]}


VALUES = np.array([[1.5, -2.0, 0.25], [3.0, 0.0, -0.125]])


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("F32", VALUES.astype("<f4").tobytes()),
        ("F64", VALUES.astype("<f8").tobytes()),
        ("F16", VALUES.astype("<f2").tobytes()),
        ("BF16", (VALUES.astype("<f4").view("<u4") >> 16).astype("<u2").tobytes()),
    ],
)
def test_floats_of_every_kind(tmp_path, kind, data):
    path = write(tmp_path / "x", {"a": entry(kind, [2, 3], 0, len(data))}, data)
    file = open_safetensors(path)
    array = file.array(file.name("a"))
    np.testing.assert_array_equal(array, VALUES)
    assert isinstance(array, np.memmap) == (kind in ("F32", "F64"))


def test_names_with_and_without_prefix(tmp_path):
    both = {"a": entry("U8", [1], 0, 1), "transformer.b": entry("U8", [1], 1, 2)}
    file = open_safetensors(write(tmp_path / "x", {"__metadata__": {}, **both}, b"\0\0"))
    assert file.name("a", "transformer.") == "a"
    assert file.name("b", "transformer.") == "transformer.b"
    with pytest.raises(LedgerError, match=r"no tensor c; there are a, transformer\.b"):
        file.name("c", "transformer.")
    with pytest.raises(LedgerError, match="tensor a is U8, floats are needed"):
        file.array("a")


@pytest.mark.parametrize(
    ("entries", "data", "told"),
    [
        ({"a": entry("F32", [2], 0, 8)}, b"\0" * 7, "cut short or not whole"),
        ({"a": entry("F32", [2], 0, 8)}, b"\0" * 9, "the header tells of"),
        ({"a": entry("F32", [3], 0, 8)}, b"\0" * 8, "8 bytes for F32 of shape"),
        ({"a": entry("F33", [2], 0, 8)}, b"\0" * 8, "unknown dtype 'F33'"),
        ({"a": entry("F32", [-2], 0, 8)}, b"\0" * 8, "shape"),
        ({"a": entry("F32", [True], 0, 4)}, b"\0" * 4, "shape"),
        ({"a": entry("F32", [2], 8, 0)}, b"\0" * 8, "-8 bytes"),
        ({"a": entry("F32", [2], 4, 12)}, b"\0" * 12, "overlap others or leave a gap"),
        (
            {"a": entry("F32", [2], 0, 8), "b": entry("F32", [2], 4, 12)},
            b"\0" * 12,
            "tensor b: its data overlap",
        ),
        ({"a": {"dtype": "F32"}}, b"", "not dtype, shape and data_offsets"),
        ([1, 2], b"", "no mapping"),
        (b"{nonsense", b"", "not JSON"),
        (b"[" * 100_000, b"", "not JSON"),
    ],
)
def test_headers_that_lie_are_refused(tmp_path, entries, data, told):
    with pytest.raises(LedgerError, match=told):
        open_safetensors(write(tmp_path / "x", entries, data))


@pytest.mark.parametrize("length", [1 << 62, 1000])
def test_a_header_longer_than_the_file(tmp_path, length):
    with pytest.raises(LedgerError, match="not a safetensors file, or cut short"):
        open_safetensors(write(tmp_path / "x", {}, b"", length))


def test_no_file_and_an_empty_one(tmp_path):
    with pytest.raises(LedgerError, match="No such file"):
        open_safetensors(tmp_path / "x")
    (tmp_path / "y").write_bytes(b"")
    with pytest.raises(LedgerError, match="cut short"):
        open_safetensors(tmp_path / "y")
