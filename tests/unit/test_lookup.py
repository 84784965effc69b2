"""Lookups against plain loops and closed forms, and statements that change with their inputs."""

import copy
import math

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from embedding_ledger import bigram, lookup, skipgram
from embedding_ledger.artefacts import agreement, six_digits


@pytest.fixture(scope="module")
def config(project):
    return yaml.safe_load((project / "config" / "config.yaml").read_text(encoding="utf-8"))


def measured(config):
    return lookup.truths(config["mechanics"], config["examples"], config["models"]["gpt2"])


@given(st.integers(1, 12), st.data())
def test_one_hot_against_a_loop(vocabulary, data):
    ids = data.draw(st.lists(st.integers(0, vocabulary - 1), max_size=5))
    expected = [[1.0 if column == i else 0.0 for column in range(vocabulary)] for i in ids]
    codes = (
        lookup.one_hot(ids, vocabulary) if ids else lookup.one_hot(np.array([], int), vocabulary)
    )
    assert codes.shape == (len(ids), vocabulary)
    assert codes.tolist() == expected


def test_one_hot_of_a_number_and_of_a_batch():
    assert lookup.one_hot(1, 3).tolist() == [0, 1, 0]
    codes = lookup.one_hot([[0, 2], [1, 1]], 3)
    assert codes.shape == (2, 2, 3)
    assert codes[1, 0].tolist() == [0, 1, 0]


def test_one_hot_refuses_what_is_no_id():
    with pytest.raises(IndexError):
        lookup.one_hot(3, 3)


def test_word_ids():
    assert lookup.word_ids(["b", "a", "b"], ["a", "b"]) == [1, 0, 1]
    with pytest.raises(KeyError):
        lookup.word_ids(["c"], ["a", "b"])


def test_random_orthogonal_keeps_lengths_and_moves():
    turn = lookup.random_orthogonal(np.random.default_rng(3), 5)
    np.testing.assert_allclose(turn.T @ turn, np.eye(5), atol=1e-12)
    assert abs(turn - np.eye(5)).max() > 0.1


def test_nearest_rows_against_angles():
    """Rows at known angles in the plane, of unlike lengths: the nearest are the next angles."""
    angles = [0, 10, 35, 80, 170]
    table = np.array([[math.cos(math.radians(a)), math.sin(math.radians(a))] for a in angles])
    rows, cosines = lookup.nearest_rows(table * [[5], [0.1], [2], [9], [1]], 1, 3)
    assert rows.tolist() == [1, 0, 2]
    expected = [1, math.cos(math.radians(10)), math.cos(math.radians(25))]
    np.testing.assert_allclose(cosines, expected)


def test_swapped_sentences():
    first, second = lookup.swapped_sentences({"subject": "ant", "verb": "saw", "object": "bee"})
    assert " ".join(first) == "the ant saw the bee"
    assert " ".join(second) == "the bee saw the ant"


def test_values_follow_the_configuration(config):
    """With other sizes the shapes are the other sizes: nothing is a constant of the code."""
    changed = copy.deepcopy(config)
    mechanics, examples = changed["mechanics"], changed["examples"]
    mechanics["toy"] = {"rows": 4, "width": 3, "row": 2, "entries": [1, 2, 3]}
    mechanics["lookup"] |= {"rows": 9, "row": 8}
    mechanics["padded"] |= {"rows": 7, "width": 5, "batch": [3, 2, 4]}
    mechanics["skipgram"]["sentences"] = ["one two", "two three four"]
    examples["tables"]["toy"] = {"vocabulary": 11, "width": 2}
    found = lookup.values(mechanics, examples)
    assert found["toy.shape"] == [4, 3]
    assert found["toy.row"] == [1, 2, 3]
    assert found["toy.one_hot"] == [0, 0, 1, 0]
    assert found["one_hot.slots"] == 7
    assert found["one_hot.shape"] == [5, 11]
    assert found["one_hot.ones"] == 1
    assert found["lookup.rows_read"] == [8]
    assert found["lookup.batch_shape"] == [3, 2, 4, 5]
    assert found["lookup.shapes"] == ["1,V", "V,d", "1,d"]
    assert found["bigram.scores_of_a_token"] == 11
    assert found["skipgram.size"] == [2, 2, 3]
    assert found["skipgram.pairs"] == 2 + 6
    assert found["space.coordinates"] == [2, 3]


