"""Cosines and softmax against scipy, torch and plain loops."""

import math

import numpy as np
import pytest
import scipy.special
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cosine

from embedding_ledger.vectors import cosine_similarity, softmax

numbers = st.floats(-1e3, 1e3).filter(lambda x: abs(x) > 1e-3)
pairs = st.integers(1, 8).flatmap(
    lambda n: st.tuples(*[st.lists(numbers, min_size=n, max_size=n)] * 2)
)


@given(pairs)
def test_cosine_against_scipy_torch_and_a_loop(pair):
    a, b = pair
    found = cosine_similarity(a, b)
    loop = sum(map(math.prod, zip(a, b, strict=True))) / (math.hypot(*a) * math.hypot(*b))
    tensors = (torch.tensor(v, dtype=torch.float64) for v in pair)
    assert type(found) is float
    assert found == pytest.approx(1 - cosine(a, b), abs=1e-12)
    assert found == pytest.approx(torch.cosine_similarity(*tensors, dim=0).item(), abs=1e-12)
    assert found == pytest.approx(loop, abs=1e-12)


@given(pairs, st.floats(0.01, 100), st.floats(0.01, 100))
def test_cosine_knows_directions_only(pair, stretch_a, stretch_b):
    a, b = map(np.array, pair)
    expected = cosine_similarity(a, b)
    assert cosine_similarity(b * stretch_b, a * stretch_a) == pytest.approx(expected, abs=1e-12)
    assert cosine_similarity(a, -b) == pytest.approx(-expected, abs=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [([1, 0], [2, 0], 1), ([3, 4], [4, 3], 24 / 25), ([1, 2], [-2, 1], 0), ([1], [-5], -1)],
)
def test_known_angles(a, b, expected):
    assert cosine_similarity(a, b) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("a", "b"), [([0, 0], [1, 0]), ([1, 0], [0, 0]), ([0], [0])])
def test_no_cosine_without_direction(a, b):
    with pytest.raises(ValueError, match="undefined"):
        cosine_similarity(a, b)


def test_vectors_of_different_widths():
    with pytest.raises(ValueError):
        cosine_similarity([1, 2], [1, 2, 3])


@pytest.mark.parametrize("scale", [1, 30, 1e4])
@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4)])
def test_softmax_against_scipy_and_torch(shape, scale):
    logits = np.random.default_rng(1).standard_normal(shape) * scale
    found = softmax(logits)
    np.testing.assert_allclose(found, scipy.special.softmax(logits, axis=-1), rtol=1e-12)
    torch_found = torch.tensor(logits).softmax(-1).numpy()
    np.testing.assert_allclose(found, torch_found, rtol=1e-10, atol=1e-300)
    np.testing.assert_allclose(found.sum(axis=-1), 1)


@given(st.lists(st.floats(-700, 700), min_size=1, max_size=5), st.floats(-1e4, 1e4))
def test_softmax_does_not_see_a_common_shift(logits, common):
    logits = np.array(logits)
    np.testing.assert_allclose(softmax(logits + common), softmax(logits), rtol=1e-8, atol=1e-300)


def test_softmax_known():
    np.testing.assert_allclose(softmax(np.log([1.0, 2.0, 5.0])), [1 / 8, 2 / 8, 5 / 8])
