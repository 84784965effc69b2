"""Parameter counts against torch modules of the same shapes, built without memory."""

import math

import pytest
import torch
from torch import nn

from embedding_ledger.parameters import Configuration, tensors, total, truths, values

GPT2 = Configuration(layers=12, width=768, context_window=1024, vocabulary=50257)
EXAMPLES = {"prompt_tokens": 5, "exercise_tokens": 9, "shown_components": 6}
CONFIGURATIONS = [
    GPT2,
    Configuration(24, 1024, 1024, 50257),
    Configuration(1, 8, 4, 34),
    Configuration(2, 6, 300, 3),
]


class Transformer(nn.Module):
    """GPT-2's modules; torch's encoder layer has the same weights as a block of GPT-2."""

    def __init__(self, c, tied):
        super().__init__()
        self.token, self.position = (
            nn.Embedding(rows, c.width) for rows in (c.vocabulary, c.context_window)
        )
        layers = [nn.TransformerEncoderLayer(c.width, 2, 4 * c.width) for _ in range(c.layers)]
        self.blocks = nn.ModuleList(layers)
        self.norm = nn.LayerNorm(c.width)
        self.head = nn.Linear(c.width, c.vocabulary, bias=False)
        if tied:
            self.head.weight = self.token.weight


def modules(c, tied=True):
    with torch.device("meta"):
        return Transformer(c, tied)


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("c", CONFIGURATIONS)
def test_total_against_torch(c, tied):
    assert total(c, tied) == sum(weight.numel() for weight in modules(c, tied).parameters())


def test_published_totals():
    """124.4 million for GPT-2 small and 354.8 million for GPT-2 medium, as their weights hold."""
    assert total(GPT2) == 124_439_808
    assert total(CONFIGURATIONS[1]) == 354_823_168


@pytest.mark.parametrize("c", CONFIGURATIONS)
def test_every_tensor_against_torch(c):
    """The layer norms of a block are counted as one, and there are four of them in torch."""
    weights = modules(c).named_parameters()
    expected = [weight.numel() for name, weight in weights if "norm" not in name]
    expected += [4 * c.width] * c.layers + [2 * c.width]
    assert sorted(tensors(c).values()) == sorted(expected)


def test_values():
    found = values(GPT2, EXAMPLES)
    model = modules(GPT2)
    token, position = model.token.weight.numel(), model.position.weight.numel()
    all_tied = sum(weight.numel() for weight in model.parameters())
    assert found["token_table"] == token == 38_597_376
    assert found["position_table"] == position == 786_432
    assert found["total"] == all_tied
    assert found["total_untied"] == found["total"] + found["saved_by_tying"] == all_tied + token
    assert found["token_share_percent"] == pytest.approx(100 * token / all_tied)
    assert found["position_share_percent"] == pytest.approx(100 * position / all_tied)
    assert found["token_table_megabytes"] == token * torch.float32.itemsize / 10**6
    assert (
        found.items()
        >= {
            "layers": 12,
            "width": 768,
            "context_window": 1024,
            "vocabulary": 50257,
            "other_rows": 50256,
            "other_directions": 766,
            "remaining_components": 762,
            "prompt_numbers": 3840,
            "exercise_numbers": 6912,
            "first_missing_position": 1025,
        }.items()
    )


def test_gpt2_truths():
    assert {name: holds for name, (holds, _) in truths(GPT2).items() if not holds} == {}


@pytest.mark.parametrize(
    ("c", "false"),
    [
        # a table of few tokens is not the largest tensor, and smaller than the positions
        (
            Configuration(12, 768, 1024, 100),
            {
                "token_table.first_and_largest",
                "token_table.nearly_a_third",
                "position_table.smaller",
            },
        ),
        (Configuration(1, 768, 1024, 50257), {"token_table.nearly_a_third"}),
        (Configuration(12, 768, 4096, 50257), {"position_table.below_one_percent"}),
    ],
)
def test_truths_can_fail(c, false):
    found = {name for name, (holds, _) in truths(c).items() if not holds}
    assert false <= found
    assert "tied.counted_once" not in found


def test_share_is_the_one_that_truths_state():
    share = truths(GPT2)["token_table.nearly_a_third"][1]["share"]
    assert math.isclose(100 * share, values(GPT2, EXAMPLES)["token_share_percent"])
