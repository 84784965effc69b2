"""The batched skip-gram trainer against a literal one that handles single numbers."""

import math

import numpy as np
import pytest

from embedding_ledger import skipgram
from embedding_ledger import skipgram_training as t
from embedding_ledger.config import load
from embedding_ledger.errors import LedgerError
from embedding_ledger.literal import skipgram_descent

SETTINGS = load()["mechanics"]["skipgram"]


@pytest.mark.parametrize("changes", [{}, {"dim": 5}, {"window": 1, "learning_rate": 0.4}])
def test_all_runs_equal_the_literal_algorithm(changes):
    settings = {**SETTINGS, **changes, "epochs": 20}
    _, _, runs = t.train_seeds(settings, [0, 3, 8])
    for number, seed in enumerate([0, 3, 8]):
        expected = skipgram_descent(settings, seed, 20)
        np.testing.assert_allclose(runs.centers[number], expected[0], atol=1e-12, rtol=0)
        np.testing.assert_allclose(runs.contexts[number], expected[1], atol=1e-12, rtol=0)


def test_a_full_run_equals_the_literal_algorithm():
    _, _, runs = t.train_seeds(SETTINGS, [0])
    expected = skipgram_descent(SETTINGS, 0, SETTINGS["epochs"])
    np.testing.assert_allclose(runs.centers[0], expected[0], atol=1e-12, rtol=0)


def test_runs_with_pairs_and_words_of_their_own():
    """A padded vocabulary changes nothing for the words that a run has."""
    small = {**SETTINGS, "sentences": ["cat eats fish", "dog eats meat"], "epochs": 15}
    words, found, alone = t.train_seeds(small, [4])
    start = t.initial_vectors(4, len(words), small["dim"], small["init"])
    padded = np.zeros((2, 2, len(words) + 3, small["dim"]))
    padded[0, :, : len(words)] = start
    padded[1] = t.initial_vectors(1, len(words) + 3, small["dim"], small["init"])
    used = np.ones((2, len(words) + 3), dtype=bool)
    used[0, len(words) :] = False
    both = np.stack([found, found[::-1]])
    runs = t.train(padded, both, small["learning_rate"], 15, used=used)
    np.testing.assert_allclose(runs.centers[0, : len(words)], alone.centers[0], atol=1e-12, rtol=0)


def test_snapshots_are_the_states_after_their_epochs():
    _, _, long = t.train_seeds({**SETTINGS, "epochs": 7}, [0, 1], record=(0, 3))
    _, _, short = t.train_seeds({**SETTINGS, "epochs": 3}, [0, 1])
    assert np.array_equal(long.snapshots[3][0], short.centers)
    start = t.initial_vectors(1, 17, 2, SETTINGS["init"])
    assert np.array_equal(np.stack([part[1] for part in long.snapshots[0]]), start)


def test_one_step_is_the_gradient_of_one_pair():
    sentences = t.sentences_of(SETTINGS["sentences"])
    found = skipgram.pairs(sentences, 2)[:1]
    start = t.initial_vectors(5, 17, 2, SETTINGS["init"])
    runs = t.train(start[None], found, 0.1, 1)
    on_centers, on_contexts = skipgram.gradients(*start, found)
    np.testing.assert_allclose(runs.centers[0], start[0] - 0.1 * on_centers, atol=1e-14)
    np.testing.assert_allclose(runs.contexts[0], start[1] - 0.1 * on_contexts, atol=1e-14)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"sentences": []}, "list of sentences is empty"),
        ({"sentences": ["cat"]}, "'cat' has no pair"),
        ({"learning_rate": -0.05}, "must be positive, not -0.05"),
        ({"learning_rate": math.nan}, "must be positive, not nan"),
        ({"dim": 0}, "at least one number a word"),
        ({"init": [math.nan, 0.5]}, "all finite"),
    ],
)
def test_bad_settings_are_refused(changes, told):
    with pytest.raises(LedgerError, match=told):
        t.train_seeds({**SETTINGS, **changes}, [0])


def test_a_pair_outside_the_vocabulary_is_refused():
    start = t.initial_vectors(0, 4, 2, (0, 1))[None]
    with pytest.raises(LedgerError, match="outside the vocabulary of 4"):
        t.train(start, [[0, 4]], 0.1, 1)
