"""Position tables as layers: one learned row a position, or fixed sines and cosines.

Sources: GPT-2 for the learned table (Radford et al. 2019: 1,024 rows, N(0, 0.02) at the start),
Vaswani et al. 2017 for the sinusoidal one. Positions count from 0, places of a text from 1.
"""

import itertools

import numpy as np
import torch
from torch import nn

from embedding_ledger.artefacts import six_digits
from embedding_ledger.positions import sinusoidal
from embedding_ledger.vectors import cosine_similarity

INITIAL_DEVIATION = 0.02


def learned_table(rows, width, seed):
    """Return a trainable nn.Embedding, a row a position, at its random start."""
    entries = np.random.default_rng(seed).standard_normal((rows, width)) * INITIAL_DEVIATION
    return nn.Embedding.from_pretrained(torch.from_numpy(entries), freeze=False)


class SinusoidalPositions(nn.Module):
    """The fixed table of sines and cosines as a layer; training has nothing to change in it."""

    def __init__(self, rows, width):
        super().__init__()
        self.register_buffer("table", torch.from_numpy(sinusoidal(rows, width)))

    def forward(self, positions):
        """Look positions (any shape) up; the answer has one more axis, of size width."""
        return self.table[positions]


def has_row(table, position):
    """Tell whether a table has a row for this position: the lookup raises IndexError otherwise."""
    try:
        table(torch.tensor(position))
    except IndexError:
        return False
    return True


def first_missing_place(table):
    """Return the first place of a text, counted from 1, for which the table has no row."""
    return next(place for place in itertools.count(1) if not has_row(table, place - 1))


def next_token_gradients(vocabulary, rows, width, tokens, seed):
    """Return the gradients of a tiny language model's next-token loss, {parameter: gradient}.

    The input is the token row plus the position row, the output layer is tied to the token table.
    """
    tables = {
        "token": learned_table(vocabulary, width, seed),
        "position": learned_table(rows, width, seed + 1),
    }
    model = nn.ModuleDict(tables)
    ids = torch.from_numpy(np.random.default_rng(seed).integers(vocabulary, size=tokens + 1))
    inputs = model["token"](ids[:-1]) + model["position"](torch.arange(tokens))
    nn.functional.cross_entropy(inputs @ model["token"].weight.T, ids[1:]).backward()
    return {name: parameter.grad for name, parameter in model.named_parameters()}


def values(config, context_window):
    """Return {quantity: value} about learned and sinusoidal tables (documents 001 and 004)."""
    width = config["width"]
    tables = {
        "learned": learned_table(context_window, width, config["seed"]),
        "sinusoidal": SinusoidalPositions(context_window, width),
    }
    return {
        "ways_to_build": len(tables),
        **{
            f"{name}.parameters": sum(weight.numel() for weight in table.parameters())
            for name, table in tables.items()
        },
        "learned.first_missing_place": first_missing_place(tables["learned"]),
    }


def truths(config, learned):
    """Return {statement: (holds, numbers)} about position tables (documents 001 and 004).

    `learned`: a table of so many `rows` that is given so many `tokens`.
    """
    width, seed = config["width"], config["seed"]
    rows, tokens = learned["rows"], learned["tokens"]
    table = learned_table(rows, width, seed)
    found = [position for position in range(tokens) if has_row(table, position)]
    longer = SinusoidalPositions(tokens, width).table
    same_start = torch.equal(longer[:rows], SinusoidalPositions(rows, width).table)
    used = rows // 2
    gradients = next_token_gradients(config["tokens"], rows, width, used, seed)
    pushed = {name: gradient.any(1) for name, gradient in gradients.items()}
    a, b = config["neighbours"]
    wide = config["widths"][-1]
    start = learned_table(b + 1, wide, seed).weight.detach().numpy()
    fixed = sinusoidal(b + 1, wide)
    unlinked, linked = cosine_similarity(start[a], start[b]), cosine_similarity(fixed[a], fixed[b])
    chance = 3 / wide**0.5  # three standard deviations of the cosine of two random directions
    return {
        "learned.ends_at_its_last_row": (
            found == list(range(rows)) and same_start,
            {
                "rows": rows,
                "tokens": tokens,
                "positions without a row": tokens - len(found),
                "first of them": len(found),
                "sinusoidal table extends unchanged": same_start,
            },
        ),
        "learned.trained_with_token_rows": (
            bool(pushed["position.weight"][:used].all() and pushed["token.weight"].any()),
            {
                "positions in use": used,
                **{f"rows of {name} with gradient": int(n.sum()) for name, n in pushed.items()},
            },
        ),
        "learned.neighbours_start_unrelated": (
            abs(unlinked) < chance < linked,
            {
                "positions": [a, b],
                "cosine at the random start": six_digits(unlinked),
                "at most by chance": six_digits(chance),
                "cosine of the sinusoidal rows": six_digits(linked),
            },
        ),
    }
