"""What is measured on the skip-gram toy, against independent computations."""

import numpy as np
import pytest

from embedding_ledger import skipgram
from embedding_ledger import skipgram_toy as s
from embedding_ledger.config import load
from embedding_ledger.skipgram_training import sentences_of

SETTINGS = load()["mechanics"]["skipgram"]
CONFIG = {
    "seeds": 3,
    "epochs": [1, 5],
    "fit": {"dims": [1, 2], "starts": 2},
    "sets": {"number": 4, "seeds": 2, "seed": 0},
}


@pytest.fixture(scope="module")
def toy():
    return s.Toy({**SETTINGS, "epochs": 12}, CONFIG)


def test_the_floor_is_the_entropy_of_the_pairs():
    found = np.array([[0, 1], [0, 1], [0, 2], [3, 1]])
    assert s.entropy_floor(found) == pytest.approx((2 * np.log(3 / 2) + np.log(3)) / 4)


def test_no_table_beats_the_floor():
    sentences = sentences_of(SETTINGS["sentences"])
    found, words = skipgram.pairs(sentences, 2), skipgram.vocabulary(sentences)
    best = [s.best_fit(found, len(words), dim, range(2), (0, 0.5)) for dim in (1, 2, 5)]
    assert best == sorted(best, reverse=True)
    assert s.entropy_floor(found) < best[2] < s.entropy_floor(found) + 1e-2


def test_procrustes_undoes_a_turn():
    rng = np.random.default_rng(0)
    reference = rng.normal(size=(6, 2))
    turn = np.linalg.qr(rng.normal(size=(2, 2)))[0]
    np.testing.assert_allclose(s.procrustes((reference @ turn)[None], reference)[0], reference)


def test_statements_on_placed_words():
    words = sorted(["cat", "dog", "car", "eats", "chases", "drives", "needs", "spare"])
    places = dict(zip(words, np.eye(8) * 3, strict=True))
    places |= {"dog": places["cat"] + 0.01, "chases": places["eats"] + 0.5}
    vectors = np.array([[places[word] for word in words]])
    told = {name: bool(holds[0]) for name, holds in s.statements(words, vectors).items()}
    assert told["cat_dog_nearest_of_all"]
    assert told["cat_dog_ten_times_nearer"]
    assert told["eats_nearest_chases"]
    assert not told["cat_car_cosine_negative"]
    assert not told["drives_nearest_needs"]
    # a word that a run lacks is nobody's neighbour
    vectors[0, words.index("spare")] = places["cat"]
    there = np.array([[word != "spare" for word in words]])
    assert not s.statements(words, vectors)["cat_dog_nearest_of_all"][0]
    assert s.statements(words, vectors, there)["cat_dog_nearest_of_all"][0]


def test_words_with_the_same_neighbours():
    words = ["a", "b", "c", "x"]
    found = [[0, 3], [1, 3], [2, 3], [2, 3], [3, 0]]
    assert s.same_neighbours(words, found).tolist() == [[0, 1]]


def test_random_sets_fit_the_text():
    for seed in range(20):
        sentences = s.random_set(np.random.default_rng(seed))
        assert len(sentences) == 13
        assert len({tuple(sentence) for sentence in sentences}) == 13
        followers = {who: {x[1] for x in sentences if x[0] == who} for who in s.FOLLOWERS}
        assert followers == {who: set(verbs) for who, verbs in s.FOLLOWERS.items()}
        assert len(skipgram.pairs(sentences, 2)) == 78


def test_sets_are_trained_as_if_alone():
    settings = {**SETTINGS, "epochs": 8}
    rows, columns = s.set_rows(settings, CONFIG["sets"] | {"sets": CONFIG["sets"]})
    texts = rows[1][1].split("; ")
    common = sorted({*s.FOLLOWERS, "eats", "chases", "drives", "needs"})
    own = skipgram.vocabulary(sentences_of(texts))
    holds = []
    for run in (2, 3):
        alone = s.train_seeds({**settings, "sentences": texts}, [run])
        told = s.statements(own, alone[2].centers)
        holds.append([bool(x[0]) for x in told.values()])
    ends = [rows[1][place] for place, name in enumerate(columns) if name.endswith("_end")]
    assert set(common) <= set(own)
    assert ends == np.mean(holds, axis=0).tolist()
    assert len(s.robustness_rows(rows, columns)) == len(ends)


def test_rows_and_truths_of_the_toy(toy):
    assert [row[0] for row in s.loss_rows(toy)] == [0, 1, 5, 12]
    assert len(s.path_rows(toy)) == 4 * 17
    assert len(s.map_rows(toy)) == 3 * 17
    rows, columns = s.run_rows(toy)
    assert {len(row) for row in rows} == {len(columns)}
    assert s.truths(toy)["skipgram.returns_centers_by_word"][0]
    # twelve epochs are too few for the geometry: the truth is able to fail
    assert not s.truths(toy)["skipgram.same_neighbours_converge"][0]
