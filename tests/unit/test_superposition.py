"""Sums of rows and crowded directions against loops and closed forms."""

import math

import numpy as np
import pytest

from embedding_ledger.superposition import (
    largest_cosine,
    mean_cosine,
    probe_accuracy,
    root_mean_square,
    scale_truth,
    truths,
)

CONFIG = {
    "seed": 4,
    "widths": [4, 128],
    "tokens": 12,
    "positions": 9,
    "places": [0, 5],
    "directions": {"vectors": 60, "widths": [2, 500]},
    "scaled_width": 128,
}


def cosine(a, b):
    return math.fsum(a * b) / math.sqrt(math.fsum(a * a) * math.fsum(b * b))


def test_cosines_against_loops():
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((7, 5)), rng.standard_normal((4, 5))
    pairs = [abs(cosine(a[i], a[j])) for i in range(7) for j in range(i)]
    assert largest_cosine(a) == pytest.approx(max(pairs), abs=1e-12)
    assert largest_cosine(np.array([[1.0, 0], [0, 2], [-3, 0]])) == pytest.approx(1)
    expected = np.mean([abs(cosine(x, y)) for x in a for y in b])
    assert mean_cosine(a, b) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("width", [2, 8, 768])
def test_mean_cosine_of_random_directions(width):
    """Its expectation is gamma(d/2) / (sqrt(pi) gamma((d+1)/2))."""
    rng = np.random.default_rng(width)
    found = mean_cosine(rng.standard_normal((300, width)), rng.standard_normal((300, width)))
    ratio = math.exp(math.lgamma(width / 2) - math.lgamma((width + 1) / 2))
    assert found == pytest.approx(ratio / math.sqrt(math.pi), rel=0.03)


def test_probe_reads_orthogonal_rows():
    rows = np.eye(20)
    assert probe_accuracy(rows[:12], rows[12:], np.random.default_rng(0)) == (1, 1)


def test_probe_is_asked_about_pairs_it_has_not_seen():
    """The same split and fit by the pseudo-inverse, pair by pair."""
    rng = np.random.default_rng(6)
    tokens, positions = rng.standard_normal((8, 5)), rng.standard_normal((7, 5))
    pairs = np.random.default_rng(9).permutation(56)
    sums = np.array([tokens[pair // 7] + positions[pair % 7] for pair in pairs])
    targets = np.zeros((56, 15))
    for row, pair in enumerate(pairs):
        targets[row, [pair // 7, 8 + pair % 7]] = 1
    scores = sums[28:] @ np.linalg.pinv(sums[:28]) @ targets[:28]
    right = [
        (score[:8].argmax() == pair // 7, score[8:].argmax() == pair % 7)
        for score, pair in zip(scores, pairs[28:], strict=True)
    ]
    expected = tuple(np.mean(right, axis=0))
    assert probe_accuracy(tokens, positions, np.random.default_rng(9)) == expected
    assert 0 < min(expected) < 1


def test_probe_cannot_read_what_the_sum_does_not_hold():
    rng = np.random.default_rng(0)
    token, position = probe_accuracy(np.eye(12), np.zeros((50, 12)), rng)
    assert token == 1
    assert position < 0.1  # chance is 1 in 50


def test_scale():
    assert root_mean_square(np.array([[3.0, -4.0], [0.0, 0.0]])) == 2.5
    holds, numbers = scale_truth(256, seed=0)
    assert holds
    assert numbers["embedding before"] == pytest.approx(1 / 16, rel=0.01)
    assert numbers["after"] == pytest.approx(1, rel=0.01)
    assert numbers["position signal"] == pytest.approx(math.sqrt(0.5), abs=1e-6)
    assert not scale_truth(2, seed=0)[0]  # N(0, 1/2) entries are comparable before


def test_truths():
    assert all(holds for holds, _ in truths(CONFIG).values())


def test_narrow_tables_and_fewer_dimensions_make_truths_fail():
    directions = {"vectors": 60, "widths": [500, 2]}
    found = truths({**CONFIG, "widths": [128, 4], "directions": directions})
    assert not found["sum.linear_probe"][0]
    assert not found["sum.room_grows_with_width"][0]
    assert not found["directions.spread_with_width"][0]


def test_one_place_is_no_two():
    assert not truths({**CONFIG, "places": [3, 3]})["sum.places_differ"][0]
