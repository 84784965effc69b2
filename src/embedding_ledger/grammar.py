"""The toy language of document 004: grammars as data, their corpora, what they predict exactly.

A sentence is one subject phrase, one verb, one object phrase, an optional ending and a full
stop. A corpus is many such sentences joined into a single stream of tokens, so the full stop
is followed by the first token of the next sentence.

The language belongs to a lesson that document 004 refers to and that is not at hand; the
candidates of the configuration reconstruct it. Entropies are in nats per token.
"""

import difflib
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real

import numpy as np

from embedding_ledger.errors import LedgerError

STOP = "."
WEIGHT_SUM_TOLERANCE = 1e-8
PHRASE_KEYS = ("subjects", "verbs", "objects", "endings")
REQUIRED_KEYS = (*PHRASE_KEYS, "ending_probability")
ALLOWED_KEYS = (*REQUIRED_KEYS, "ending_weights")


@dataclass(frozen=True)
class Grammar:
    """A validated grammar; build it with `parse_grammar`.

    Phrases are strings of tokens separated by single spaces. `ending_probability` is the chance
    that a sentence has an ending at all, `ending_weights` (one per ending, summing to one) says
    which ending it then is.
    """

    name: str
    subjects: tuple
    verbs: tuple
    objects: tuple
    endings: tuple
    ending_probability: float
    ending_weights: tuple


def parse_grammar(name, mapping):
    """Validate one grammar as it stands in the configuration and return it.

    Raises LedgerError with all faults at once; each names the grammar, the key, what was seen
    and what is allowed.
    """
    faults = [f"grammar {name!r}: {fault}" for fault in _faults(mapping)]
    if faults:
        raise LedgerError(faults)
    endings = tuple(_normal_space(phrase) for phrase in mapping["endings"])
    weights = mapping.get("ending_weights") or [1 / len(endings)] * len(endings)
    total = math.fsum(weights)
    return Grammar(
        name=name,
        subjects=tuple(_normal_space(phrase) for phrase in mapping["subjects"]),
        verbs=tuple(_normal_space(phrase) for phrase in mapping["verbs"]),
        objects=tuple(_normal_space(phrase) for phrase in mapping["objects"]),
        endings=endings,
        ending_probability=float(mapping["ending_probability"]),
        ending_weights=tuple(float(weight) / total for weight in weights),
    )


def parse_grammars(mappings):
    """Validate a mapping of name to grammar; the faults of all of them are raised together."""
    if not isinstance(mappings, Mapping) or not mappings:
        raise LedgerError([f"grammars: a non-empty mapping is needed, not {mappings!r}"])
    grammars, faults = {}, []
    for name, mapping in mappings.items():
        try:
            grammars[name] = parse_grammar(name, mapping)
        except LedgerError as error:
            faults.extend(error.faults)
    if faults:
        raise LedgerError(faults)
    return grammars


def _normal_space(phrase):
    return " ".join(phrase.split())


def _faults(mapping):
    """Everything that is wrong with a raw grammar, in the order of its keys."""
    if not isinstance(mapping, Mapping):
        return [f"a mapping of keys is needed, not {mapping!r}"]
    faults = [_unknown_key(key) for key in mapping if key not in ALLOWED_KEYS]
    faults += [f"missing key {key!r}" for key in REQUIRED_KEYS if key not in mapping]
    for key in PHRASE_KEYS:
        if key in mapping:
            faults += _phrase_faults(key, mapping[key])
    if "ending_probability" in mapping:
        faults += _probability_faults("ending_probability", mapping["ending_probability"])
    if "ending_weights" in mapping:
        faults += _weight_faults(mapping["ending_weights"], mapping.get("endings"))
    return faults


