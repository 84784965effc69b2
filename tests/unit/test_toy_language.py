"""What is said of the candidate grammars, against plain counting."""

import itertools

import pytest

from embedding_ledger import grammar as g
from embedding_ledger import toy_language as t
from embedding_ledger.config import load
from embedding_ledger.errors import LedgerError

TOY = load()["toy_language"]
ROWS = [dict(zip(t.CANDIDATE_COLUMNS, row, strict=True)) for row in t.candidates(TOY)]


def test_counts_are_those_of_the_two_parts():
    grammar = t.default_grammar(TOY)
    tokens = g.vocabulary(grammar)
    stream = g.corpus(grammar, TOY["sentences"], 3)
    cut = int(0.9 * len(stream))
    for part, counts in zip((stream[:cut], stream[cut:]), t.counted(grammar, TOY, 3), strict=True):
        pairs = list(itertools.pairwise(part.tolist()))
        assert counts.sum() == len(pairs)
        for first, second in (("the", "cat"), ("red", "bus"), (".", "a")):
            pair = tokens.index(first), tokens.index(second)
            assert counts[pair] == pairs.count(pair)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["grammar"])
def test_every_candidate_fits_what_the_page_fixes(row):
    assert row["vocabulary"] == 34
    assert abs(row["exact_entropy"] - 1.161) < 0.004
    assert row["id_cat"] >= 8
    assert len(row["words_the_page_does_not_name"].split(", ")) == 4


def test_unknown_default_is_named():
    with pytest.raises(LedgerError, match="no grammar 'F9' among F1, F2, F3, F4"):
        t.default_grammar(TOY | {"default": "F9"})


def test_roles_cover_the_vocabulary():
    grammar = t.default_grammar(TOY)
    role = t.role_of(grammar)
    assert tuple(role) == g.vocabulary(grammar)
    assert [word for word, name in role.items() if name == "other"] == [".", "a", "at", "the"]
    assert sum(map(len, t.families(grammar).values())) == 8 + 6 + 6 + 6


def test_successors_are_distributions():
    rows = t.successors(TOY)
    for name in TOY["grammars"]:
        by_token = {}
        for grammar, token, _, probability, count in rows:
            if grammar == name:
                by_token.setdefault(token, []).append(probability)
                assert count > 0
        assert len(by_token) == 34
        assert all(sum(shares) == pytest.approx(1) for shares in by_token.values())


def test_truths_turn_with_the_grammar():
    assert all(holds for holds, _ in t.truths(TOY).values())
    objects = ["the red ball", "a red bus", "a small boat", "a fish", "a small fish"]
    changed = TOY["grammars"]["F4"] | {"objects": objects, "verbs": ["saw", "at"]}
    toy = TOY | {"grammars": {"F4": changed}}
    found = {statement: holds for statement, (holds, _) in t.truths(toy).items()}
    assert not found["red.only_bus"]
    assert not found["small.only_boat"]
    assert not found["verbs.same_objects"]
