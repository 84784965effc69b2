"""Two algorithms of the documents taken literally, example by example.

Yardsticks only: tests hold the fast trainers to them, benchmarks time them side by side. No
experiment uses them.
"""

import math
import random

import numpy as np


def bigram_descent(stream, E, U, updates, rate):
    """Full-batch descent of document 004's model: every pair of a stream of ids is one example.

    E (V, d), U (d, V) are not modified; returns the two after `updates` steps. Raises nothing for
    a run that diverges.
    """
    before, after = stream[:-1], stream[1:]
    example = np.arange(len(after))
    E, U = E.copy(), U.copy()
    for _ in range(updates):
        hidden = E[before]
        error = np.exp(hidden @ U)
        error /= error.sum(axis=1, keepdims=True)
        error[example, after] -= 1
        error /= len(after)
        step_E = np.zeros_like(E)
        np.add.at(step_E, before, error @ U.T)
        step_U = hidden.T @ error
        E -= rate * step_E
        U -= rate * step_U
    return E, U


def skipgram_descent(settings, seed, epochs):
    """Document 002's skip-gram: one pair, one word, one number at a time, in plain Python.

    `settings`: config key mechanics.skipgram. Returns both tables, shape (2, V, d).
    """
    sentences = [text.split() for text in settings["sentences"]]
    words = sorted({word for sentence in sentences for word in sentence})
    place, dim, rate = (
        {w: n for n, w in enumerate(words)},
        settings["dim"],
        settings["learning_rate"],
    )
    draw = random.Random(seed)
    tables = [
        [[draw.gauss(*settings["init"]) for _ in range(dim)] for _ in words] for _ in range(2)
    ]
    centers, contexts = tables
    for _ in range(epochs):
        for sentence in sentences:
            for i, word in enumerate(sentence):
                for j, near in enumerate(sentence):
                    if i == j or abs(i - j) > settings["window"]:
                        continue
                    center, target = centers[place[word]], place[near]
                    scores = [sum(map(float.__mul__, center, row)) for row in contexts]
                    weights = [math.exp(score - max(scores)) for score in scores]
                    push, total = [0.0] * dim, sum(weights)
                    for n, row in enumerate(contexts):
                        surplus = weights[n] / total - (n == target)
                        for d in range(dim):
                            push[d] += surplus * row[d]
                            row[d] -= rate * surplus * center[d]
                    for d in range(dim):
                        center[d] -= rate * push[d]
    return np.array(tables)
