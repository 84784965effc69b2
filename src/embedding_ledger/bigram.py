"""The bigram model through a bottleneck: scores of the next token are E[x] @ U (document 004).

`embedding` E has shape (V, d), `output` U has shape (d, V); `x` and `y` (n,) hold the ids of the
previous and the next tokens.
"""

import numpy as np

from embedding_ledger.vectors import softmax


def draw(rng, vocabulary, width, scale):
    """Draw the two factors, E first: standard normal entries times `scale`."""
    embedding = rng.standard_normal((vocabulary, width)) * scale
    return embedding, rng.standard_normal((width, vocabulary)) * scale


def loss(embedding, output, x, y):
    """Return the mean negative log probability of the next tokens, in nats."""
    return -np.log(softmax(embedding[x] @ output)[np.arange(len(x)), y]).mean()


def gradients(embedding, output, x, y):
    """Return the gradients of `loss` on E and U, in their shapes."""
    read = embedding[x]
    surplus = softmax(read @ output)
    surplus[np.arange(len(x)), y] -= 1
    surplus /= len(x)
    on_embedding = np.zeros_like(embedding)
    np.add.at(on_embedding, x, surplus @ output.T)
    return on_embedding, read.T @ surplus
