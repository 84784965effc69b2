"""Cosine similarity, lengths of vectors, and softmax."""

import numpy as np


def cosine_similarity(a, b):
    """Return the dot product of two vectors over the product of their lengths.

    Raises ValueError when a vector has length zero: its direction, so the cosine, is undefined.
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    lengths = np.linalg.norm([a, b], axis=1).prod()
    if lengths == 0:
        raise ValueError("cosine similarity is undefined for a vector of length zero")
    return float(a @ b / lengths)


def unit_rows(rows):
    """Return the rows (n, d) scaled to length one."""
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def softmax(logits):
    """Return exp(logits) over their sum, along the last axis; same shape as `logits`."""
    shifted = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)
