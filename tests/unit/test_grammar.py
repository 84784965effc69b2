"""Grammars: parsing, exact predictions, and corpora."""

import copy
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embedding_ledger import grammar as g
from embedding_ledger.config import load
from embedding_ledger.errors import LedgerError

RAW = load()["toy_language"]["grammars"]
GRAMMARS = g.parse_grammars(RAW)
# Measured facts of the reconstruction: nats per token, tokens per sentence.
KNOWN = {"F1": (1.1608, 8.0), "F2": (1.1627, 7.2), "F3": (1.1644, 7 + 1 / 18), "F4": (1.1640, 7.6)}
TINY = {
    "subjects": ["x"],
    "verbs": ["y"],
    "objects": ["z"],
    "endings": ["w"],
    "ending_probability": 0.5,
}


def words(name, ids):
    tokens = g.vocabulary(GRAMMARS[name])
    return [tokens[i] for i in ids]


@pytest.mark.parametrize("name", RAW)
def test_entropy_and_length_match_the_reconstruction(name):
    entropy, length = KNOWN[name]
    assert round(g.conditional_entropy(g.expected_bigrams(GRAMMARS[name])), 4) == entropy
    assert g.expected_bigrams(GRAMMARS[name]).sum() == pytest.approx(length, abs=1e-12)


@pytest.mark.parametrize("name", RAW)
def test_vocabulary_has_34_sorted_tokens(name):
    tokens = g.vocabulary(GRAMMARS[name])
    assert len(tokens) == 34
    assert list(tokens) == sorted(set(tokens))
    assert "." in tokens


def test_dog_and_baker_ids():
    assert g.vocabulary(GRAMMARS["F2"]).index("dog") == 11
    assert g.vocabulary(GRAMMARS["F2"]).index("baker") == 4


@pytest.mark.parametrize("name", RAW)
def test_a_large_corpus_approaches_the_exact_predictions(name):
    grammar = GRAMMARS[name]
    sentences = 60_000
    stream = g.corpus(grammar, sentences, seed=1)
    counts = g.bigram_counts(stream, 34)
    expected = g.expected_bigrams(grammar) * sentences
    assert g.conditional_entropy(counts) == pytest.approx(
        g.conditional_entropy(g.expected_bigrams(grammar)), abs=0.003
    )
    possible = expected > 0
    assert not counts[~possible].any()
    z = (counts[possible] - expected[possible]) / np.sqrt(expected[possible])
    assert np.abs(z).max() < 6
    assert np.mean(z**2) < 2


def test_expected_bigrams_by_hand():
    # x y z [w] .   with the ending in half of the sentences; ids: . w x y z
    expected = g.expected_bigrams(g.parse_grammar("tiny", TINY))
    by_hand = np.zeros((5, 5))
    by_hand[0, 2] = by_hand[2, 3] = by_hand[3, 4] = 1
    by_hand[4, 1] = by_hand[1, 0] = by_hand[4, 0] = 0.5
    np.testing.assert_allclose(expected, by_hand, atol=1e-15)
    assert g.conditional_entropy(
        g.expected_bigrams(g.parse_grammar("tiny", TINY))
    ) == pytest.approx(math.log(2) / 4.5)


def test_weights_enter_the_expectation_and_the_draws():
    raw = TINY | {"endings": ["w", "v"], "ending_probability": 1, "ending_weights": [0.9, 0.1]}
    grammar = g.parse_grammar("weighted", raw)
    tokens = g.vocabulary(grammar)
    expected = g.expected_bigrams(grammar)
    assert expected[tokens.index("z"), tokens.index("w")] == pytest.approx(0.9)
    drawn = g.bigram_counts(g.corpus(grammar, 5_000, 0), len(tokens)) / 5_000
    assert drawn[tokens.index("z"), tokens.index("w")] == pytest.approx(0.9, abs=0.02)


def test_a_probability_of_zero_removes_the_endings():
    grammar = g.parse_grammar("bare", TINY | {"ending_probability": 0})
    assert g.vocabulary(grammar) == (".", "x", "y", "z")
    assert g.conditional_entropy(g.expected_bigrams(grammar)) == 0
    assert g.corpus(grammar, 2, 0).tolist() == [1, 2, 3, 0] * 2


def test_successor_sets_of_the_articles():
    tokens = g.vocabulary(GRAMMARS["F4"])
    expected = g.successor_sets(g.expected_bigrams(GRAMMARS["F4"]), tokens)
    assert expected["a"] == ("bird", "fish", "fox", "loud", "small")
    assert expected["red"] == ("bus",)
    assert expected["small"] == ("boat",)
    assert expected["."] == ("a", "the")
    counted = g.successor_sets(g.bigram_counts(g.corpus(GRAMMARS["F4"], 4_000, 0), 34), tokens)
    assert counted == expected
    with pytest.raises(ValueError, match="do not fit"):
        g.successor_sets(np.zeros((3, 3)), tokens)


def test_roles():
    roles = g.roles(GRAMMARS["F4"])
    assert roles["subject"][:2] == ("cat", "dog")
    assert len(roles["subject"]) == 8
    assert roles["verb"] == tuple(RAW["F4"]["verbs"])
    assert roles["object"] == ("ball", "tree", "bus", "fish", "boat", "drum")
    assert roles["ending"] == ("quickly", "slowly", "again", "today", "night", "noon")
    assert roles["modifier"] == ("ancient", "red", "small", "loud")


