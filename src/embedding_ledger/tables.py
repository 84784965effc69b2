"""The one type of embedding table, trained here or published by others, and its questions."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import parse_json, read_text, replacing, write_json

VECTORS, ABOUT = "vectors.npy", "table.json"
DETAILS = ("name", "source", "licence", "case", "space")  # of a table, beside its tokens
BLOCK = 4096  # rows that are worked on at a time
CHUNK = 32  # columns of a block of cosines that are looked at together
MARGIN = 1e-5  # of float32 cosines, well above their rounding


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


def _floor(cosines, k):
    """Return for each row of (n, V) a number that its k largest cosines reach or exceed.

    The k-th largest of the maxima of chunks: that many chunks hold a cosine at least as large, and
    maxima are much cheaper to sort than all of a row.
    """
    chunks = cosines.shape[1] // CHUNK
    if chunks >= k:
        shape = (len(cosines), chunks, CHUNK)
        cosines = cosines[:, : chunks * CHUNK].reshape(shape).max(axis=2)
    last = min(k, cosines.shape[1])
    return np.partition(cosines, -last, axis=1)[:, -last]


@dataclass(frozen=True)
class EmbeddingTable:
    """Tokens and their vectors, shape (V, d), a row a token.

    `source`, `licence` and `checksum` (SHA-256 of the file) say where the vectors come from.
    `case`: whether upper and lower case are different tokens; `space`: how a token marks a space
    in front of it, empty when none does; `cut`: a function from a token to its pieces where a
    tokenizer is known. Raises LedgerError when tokens and vectors disagree, a
    token occurs twice, or a vector is not finite.
    """

    name: str
    tokens: tuple = field(repr=False)
    vectors: np.ndarray = field(repr=False)
    source: str = ""
    licence: str = ""
    checksum: str = ""
    case: bool = True
    space: str = ""
    cut: Callable | None = field(default=None, repr=False)

    def __post_init__(self):
        object.__setattr__(self, "tokens", tuple(self.tokens))
        if self.vectors.ndim != 2 or len(self.tokens) != len(self.vectors):
            told = f"{len(self.tokens)} tokens for vectors of shape {self.vectors.shape}"
            raise LedgerError(f"table {self.name}: {told}")
        if len(self.ids) != len(self.tokens):
            twice = next(token for i, token in enumerate(self.tokens) if self.ids[token] != i)
            raise LedgerError(f"table {self.name}: token {twice!r} occurs more than once")
        bad = np.flatnonzero(~np.isfinite(self.lengths))
        if bad.size:
            told = f"the vector of {self.tokens[bad[0]]!r} is not finite"
            raise LedgerError(f"table {self.name}: {told} (row {bad[0]})")

    @cached_property
    def ids(self):
        """The row of each token."""
        return {token: row for row, token in enumerate(self.tokens)}

    @cached_property
    def lengths(self):
        """The length of each vector, shape (V,)."""
        blocks = [np.linalg.norm(rows, axis=1) for rows in self._float_blocks()]
        return np.concatenate(blocks) if blocks else np.zeros(0)

    def _float_blocks(self):
        """Yield the vectors as float64, some rows at a time, so no mapped file is copied."""
        for start in range(0, len(self.vectors), BLOCK):
            yield np.asarray(self.vectors[start : start + BLOCK], dtype=float)

    def id(self, token):
        """Return the row of a token; raise LedgerError naming near ones when it has none."""
        if token not in self.ids:
            pieces = self.pieces(token)
            if pieces:
                told = f"{token!r} is several pieces: {', '.join(map(repr, pieces))}"
                raise LedgerError(f"table {self.name}: {told}")
            near = ", ".join(map(repr, difflib.get_close_matches(token, self.tokens, 3)))
            hint = f"; near: {near}" if near else ""
            raise LedgerError(f"table {self.name}: no token {token!r}{hint}")
        return self.ids[token]

    def pieces(self, token):
        """Return the pieces that a tokenizer cuts a token into; none where it is whole."""
        found = self.cut(token) if self.cut else []
        return found if len(found) > 1 else []

    def token(self, text):
        """Return the token of a text such as ` Paris`, as this table spells it.

        A leading space is kept where tokens mark it and dropped elsewhere; case is lowered where
        the table has no upper case.
        """
        text = text if self.case else text.lower()
        if text.startswith(" "):
            return self.space + text[1:]
        return text

    def printed(self, token):
        """Return a token with an underscore for each space, as document 001 prints it."""
        return token.replace(self.space, "_") if self.space else token

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
        return np.asarray(self.vectors[rows], dtype=float) / self.lengths[rows, None]

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
        self.unit([token])
        (found,) = self.nearest_rows([self.id(token)], k)
        return [(self.tokens[row], cosine) for row, cosine in found]

    def nearest_rows(self, rows, k, block=64):
        """Yield for each of some rows its k nearest others as a list of (row, cosine).

        One product of `block` rows with the whole table at a time, so the memory needed beside the
        table is `block` numbers a token. Whatever comes within MARGIN of the last place is
        compared again in float64. A row of length zero has no neighbours.
        """
        rows = np.asarray(rows, dtype=int)
        scale = np.divide(1, self.lengths, out=np.zeros_like(self.lengths), where=self.lengths > 0)
        scale = scale.astype(self.vectors.dtype)
        for start in range(0, len(rows), block):
            asked = rows[start : start + block]
            cosines = (self.vectors[asked] * scale[asked, None]) @ self.vectors.T
            cosines *= scale
            cosines[:, self.lengths == 0] = -np.inf
            cosines[np.arange(len(asked)), asked] = -np.inf
            for row, found, least in zip(asked, cosines, _floor(cosines, k) - MARGIN, strict=True):
                near = np.flatnonzero(found >= max(least, -2))  # -2: whatever has a cosine
                yield self._ranked(row, near, k) if self.lengths[row] else []

    def _ranked(self, row, others, k):
        """Return the k of `others` nearest to a row as (row, cosine), computed in float64."""
        products = np.asarray(self.vectors[others], dtype=float) @ np.asarray(
            self.vectors[row], dtype=float
        )
        cosines = products / (self.lengths[others] * self.lengths[row])
        # cosines that only rounding tells apart are ties
        order = np.lexsort((others, -np.round(cosines, 12)))[:k]
        return list(zip(others[order].tolist(), cosines[order].tolist(), strict=True))

    @cached_property
    def common_direction(self):
        """The mean of all vectors at length one, shape (d,): what they lean towards."""
        total, start = np.zeros(self.vectors.shape[1]), 0
        for rows in self._float_blocks():
            lengths = self.lengths[start : start + len(rows), None]
            total += np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0).sum(
                axis=0
            )
            start += len(rows)
        return total / np.count_nonzero(self.lengths)

    def mean_cosine(self):
        """Return the mean cosine over all pairs of different rows, exactly.

        The sum over all pairs is the square of the sum of the unit vectors; rows of length zero
        are left out.
        """
        n = np.count_nonzero(self.lengths)
        return float((n * self.common_direction @ self.common_direction - 1) / (n - 1))

    def centred(self):
        """Return the table with its mean vector subtracted from each row (in memory)."""
        mean = sum(rows.sum(axis=0) for rows in self._float_blocks()) / len(self.vectors)
        moved = self.vectors - mean.astype(self.vectors.dtype)
        return replace(self, name=f"{self.name}, centred", vectors=moved)

    def leanings(self):
        """Return the cosine of each row with the common direction, (V,); nan for zero rows."""
        direction = self.common_direction / np.linalg.norm(self.common_direction)
        products = np.concatenate([rows @ direction for rows in self._float_blocks()])
        with np.errstate(invalid="ignore"):
            return products / self.lengths

    def nearest_to(self, direction, k, without=()):
        """Return the k (token, cosine) nearest to a vector (d,), some tokens left out."""
        lengths = np.where(self.lengths > 0, self.lengths, np.inf)
        cosines = self.vectors @ (direction / np.linalg.norm(direction)) / lengths
        cosines[self.lengths == 0] = -np.inf
        cosines[[self.id(token) for token in without]] = -np.inf
        last = np.partition(cosines, -k)[-k] if k < len(cosines) else -np.inf
        near = np.flatnonzero(cosines >= last)  # ties at the last place included
        order = near[np.argsort(-cosines[near], kind="stable")[:k]]
        order = order[np.isfinite(cosines[order])]
        found = zip(order.tolist(), cosines[order].tolist(), strict=True)
        return [(self.tokens[row], cosine) for row, cosine in found]

    def analogy(self, a, b, c, k, without=True):
        """Return the k (token, cosine) nearest to b - a + c, of vectors at length one.

        `without`: leave the three tokens themselves out, as is the custom.
        """
        unit = self.unit([a, b, c])
        return self.nearest_to(unit[1] - unit[0] + unit[2], k, [a, b, c] if without else ())

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
        about = {detail: getattr(self, detail) for detail in DETAILS}
        write_json(Path(folder) / ABOUT, {**about, "tokens": list(self.tokens)})
        with replacing(Path(folder) / VECTORS) as temporary, temporary.open("wb") as stream:
            np.save(stream, self.vectors, allow_pickle=False)


def read_vectors(path):
    """Memory-map an .npy file of floats; raise LedgerError for another one, a pickle inside too."""
    try:
        vectors = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        told = getattr(error, "strerror", None) or error
        raise LedgerError(f"{path}: not a plain .npy array ({told})") from None
    if not isinstance(vectors, np.ndarray) or vectors.dtype.kind != "f":
        raise LedgerError(f"{path}: floats are needed")
    return vectors


def load_table(folder):
    """Read a table that EmbeddingTable.save wrote, its vectors memory-mapped.

    Raises LedgerError naming the file that is absent or not what save writes.
    """
    about_file, vectors_file = Path(folder) / ABOUT, Path(folder) / VECTORS
    about = parse_json(about_file, read_text(about_file))
    if not isinstance(about, dict) or set(about) != {*DETAILS, "tokens"}:
        raise LedgerError(f"{about_file}: expected the keys {', '.join((*DETAILS, 'tokens'))}")
    tokens = about["tokens"]
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise LedgerError(f"{about_file}: 'tokens' is not a list of texts")
    vectors = read_vectors(vectors_file)
    if not np.isfinite(vectors).all():
        raise LedgerError(f"{vectors_file}: holds nan or an infinity")
    return EmbeddingTable(vectors=vectors, **about)
