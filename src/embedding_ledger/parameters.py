"""Parameter counts of a GPT-2 style transformer, from its published configuration.

Source: Radford et al. 2019 and the configuration of openai-community/gpt2: blocks of attention
and a four times wider perceptron, biases everywhere, two layer norms a block and a final one.
"""

from dataclasses import dataclass

FLOAT32_BYTES = 4


@dataclass(frozen=True)
class Configuration:
    """The sizes that decide a parameter count."""

    layers: int
    width: int
    context_window: int
    vocabulary: int


def tensors(c):
    """Return the size of every weight tensor of the tied model: {name: number of parameters}."""
    sizes = {
        "token embedding": c.vocabulary * c.width,
        "position embedding": c.context_window * c.width,
    }
    inner = 4 * c.width
    for layer in range(c.layers):
        block = {
            "attention input weight": c.width * 3 * c.width,
            "attention input bias": 3 * c.width,
            "attention output weight": c.width * c.width,
            "attention output bias": c.width,
            "perceptron input weight": c.width * inner,
            "perceptron input bias": inner,
            "perceptron output weight": inner * c.width,
            "perceptron output bias": c.width,
            "layer norms": 4 * c.width,
        }
        sizes |= {f"block {layer} {name}": size for name, size in block.items()}
    return sizes | {"final layer norm": 2 * c.width}


def total(c, tied=True):
    """Count the parameters; untied, the output projection is a second token table."""
    return sum(tensors(c).values()) + (0 if tied else c.vocabulary * c.width)


def values(c, examples):
    """Return {quantity: value} of GPT-2 small's sizes (documents 001, 002 and 004).

    `examples`: the numbers of tokens and of shown components that the pages take as inputs.
    """
    sizes = tensors(c)
    token, position = sizes["token embedding"], sizes["position embedding"]
    return {
        "layers": c.layers,
        "width": c.width,
        "context_window": c.context_window,
        "vocabulary": c.vocabulary,
        "token_table": token,
        "position_table": position,
        "total": total(c),
        "total_untied": total(c, tied=False),
        "saved_by_tying": total(c, tied=False) - total(c),
        "token_share_percent": 100 * token / total(c),
        "position_share_percent": 100 * position / total(c),
        "token_table_megabytes": token * FLOAT32_BYTES / 1e6,
        "other_rows": c.vocabulary - 1,
        "other_directions": c.width - 2,
        "remaining_components": c.width - examples["shown_components"],
        "prompt_numbers": examples["prompt_tokens"] * c.width,
        "exercise_numbers": examples["exercise_tokens"] * c.width,
        "first_missing_position": c.context_window + 1,  # counted from 1, as document 001 does
    }


def truths(c):
    """Return {statement: (holds, numbers)} about GPT-2 small's sizes."""
    sizes = tensors(c)
    token, position = sizes["token embedding"], sizes["position embedding"]
    largest = max(sizes, key=sizes.get)
    second = sorted(sizes.values())[-2]
    share = token / total(c)
    return {
        "token_table.first_and_largest": (
            next(iter(sizes)) == largest == "token embedding",
            {"token table": token, "next largest": second},
        ),
        "token_table.nearly_a_third": (0.30 < share < 1 / 3, {"share": share}),
        "position_table.smaller": (position < token, {"position": position, "token": token}),
        "position_table.below_one_percent": (
            position / total(c) < 0.01,
            {"share": position / total(c)},
        ),
        "tied.counted_once": (
            total(c, tied=False) - total(c) == token,
            {"tied": total(c), "untied": total(c, tied=False)},
        ),
    }