def _unknown_key(key):
    close = difflib.get_close_matches(str(key), ALLOWED_KEYS, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"unknown key {key!r} ({hint}allowed: {', '.join(ALLOWED_KEYS)})"


def _is_list(value):
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _phrase_faults(key, phrases):
    if not _is_list(phrases):
        return [f"{key!r} must be a list of phrases, not {phrases!r}"]
    if not phrases:
        return [f"{key!r} is an empty list; at least one phrase is needed"]
    faults, seen = [], set()
    for number, phrase in enumerate(phrases, start=1):
        if not isinstance(phrase, str):
            faults.append(f"{key!r} entry {number} must be text, not {phrase!r}")
            continue
        tokens = phrase.split()
        if not tokens:
            faults.append(f"{key!r} entry {number} is blank")
        if STOP in tokens:
            faults.append(f"{key!r} entry {number} contains the reserved token {STOP!r}")
        if tuple(tokens) in seen:
            faults.append(f"{key!r} entry {number} repeats {phrase!r}")
        seen.add(tuple(tokens))
    return faults


def _is_number(value):
    return isinstance(value, Real) and not isinstance(value, bool)


def _probability_faults(key, value):
    if not _is_number(value):
        return [f"{key!r} must be a number from 0 to 1, not {value!r}"]
    if not 0 <= value <= 1:  # also catches NaN
        return [f"{key!r} must lie in [0, 1], not {value!r}"]
    return []


def _weight_faults(weights, endings):
    key = "ending_weights"
    if not _is_list(weights):
        return [f"{key!r} must be a list of numbers, not {weights!r}"]
    faults = []
    if _is_list(endings) and len(endings) != len(weights):
        faults.append(f"{key!r} has {len(weights)} entries for {len(endings)} endings")
    bad = [fault for weight in weights for fault in _probability_faults(key, weight)]
    if bad:
        return faults + bad
    total = math.fsum(weights)
    if abs(total - 1) > WEIGHT_SUM_TOLERANCE:
        faults.append(f"{key!r} must sum to 1, not {total!r}")
    return faults


def slots(grammar):
    """The five slots of a sentence: (phrase, probability) pairs, phrases as token tuples.

    The ending slot lists its endings first and, where a sentence may go without, the empty
    phrase last. Phrases of probability zero are left out.
    """
    probability = grammar.ending_probability
    endings = [
        (tuple(phrase.split()), probability * weight)
        for phrase, weight in zip(grammar.endings, grammar.ending_weights, strict=True)
    ]
    endings.append(((), 1 - probability))
    return (
        _uniform(grammar.subjects),
        _uniform(grammar.verbs),
        _uniform(grammar.objects),
        tuple((phrase, share) for phrase, share in endings if share > 0),
        (((STOP,), 1.0),),
    )


def _uniform(phrases):
    return tuple((tuple(phrase.split()), 1 / len(phrases)) for phrase in phrases)


def vocabulary(grammar):
    """All tokens that the grammar can produce, sorted; the id of a token is its place here."""
    return tuple(
        sorted({token for slot in slots(grammar) for phrase, _ in slot for token in phrase})
    )


def roles(grammar):
    """The words of each role in the order of the grammar: the last token of every phrase.

    `modifier` holds the tokens inside object phrases, between the article and the noun.
    """
    named = dict(zip(("subject", "verb", "object", "ending"), slots(grammar), strict=False))
    heads = {
        role: tuple(dict.fromkeys(phrase[-1] for phrase, _ in slot if phrase))
        for role, slot in named.items()
    }
    inner = (token for phrase, _ in named["object"] for token in phrase[1:-1])
    return heads | {"modifier": tuple(dict.fromkeys(inner))}


def expected_bigrams(grammar):
    """Expected number of each token pair per sentence, shape (V, V), row = first token.

    Exact: the slots are drawn independently and the stream of sentences has no memory beyond
    the full stop, so pairs inside phrases carry the phrase's probability and pairs across a
    border the product of two. The sum is the mean number of tokens in a sentence.
    """
    ids = {token: number for number, token in enumerate(vocabulary(grammar))}
    expected = np.zeros((len(ids), len(ids)))
    last = {STOP: 1.0}  # distribution of the token that stands before the slot
    for slot in slots(grammar):
        then = {}
        for phrase, share in slot:
            if not phrase:
                for token, mass in last.items():
                    then[token] = then.get(token, 0.0) + mass * share
                continue
            for token, mass in last.items():
                expected[ids[token], ids[phrase[0]]] += mass * share
            for first, second in pairwise(phrase):
                expected[ids[first], ids[second]] += share
            then[phrase[-1]] = then.get(phrase[-1], 0.0) + share
        last = then
    return expected


def conditional_entropy(pairs):
    """Entropy of the second token given the first, in nats, of a (V, V) table of weights.

    This is the training loss of the full table of conditional frequencies.
    """
    pairs = np.asarray(pairs, dtype=float)
    rows = np.broadcast_to(pairs.sum(axis=1, keepdims=True), pairs.shape)
    seen = pairs > 0
    return float(-(pairs[seen] * np.log(pairs[seen] / rows[seen])).sum() / pairs.sum())


def corpus(grammar, sentences, seed):
    """Draw a corpus as one stream of token ids, shape (tokens,), int64.

    A sentence takes its draws from one generator in the order subject, verb, object, ending.
    The first three are bounded integers. An ending that is always there and uniform is a
    bounded integer too; any other ending is one draw with probabilities over the endings and,
    in last place, none.

    The draws depend on each other through the generator's buffer, so they are made one
    sentence at a time. Inverting the cumulative probabilities here is what `Generator.choice`
    does, at a tenth of its cost.
    """
    ids = {token: number for number, token in enumerate(vocabulary(grammar))}
    subjects, verbs, objects, endings, _ = (
        [[ids[token] for token in phrase] for phrase, _ in slot] for slot in slots(grammar)
    )
    draw_ending = _ending_sampler(grammar)
    rng = np.random.default_rng(seed)
    integers = rng.integers
    stop = ids[STOP]
    stream = []
    for _ in range(sentences):
        stream += subjects[integers(len(subjects))]
        stream += verbs[integers(len(verbs))]
        stream += objects[integers(len(objects))]
        stream += endings[draw_ending(rng)]
        stream.append(stop)
    return np.array(stream, dtype=np.int64)


def _ending_sampler(grammar):
    """A function of a generator that returns the place of an ending in its slot."""
    shares = np.array([share for _, share in slots(grammar)[3]])
    if grammar.ending_probability == 1 and np.ptp(shares) == 0:
        return lambda rng: rng.integers(len(shares))
    cumulative = shares.cumsum()
    cumulative = (cumulative / cumulative[-1]).tolist()
    return lambda rng: bisect_right(cumulative, rng.random())


def split(stream, fraction=0.9):
    """Cut a stream into training and validation part; the cut is rounded down.

    Views, not copies. The pair that the cut separates belongs to neither part.
    """
    if not 0 < fraction < 1:
        raise ValueError(f"fraction must lie strictly between 0 and 1, not {fraction!r}")
    cut = int(fraction * len(stream))
    return stream[:cut], stream[cut:]


def bigram_counts(ids, V):
    """Count each pair of neighbours in a stream of ids: (V, V), int64, row = first token."""
    ids = np.asarray(ids)
    if ids.size and not (ids.min() >= 0 and ids.max() < V):
        raise ValueError(f"token ids must lie in [0, {V}), found {ids.min()} to {ids.max()}")
    return np.bincount(ids[:-1] * V + ids[1:], minlength=V * V).reshape(V, V)


def bigram_counts_of_stream(chunks, V):
    """`bigram_counts` of a stream that arrives in pieces; memory of one piece at a time.

    Pairs that span two pieces are counted.
    """
    total = np.zeros((V, V), dtype=np.int64)
    carry = np.empty(0, dtype=np.int64)
    for chunk in chunks:
        joined = np.concatenate([carry, chunk])
        total += bigram_counts(joined, V)
        carry = joined[-1:]
    return total


def successor_sets(pairs, tokens):
    """For each token, the sorted tokens that follow it; `pairs` counted or expected, (V, V)."""
    pairs = np.asarray(pairs)
    if pairs.shape != (len(tokens), len(tokens)):
        raise ValueError(f"pairs of shape {pairs.shape} do not fit {len(tokens)} tokens")
    return {
        token: tuple(sorted(tokens[column] for column in np.flatnonzero(pairs[row])))
        for row, token in enumerate(tokens)
    }
