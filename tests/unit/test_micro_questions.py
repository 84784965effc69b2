"""Questions of document 003, on tables small enough to answer by hand."""

import numpy as np
import pytest

from embedding_ledger import byte_patterns, cooccurrence
from embedding_ledger import micro_questions as q
from embedding_ledger.errors import LedgerError
from embedding_ledger.tables import EmbeddingTable

CONFIG = {
    "words": {
        "number": ["two", "three"],
        "colour": ["red", "blue"],
        "body": ["heart", "eye"],
        "biology_zh": ["细胞"],
    },
    "pairs": {"red_blue": ["red", "blue"], "red_heart": ["red", "heart"]},
    "neighbours": {"three": "numbers"},
    "families": {"numbers": ["two", "three", "four"]},
    "share": 0.5,
    "separation": 0.75,
    "closeness": 0.2,
}
TOKENS = [" two", " three", " red", " blue", " heart", " eye", "Two", " of", "Three"]
VECTORS = np.array(
    [
        [1, 0, 0.1],
        [1, 0.1, 0],
        [0, 1, 0.1],
        [0, 1, 0],
        [0.1, 0, 1],
        [0, 0.1, 1],
        [1, 0.05, 0.1],
        [-1, -1, -1],
        [1, 0.1, 0.01],
    ],
    dtype=np.float32,
)
TABLE = EmbeddingTable("small", TOKENS, VECTORS)


def test_words_that_are_no_token_are_left_out_and_named():
    assert list(q.shown_words(CONFIG, TABLE)) == TOKENS[:6]
    assert q.missing_words(CONFIG, TABLE) == ["细胞"]


def test_cosines_of_the_pairs():
    found = q.cosines(CONFIG, TABLE)
    assert found["red_blue"] == pytest.approx(1 / np.sqrt(1.01))
    assert found["red_heart"] == pytest.approx(0.1 / 1.01)


def test_the_word_itself_in_another_spelling_is_no_hit():
    rows = q.neighbour_rows(CONFIG, TABLE, 3)
    assert [(row[2], row[4]) for row in rows] == [
        ("Three", False),
        ("Two", True),
        (" two", True),
    ]


def test_centres_leave_the_point_itself_out():
    kinds = ["a", "a", "b", "b"]
    assert q.centre_accuracy(np.array([[0, 0], [0, 1], [5, 0], [5, 1]]), kinds) == 1
    # each point is nearer to the other kind than to the only other point of its own
    assert q.centre_accuracy(np.array([[0, 0], [9, 9], [0, 1], [9, 8]]), kinds) == 0


