"""Attention, blocks and rotary scores against plain NumPy and closed forms."""

import numpy as np
import pytest
import torch
from torch import nn

from embedding_ledger.attention import (
    attend,
    attention_layer,
    attention_truths,
    attention_values,
    block_truths,
    context_truths,
    hidden_states,
    order_truths,
    random_weights,
    rotary_scores,
    rotary_truths,
    static_table,
    transformer,
)

CONFIG = {
    "seed": 3,
    "width": 8,
    "heads": 2,
    "layers": 2,
    "lengths": [1, 4],
    "orders": ["a red fox saw a hen", "a hen saw a red fox"],
    "senses": {
        "word": "bank",
        "money": "coins in this bank stay safe",
        "river": "reeds on this bank grow tall",
    },
    "rotary_positions": 9,
}
VECTORS = np.random.default_rng(7).standard_normal((6, CONFIG["width"]))


def softmax(scores):
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def plain_attention(layer, x, causal):
    """Multi-head attention of Vaswani et al. 2017, section 3.2, word by word in NumPy."""
    width, heads = x.shape[1], layer.num_heads
    size = width // heads
    projected = x @ layer.in_proj_weight.numpy().T + layer.in_proj_bias.numpy()
    joined, weights = np.zeros_like(x), np.zeros((heads, len(x), len(x)))
    for head in range(heads):
        q, k, v = (
            projected[:, part * width + head * size : part * width + (head + 1) * size]
            for part in range(3)
        )
        for t in range(len(x)):
            seen = t + 1 if causal else len(x)
            weights[head, t, :seen] = softmax(k[:seen] @ q[t] / np.sqrt(size))
            joined[t, head * size : (head + 1) * size] = weights[head, t] @ v
    return joined @ layer.out_proj.weight.numpy().T + layer.out_proj.bias.numpy(), weights


def plain_norm(norm, x):
    centred = x - x.mean(1, keepdims=True)
    scaled = centred / np.sqrt(x.var(1, keepdims=True) + norm.eps)
    return scaled * norm.weight.numpy() + norm.bias.numpy()


def plain_block(block, x, causal):
    """A block of Vaswani et al. 2017, section 3.1: each part is added, then normalised."""
    x = plain_norm(block.norm1, x + plain_attention(block.self_attn, x, causal)[0])
    inner = np.maximum(x @ block.linear1.weight.numpy().T + block.linear1.bias.numpy(), 0)
    outer = inner @ block.linear2.weight.numpy().T + block.linear2.bias.numpy()
    return plain_norm(block.norm2, x + outer)


def with_biases(module):
    """Draw every parameter anew, since biases and norms start at zeros and ones."""
    torch.manual_seed(11)
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    return module


@pytest.mark.parametrize("causal", [False, True])
def test_attention_against_numpy(causal):
    layer = with_biases(attention_layer(CONFIG))
    outputs, weights = attend(layer, VECTORS, causal)
    expected, expected_weights = plain_attention(layer, VECTORS, causal)
    np.testing.assert_allclose(outputs, expected, atol=1e-12)
    np.testing.assert_allclose(weights, expected_weights, atol=1e-12)


def test_values_are_what_attention_averages():
    layer = with_biases(attention_layer(CONFIG))
    values = attention_values(layer, VECTORS)
    assert values.shape == (2, 6, 4)
    projected = VECTORS @ layer.in_proj_weight.numpy()[16:].T + layer.in_proj_bias.numpy()[16:]
    np.testing.assert_allclose(values, [projected[:, :4], projected[:, 4:]], atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_blocks_against_numpy(causal):
    blocks = with_biases(transformer(CONFIG))
    states = hidden_states(blocks, VECTORS, causal)
    first = plain_block(blocks[0], VECTORS, causal)
    expected = [first, plain_block(blocks[1], first, causal)]
    np.testing.assert_allclose(states, expected, atol=1e-12)


def test_random_weights_hang_on_the_seed_alone():
    weights = [
        random_weights(seed, lambda: nn.Linear(3, 2)).weight.numpy()
        for seed in (1, 1, 2)
        if torch.rand(1) >= 0  # the global generator moves on in between
    ]
    np.testing.assert_array_equal(weights[0], weights[1])
    assert not np.array_equal(weights[0], weights[2])


def test_rotary_scores_against_complex_numbers():
    """A pair is a complex number, its turn a factor of modulus one (Su et al. 2021, 3.2.1)."""
    query, key = np.random.default_rng(5).standard_normal((2, 6))
    angles = 10000 ** (-np.arange(3) / 3)
    q, k = query[0::2] + 1j * query[1::2], key[0::2] + 1j * key[1::2]
    expected = [
        [(q * k.conj() * np.exp(-1j * angles * (m - n))).sum().real for n in range(7)]
        for m in range(7)
    ]
    np.testing.assert_allclose(rotary_scores(query, key, 7), expected, atol=1e-12)


def test_static_table_is_alphabetical():
    table = static_table(["the", "fox", "saw", "the", "hen"], 4, seed=0)
    assert table.ids == {"fox": 0, "hen": 1, "saw": 2, "the": 3}
    np.testing.assert_array_equal(table.look_up(["the", "fox"]), table.rows[[3, 0]])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_holds_for_any_random_weights(seed):
    config = {**CONFIG, "seed": seed}
    found = attention_truths(config) | rotary_truths(config) | order_truths(config)
    found |= context_truths(config) | block_truths(config)
    failing = [name for name, (holds, _) in found.items() if not holds]
    assert failing == ["context.whole_sentence"]  # a causal mask hides the words after


def test_a_causal_mask_shows_the_order():
    numbers = order_truths(CONFIG)["order.invisible_without_positions"][1]
    assert numbers["with a causal mask"] > 1e-3
    assert attention_truths(CONFIG)["attention.permutation"][1]["with a causal mask"] > 1e-3


def test_equal_sentences_make_the_truths_fail():
    found = order_truths({**CONFIG, "orders": CONFIG["orders"][:1] * 2})
    assert not any(
        found[name][0]
        for name in (
            "order.same_words",
            "order.invisible_without_positions",
            "order.row_ignores_place",
        )
    )
    senses = {**CONFIG["senses"], "river": CONFIG["senses"]["money"]}
    assert not context_truths({**CONFIG, "senses": senses})["context.states_differ"][0]


def test_other_words_make_the_order_truths_fail():
    orders = ["a red fox saw a hen", "a hen saw a red cat"]
    found = order_truths({**CONFIG, "orders": orders})
    assert not found["order.same_words"][0]
    assert not found["order.invisible_without_positions"][0]


def test_the_word_must_stand_at_one_place():
    senses = {**CONFIG["senses"], "river": "on this bank reeds grow tall"}
    with pytest.raises(ValueError, match="'bank' stands at different places"):
        context_truths({**CONFIG, "senses": senses})
