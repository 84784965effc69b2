"""The candidates for document 004's toy language as the configuration describes them (`toy`)."""

from embedding_ledger import grammar as g
from embedding_ledger.errors import LedgerError


def default_grammar(toy):
    """Return the grammar that the claims are measured on; LedgerError when there is no such."""
    if toy["default"] not in toy["grammars"]:
        known = ", ".join(toy["grammars"])
        raise LedgerError(f"toy_language.default: no grammar {toy['default']!r} among {known}")
    return g.parse_grammar(toy["default"], toy["grammars"][toy["default"]])


def counted(grammar, toy, seed):
    """Draw a corpus; return the pair counts of its training and held-out part, (V, V) each."""
    stream = g.corpus(grammar, toy["sentences"], seed)
    V = len(g.vocabulary(grammar))
    return tuple(g.bigram_counts(part, V) for part in g.split(stream, toy["train_share"]))


def role_of(grammar):
    """Return {token: role} of every token: subject, verb, object, ending, modifier, or other.

    Other are articles, the full stop and the inner words of endings.
    """
    found = dict.fromkeys(g.vocabulary(grammar), "other")
    for role, words in g.roles(grammar).items():
        found |= dict.fromkeys(words, role)
    return found


def families(grammar):
    """Return {role: words} of the four roles whose words can stand in for one another."""
    found = g.roles(grammar)
    return {role: found[role] for role in ("subject", "verb", "object", "ending")}


def candidates(toy):
    """Return a row of facts per grammar: see CANDIDATE_COLUMNS (entropies in nats a token)."""
    rows = []
    for name, grammar in g.parse_grammars(toy["grammars"]).items():
        train, held = counted(grammar, toy, toy["corpus_seed"])
        expected = g.expected_bigrams(grammar)
        tokens = g.vocabulary(grammar)
        rows.append(
            (
                name,
                name == toy["default"],
                ", ".join(sorted(set(tokens) - set(toy["named"]))),
                grammar.ending_probability,
                len(tokens),
                round(expected.sum(), 6),
                round(g.conditional_entropy(expected), 6),
                round(g.conditional_entropy(train), 6),
                round(g.conditional_entropy(train + held), 6),
                train.sum(),
                held.sum(),
                tokens.index("cat"),
                tokens.index("dog"),
                tokens[4],
            )
        )
    return rows


CANDIDATE_COLUMNS = (
    "grammar",
    "default",
    "words_the_page_does_not_name",
    "ending_probability",
    "vocabulary",
    "tokens_per_sentence",
    "exact_entropy",
    "training_entropy",
    "corpus_entropy",
    "training_pairs",
    "held_out_pairs",
    "id_cat",
    "id_dog",
    "id_4",
)


def successors(toy):
    """Return rows (grammar, token, successor, probability, count) of all pairs that occur.

    The probability is the grammar's own, the count that of the whole default corpus.
    """
    rows = []
    for name, grammar in g.parse_grammars(toy["grammars"]).items():
        tokens, expected = g.vocabulary(grammar), g.expected_bigrams(grammar)
        counts = sum(counted(grammar, toy, toy["corpus_seed"]))
        shares = expected / expected.sum(axis=1, keepdims=True)
        rows += [
            (name, tokens[i], tokens[j], shares[i, j], counts[i, j])
            for i, j in zip(*expected.nonzero(), strict=True)
        ]
    return rows


def values(toy):
    """Return {quantity: value or list} of the default grammar and of its ids."""
    grammar = default_grammar(toy)
    tokens = g.vocabulary(grammar)
    after = g.successor_sets(g.expected_bigrams(grammar), tokens)
    named = sorted(toy["named"])
    return {
        "vocabulary": len(tokens),
        "subjects": len(grammar.subjects),
        "verbs": len(grammar.verbs),
        "id.cat": tokens.index("cat"),
        "id.dog": tokens.index("dog"),
        "least_id.cat": named.index("cat"),
        "least_id.dog": named.index("dog"),
        "successors.a": list(after["a"]),
        "successors.the": list(after["the"]),
        "subject_phrases": [
            phrase
            for word in toy["shown_subjects"]
            for phrase in grammar.subjects
            if phrase.split()[-1] == word
        ],
    }


def truths(toy):
    """Return {statement: (holds, numbers)} of the default grammar; entropies over all of them."""
    grammar = default_grammar(toy)
    tokens, expected = g.vocabulary(grammar), g.expected_bigrams(grammar)
    shares = expected / expected.sum(axis=1, keepdims=True)
    after = g.successor_sets(expected, tokens)

    def spread(words):
        """How far the next-token distributions of some words lie apart, in probability."""
        rows = shares[[tokens.index(word) for word in words]]
        return float((rows.max(axis=0) - rows.min(axis=0)).max())

    subjects, verbs = (spread(families(grammar)[role]) for role in ("subject", "verb"))
    rows = [dict(zip(CANDIDATE_COLUMNS, row, strict=True)) for row in candidates(toy)]
    gaps = {row["grammar"]: row["corpus_entropy"] - row["exact_entropy"] for row in rows}
    seen = g.successor_sets(sum(counted(grammar, toy, toy["corpus_seed"])), tokens)
    return {
        "ids.alphabetical": (list(tokens) == sorted(set(tokens)), {"tokens": len(tokens)}),
        "subjects.same_verbs": (subjects < 1e-12, {"largest difference": f"{subjects:.6g}"}),
        "verbs.same_objects": (verbs < 1e-12, {"largest difference": f"{verbs:.6g}"}),
        "the.more_successors_than_a": (
            len(after["the"]) > len(after["a"]),
            {"after the": len(after["the"]), "after a": len(after["a"])},
        ),
        "red.only_bus": (after["red"] == ("bus",), {"after red": " ".join(after["red"])}),
        "small.only_boat": (after["small"] == ("boat",), {"after small": " ".join(after["small"])}),
        "successors.all_occur": (seen == after, {"pairs": sum(map(len, after.values()))}),
        "entropy.exact_and_counted_agree": (
            max(map(abs, gaps.values())) < 0.01,
            {name: f"{gap:.4f}" for name, gap in gaps.items()},
        ),
    }
