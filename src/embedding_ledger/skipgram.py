"""Skip-gram with a full softmax (Mikolov et al. 2013, arXiv 1301.3781; document 002).

Every word has two vectors: a row of `centers` and a row of `contexts`, both of shape (V, d).
"""

import numpy as np

from embedding_ledger.vectors import softmax


def vocabulary(sentences):
    """Return the words of some sentences (lists of words), each once, in alphabetical order."""
    return sorted({word for sentence in sentences for word in sentence})


def pairs(sentences, window):
    """Return the (center, context) pairs of row numbers, shape (n, 2).

    A word is the center for every other word at most `window` places away in its sentence.
    """
    ids = {word: row for row, word in enumerate(vocabulary(sentences))}
    found = []
    for sentence in sentences:
        rows = [ids[word] for word in sentence]
        for place, center in enumerate(rows):
            start = max(place - window, 0)
            near = rows[start:place] + rows[place + 1 : place + 1 + window]
            found += [(center, context) for context in near]
    return np.array(found)


def probabilities(centers, contexts):
    """Return p(context | center) for every center word (rows) and context word, shape (V, V)."""
    return softmax(centers @ contexts.T)


def loss(centers, contexts, found):
    """Return the negative log probability of the pairs `found` (n, 2), summed, in nats."""
    scores = centers @ contexts.T
    top = scores.max(axis=1, keepdims=True)
    # not the logarithm of a probability, which may be too small for a float
    totals = np.log(np.exp(scores - top).sum(axis=1)) + top[:, 0]
    return (totals[found[:, 0]] - scores[found[:, 0], found[:, 1]]).sum()


def gradients(centers, contexts, found):
    """Return the gradients of `loss` on centers and contexts, both of shape (V, d).

    A pair (c, o) adds (p(w|c) - [w = o]) u_w, summed over w, to the center vector of c, and
    (p(w|c) - [w = o]) v_c to the context vector of every word w.
    """
    surplus = probabilities(centers, contexts)[found[:, 0]]
    surplus[np.arange(len(found)), found[:, 1]] -= 1
    on_centers = np.zeros_like(centers)
    np.add.at(on_centers, found[:, 0], surplus @ contexts)
    return on_centers, surplus.T @ centers[found[:, 0]]
