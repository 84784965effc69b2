"""What the front page shows of published tables and of our own small model."""

import re

from lxml import html

from embedding_ledger.files import write_csv
from embedding_ledger.table_pages import MICRO_PAIRS, PAIRS, Shown, micro_pairs, pairs
from embedding_ledger.verdicts import Verdict


def row(name, **changes):
    values = dict.fromkeys(Verdict.__dataclass_fields__, "")
    return values | {"id": name, "stated": "0.63", "verdict": "not run"} | changes


def shown(folder, cosines):
    """The published tables GPT-2, absent, and others with these cosines of the first pair."""
    sources = [("gpt2", "GPT-2", "false"), *((n, n.upper(), "true") for n in cosines)]
    write_csv(folder / "sources.csv", ("table", "title", "here"), sources)
    for name, cosine in cosines.items():
        lines = [(*pair, cosine) for pair in PAIRS.values()]
        write_csv(folder / "tables" / name / "cosines.csv", ("a", "b", "cosine"), lines)
    return Shown(folder / "sources.csv", folder)


def cells(text):
    (table,) = html.fromstring(f"<div>{text}</div>").xpath("//table")
    lines = [line.xpath("./*") for line in table.xpath(".//tr")]
    return [[" ".join(cell.text_content().split()) for cell in line] for line in lines]


def test_pairs_in_every_table(tmp_path):
    text = pairs(shown(tmp_path, {"one": "0.51", "two": "0.8031"}), [row(name) for name in PAIRS])
    assert cells(text) == [
        ["Table", "Paris, France", "Paris, banana"],
        ["GPT-2, stated", "0.63", "0.63"],
        ["GPT-2, here", "not run", "not run"],
        ["ONE", "0.510", "0.510"],
        ["TWO", "0.803", "0.803"],
    ]
    assert "belongs to its table" in text
    assert re.findall(r'href="([^"]+)"', text) == [f"claims.html#{name}" for name in PAIRS]


def test_measured_gpt2_stands_beside_its_verdict(tmp_path):
    rows = [row(name, measured="0.6341", verdict="reproduced") for name in PAIRS]
    assert cells(pairs(shown(tmp_path, {}), rows))[2][1] == "0.6341 reproduced"


def test_one_table_shows_no_difference(tmp_path):
    rows = [row(name) for name in PAIRS]
    assert "belongs to its table" not in pairs(shown(tmp_path, {"one": "0.5"}), rows)
    lacking = shown(tmp_path, {"one": "0.5", "two": "0.6"})
    write_csv(tmp_path / "tables/two/cosines.csv", ("a", "b", "cosine"), [])
    assert "belongs to its table" not in pairs(lacking, rows)
    text = pairs(shown(tmp_path, {}), rows)
    assert "other tables" not in text and len(cells(text)) == 3


def test_pairs_of_the_small_model():
    rows = [row(name, measured="0.5", spread_low="0.4", spread_high="0.6") for name in MICRO_PAIRS]
    head, *lines = cells(micro_pairs(rows[::-1]))
    assert head == ["Pair", "Stated", "Ours, and its range"]
    assert lines == [[pair, "0.63", "0.5 0.4 to 0.6 not run"] for pair in MICRO_PAIRS.values()]


def test_without_their_claims_there_is_nothing_to_show(tmp_path):
    assert pairs(shown(tmp_path, {"one": "0.5"}), []) == ""
    assert micro_pairs([row("d7.a")]) == ""
