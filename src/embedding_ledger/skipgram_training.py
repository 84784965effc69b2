"""Training document 002's skip-gram pair by pair, many runs at a time.

Stochastic descent that takes one (center, context) pair after another, in the order of the
sentences: the scores come from the old vectors, the context vectors move first, then the center
vector by a gradient gathered from the context vectors as they were. Runs are independent of one
another and share only the clock, so that one NumPy call moves all of them.
"""

import random
from dataclasses import dataclass, field

import numpy as np

from embedding_ledger.errors import LedgerError
from embedding_ledger.skipgram import pairs, vocabulary


def sentences_of(texts):
    """Split sentences into words; raise LedgerError when there are none or one is too short."""
    sentences = [text.split() for text in texts]
    if not sentences:
        raise LedgerError("skip-gram: the list of sentences is empty")
    for text, words in zip(texts, sentences, strict=True):
        if len(words) < 2:
            raise LedgerError(f"skip-gram: sentence {text!r} has no pair of words")
    return sentences


def initial_vectors(seed, words, dim, init):
    """Draw both tables of one run, each of shape (words, dim), center vectors first.

    The generator is Python's own, as on the page, so that a seed means the same start as there.
    `init`: mean and standard deviation.
    """
    generator = random.Random(seed)
    drawn = [generator.gauss(*init) for _ in range(2 * words * dim)]
    return np.array(drawn).reshape(2, words, dim)


@dataclass(frozen=True)
class Runs:
    """Trained runs: centers and contexts (runs, V, d), and what was recorded on the way.

    snapshots  epoch -> (centers, contexts) after it; epoch 0 is the start
    """

    centers: np.ndarray = field(repr=False)
    contexts: np.ndarray = field(repr=False)
    snapshots: dict = field(repr=False)


def train(starts, found, learning_rate, epochs, record=(), used=None):
    """Train runs from `starts` (runs, 2, V, d) and return them as Runs.

    `found`: the pairs of every run, shape (n, 2) for all alike or (runs, n, 2); `record`: epochs
    after which tables are kept; `used`: which words a run has (runs, V), where vocabularies differ.
    Raises LedgerError for a learning rate or a start that is not finite, or a rate below zero.
    """
    starts = np.asarray(starts, dtype=float)
    if not np.isfinite(starts).all() or starts.shape[-1] < 1:
        raise LedgerError("skip-gram: the start needs at least one number a word, all finite")
    if not (np.isfinite(learning_rate) and learning_rate > 0):
        raise LedgerError(f"skip-gram: a learning rate must be positive, not {learning_rate}")
    runs, _, V, _ = starts.shape
    found = np.broadcast_to(found, (runs, *np.shape(found)[-2:]))
    if found.min() < 0 or found.max() >= V:
        raise LedgerError(f"skip-gram: a pair names a word outside the vocabulary of {V}")
    # component first and run last: every operation below then walks memory in order
    centers, contexts = (np.ascontiguousarray(t) for t in starts.transpose(1, 3, 2, 0))
    steps = np.ascontiguousarray(found.transpose(1, 2, 0))
    absent = None if used is None else np.where(used, 0.0, -np.inf).T
    every, snapshots = np.arange(runs), {}

    def keep(epoch):
        if epoch in record:
            snapshots[epoch] = tuple(t.transpose(2, 1, 0).copy() for t in (centers, contexts))

    keep(0)
    for epoch in range(1, epochs + 1):
        for center, context in steps:
            before = centers[:, center, every]
            surplus = (contexts * before[:, None]).sum(axis=0)
            if absent is not None:
                surplus += absent
            surplus -= surplus.max(axis=0)
            np.exp(surplus, out=surplus)
            surplus /= surplus.sum(axis=0)
            surplus[context, every] -= 1
            gradient = (contexts * surplus).sum(axis=1)
            surplus *= learning_rate
            contexts -= surplus * before[:, None]
            centers[:, center, every] = before - learning_rate * gradient
        keep(epoch)
    return Runs(centers.transpose(2, 1, 0), contexts.transpose(2, 1, 0), snapshots)


def train_seeds(settings, seeds, record=()):
    """Train document 002's example from many seeds; return (words, pairs, Runs).

    `settings`: config key mechanics.skipgram.
    """
    sentences = sentences_of(settings["sentences"])
    words, found = vocabulary(sentences), pairs(sentences, settings["window"])
    starts = [initial_vectors(s, len(words), settings["dim"], settings["init"]) for s in seeds]
    runs = train(np.stack(starts), found, settings["learning_rate"], settings["epochs"], record)
    return words, found, runs
