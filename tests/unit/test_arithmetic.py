"""The worked arithmetic against the same sums in plain Python."""

import copy
import math

import pytest
import torch
import yaml

from embedding_ledger.arithmetic import (
    factored_parameters,
    projection_logits,
    table_size,
    truths,
    values,
)


@pytest.fixture(scope="module")
def examples(project):
    text = (project / "config" / "config.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)["examples"]


def test_values_against_plain_sums(examples):
    """Every number that the pages work out, written again by hand from their inputs."""
    e = math.e
    total = e**1 + e**2 + e**3
    expected = {
        "ids.distance": 890,
        "consecutive_ids": [17, 18, 19],
        "projection.hidden": [1, 2],
        "projection.rows": [1, 0, 0, 1, 1, 1],
        "projection.vocabulary": 3,
        "projection.logits": [1, 2, 3],
        "projection.softmax": [e / total, e**2 / total, e**3 / total],
        "similarity.dot": 2,
        "similarity.length_a": 1,
        "similarity.length_b": 2,
        "similarity.length_ratio": 2,
        "similarity.cosine": 1,
        "similarity.distance": 1,
        "similarity.dimensions": 2,
        "cosine.same_direction": 1,
        "cosine.opposite": -1,
        "cosine.right_angle": 0,
        "cosine.similar_direction": 3 / 5,
        "exercise.dot": 24,
        "exercise.lengths": [5, 5],
        "exercise.cosine": 24 / 25,
        "cosines.ratio": 634 / 211,
        "families.ratio": 53 / 26,
        "tables.worked": 2**20,
        "tables.worked_mib": 4,
        "tables.two_mib": 8,
        "tables.exercise_001": 819_200_000,
        "tables.exercise_004": 16_384_000,
        "tables.toy": [34, 8],
        "bigram.full_parameters": 1156,
        "learned_table.missing": [512, 599],  # 600 tokens stand at 0 to 599, the table ends at 511
        "learned_table.inputs": [512, 600],
        "sine_and_cosine_of_0": [0, 1],
        "sine_of_1": sum((-1) ** k / math.factorial(2 * k + 1) for k in range(12)),
        "cosine_of_1": sum((-1) ** k / math.factorial(2 * k) for k in range(12)),
    }
    found = values(examples)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-12), name


def changed(examples, key, **values):
    examples = copy.deepcopy(examples)
    examples[key].update(values)
    return examples


def test_values_follow_their_inputs(examples):
    assert values(changed(examples, "ids", cat=7))["ids.distance"] == 3
    found = values(changed(examples, "projection", hidden=[-1, 0.5]))
    assert found["projection.logits"] == pytest.approx([-1, 0.5, -0.5])
    expected = torch.tensor([-1, 0.5, -0.5], dtype=torch.float64).softmax(0).tolist()
    assert found["projection.softmax"] == pytest.approx(expected)
    found = values(changed(examples, "exercise", a=[1, 2, 2], b=[2, 0, 0]))
    assert found["exercise.lengths"] == pytest.approx([3, 2])
    assert found["exercise.cosine"] == pytest.approx(1 / 3)


def test_projection_against_a_linear_layer():
    layer = torch.nn.Linear(4, 7, bias=False, dtype=torch.float64)
    hidden = torch.arange(4, dtype=torch.float64)
    example = {"rows": layer.weight.tolist(), "hidden": hidden.tolist()}
    assert projection_logits(example) == pytest.approx(layer(hidden).tolist())


@pytest.mark.parametrize(("vocabulary", "width"), [(34, 8), (4096, 256)])
def test_table_size_against_torch(vocabulary, width):
    table = torch.nn.Embedding(vocabulary, width, device="meta")
    assert table_size({"vocabulary": vocabulary, "width": width}) == table.weight.numel()


def test_factored_parameters_against_torch(examples):
    for width, count in factored_parameters(34, examples["widths"]):
        with torch.device("meta"):
            model = torch.nn.Sequential(
                torch.nn.Embedding(34, width), torch.nn.Linear(width, 34, bias=False)
            )
        assert count == sum(weight.numel() for weight in model.parameters())


def test_truths_hold_on_the_real_inputs(examples):
    false = {name for name, (holds, _) in truths(examples).items() if not holds}
    assert false == {"ids.follow_alphabet"}  # car comes before cat and dog, and has the last id


@pytest.mark.parametrize(
    ("key", "inputs", "false"),
    [
        ("consecutive_ids", {"car": 30}, "ids.equal_steps"),
        ("projection", {"hidden": [2, 1]}, "softmax.is_distribution"),
        # a square matrix multiplies either way round: its shape shows nothing
        ("projection", {"hidden": [1, 2, 3], "rows": [[1, 0, 0]] * 3}, "projection.shapes"),
        ("similarity", {"b": [1, 1]}, "similarity.same_direction_other_place"),
        ("similarity", {"b": [1, 0]}, "similarity.same_direction_other_place"),
    ],
)
def test_truths_can_fail(examples, key, inputs, false):
    assert not truths(changed(examples, key, **inputs))[false][0]
