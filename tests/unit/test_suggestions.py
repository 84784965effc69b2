"""Suggestions to authors, worded from verdicts."""

import pytest
from lxml import html

from embedding_ledger.claims import VERDICTS
from embedding_ledger.suggestions import TOPICS, chosen, document_suggestions, suggestion, topic
from embedding_ledger.verdicts import Verdict


def row(**changes):
    values = dict.fromkeys(Verdict.__dataclass_fields__, "") | {
        "id": "d7.a",
        "document": "007",
        "section": "Opening",
        "statement": "One and one are two.",
        "stated": "6.21",
        "kind": "digits",
        "measured": "6.1234567",
        "verdict": "differs",
        "evidence": "computed",
        "reason": "far",
    }
    return values | changes


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("correction", ["", "Write two."])
def test_topics(name, correction):
    found = topic(row(verdict=name, correction=correction))
    asked = name in ("contradicted", "differs", "not pinned")
    assert found == (name if asked else "" if correction else None)
    assert found is None or found in TOPICS


@pytest.mark.parametrize(
    ("changes", "worded"),
    [
        ({}, "Print 6.12 instead of 6.21."),
        ({"correction": "Write two."}, "Write two."),
        ({"stated": "3,000", "measured": "3001"}, "Print 3001 instead of 3,000."),
        ({"stated": "\u22120.6", "measured": "-0.71"}, "Print \u22120.7 instead of \u22120.6."),
        ({"stated": "31 %", "measured": "30.2"}, "Print 30 instead of 31 %."),
        ({"stated": "6.21", "measured": "nan"}, "Print nan instead of 6.21."),
        ({"stated": "a;b;1.0", "measured": "a;c;1.02"}, "Print c instead of b."),
        ({"stated": "a;b", "measured": "a;b;c"}, "Print a, b, c instead of a, b."),
        # a value that rounds to the stated one all the same, outside a tolerance
        ({"stated": "0", "measured": "0.0551"}, "Print 0.0551 instead of 0."),
        (
            {"stated": "a;b;c", "measured": "b;c;d", "kind": "set"},
            "Print b, c, d instead of a, b, c.",
        ),
        (
            {"stated": "a;b", "measured": "b;a", "evidence": "trained"},
            "Say that a, b is the outcome of one run: ours gives b, a.",
        ),
        (
            {"kind": "truth", "stated": "true", "measured": "false", "evidence": "trained"},
            "Say for which data and which run it holds: in ours it does not.",
        ),
        (
            {"kind": "truth", "stated": "true", "measured": "false"},
            "Say when it holds, or leave it out: measured, it does not hold.",
        ),
        (
            {"spread_low": "0.1;2", "spread_high": "0.2;3", "stated": "0.5;9"},
            "Say which data and which run gave 0.5, 9: ours give 0.1 to 0.2 and 2 to 3.",
        ),
        (
            {"spread_low": "0.1", "spread_high": "0.2", "stated": "0.15", "verdict": "not pinned"},
            "Print the range, 0.1 to 0.2, or say which run gave 0.15.",
        ),
        (
            {"verdict": "contradicted", "other_stated": "6.12", "other_section": "Recap"},
            "Say the same in both places: here 6.21, under Recap 6.12; measured 6.1234567.",
        ),
    ],
)
def test_wording(changes, worded):
    assert suggestion(row(**changes)) == worded


def test_claims_that_say_the_same_are_listed_with_it():
    rows = [
        row(),
        row(id="d7.b", restates="d7.a", measured="6.2"),
        row(id="d7.c", restates="d7.a", correction="Another."),
        row(id="d7.d", verdict="reproduced"),
        row(id="d7.f"),
        row(id="d7.g", kind="truth"),
        row(id="d7.e", verdict="contradicted", restates="d7.a"),
    ]
    found = {
        name: [(first["id"], [r["id"] for r in again]) for first, again in listed]
        for name, listed in chosen(rows).items()
    }
    assert found == {
        "contradicted": [("d7.e", [])],
        "differs": [("d7.a", ["d7.b", "d7.f"]), ("d7.c", []), ("d7.g", [])],
    }


def test_page_of_a_document():
    rows = [
        row(),
        row(id="d7.b", restates="d7.a", section="Recap"),
        row(id="d7.c", verdict="contradicted", other_stated="2", other_section="Table", stated="1"),
        row(id="d7.d", verdict="not run", correction="Name it.", measured="", reason="absent"),
    ]
    page = html.fromstring(f"<div>{document_suggestions(rows)}</div>")
    assert page.xpath("//ul[@class='topics']/li/b/text()") == ["1", "1", "1"]
    assert page.xpath("//h3/text()") == [TOPICS["contradicted"], TOPICS["differs"], TOPICS[""]]
    items = {li.get("id"): li.text_content() for li in page.xpath("//li[@id]")}
    assert list(items) == ["d7.c", "d7.a", "d7.d"]
    assert "stated 1; Table 2; measured 6.12346" in items["d7.c"]
    assert "Said again: Recap." in items["d7.a"]
    assert "absent" not in items["d7.d"] and "far" in items["d7.a"]
    for link in page.xpath("//a/@href"):
        assert link.startswith("claims.html#d7.")


def test_nothing_to_suggest():
    assert "Nothing to suggest." in document_suggestions([row(verdict="reproduced")])


def test_markup_from_data_is_text():
    evil = "<u>x</u>"
    names = ("id", "section", "statement", "stated", "measured", "reason", "correction")
    page = html.fromstring(
        document_suggestions([row(**dict.fromkeys(names, evil))]).join(["<p>", ""])
    )
    assert not page.xpath("//u")
