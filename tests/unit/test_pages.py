"""Generated pages, read back with an HTML parser."""

import re

import pytest
import yaml
from lxml import html

from embedding_ledger.claims import EVIDENCE, VERDICTS
from embedding_ledger.files import write_text
from embedding_ledger.pages import (
    MADE,
    all_claims,
    artefact_table,
    claim_sections,
    corrections,
    count_table,
    gather,
    judged,
    made,
    variables,
    verdict_list,
    verdict_strip,
)
from embedding_ledger.stories import badge
from embedding_ledger.verdicts import Verdict

EVIL = "<script>alert('1')</script> & \"x\" {0} {id}"


def row(**changes):
    values = dict.fromkeys(Verdict.__dataclass_fields__, "") | {
        "id": "d7.a",
        "document": "007",
        "section": "Opening",
        "kind": "digits",
        "statement": "One and one are two.",
        "stated": "0.63",
        "measured": "0.6341",
        "verdict": "reproduced",
        "expected": "reproduced",
        "evidence": "computed",
        "artefact": "a/values.csv",
        "script": "scripts/measure.py",
    }
    return {**values, **changes}


def summary_of(*counts):
    """A summary whose n-th name of every group has the n-th counts."""
    none = dict.fromkeys(VERDICTS, 0)
    filled = [none | given for given in counts]
    pad = [none] * (len(EVIDENCE) - len(filled))
    return {
        "claims": sum(sum(given.values()) for given in counts),
        "verdicts": {name: sum(given[name] for given in filled) for name in VERDICTS},
        "documents": {f"00{n}": given for n, given in enumerate(filled)},
        "evidence": dict(zip(EVIDENCE, filled + pad, strict=True)),
    }


def parse(text):
    """Parse the raw blocks of generated Markdown as HTML."""
    blocks = re.findall(r"^```\{=html\}\n(.*?)^```\n", text, flags=re.DOTALL | re.MULTILINE)
    return html.fromstring(f"<body>{''.join(blocks)}</body>")


def texts(nodes):
    return [" ".join(node.text_content().split()) for node in nodes]


@pytest.mark.parametrize("made", [claim_sections, all_claims])
@pytest.mark.parametrize(
    "column", ["statement", "stated", "unit", "measured", "reason", "evidence"]
)
def test_markup_from_data_is_text(made, column):
    page = parse(made([row(**{column: EVIL})]))
    assert page.xpath("//script/@src") == ["assets/claims.js"] * (made is all_claims)
    assert EVIL in page.text_content()


@pytest.mark.parametrize("made", [claim_sections, all_claims])
def test_markup_from_data_is_text_in_attributes(made):
    page = parse(made([row(id='"><u>', script='s/"><u>.py', artefact='"><u>.csv', group='"><u>')]))
    assert not page.xpath("//u")
    assert page.xpath("//tbody//@id") == ['"><u>']


def test_every_claim_has_an_anchor():
    rows = [row(id=f"d7.a.{n}", section=f"Part {n // 2}") for n in range(5)]
    text = claim_sections(rows)
    page = parse(text)
    assert page.xpath("//tbody/tr/@id") == [r["id"] for r in rows]
    assert page.xpath("//td[1]/a/@href") == [f"claims.html#{r['id']}" for r in rows]
    assert re.findall(r"^## (.*)$", text, flags=re.MULTILINE) == ["Part 0", "Part 1", "Part 2"]
    assert [len(table.xpath(".//tbody/tr")) for table in page.xpath("//table")] == [2, 2, 1]


def test_cells_stand_under_their_heads():
    changes = {"unit": "%", "reason": "close", "verdict": "not pinned"}
    page = parse(claim_sections([row(**changes)]))
    shown = dict(zip(texts(page.xpath("//th")), texts(page.xpath("//td")), strict=True))
    assert shown == {
        "Claim": "One and one are two.",
        "Stated": "0.63 %",
        "Measured": "0.6341",
        "Verdict": "not pinned computed",
        "Reason, or the numbers behind it": "close",
    }


def test_claim_without_measurement_has_an_empty_cell():
    page = parse(claim_sections([row(measured="", script="")]))
    assert texts(page.xpath("//td"))[2] == ""


