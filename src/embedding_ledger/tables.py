"""The one type of embedding table, trained here or published by others, and its questions."""

import difflib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import parse_json, read_text, replacing, write_json

VECTORS, ABOUT = "vectors.npy", "table.json"


def principal_components(rows, centred=True):
    """Flatten rows (n, d) onto the two directions in which they vary most.

    Returns (coordinates (n, 2), share of the spread that the two keep). Without `centred` the
    directions are those of the rows themselves, not of their differences from the mean. The sign
    of a direction is free; the farthest row gets a positive coordinate. Raises LedgerError for
    rows that leave no two directions to choose.
    """
    rows = np.asarray(rows, dtype=float)
    if min(rows.shape) < 2:
        raise LedgerError(f"a map needs two rows of width two at least, not shape {rows.shape}")
    moved = rows - rows.mean(axis=0) if centred else rows
    left, lengths, _ = np.linalg.svd(moved, full_matrices=False)
    coordinates = left[:, :2] * lengths[:2]
    farthest = np.abs(coordinates).argmax(axis=0)
    coordinates *= np.sign(coordinates[farthest, range(coordinates.shape[1])])
    return coordinates, float((lengths[:2] ** 2).sum() / (lengths**2).sum())


@dataclass(frozen=True)
class EmbeddingTable:
    """Tokens and their vectors, shape (V, d), a row a token.

    `source` and `licence` say where the vectors come from. Raises LedgerError when tokens and
    vectors disagree or a token occurs twice.
    """

    name: str
    tokens: tuple
    vectors: np.ndarray = field(repr=False)
    source: str = ""
    licence: str = ""

    def __post_init__(self):
        object.__setattr__(self, "tokens", tuple(self.tokens))
        if self.vectors.ndim != 2 or len(self.tokens) != len(self.vectors):
            told = f"{len(self.tokens)} tokens for vectors of shape {self.vectors.shape}"
            raise LedgerError(f"table {self.name}: {told}")
        if len(self.ids) != len(self.tokens):
            twice = next(token for i, token in enumerate(self.tokens) if self.ids[token] != i)
            raise LedgerError(f"table {self.name}: token {twice!r} occurs more than once")

    @cached_property
    def ids(self):
        """The row of each token."""
        return {token: row for row, token in enumerate(self.tokens)}

    @cached_property
    def lengths(self):
        """The length of each vector, shape (V,)."""
        return np.linalg.norm(self.vectors, axis=1)

    def id(self, token):
        """Return the row of a token; raise LedgerError naming near ones when it has none."""
        if token not in self.ids:
            near = ", ".join(map(repr, difflib.get_close_matches(token, self.tokens, 3)))
            hint = f"; near: {near}" if near else ""
            raise LedgerError(f"table {self.name}: no token {token!r}{hint}")
        return self.ids[token]

    def unit(self, tokens):
        """Return the vectors of some tokens at length one, shape (n, d).

        Raises LedgerError for a vector of length zero: it has no direction, so no cosine.
        """
        rows = [self.id(token) for token in tokens]
        if not np.all(self.lengths[rows]):
            zero = tokens[int(np.argmin(self.lengths[rows]))]
            raise LedgerError(
                f"table {self.name}: {zero!r} has length zero, its cosine is undefined"
            )
        return self.vectors[rows] / self.lengths[rows, None]

    def cosines(self, tokens):
        """Return the cosine similarity of every pair of some tokens, shape (n, n)."""
        unit = self.unit(tokens)
        return unit @ unit.T

    def cosine(self, a, b):
        """Return the cosine similarity of two tokens."""
        return float(np.prod(self.unit([a, b]), axis=0).sum())

    def nearest(self, token, k):
        """Return the k (token, cosine) nearest to a token, itself left out.

        Nearest first, ties by row. Rows of length zero have no cosine and are left out.
        """
        lengths = np.where(self.lengths > 0, self.lengths, np.inf)
        cosines = self.vectors @ self.unit([token])[0] / lengths
        cosines[self.lengths == 0] = -np.inf
        cosines[self.id(token)] = -np.inf
        order = np.argsort(-cosines, kind="stable")[:k]
        return [
            (self.tokens[row], float(cosines[row])) for row in order if np.isfinite(cosines[row])
        ]

    def family_means(self, families):
        """Return the mean cosine of pairs (within, between) families {name: tokens}."""
        tokens = [token for members in families.values() for token in members]
        labels = np.repeat(range(len(families)), [len(m) for m in families.values()])
        first, second = np.triu_indices(len(tokens), 1)
        pairs, same = self.cosines(tokens)[first, second], labels[first] == labels[second]
        return float(pairs[same].mean()), float(pairs[~same].mean())

    def map(self, tokens, centred=True):
        """Flatten the unit vectors of some tokens; see principal_components."""
        return principal_components(self.unit(tokens), centred)

    def save(self, folder):
        """Write the table into a folder: vectors.npy, and table.json with tokens and source."""
        about = {n: getattr(self, n) for n in ("name", "source", "licence")}
        write_json(Path(folder) / ABOUT, {**about, "tokens": list(self.tokens)})
        with replacing(Path(folder) / VECTORS) as temporary, temporary.open("wb") as stream:
            np.save(stream, self.vectors, allow_pickle=False)


def load_table(folder):
    """Read a table that EmbeddingTable.save wrote, its vectors memory-mapped.

    Raises LedgerError naming the file that is absent or not what save writes.
    """
    about_file, vectors_file = Path(folder) / ABOUT, Path(folder) / VECTORS
    about = parse_json(about_file, read_text(about_file))
    if not isinstance(about, dict) or set(about) != {"name", "source", "licence", "tokens"}:
        raise LedgerError(f"{about_file}: expected the keys licence, name, source, tokens")
    tokens = about["tokens"]
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise LedgerError(f"{about_file}: 'tokens' is not a list of texts")
    try:
        vectors = np.load(vectors_file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        told = getattr(error, "strerror", None) or error
        raise LedgerError(f"{vectors_file}: not a NumPy array ({told})") from None
    if not isinstance(vectors, np.ndarray) or vectors.dtype.kind != "f":
        raise LedgerError(f"{vectors_file}: expected an array of floats")
    if not np.isfinite(vectors).all():
        raise LedgerError(f"{vectors_file}: holds nan or an infinity")
    return EmbeddingTable(vectors=vectors, **about)
