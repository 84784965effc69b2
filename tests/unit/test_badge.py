"""The badge: its counts are those of the summary, and its parts stand side by side."""

from lxml import etree

from embedding_ledger.badge import badge
from embedding_ledger.claims import VERDICTS

SUMMARY = {"verdicts": dict.fromkeys(VERDICTS, 0)}
SUMMARY["verdicts"] |= {"reproduced": 12, "differs": 3, "contradicted": 2}


def test_counts():
    svg = etree.fromstring(badge(SUMMARY))
    assert svg.get("aria-label") == svg[0].text == "claims: 12 reproduced, 5 differ"
    assert [text.text for text in svg.iter("{*}text")] == ["claims", "12 reproduced", "5 differ"]


def test_parts_fill_the_badge():
    svg = etree.fromstring(badge(SUMMARY))
    end = 0
    for part in svg.iter("{*}rect"):
        assert int(part.get("x")) == end
        end += int(part.get("width"))
    assert int(svg.get("width")) == end