def reference_corpus(raw, sentences, seed):
    """Sentence by sentence with Generator.choice, as the reconstruction drew them."""
    rng = np.random.default_rng(seed)
    probability, k = raw["ending_probability"], len(raw["endings"])
    shares = [probability / k] * k + [1 - probability]
    drawn = []
    for _ in range(sentences):
        for key in ("subjects", "verbs", "objects"):
            drawn += raw[key][rng.integers(len(raw[key]))].split()
        place = rng.integers(k) if probability == 1 else rng.choice(k + 1, p=shares)
        drawn += [*[*raw["endings"], ""][place].split(), "."]
    return drawn


@pytest.mark.parametrize("name", RAW)
def test_corpus_is_the_reference_stream(name):
    for seed in (0, 13):
        stream = g.corpus(GRAMMARS[name], 400, seed)
        assert words(name, stream) == reference_corpus(RAW[name], 400, seed)


@pytest.mark.parametrize(
    ("name", "seed", "train", "val"), [("F1", 0, 28754, 3195), ("F4", 13, 27390, 3043)]
)
def test_pair_numbers_match_the_reconstruction(name, seed, train, val):
    parts = g.split(g.corpus(GRAMMARS[name], 4_000, seed))
    assert tuple(g.bigram_counts(part, 34).sum() for part in parts) == (train, val)


@given(st.integers(2, 500), st.floats(0.01, 0.99))
def test_split_loses_nothing(length, fraction):
    stream = np.arange(length)
    train, val = g.split(stream, fraction)
    np.testing.assert_array_equal(np.concatenate([train, val]), stream)
    assert len(train) == math.floor(fraction * length)


@pytest.mark.parametrize("fraction", [0, 1, -0.1, float("nan")])
def test_split_refuses(fraction):
    with pytest.raises(ValueError, match="fraction"):
        g.split(np.arange(10), fraction)


@settings(max_examples=50)
@given(st.lists(st.lists(st.integers(0, 4), max_size=6), max_size=8))
def test_counting_in_pieces_equals_counting_at_once(pieces):
    chunks = [np.array(piece, dtype=np.int64) for piece in pieces]
    whole = np.concatenate([np.empty(0, np.int64), *chunks])
    by_hand = np.zeros((5, 5), int)
    for first, second in itertools.pairwise(whole):
        by_hand[first, second] += 1
    np.testing.assert_array_equal(g.bigram_counts(whole, 5), by_hand)
    np.testing.assert_array_equal(g.bigram_counts_of_stream(chunks, 5), by_hand)


def test_counting_refuses_foreign_ids():
    for stream in ([0, 5], [-1, 0]):
        with pytest.raises(ValueError, match="token ids"):
            g.bigram_counts(np.array(stream), 5)


NAN = float("nan")
BAD = [
    ({"verb": ["ran"]}, "unknown key 'verb' (did you mean 'verbs'? allowed: subjects"),
    ({"zzz": 1}, "unknown key 'zzz' (allowed: "),
    ({"subjects": None}, "'subjects' must be a list of phrases, not None"),
    ({"subjects": "the cat"}, "'subjects' must be a list of phrases, not 'the cat'"),
    ({"verbs": []}, "'verbs' is an empty list"),
    ({"endings": []}, "'endings' is an empty list"),
    ({"objects": ["the ball", 7]}, "'objects' entry 2 must be text, not 7"),
    ({"objects": ["the ball", " "]}, "'objects' entry 2 is blank"),
    ({"objects": ["the ball", "the  ball"]}, "'objects' entry 2 repeats"),
    ({"verbs": ["saw ."]}, "'verbs' entry 1 contains the reserved token '.'"),
    ({"ending_probability": 1.5}, "'ending_probability' must lie in [0, 1], not 1.5"),
    ({"ending_probability": NAN}, "'ending_probability' must lie in [0, 1], not nan"),
    ({"ending_probability": "1/3"}, "'ending_probability' must be a number from 0 to 1"),
    ({"ending_probability": True}, "'ending_probability' must be a number from 0 to 1"),
    ({"ending_weights": [0.5] * 3 + [0] * 3}, "'ending_weights' must sum to 1, not 1.5"),
    ({"ending_weights": [0.166667] * 6}, "'ending_weights' must sum to 1, not 1.000002"),
    ({"ending_weights": [1.0]}, "'ending_weights' has 1 entries for 6 endings"),
    ({"ending_weights": [NAN] + [0.2] * 5}, "'ending_weights' must lie in [0, 1], not nan"),
    ({"ending_weights": 1}, "'ending_weights' must be a list of numbers"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_faults_are_named(change, message):
    with pytest.raises(LedgerError) as caught:
        g.parse_grammar("F4", RAW["F4"] | change)
    assert f"grammar 'F4': {message}" in str(caught.value)
    assert len(caught.value.faults) == 1


@pytest.mark.parametrize("key", g.REQUIRED_KEYS)
def test_missing_keys_are_named(key):
    raw = copy.deepcopy(RAW["F4"])
    del raw[key]
    with pytest.raises(LedgerError, match=f"missing key '{key}'"):
        g.parse_grammar("F4", raw)


def test_all_faults_are_listed_at_once():
    first = RAW["F1"] | {"verbs": [], "ending_probability": 2}
    second = {"subjects": ["x"]}
    with pytest.raises(LedgerError) as caught:
        g.parse_grammars({"A": first, "B": second, "C": RAW["F2"], "D": None})
    faults = caught.value.faults
    assert [fault.split(":")[0] for fault in faults] == (
        ["grammar 'A'"] * 2 + ["grammar 'B'"] * 4 + ["grammar 'D'"]
    )


@pytest.mark.parametrize("nothing", [None, {}, []])
def test_no_grammars_at_all(nothing):
    with pytest.raises(LedgerError, match="non-empty mapping"):
        g.parse_grammars(nothing)