def test_initial_deviation_is_measured(config):
    found = lookup.values(config["mechanics"] | {"init_scale": 3}, config["examples"])
    assert found["init.standard_deviations"] == pytest.approx([3, 3], rel=0.15)


def test_truths(config):
    """All hold but one: at width 34 two factors hold more numbers than the full table."""
    failing = {name for name, (holds, _) in measured(config).items() if not holds}
    assert failing == {"factored.fewer_parameters_at_all_widths"}


def test_truths_can_fail(config):
    changed = copy.deepcopy(config)
    changed["examples"]["widths"] = [1, 2, 16]
    changed["mechanics"]["midpoint"] = [6, 7, 9]
    changed["mechanics"]["depths"] = [4, 2]
    changed["mechanics"]["recommender"] |= {"ids": 1000}
    changed["mechanics"]["stored_entries"] = [0.5, 0.25]  # both exact in binary
    found = measured(changed)
    assert found["factored.fewer_parameters_at_all_widths"][0]
    for name in (
        "ids.no_midpoint",
        "tying.saves_most_in_small_models",
        "recommender.table_dominates",
        "floats.approximate",
    ):
        assert not found[name][0], name


def test_averages_of_other_words_differ(config, monkeypatch):
    swap = config["mechanics"]["swap"]
    other = ["the", swap["subject"], swap["verb"], "the", swap["subject"]]
    first = lookup.swapped_sentences(swap)[0]
    monkeypatch.setattr(lookup, "swapped_sentences", lambda _: (first, other))
    found = measured(config)
    assert not found["averages.identical"][0]
    assert not found["averages.identical_in_any_table"][0]


def test_a_turn_that_is_no_rotation_is_found_out(config, monkeypatch):
    monkeypatch.setattr(lookup, "random_orthogonal", lambda rng, d: rng.standard_normal((d, d)))
    found = measured(config)
    assert not found["rotation.keeps_cosines"][0]
    assert not found["rotation.same_function"][0]
    monkeypatch.setattr(lookup, "random_orthogonal", lambda rng, d: np.eye(d))
    assert not measured(config)["rotation.keeps_cosines"][0]  # no coordinate changes


def test_skipgram_pairs():
    """Written out by hand: ids are alphabetical, a window of one reaches the next word only."""
    sentences = [["b", "c", "a"], ["a", "b"]]
    assert skipgram.vocabulary(sentences) == ["a", "b", "c"]
    assert skipgram.pairs(sentences, 2).tolist() == [
        *([1, 2], [1, 0], [2, 1], [2, 0], [0, 1], [0, 2]),
        *([0, 1], [1, 0]),
    ]
    assert skipgram.pairs(sentences, 1).tolist() == [
        *([1, 2], [2, 1], [2, 0], [0, 2]),
        *([0, 1], [1, 0]),
    ]


def test_skipgram_loss_in_plain_python():
    centers, contexts = [[0.5, -1.0], [2.0, 0.3]], [[1.0, 1.5], [-0.2, 0.4]]
    total = 0.0
    for center, context in ((0, 1), (1, 0), (1, 1)):
        v = centers[center]
        scores = [v[0] * u[0] + v[1] * u[1] for u in contexts]
        total -= math.log(math.exp(scores[context]) / sum(map(math.exp, scores)))
    found = np.array([[0, 1], [1, 0], [1, 1]])
    assert skipgram.loss(np.array(centers), np.array(contexts), found) == pytest.approx(total)


def test_bigram_loss_of_equal_scores():
    """A table of zeros gives every token the same chance."""
    loss = bigram.loss(np.zeros((7, 2)), np.ones((2, 7)), np.array([0, 3, 3]), np.array([1, 2, 6]))
    assert loss == pytest.approx(math.log(7))


def test_bigram_draws_the_embedding_first():
    embedding, output = bigram.draw(np.random.default_rng(5), 4, 3, 0.1)
    rng = np.random.default_rng(5)
    assert np.array_equal(embedding, rng.standard_normal((4, 3)) * 0.1)
    assert np.array_equal(output, rng.standard_normal((3, 4)) * 0.1)


def test_agreement():
    assert agreement([1, 2], [1, 2 + 1e-14]) == (True, {"largest difference": "below 1e-12"})
    assert agreement([1.0], [1.25]) == (False, {"largest difference": 0.25})
    assert not agreement([float("nan")], [1.0])[0]
    with pytest.raises(ValueError):
        agreement([1, 2], [1])
    assert six_digits(1 / 3) == 0.333333