def test_kinds_apart_within_and_between():
    words = q.shown_words(CONFIG, TABLE)
    within, between = q.kind_gap(TABLE, words)
    cosines = TABLE.cosines(list(words))
    assert within == pytest.approx(np.mean([cosines[0, 1], cosines[2, 3], cosines[4, 5]]))
    others = [cosines[i, j] for i in range(6) for j in range(i + 1, 6) if i // 2 != j // 2]
    assert between == pytest.approx(np.mean(others))
    within, between = q.kind_gap(TABLE, words, "colour")
    assert within == pytest.approx(cosines[2, 3])
    expected = [cosines[i, j] for i in (2, 3) for j in (0, 1, 4, 5)]
    assert between == pytest.approx(np.mean(expected))


def test_nearest_in_the_plane_against_nearest_by_cosine():
    cosines = np.array([[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]])
    assert q.nearest_kept(np.array([[0.0, 0], [0, 1], [0, 3]]), cosines) == 3
    # row 2 comes nearest to row 0, which by cosine is nearest to row 1
    assert q.nearest_kept(np.array([[0.0, 0], [0, 1], [0, -0.5]]), cosines) == 1


def told(start, end):
    moments = {0: start, 9: end}
    kinds = {step: q.kind_row(CONFIG, table) for step, table in moments.items()}
    missing = q.missing_words(CONFIG, end)
    rows = q.neighbour_rows(CONFIG, end, 3)
    return {
        name: holds for name, (holds, _) in q.truths(CONFIG, moments, rows, kinds, missing).items()
    }


def test_truths_tell_a_trained_table_from_a_random_one():
    noise = np.random.default_rng(1).standard_normal((9, 3)).astype(np.float32)
    random = EmbeddingTable("random", TOKENS, np.hstack([noise, noise[::-1], noise**2 - 1]))
    trained, untrained = told(random, TABLE), told(random, random)
    for name in ("map.kinds_separate", "kinds.colours_and_organs", "neighbours.numbers"):
        assert trained[name] and not untrained[name], name
    assert trained["training.kinds_without_labels"]
    assert not told(TABLE, TABLE)["training.kinds_without_labels"]
    assert not trained["map.single_token"]


def test_pairs_are_counted_within_rows_only():
    counts = cooccurrence.pair_counts(np.array([[0, 1, 2], [2, 0, 0]]), 3, 1).toarray()
    assert counts.tolist() == [[2, 1, 1], [1, 0, 1], [1, 1, 0]]
    wide = cooccurrence.pair_counts(np.array([[0, 1, 2], [2, 0, 0]]), 3, 5).toarray()
    assert wide.tolist() == [[2, 1, 3], [1, 0, 1], [3, 1, 0]]


def test_information_against_its_formula_and_vectors_against_a_dense_svd():
    blocks = np.random.default_rng(0).zipf(1.5, (200, 9)) % 12
    counts = cooccurrence.pair_counts(blocks, 12, 2)
    dense = counts.toarray()
    smooth = dense.sum(axis=0) ** 0.75
    expected = dense.sum(axis=1)[:, None] * smooth / smooth.sum()
    with np.errstate(divide="ignore"):
        information = np.maximum(0, np.log(dense / expected))
    assert cooccurrence.positive_information(counts).toarray() == pytest.approx(information)
    left, lengths, _ = np.linalg.svd(information)
    found = cooccurrence.vectors(counts, 4).astype(float)
    assert found @ found.T == pytest.approx((left[:, :4] * lengths[:4]) @ left[:, :4].T, abs=1e-4)


def test_rows_that_lean_one_way_and_not_once_centred():
    leaning = EmbeddingTable("l", ["a", "b", "c"], np.array([[1.0, 5], [2, 5], [-2, 5]]))
    pairs = leaning.cosines(leaning.tokens)[np.triu_indices(3, 1)]
    assert leaning.mean_cosine() == pytest.approx(pairs.mean())
    assert leaning.mean_cosine() > 0.8
    assert leaning.centred().vectors.mean(axis=0) == pytest.approx([0, 0])


def test_gains_and_the_half_of_them():
    places = np.array([[5, 5, 5, 5], [4, 3, 3, 3], [4, 2, 2, 2], [4, 2, 1, 1.0]])
    near, far = byte_patterns.gains(places, 2)
    assert near.tolist() == [0, 2, 3, 3]
    assert far.tolist() == [0, 0, 0, 1]
    assert byte_patterns.half_way([0, 10, 20, 30], near) == 10
    ((holds, numbers),) = byte_patterns.truths([0, 10, 20, 30], places, 2).values()
    assert holds
    assert list(numbers.values())[:2] == [10, 30]
    late = np.array([[5, 5, 5, 5], [5, 5, 4, 4], [5, 3, 2, 2.0]])
    ((holds, _),) = byte_patterns.truths([0, 10, 20], late, 2).values()
    assert not holds


def test_too_few_bytes_are_a_clear_fault():
    class Tokenizer:
        def decode(self, ids):
            return "ä" * len(ids)

    tokens = np.arange(4)
    assert len(byte_patterns.bytes_of(Tokenizer(), tokens, {"a": (0, 2), "b": (2, 1)}, 5)) == 5
    with pytest.raises(LedgerError, match="the parts a have 4 bytes, 5 are asked"):
        byte_patterns.bytes_of(Tokenizer(), tokens, {"a": (0, 2)}, 5)
