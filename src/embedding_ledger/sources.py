"""Where the tables of the configuration are on this machine, and how each kind is opened.

A table is an entry of the config key `tables`: its kind, a path (within an installed package where
one is named), and what is known of it. Nothing is executed or unpickled, whatever a file holds.
"""

import json
import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from embedding_ledger import gpt2_tokenizer
from embedding_ledger.errors import LedgerError
from embedding_ledger.fetch import FILE, REVISION, SHA256, SIZE
from embedding_ledger.files import read_text, sha256
from embedding_ledger.safetensors import open_safetensors
from embedding_ledger.tables import ABOUT, VECTORS, EmbeddingTable, load_table, read_vectors

NEEDED = {  # keys of an entry besides path, by kind
    "gpt2": (),
    "safetensors": ("tensor", "tokens"),
    "npy": ("tokens",),
    "word2vec": (),
    "saved": (),
}
PREFIX = "transformer."  # of GPT-2's tensor names in some copies


@dataclass(frozen=True)
class Located:
    """The files of a table on this machine; none, and the reason, where it is absent."""

    files: tuple = ()
    reason: str = ""


def title(name, entry):
    """Return what the report calls a table."""
    return entry.get("title", name)


def gpt2_places(entry, downloads, environment=os.environ):
    """Return the files that may be GPT-2's weights, the first choice first.

    A path of the configuration stands alone; else the local hub cache, then the project's own
    download, both of the pinned revision.
    """
    if entry.get("path"):
        return [Path(entry["path"])]
    home = environment.get("HF_HOME", Path(environment.get("HOME", "~"), ".cache/huggingface"))
    cache = Path(environment.get("HF_HUB_CACHE", Path(home, "hub")))
    snapshot = cache / "models--openai-community--gpt2" / "snapshots" / REVISION
    return [snapshot / FILE, Path(downloads) / FILE]


def _locate_gpt2(name, entry, downloads):
    places, wrong = gpt2_places(entry, downloads), []
    for place in places:
        if not place.is_file():
            continue
        size = place.stat().st_size
        if size == SIZE or entry.get("accept_unverified"):
            return Located((place,))
        wrong.append(f"{place} has {size} bytes, the published file {SIZE}")
    if entry.get("path"):
        raise LedgerError(f"table {name}: {'; '.join(wrong) or f'{places[0]}: no such file'}")
    told = "snakemake fetch_gpt2 downloads it, or set tables.gpt2.path to a copy"
    reason = f"the weights of GPT-2 ({FILE}, {SIZE / 1e6:.0f} MB) are not here: {told}"
    return Located(reason="; ".join([reason, *wrong]))


def _root(entry):
    """Return the folder that an entry's paths start from, None when its package is absent."""
    if "package" not in entry:
        return Path()
    spec = find_spec(entry["package"])
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def locate(name, entry, downloads="downloads"):
    """Find the files of one table.

    A table of an optional package, or one without a path, may be absent. A path that somebody
    typed must exist. Raises LedgerError naming the table and what is wrong.
    """
    missing = [key for key in NEEDED[entry["kind"]] if not entry.get(key)]
    if missing:
        told = f"kind {entry['kind']} needs {' and '.join(missing)}"
        raise LedgerError(f"table {name}: {told}")
    if entry["kind"] == "gpt2":
        return _locate_gpt2(name, entry, downloads)
    if not entry.get("path"):
        return Located(reason=f"no file is named for it: set tables.{name}.path")
    root = _root(entry)
    if root is None:
        package = entry["package"].replace("_", "-")
        return Located(reason=f"the package {package} is not installed (requirements-tables.txt)")
    parts = [entry["path"]]
    if entry["kind"] == "saved":
        parts = [f"{entry['path']}/{part}" for part in (VECTORS, ABOUT)]
    files = tuple(root / part for part in (*parts, *filter(None, [entry.get("tokens")])))
    absent = [f"table {name}: {file}: no such file" for file in files if not file.is_file()]
    if absent:
        raise LedgerError(absent)
    return Located(files)


def expected_checksums(entry):
    """Return the checksums that an entry's files must have, None where none is known."""
    if entry["kind"] == "gpt2":
        return (entry.get("sha256", SHA256),)
    return (entry.get("sha256"), entry.get("tokens_sha256"))


def verify(name, entry, files):
    """Hash a table's files; return (SHA-256 of the first, whether all are the expected ones).

    Raises LedgerError for another checksum unless the entry says `accept_unverified: true`.
    """
    found = [sha256(file) for file in files]
    pairs = zip(files, found, expected_checksums(entry), strict=False)
    faults = [
        f"table {name}: {file}: SHA-256 is {have}, expected {want}; accept_unverified: "
        f"true under tables.{name} takes it all the same and marks every verdict on it"
        for file, have, want in pairs
        if want and have != want
    ]
    if faults and not entry.get("accept_unverified"):
        raise LedgerError(faults)
    return found[0], not faults


