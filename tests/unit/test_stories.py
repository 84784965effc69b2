"""The story of a claim, read back with an HTML parser."""

import pytest
from lxml import html

from embedding_ledger.claims import KINDS
from embedding_ledger.stories import claim_link, filter_link, plots, story
from embedding_ledger.verdicts import Verdict


def row(**changes):
    values = dict.fromkeys(Verdict.__dataclass_fields__, "") | {
        "id": "d7.a",
        "document": "007",
        "section": "Opening",
        "statement": "One and one are two.",
        "stated": "0.63",
        "unit": "nats",
        "kind": "digits",
        "low": "0.625",
        "high": "0.635",
        "measured": "0.63412345678",
        "verdict": "reproduced",
        "evidence": "computed",
        "reason": "close",
        "artefact": "a/values.csv",
        "row": "x=1",
        "column": "y",
        "rule": "measure",
        "script": "scripts/measure.py",
        "registry": "claims/007.csv:2",
    }
    return values | changes


def lines(**changes):
    """The lines of a story as {term: text}."""
    page = html.fromstring(story(row(**changes)))
    terms, told = page.xpath(".//dt"), page.xpath(".//dd")
    return {
        term.text: " ".join(text.text_content().split())
        for term, text in zip(terms, told, strict=True)
    }


def test_story():
    assert lines() == {
        "Stated": "0.63 nats",
        "Interval": "0.625 to 0.635",
        "Agrees when": KINDS["digits"],
        "Measured": "0.63412345678",
        "Reason": "close",
        "Evidence": "computed",
        "Cell": "a/values.csv, row x=1, column y",
        "Made by": "rule measure, measure.py",
        "Make it again": "make number ID=d7.a",
        "Stands in": "document 007, Opening",
        "Registry": "claims/007.csv:2",
        "Address": "d7.a",
    }


def test_links_of_a_story():
    page = html.fromstring(story(row(restates="d7.b", correction="Write two.")))
    assert page.get("id") == "d7.a"
    assert page.xpath(".//a/@href") == [
        "authors.html#d7.a",
        "data/a/values.csv",
        "scripts/measure.py.txt",
        "claims.html#d7.b",
        "document-007.html#d7.a",
        "claims.html#d7.a",
    ]


def test_what_is_absent_is_left_out():
    told = lines(artefact="", script="", measured="", low="", high="", kind="none", reason="")
    assert not {"Interval", "Agrees when", "Measured", "Cell", "Made by"} & set(told)
    assert not {"Make it again", "Says the same", "Range", "Other side", "Suggestion"} & set(told)


def test_a_cell_that_was_not_made_is_no_link():
    page = html.fromstring(story(row(script="", measured="")))
    assert "a/values.csv" in page.text_content()
    assert not [href for href in page.xpath(".//a/@href") if href.startswith(("data", "scripts"))]


@pytest.mark.parametrize(
    ("changes", "term", "shown"),
    [
        ({"low": "3;2", "high": "3;4"}, "Interval", "3; 2 to 4"),
        ({"low": "", "high": "1"}, "Interval", "up to 1"),
        ({"low": "1", "high": ""}, "Interval", "from 1"),
        ({"spread_low": "0.1;2", "spread_high": "0.2;2"}, "Range", "0.1 to 0.2; 2"),
        ({"other_stated": "5", "other_section": "Recap"}, "Other side", "Recap: 5"),
    ],
)
def test_intervals(changes, term, shown):
    assert lines(**changes)[term] == shown


@pytest.mark.parametrize(
    ("changes", "labels"),
    [
        ({}, ["stated 0.63; measured 0.634123"]),
        ({"measured": "nan"}, []),
        ({"stated": "true", "measured": "true", "low": "", "high": ""}, []),
        ({"stated": "4", "measured": "4", "low": "4", "high": "4"}, []),
        ({"measured": ""}, []),
        ({"measured": "0.63;0.64"}, []),
        (
            {"spread_low": "0.1", "spread_high": "0.9"},
            ["stated 0.63; measured 0.634123, in a range from 0.1 to 0.9"],
        ),
        (
            {"stated": "1;2", "measured": "1;3", "low": "1;2", "high": "1;2"},
            ["stated 2; measured 3"],
        ),
        ({name: ";".join("12345") for name in ("stated", "measured", "low", "high")}, []),
    ],
)
def test_a_picture_for_each_number_that_has_one(changes, labels):
    drawn = html.fromstring(f"<div>{plots(row(**changes))}</div>")
    assert drawn.xpath(".//svg/@aria-label") == labels


def test_markup_from_data_is_text():
    evil = '<u>x</u> "&'
    page = html.fromstring(story(row(**dict.fromkeys(row(), evil) | {"kind": "digits"})))
    assert not page.xpath(".//u")
    assert page.get("id") == evil


def test_links():
    assert claim_link("d7.a", "<u>") == '<a href="claims.html#d7.a">&lt;u&gt;</a>'
    assert filter_link("all", words='a&b="') == '<a href="claims.html?words=a%26b%3D%22">all</a>'
