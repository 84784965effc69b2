"""Position tables as layers against NumPy: rows, missing rows, gradients."""

import math

import numpy as np
import pytest
import torch

from embedding_ledger import learned_positions
from embedding_ledger.learned_positions import (
    SinusoidalPositions,
    first_missing_place,
    has_row,
    learned_table,
    next_token_gradients,
    truths,
    values,
)

CONFIG = {"seed": 2, "width": 6, "tokens": 9, "neighbours": [20, 21], "widths": [4, 512]}


@pytest.mark.parametrize("rows", [1, 2, 17])
@pytest.mark.parametrize(
    "make", [lambda n: learned_table(n, 4, 0), lambda n: SinusoidalPositions(n, 4)]
)
def test_rows_of_a_table(make, rows):
    table = make(rows)
    assert [has_row(table, position) for position in (0, rows - 1, rows)] == [True, True, False]
    assert first_missing_place(table) == rows + 1


def test_learned_table_starts_as_gpt2_does():
    weight = learned_table(400, 100, seed=1).weight
    assert weight.requires_grad
    assert abs(weight.mean().item()) < 5 * 0.02 / math.sqrt(weight.numel())
    assert weight.std().item() == pytest.approx(0.02, rel=0.02)
    assert torch.equal(weight, learned_table(400, 100, seed=1).weight)


def test_sinusoidal_layer_has_entries_but_no_parameters():
    layer = SinusoidalPositions(5, 4)
    assert list(layer.parameters()) == []
    assert list(layer.state_dict()) == ["table"]
    expected = [math.sin(3), math.cos(3), math.sin(3 / 100), math.cos(3 / 100)]
    np.testing.assert_allclose(layer(torch.tensor([[3]]))[0, 0], expected, atol=1e-12)


def test_gradients_against_the_closed_form():
    """Softmax regression: the gradient of the logits is probabilities minus one-hot targets."""
    vocabulary, rows, width, tokens, seed = 7, 6, 5, 4, 8
    found = next_token_gradients(vocabulary, rows, width, tokens, seed)
    token = learned_table(vocabulary, width, seed).weight.detach().numpy()
    position = learned_table(rows, width, seed + 1).weight.detach().numpy()
    ids = np.random.default_rng(seed).integers(vocabulary, size=tokens + 1)
    inputs = token[ids[:-1]] + position[:tokens]
    exponentials = np.exp(inputs @ token.T)
    errors = exponentials / exponentials.sum(1, keepdims=True) - np.eye(vocabulary)[ids[1:]]
    into_rows = errors @ token / tokens
    expected_position = np.zeros((rows, width))
    expected_position[:tokens] = into_rows
    expected_token = errors.T @ inputs / tokens
    np.add.at(expected_token, ids[:-1], into_rows)
    assert sorted(found) == ["position.weight", "token.weight"]
    np.testing.assert_allclose(found["position.weight"], expected_position, atol=1e-12)
    np.testing.assert_allclose(found["token.weight"], expected_token, atol=1e-12)


def test_values():
    assert values(CONFIG, 13) == {
        "ways_to_build": 2,
        "learned.parameters": 13 * 6,
        "sinusoidal.parameters": 0,
        "learned.first_missing_place": 14,
    }


def test_truths():
    found = truths(CONFIG, {"rows": 10, "tokens": 14})
    assert all(holds for holds, _ in found.values())
    numbers = found["learned.ends_at_its_last_row"][1]
    assert (numbers["positions without a row"], numbers["first of them"]) == (4, 10)
    numbers = found["learned.trained_with_token_rows"][1]
    assert numbers["rows of position.weight with gradient"] == numbers["positions in use"] == 5


def test_a_table_is_not_seen_to_end_by_fewer_tokens():
    found = truths(CONFIG, {"rows": 10, "tokens": 9})
    assert not found["learned.ends_at_its_last_row"][0]


def test_a_row_beyond_the_last_one_would_be_seen(monkeypatch):
    monkeypatch.setattr(learned_positions, "has_row", lambda table, position: True)
    found = truths(CONFIG, {"rows": 10, "tokens": 14})
    assert not found["learned.ends_at_its_last_row"][0]


def test_chance_explains_any_cosine_of_narrow_rows():
    found = truths({**CONFIG, "widths": [4, 6]}, {"rows": 10, "tokens": 14})
    assert not found["learned.neighbours_start_unrelated"][0]


def test_the_same_position_twice_is_related():
    found = truths({**CONFIG, "neighbours": [21, 21]}, {"rows": 10, "tokens": 14})
    assert not found["learned.neighbours_start_unrelated"][0]