def test_all_claims_open_to_their_story():
    rows = [row(), row(id="d8.a", document="008", verdict="differs", group="g", evidence="given")]
    page = parse(all_claims(rows))
    lines = page.xpath("//tbody/tr")
    assert [dict(line.attrib) for line in lines] == [
        {f"data-{n}": r[n] for n in ("document", "verdict", "evidence", "group")} for r in rows
    ]
    assert page.xpath("//td/details/div[@class='story']/@id") == ["d7.a", "d8.a"]
    assert texts(page.xpath("//td/details/summary")) == [r["statement"] for r in rows]
    assert not page.xpath("//details/@open")
    heads = texts(page.xpath("//th"))
    cells = [texts(line.xpath("./td[not(@class)]")) for line in lines]
    assert [dict(zip(heads[1:], line, strict=True)) for line in cells] == [
        {"Document": r["document"], "Stated": "0.63", "Measured": "0.6341"}
        | {"Verdict": r["verdict"], "Evidence": r["evidence"]}
        for r in rows
    ]


def test_verdict_strip():
    rows = [row(), row(), row(verdict="not run")]
    page = parse(verdict_strip(rows, document="007", group="a b"))
    assert texts(page.xpath("//li")) == ["2 reproduced", "1 not run"]
    assert page.xpath("//a/@href") == [
        "claims.html?document=007&group=a%20b&verdict=reproduced",
        "claims.html?document=007&group=a%20b&verdict=not%20run",
    ]
    assert page.xpath("//div[@class='bar']/span/@style") == ["flex-grow:2", "flex-grow:1"]


def test_judged():
    (line,) = texts(parse(judged(row())).xpath("//p"))
    assert line == "stated 0.63 measured 0.6341 reproduced d7.a make number ID=d7.a"


@pytest.mark.parametrize(
    ("measured", "shown"),
    [
        ("0.6341", "0.6341"),
        ("0.634123456789", "0.634123"),
        ("-0.634123456789;12", "-0.634123; 12"),
        ("38597376", "38597376"),
        ("1.23456789e-09", "1.23457e-09"),
        ("cat;d.o.g.s.and.cats", "cat; d.o.g.s.and.cats"),
        ("nan", "nan"),
    ],
)
def test_measured_digits_are_shortened(measured, shown):
    page = parse(claim_sections([row(measured=measured)]))
    assert texts(page.xpath("//td"))[2] == shown


def test_range_is_shown():
    page = parse(claim_sections([row(spread_low="0.123456789", spread_high="0.9")]))
    assert texts(page.xpath("//span[@class='range']")) == ["0.123457 to 0.9"]


@pytest.mark.parametrize("name", VERDICTS)
def test_badge(name):
    label = html.fromstring(badge(name))
    assert label.text == name
    assert label.get("class").split() == ["verdict", name.replace(" ", "-")]


def test_heading_is_no_markup():
    text = claim_sections([row(section="a_b*c* <b>")])
    assert text.startswith("## a\\_b\\*c\\* \\<b\\>\n")


def test_fence_in_a_cell_stays_in_the_block():
    text = claim_sections([row(statement="Code:\n```\nx")])
    assert text.count("\n```\n") == 1


def test_count_table():
    summary = summary_of({"reproduced": 3, "differs": 1}, {"not run": 12})
    page = parse(count_table(summary, "documents", {"000": "000", "001": "001"}, "Document"))
    head, *lines = ([c.text_content() for c in line] for line in page.xpath("//tr"))
    assert [head] + [dict(zip(head, line, strict=True)) for line in lines] == [
        ["Document", *VERDICTS],
        {"Document": "000"} | dict.fromkeys(VERDICTS, "0") | {"reproduced": "3", "differs": "1"},
        {"Document": "001"} | dict.fromkeys(VERDICTS, "0") | {"not run": "12"},
    ]


def test_verdict_list():
    page = parse(verdict_list())
    assert dict(zip(texts(page.xpath("//dt")), texts(page.xpath("//dd")), strict=True)) == VERDICTS


def test_number_made_step_by_step():
    terms = [
        {"start": start, "offset": "1", "pair": pair, "angle": "1", "term": "0.5", "sum": pair}
        for start in ("10", "30")
        for pair in "12"
    ]
    claim = row(id=MADE, row="start=10;offset=1", stated="7.485")
    text = made([row(), claim], terms)
    assert "position 10 to position 11" in text and "states 7.485" in text
    page = parse(text)
    assert texts(page.xpath("//tbody/tr")) == ["1 1 0.5 1", "2 1 0.5 2"]
    assert page.xpath("//p//a/@href") == [f"claims.html#{MADE}"]
    assert made([row()], terms) == ""


def test_corrections_of_every_document():
    rows = [row(verdict="differs"), row(id="d8.a", document="008")]
    text = corrections(rows, {"007": "Document 007: a_b"})
    heads = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
    assert heads == ["Document 007: a\\_b", "Document 008"]
    assert parse(text).xpath("//li[@id]/@id") == ["d7.a"]
    assert text.count("Nothing to suggest.") == 1


