"""Gradients of embedding tables against loops, finite differences and doctored layers."""

import copy
import math

import numpy as np
import pytest
import torch
import yaml
from torch import nn

from embedding_ledger import bigram, gradients, skipgram


@pytest.fixture(scope="module")
def config(project):
    text = (project / "config" / "config.yaml").read_text(encoding="utf-8")
    settings = yaml.safe_load(text)
    settings["mechanics"]["sampling"]["vocabulary"] = 1000
    return settings


@pytest.fixture(scope="module")
def measured(config):
    return gradients.measure(config["mechanics"], config["examples"])


def test_truths(measured):
    # nn.Embedding starts at N(0, 1), which is not small
    assert [n for n, (holds, _) in measured[1].items() if not holds] == ["layer.starts_small"]


def test_values(measured):
    values = measured[0]
    assert values["code_002.padding_row"] == values["code_002.padding_gradient"] == [0, 0, 0]
    assert values["code_002.row_gradient"] == [1, 1, 1]
    assert values["gradient.of_three_uses"] == 3
    assert values["gradient.of_three_uses_scaled"] == 1
    assert values["full_softmax.context_rows"] == 1000
    assert values["negative_sampling.context_rows"] == 6


def test_values_follow_the_configuration(config):
    changed = copy.deepcopy(config)
    mechanics = changed["mechanics"]
    mechanics["lookup"] |= {"rows": 20, "width": 5, "ids": [3, 1, 2, 3]}
    mechanics["padded"] = {"rows": 8, "width": 2, "padding": 4, "ids": [7, 7, 4], "batch": [1]}
    mechanics["sampling"] |= {"vocabulary": 50, "negatives": 3}
    values, truths, _ = gradients.measure(mechanics, changed["examples"])
    assert values["code_000.output_shape"] == [1, 4, 5]
    assert not truths["code_000.same_rows"][0]  # places 0 and 2 hold other ids now
    assert values["code_002.table"] == [8, 2, 4]
    assert values["code_002.one_hot_shape"] == [1, 3, 8]
    assert values["code_002.row_gradient"] == [2, 2]  # id 7 is used twice
    assert values["full_softmax.context_rows"] == 50
    assert values["negative_sampling.context_rows"] == 4


def test_finite_differences_of_a_known_function():
    at = np.array([[0.3, -2.0], [1.5, 0.0]])
    slopes = gradients.finite_differences(lambda x: (x**3).sum() + x[0, 0] * x[1, 1], at)
    expected = 3 * at**2
    expected[0, 0] += at[1, 1]
    expected[1, 1] += at[0, 0]
    np.testing.assert_allclose(slopes, expected, atol=1e-8)


def test_skipgram_gradients_in_plain_python():
    """One pair, by the loops of the definition: (p - indicator) times the other vector."""
    centers, contexts = np.array([[0.2, -0.4], [1.0, 0.5]]), np.array([[0.7, 0.1], [-0.3, 0.9]])
    scores = [float(np.dot(centers[1], u)) for u in contexts]
    shares = [math.exp(s) / sum(map(math.exp, scores)) for s in scores]
    surplus = [shares[0] - 1, shares[1]]
    on_centers, on_contexts = skipgram.gradients(centers, contexts, np.array([[1, 0]]))
    np.testing.assert_allclose(on_centers[0], 0)
    np.testing.assert_allclose(
        on_centers[1], [sum(surplus[w] * contexts[w][k] for w in (0, 1)) for k in (0, 1)]
    )
    np.testing.assert_allclose(on_contexts, [[surplus[w] * v for v in centers[1]] for w in (0, 1)])


@pytest.mark.parametrize("module", [skipgram, bigram])
def test_a_wrong_formula_is_found_out(config, monkeypatch, module):
    """One row of the first gradient is off by a hundredth: the comparisons must notice."""
    right = module.gradients

    def wrong(*arguments):
        first, second = right(*arguments)
        first[0] *= 1.01
        return first, second

    monkeypatch.setattr(module, "gradients", wrong)
    rng, settings = np.random.default_rng(0), config["mechanics"]
    if module is skipgram:
        found = gradients.skipgram_truths(settings["skipgram"], rng)
        assert not found["skipgram.center_gradient"][0]
        assert found["skipgram.context_gradient"][0]
    else:
        found = gradients.bigram_truths(settings, config["examples"]["tables"]["toy"], rng)
        assert not found["bigram.embedding_gradient"][0]
        assert found["bigram.output_gradient"][0]


