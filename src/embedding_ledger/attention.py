"""Attention and transformer blocks with random weights: what holds before any training.

Real PyTorch layers in double precision. A sentence of T words is an array (T, d), a row a word.
Sources: Vaswani et al. 2017 (attention), Su et al. 2021 (rotary positions).
"""

import itertools
import operator
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode

from embedding_ledger.artefacts import six_digits
from embedding_ledger.positions import shift, sinusoidal

NOISE = 1e-9  # far above rounding errors in double precision, far below any real difference


def random_weights(seed, make):
    """Return the module that `make()` builds, its weights drawn with `seed`, ready for use."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make().double().eval().requires_grad_(False)


def attention_layer(config):
    """Return a self-attention layer with random weights."""
    width, heads = config["width"], config["heads"]
    return random_weights(config["seed"], lambda: nn.MultiheadAttention(width, heads))


def transformer(config):
    """Return a list of transformer blocks with random weights, the first one first."""
    width, heads = config["width"], config["heads"]

    def blocks():
        return nn.ModuleList(
            nn.TransformerEncoderLayer(width, heads, 4 * width, dropout=0)
            for _ in range(config["layers"])
        )

    return random_weights(config["seed"], blocks)


def causal_mask(length):
    """Return what attention must not look at when it sees the past only, boolean (T, T)."""
    return torch.ones(length, length, dtype=torch.bool).triu(1)


def attend(layer, vectors, causal=False):
    """Run a self-attention layer; return its outputs (T, d) and weights (heads, T, T)."""
    x = torch.as_tensor(vectors)
    mask = causal_mask(len(x)) if causal else None
    outputs, weights = layer(x, x, x, attn_mask=mask, average_attn_weights=False)
    return outputs.numpy(), weights.numpy()


def attention_values(layer, vectors):
    """Return the values that an attention layer averages, one set a head (heads, T, d / heads)."""
    width = layer.embed_dim
    weight, bias = layer.in_proj_weight[2 * width :], layer.in_proj_bias[2 * width :]
    values = nn.functional.linear(torch.as_tensor(vectors), weight, bias)
    return values.reshape(len(vectors), layer.num_heads, -1).transpose(0, 1).numpy()


def hidden_states(blocks, vectors, causal=False):
    """Return the states after each block, shape (blocks, T, d)."""
    x, states = torch.as_tensor(vectors), []
    mask = causal_mask(len(x)) if causal else None
    for block in blocks:
        x = block(x, src_mask=mask)
        states.append(x)
    return torch.stack(states).numpy()


def operations(run):
    """Count the floating-point operations of the matrix products that `run()` makes."""
    with FlopCounterMode(display=False) as counter:
        run()
    return counter.get_total_flops()


def rotary_scores(query, key, positions):
    """Return the scores of one query and one key at all pairs of positions, (positions, positions).

    Query and key, shape (d,), are turned pair by pair by their position times the pair's angle
    (Su et al. 2021, section 3.2.2); the score is their dot product.
    """
    queries, keys = (
        np.concatenate([shift(vector[None], position) for position in range(positions)])
        for vector in (query, key)
    )
    return queries @ keys.T


@dataclass(frozen=True)
class StaticTable:
    """A table of word vectors: `ids` numbers the words, `rows` (V, d) has a row for each."""

    ids: dict
    rows: np.ndarray

    def look_up(self, words):
        """Return the rows of a list of words, shape (T, d)."""
        return self.rows[[self.ids[word] for word in words]]


def static_table(words, width, seed):
    """Return a StaticTable of the words in alphabetical order, with N(0, 1) entries."""
    vocabulary = sorted(set(words))
    rows = np.random.default_rng(seed).standard_normal((len(vocabulary), width))
    return StaticTable({word: i for i, word in enumerate(vocabulary)}, rows)


def difference(a, b):
    """Return the largest difference between entries of two arrays (12 decimals, 6 digits)."""
    return six_digits(round(float(np.abs(a - b).max()), 12))


def attention_truths(config):
    """Return the truths about one attention layer (document 004)."""
    vectors = np.random.default_rng(config["seed"]).standard_normal((5, config["width"]))
    orders = [list(order) for order in itertools.permutations(range(len(vectors)))]
    layer = attention_layer(config)

    def shuffling_error(added=0.0, causal=False):
        """Compare outputs of shuffled inputs with shuffled outputs, over all orders."""
        outputs, _ = attend(layer, vectors + added, causal)
        return max(
            difference(attend(layer, vectors[order] + added, causal)[0], outputs[order])
            for order in orders
        )

    error, with_positions = shuffling_error(), shuffling_error(sinusoidal(*vectors.shape))
    outputs, weights = attend(layer, vectors)
    values = attention_values(layer, vectors)
    averages = weights @ values
    rebuilt = layer.out_proj(torch.as_tensor(np.hstack(list(averages)))).numpy()
    sums_off, outputs_off = difference(weights.sum(-1), 1), difference(rebuilt, outputs)
    low, high = values.min(1, keepdims=True), values.max(1, keepdims=True)
    between = bool(((low - NOISE < averages) & (averages < high + NOISE)).all())
    return {
        "attention.permutation": (
            error < NOISE < with_positions,
            {
                "orders": len(orders),
                "largest difference": error,
                "with positions added": with_positions,
                "with a causal mask": shuffling_error(causal=True),
            },
        ),
        "attention.weighted_mean": (
            weights.min() >= 0 and max(sums_off, outputs_off) < NOISE and between,
            {
                "smallest weight": six_digits(weights.min()),
                "sums of weights off 1 by": sums_off,
                "outputs off the projected averages by": outputs_off,
                "averages between smallest and largest value": between,
            },
        ),
    }


def rotary_truths(config):
    """Return the truth about rotary positions (document 004)."""
    query, key = np.random.default_rng(config["seed"]).standard_normal((2, config["width"]))
    scores = rotary_scores(query, key, config["rotary_positions"])
    diagonals = [np.diagonal(scores, k) for k in range(1 - len(scores), len(scores))]
    same_offset = max(difference(diagonal, diagonal[0]) for diagonal in diagonals)
    over_offsets = six_digits(np.ptp(scores[0]))
    return {
        "rotary.offset_only": (
            same_offset < NOISE < over_offsets,
            {
                "pairs of positions": scores.size,
                "spread at equal offset": same_offset,
                "spread over offsets": over_offsets,
            },
        )
    }


def order_truths(config):
    """Return the truths about two sentences of the same words (documents 000, 001 and 004)."""
    first, second = (sentence.split() for sentence in config["orders"])
    table = static_table(first + second, config["width"], config["seed"])
    rows = table.look_up(first), table.look_up(second)
    positions = sinusoidal(*rows[0].shape)
    blocks = transformer(config)

    def states(vectors, causal=False):
        return hidden_states(blocks, vectors, causal)[-1]

    def pooled_difference(added=0.0, causal=False):
        return difference(*(states(row + added, causal).mean(0) for row in rows))

    elsewhere = [
        difference(rows[0][first.index(word)], rows[1][second.index(word)])
        for word in first
        if word in second and first.index(word) != second.index(word)
    ]
    word = next(word for word in first if first.count(word) > 1)
    places = [place for place, other in enumerate(first) if other == word]
    same, placed = difference(*rows[0][places]), difference(*(rows[0] + positions)[places])
    mean_rows = difference(rows[0].mean(0), rows[1].mean(0))
    without, added = pooled_difference(), pooled_difference(positions)
    return {
        "order.same_words": (
            sorted(first) == sorted(second) and first != second and mean_rows < NOISE,
            {
                "words": len(first),
                "places with another word": sum(map(operator.ne, first, second)),
                "mean rows differ by": mean_rows,
            },
        ),
        "order.invisible_without_positions": (
            without < NOISE < added,
            {
                "mean states differ by": without,
                "with positions added": added,
                "with a causal mask": pooled_difference(causal=True),
            },
        ),
        "order.row_ignores_place": (
            bool(elsewhere) and not any(elsewhere),
            {"words at another place": len(elsewhere), "rows differ by": elsewhere},
        ),
        "order.repeated_word": (
            same == 0 and placed > NOISE,
            {
                "rows differ by": same,
                "with positions added": placed,
                "states without positions": difference(*states(rows[0])[places]),
                "states with positions": difference(*states(rows[0] + positions)[places]),
            },
        ),
    }


def context_truths(config):
    """Return the truths about one word in two sentences (documents 000, 001, 002 and 003).

    The word stands at the same place in both, and no positions are added: where its states
    differ, only the other words can be the reason. Raises ValueError for different places.
    """
    word, *sentences = (config["senses"][key] for key in ("word", "money", "river"))
    money, river = (sentence.split() for sentence in sentences)
    place = money.index(word)
    if river.index(word) != place:
        raise ValueError(f"'{word}' stands at different places in {sentences}")
    table = static_table(money + river, config["width"], config["seed"])
    rows = table.look_up(money), table.look_up(river)
    blocks = transformer(config)

    def sense_difference(causal):
        """Compare the word's states in the two sentences, block by block."""
        pairs = zip(*(hidden_states(blocks, row, causal) for row in rows), strict=True)
        return [difference(a[place], b[place]) for a, b in pairs]

    def replaced(other):
        """Return the rows of the money sentence with another word at the place `other`."""
        vectors = rows[0].copy()
        vectors[other] = table.rows[(table.ids[money[other]] + 1) % len(table.rows)]
        return vectors

    def changes(causal, others):
        """Say how much another word at each of these places changes the word's final state."""
        start = hidden_states(blocks, rows[0], causal)[-1, place]
        return [
            difference(hidden_states(blocks, replaced(other), causal)[-1, place], start)
            for other in others
        ]

    before, after = range(place), range(place + 1, len(money))
    same_row = difference(rows[0][place], rows[1][place])
    both_ways, causal = sense_difference(causal=False), sense_difference(causal=True)
    least = min(changes(False, [*before, *after]))
    past, future = min(changes(True, before)), max(changes(True, after))
    ids, rows_of_all = torch.arange(len(money)), torch.as_tensor(table.rows)
    lookup = operations(lambda: functional.embedding(ids, rows_of_all))
    forward = operations(lambda: hidden_states(blocks, rows[0]))
    return {
        "context.lookup_is_cheap_and_blind": (
            lookup == 0 < forward and same_row == 0 and min(both_ways) > NOISE,
            {
                "operations of a lookup": lookup,
                "of a forward pass": forward,
                "rows differ by": same_row,
                "states by at least": min(both_ways),
            },
        ),
        "context.row_identical": (same_row == 0, {"rows differ by": same_row}),
        "context.states_differ": (
            min(both_ways + causal) > NOISE,
            {"states differ by, block by block": both_ways, "with a causal mask": causal},
        ),
        "context.whole_sentence": (
            min(least, past, future) > NOISE,
            {
                "least change by any other word": least,
                "with a causal mask, by a word before": past,
                "by a word after": future,
            },
        ),
        "context.whole_sentence_without_mask": (
            least > NOISE,
            {"least change by any other word": least},
        ),
    }


def block_truths(config):
    """Return the truths about one block and sentences of several lengths (documents 000, 002)."""
    lengths, width = config["lengths"], config["width"]
    vectors = np.random.default_rng(config["seed"]).standard_normal((max(lengths), width))
    blocks = transformer(config)[:1]
    states = [hidden_states(blocks, vectors[:length])[0] for length in lengths]
    alike = hidden_states(blocks, np.repeat(vectors[:1], len(vectors), axis=0))[0]
    everywhere = difference(alike, alike[0])
    pooled = [state.mean(0).shape for state in states]
    return {
        "block.serves_every_position": (
            [state.shape for state in states] == [(length, width) for length in lengths]
            and everywhere < NOISE,
            {
                "words": lengths,
                "parameters of the one block": sum(p.numel() for p in blocks.parameters()),
                "equal vectors at all positions come out different by": everywhere,
            },
        ),
        "pooling.one_vector": (
            set(pooled) == {(width,)},
            {"words": lengths, "shapes of the mean": pooled},
        ),
    }


def truths(config):
    """Return {statement: (holds, numbers)} of this module."""
    parts = (attention_truths, rotary_truths, order_truths, context_truths, block_truths)
    return {name: truth for part in parts for name, truth in part(config).items()}
