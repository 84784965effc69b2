"""Vectors from counts alone: positive pointwise mutual information, flattened by an SVD.

The yardstick of document 003's trained table: the same text, no gradient (Levy, Goldberg and Dagan
2015, Improving Distributional Similarity with Lessons Learned from Word Embeddings).
"""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds

SMOOTHING = 0.75  # power of the counts of contexts, as in the paper


def pair_counts(blocks, vocabulary, window):
    """Count pairs of tokens at most `window` apart, both ways, within rows of `blocks` (n, length).

    Returns a sparse symmetric (vocabulary, vocabulary) matrix.
    """
    total = sparse.csr_array((vocabulary, vocabulary))
    for offset in range(1, min(window, blocks.shape[1] - 1) + 1):
        first, second = blocks[:, :-offset].ravel(), blocks[:, offset:].ravel()
        total = (
            total
            + sparse.coo_array((np.ones(len(first)), (first, second)), shape=total.shape).tocsr()
        )
    return total + total.T


def positive_information(counts):
    """Return max(0, log of how much more often than by chance a pair occurs), sparse."""
    rows, columns = counts.sum(axis=1), counts.sum(axis=0) ** SMOOTHING
    table = counts.tocoo()
    chance = rows[table.row] * columns[table.col] / columns.sum()
    values = np.maximum(0, np.log(table.data / chance))
    return sparse.csr_array((values, (table.row, table.col)), shape=table.shape)


def vectors(counts, width):
    """Return vectors (vocabulary, width) of the counts: left singular vectors by root lengths."""
    start = np.ones(counts.shape[0])
    left, lengths, _ = svds(positive_information(counts), k=width, v0=start)
    return (left * np.sqrt(lengths))[:, ::-1].astype(np.float32)