def test_upstream_gradient_is_added_by_row():
    table = gradients.random_embedding(0, 4, 2)
    arriving = torch.tensor([[[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]]])
    found = gradients.upstream_gradient(table, torch.tensor([[2, 0, 2]]), arriving)
    assert found.tolist() == [[10, 20], [0, 0], [101, 202], [0, 0]]


def test_tied_model_by_finite_differences(config):
    """The gradient of the shared table, by moving each entry in both of its roles at once."""
    torch.manual_seed(1)
    model = gradients.LanguageModel(5, 2, tied=True).double()
    ids = torch.tensor([0, 3, 3, 1])
    (found,) = model.next_token_gradients(ids)
    x, y = ids[:-1].numpy(), ids[1:].numpy()
    start = model.embed.weight.detach().numpy()
    expected = gradients.finite_differences(lambda e: bigram.loss(e, e.T, x, y), start)
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-8)


def test_parameters_are_counted_once():
    assert gradients.LanguageModel(7, 3, tied=True).parameter_count() == 21
    assert gradients.LanguageModel(7, 3, tied=False).parameter_count() == 42


def test_untied_twin_that_is_no_twin_is_found_out(config, monkeypatch):
    """If nothing were shared the sum of the roles would be one role only."""
    right = gradients.LanguageModel.next_token_gradients

    def reading_only(self, ids):
        found = right(self, ids)
        return found[:1] if len(found) == 1 else (found[0], torch.zeros_like(found[1]))

    monkeypatch.setattr(gradients.LanguageModel, "next_token_gradients", reading_only)
    found = gradients.tying_truths(config["mechanics"], config["examples"]["tables"]["toy"])
    assert not found["tying.gradient_is_sum_of_roles"][0]


def test_padding_index_that_does_nothing_is_found_out(config, monkeypatch):
    def without_padding(seed, rows, width, padding_idx=None, **options):
        torch.manual_seed(seed)
        table = nn.Embedding(rows, width, **options)
        table.padding_idx = None
        return table

    monkeypatch.setattr(gradients, "random_embedding", without_padding)
    assert not gradients.padding_truths(config["mechanics"])["padding.row_stays_zero"][0]


def test_layer_that_multiplies_is_found_out(config, monkeypatch):
    def multiplied(self, ids):
        return nn.functional.one_hot(ids, self.num_embeddings).to(self.weight) @ self.weight

    monkeypatch.setattr(nn.Embedding, "forward", multiplied)
    assert not gradients.layer_truths(config["mechanics"])["layer.reads_no_other_row"][0]


def test_index_that_raises_nothing_is_found_out():
    class Wrapping(nn.Embedding):
        def forward(self, ids):
            return super().forward(ids % self.num_embeddings)

    assert gradients.index_errors(nn.Embedding(4, 2))["index.outside_raises"][0]
    assert not gradients.index_errors(Wrapping(4, 2))["index.outside_raises"][0]


def test_optimizers(measured):
    """Each is tried twice; the dense gradient shows that a refusal is about sparseness."""
    tried = {(name, gradient): accepts for name, gradient, accepts, *_ in measured[2]}
    names = {name for name, _ in tried}
    assert {"SGD", "Adam", "SparseAdam"} <= names
    assert len(tried) == 2 * len(names) == len(measured[2])
    assert tried["SGD", "sparse"] and tried["SGD", "dense"]
    assert not tried["Adam", "sparse"] and tried["Adam", "dense"]
    assert tried["SparseAdam", "sparse"] and not tried["SparseAdam", "dense"]
    for name, gradient, accepts, changed, error in measured[2]:
        assert accepts == (error is None) == (changed is not None), (name, gradient)
        assert not accepts or changed >= 2


def test_sparse_step_reports_what_was_raised():
    def refusing(parameters):
        raise TypeError("no")

    assert gradients._sparse_step(refusing, True, 0) == (None, "TypeError")
    changed, error = gradients._sparse_step(lambda p: torch.optim.SGD(p, lr=0.1), True, 0)
    assert (changed, error) == (2, None)


def test_plain_gradient_is_not_scaled(config, monkeypatch):
    right = gradients.random_embedding
    monkeypatch.setattr(
        gradients,
        "random_embedding",
        lambda *sizes, scale_grad_by_freq=False, **options: right(*sizes, **options),
    )
    found = gradients.row_gradient_truths(config["mechanics"])
    assert not found["gradient.scaled_by_frequency"][0]


def test_environment_names_torch():
    assert dict(gradients.environment())["torch"] == torch.__version__
