"""Tensors of a safetensors file, memory-mapped; its header is checked before anything is believed.

The layout (safetensors format, version 0.x): eight bytes with the length of a JSON header, the
header {name: {dtype, shape, data_offsets}}, and the data, which the tensors cover without a gap.
"""

import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from embedding_ledger.errors import LedgerError

HEADER_LIMIT = 100_000_000  # of the format
SIZES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1}
SIZES |= {"U64": 8, "U32": 4, "U16": 2, "U8": 1, "BOOL": 1}
READ = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}


def _is_size(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _entry_fault(entry):
    """Say what is wrong with the header's entry of one tensor, None when nothing is."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        return "its entry is not dtype, shape and data_offsets"
    if entry["dtype"] not in SIZES:
        return f"unknown dtype {entry['dtype']!r}"
    shape, offsets = entry["shape"], entry["data_offsets"]
    if not isinstance(shape, list) or not all(map(_is_size, shape)):
        return f"shape {shape!r}"
    if not (isinstance(offsets, list) and len(offsets) == 2 and all(map(_is_size, offsets))):
        return f"data_offsets {offsets!r}"
    needed = math.prod(shape) * SIZES[entry["dtype"]]
    if offsets[1] - offsets[0] != needed:
        return f"{offsets[1] - offsets[0]} bytes for {entry['dtype']} of shape {shape}"
    return None


def _read_header(path):
    """Return (entries by name, where the data start); raise LedgerError for a header that lies."""
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            if size < 8 or not 2 <= length <= min(HEADER_LIMIT, size - 8):
                raise LedgerError(f"{path}: not a safetensors file, or cut short ({size} bytes)")
            text = stream.read(length)
    except OSError as error:
        raise LedgerError(f"{path}: {error.strerror}") from None
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        raise LedgerError(f"{path}: its header is not JSON") from None
    if not isinstance(entries, dict):
        raise LedgerError(f"{path}: its header is no mapping of tensors")
    entries.pop("__metadata__", None)
    faults = [f"{path}: tensor {n}: {f}" for n, e in entries.items() if (f := _entry_fault(e))]
    if faults:
        raise LedgerError(faults)
    end = 0
    for name, entry in sorted(entries.items(), key=lambda item: item[1]["data_offsets"]):
        if entry["data_offsets"][0] != end:
            raise LedgerError(f"{path}: tensor {name}: its data overlap others or leave a gap")
        end = entry["data_offsets"][1]
    if 8 + length + end != size:
        told = f"the header tells of {8 + length + end} bytes, the file has {size}"
        raise LedgerError(f"{path}: {told}; it is cut short or not whole")
    return entries, 8 + length


@dataclass(frozen=True)
class SafeTensors:
    """An opened file; `entries` is its header by tensor name, see open_safetensors."""

    path: Path
    entries: dict
    start: int

    def name(self, wanted, prefix=""):
        """Return the name of a tensor as the file has it: plain, or with `prefix` in front.

        Raises LedgerError with the names that are there.
        """
        for name in (wanted, prefix + wanted):
            if name in self.entries:
                return name
        shown = sorted(self.entries)
        there = ", ".join(shown[:8]) + (f" and {len(shown) - 8} more" if len(shown) > 8 else "")
        raise LedgerError(f"{self.path}: no tensor {wanted}; there are {there or 'none'}")

    def shape(self, name):
        """Return the shape of a tensor."""
        return tuple(self.entries[name]["shape"])

    def array(self, name):
        """Return a tensor as an array of floats.

        Float32 and float64 stay memory-mapped; float16 and bfloat16 become float32 in memory.
        Raises LedgerError for a tensor that holds no floats.
        """
        kind, shape = self.entries[name]["dtype"], self.shape(name)
        if kind not in READ:
            raise LedgerError(f"{self.path}: tensor {name} is {kind}, floats are needed")
        if 0 in shape:
            return np.zeros(shape, "<f4")
        offset = self.start + self.entries[name]["data_offsets"][0]
        mapped = np.memmap(self.path, READ[kind], "r", offset, shape)
        if kind == "F16":
            return np.array(mapped, np.float32)
        if kind == "BF16":  # the upper half of a float32
            return (np.array(mapped, np.uint32) << 16).view(np.float32)
        return mapped


def open_safetensors(path):
    """Open a safetensors file; raise LedgerError when its header and its bytes do not agree."""
    path = Path(path)
    return SafeTensors(path, *_read_header(path))