def test_variables():
    rows = [row(id="d7.a.b", stated="−0.6"), row(id="d7.c", measured="", verdict="not run")]
    summary = summary_of({"reproduced": 3, "not run": 2}, {"reproduced": 1})
    found = variables(rows, summary)
    assert (
        found.items()
        >= {
            "claims": 6,
            "n-reproduced": 4,
            "n-not-run": 2,
            "n-not-checkable": 0,
            "n-reproduced-computed": 3,
            "n-reproduced-trained": 1,
            "n-reproduced-real-table": 0,
            "stated-d7-a-b": "−0.6",
            "measured-d7-a-b": "0.6341",
            "verdict-d7-a-b": "reproduced",
            "measured-d7-c": "not measured",
            "verdict-d7-c": "not run",
        }.items()
    )
    assert len(found) == 1 + len(VERDICTS) + len(EVIDENCE) + 3 * len(rows)


FINDINGS = """
question:
  heading: Asked
  versions: [{when: {d7.a: reproduced}, text: "Yes, {d7.a:measured}."}]
findings:
  - heading: Found
    versions: [{when: {d8.a: reproduced}, text: "It holds."}]
  - heading: Gone
    versions: [{when: {d8.a: differs}, text: "It does not."}]
"""


def test_gather(tmp_path):
    report, results, pages = (tmp_path / name for name in ("report", "results", "pages"))
    sources = {
        report / "index.qmd": "Home",
        report / "document-000.qmd": "---\ntitle: The first\n---\n",
        report / "document-001.qmd": "---\ntitle: The second\n---\n",
        report / "assets" / "a.css": "css",
        report / "_findings.yml": FINDINGS,
        results / "claims.csv": "claims",
        results / "sub" / "a.csv": "cells",
        results / "figures" / "dots.svg": "svg",
        tmp_path / "scripts" / "measure.py": "code",
        tmp_path / "shared" / "b.js": "js",
    }
    for path, text in sources.items():
        write_text(path, text)
    rows = [row(group="g"), row(id="d8.a", document="008", group="h")]
    gather(
        pages=pages,
        report=report,
        assets=[tmp_path / "shared" / "b.js"],
        results=results,
        rows=rows,
        summary=summary_of({"reproduced": 1}, {"reproduced": 1}),
        figures=[results / "figures" / "dots.svg"],
        artefacts=[results / "claims.csv", results / "sub" / "a.csv"],
        scripts=[tmp_path / "scripts" / "measure.py"],
        terms=[],
        renderer="the preview",
        explorer=[],
        tables={"numbers": artefact_table({"x": "Number"}, [{"x": "0.63412345", "y": "1"}])},
    )
    written = {path.relative_to(pages).as_posix() for path in pages.rglob("*") if path.is_file()}
    copied = {
        "index.qmd": "Home",
        "assets/a.css": "css",
        "assets/b.js": "js",
        "data/claims.csv": "claims",
        "data/sub/a.csv": "cells",
        "figures/dots.svg": "svg",
        "scripts/measure.py.txt": "code",
    }
    files = {"verdicts-007", "verdicts-008-h", "verdicts-all", "question", "findings"}
    files |= {"claims-007", "claims-008", "by-evidence", "by-document", "corrections", "verdicts"}
    assert written >= {*copied, "_variables.yml", *(f"_generated/{name}.md" for name in files)}
    assert {name: (pages / name).read_text() for name in copied} == copied
    for document, anchor in (("007", "d7.a"), ("008", "d8.a")):
        page = parse((pages / "_generated" / f"claims-{document}.md").read_text())
        assert page.xpath("//tr/@id") == [anchor]
    loaded = yaml.safe_load((pages / "_variables.yml").read_text(encoding="utf-8"))
    assert loaded == variables(rows, summary_of({"reproduced": 1}, {"reproduced": 1}))
    assert "Built by the preview." in (pages / "_generated" / "colophon.md").read_text()
    numbers = parse((pages / "_generated" / "numbers.md").read_text())
    assert texts(numbers.xpath("//tr")) == ["Number", "0.634123"]
    by_document = parse((pages / "_generated" / "by-document.md").read_text())
    assert texts(by_document.xpath("//tbody/tr")) == [
        "The first 1 0 0 0 0 0 0",
        "The second 1 0 0 0 0 0 0",
    ]
    by_evidence = parse((pages / "_generated" / "by-evidence.md").read_text())
    assert texts(by_evidence.xpath("//tbody/tr/th")) == list(EVIDENCE)
    shown = {name: (pages / "_generated" / f"{name}.md").read_text() for name in files}
    assert "Yes, 0.6341." in shown["question"]
    assert "It holds." in shown["findings"] and "Gone" not in shown["findings"]