def read_tokens(path):
    """Read tokens in row order: lines of a text, a JSON list or mapping to rows, or Parquet."""
    path = Path(path)
    if path.suffix == ".parquet":
        from pyarrow import parquet  # optional: only a table that comes as Parquet needs it

        return tuple(parquet.read_table(path).column(0).to_pylist())
    text = read_text(path)
    if path.suffix != ".json":
        return tuple(line.removesuffix("\r") for line in text.removesuffix("\n").split("\n"))
    try:
        read = json.loads(text)
    except ValueError:
        raise LedgerError(f"{path}: not JSON") from None
    if isinstance(read, dict):
        if sorted(read.values()) != list(range(len(read))):
            raise LedgerError(f"{path}: its numbers are not the rows 0 to {len(read) - 1}")
        return tuple(sorted(read, key=read.get))
    return tuple(read)


def _read_npy(path):
    """Memory-map an .npy file of floats; those of half size become single ones."""
    vectors = read_vectors(path)
    return vectors.astype(np.float32) if vectors.dtype.itemsize == 2 else vectors


def _word2vec_text(path):
    """Read word2vec's text form: a line `rows width` (GloVe has none), then a row a line."""
    lines = read_text(path).removesuffix("\n").split("\n")
    head = lines[0].split()
    stated = tuple(map(int, head)) if len(head) == 2 and all(map(str.isdigit, head)) else None
    first = 1 if stated else 0
    width = stated[1] if stated else len(head) - 1
    if width < 1:
        raise LedgerError(f"{path}:1: no vector")
    tokens, vectors = [], np.empty((len(lines) - first, width), np.float32)
    for row, line in enumerate(lines[first:]):
        cells = line.rstrip().rsplit(" ", width)
        try:
            numbers = [float(cell) for cell in cells[1:]]
        except ValueError:
            numbers = []
        if len(numbers) != width:
            told = f"a token and {width} numbers are needed"
            raise LedgerError(f"{path}:{row + first + 1}: {told}") from None
        tokens.append(cells[0])
        vectors[row] = numbers
    if stated and stated[0] != len(tokens):
        raise LedgerError(f"{path}: its first line tells of {stated[0]} rows, it has {len(tokens)}")
    return tokens, vectors


def _word2vec_binary(path):
    """Read word2vec's binary form: a line `rows width`, then token, space and float32 numbers."""
    data = Path(path).read_bytes()
    head, _, rest = data.partition(b"\n")
    cells = head.split()
    if len(cells) != 2 or not all(cell.isdigit() for cell in cells):
        raise LedgerError(f"{path}: its first line is not rows and width")
    rows, width = map(int, cells)
    if rows * (4 * width + 2) > len(rest) + 1:
        raise LedgerError(f"{path}: {rows} rows of {width} numbers do not fit in it")
    tokens, vectors, place = [], np.empty((rows, width), np.float32), 0
    for row in range(rows):
        space = rest.find(b" ", place)
        end = space + 1 + 4 * width
        if space < 0 or end > len(rest):
            raise LedgerError(f"{path}: cut short at row {row}")
        try:
            tokens.append(rest[place:space].lstrip(b"\n").decode("utf-8"))
        except UnicodeDecodeError:
            raise LedgerError(f"{path}: row {row}: its token is not UTF-8") from None
        vectors[row] = np.frombuffer(rest, "<f4", width, space + 1)
        place = end
    if rest[place:].strip(b"\n"):
        raise LedgerError(f"{path}: data after its {rows} rows")
    return tokens, vectors


def _gpt2_tokens():
    return read_tokens(gpt2_tokenizer.data_folder() / gpt2_tokenizer.VOCABULARY)


def _gpt2_cut():
    """Return the function from a token of GPT-2's spelling to its pieces."""
    tokenizer = gpt2_tokenizer.load()
    return lambda token: tokenizer.encode(token.replace("Ġ", " ")).tokens


def open_table(name, entry, files, checksum=""):
    """Open a located table as an EmbeddingTable; raise LedgerError naming what is wrong with it."""
    kind, path = entry["kind"], files[0]
    about = {key: entry[key] for key in ("source", "licence", "case", "space") if key in entry}
    if kind == "saved":
        return load_table(path.parent)
    if kind == "gpt2":
        file = open_safetensors(path)
        tokens, vectors = _gpt2_tokens(), file.array(file.name("wte.weight", PREFIX))
        about |= {"case": True, "space": "Ġ", "cut": _gpt2_cut()}
    elif kind == "safetensors":
        file = open_safetensors(path)
        tokens, vectors = read_tokens(files[1]), file.array(file.name(entry["tensor"]))
    elif kind == "npy":
        tokens, vectors = read_tokens(files[1]), _read_npy(path)
    else:
        read = _word2vec_binary if path.suffix == ".bin" else _word2vec_text
        tokens, vectors = read(path)
    return EmbeddingTable(title(name, entry), tokens, vectors, checksum=checksum, **about)


def parameters(entry, files):
    """Return how many numbers the whole model holds, None where the file is a table alone.

    Masks and ids that a file stores as tensors are no parameters: whatever is not float, and
    GPT-2's causal masks `h.N.attn.bias`, which only look like a bias.
    """
    if entry["kind"] not in ("gpt2", "safetensors"):
        return None
    file = open_safetensors(files[0])
    names = [
        name
        for name, tensor in file.entries.items()
        if "F" in tensor["dtype"] and not name.endswith((".attn.bias", ".attn.masked_bias"))
    ]
    if len(names) < 2:
        return None
    return sum(int(np.prod(file.shape(name))) for name in names)
