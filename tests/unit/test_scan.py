"""Numerals of a page: all of them are found, each with its place, and matched with the registry."""

import html
from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedding_ledger import scan
from embedding_ledger.claims import read_claims
from embedding_ledger.errors import LedgerError
from embedding_ledger.numerals import parse_printed
from embedding_ledger.occurrences import (
    Occurrence,
    read_occurrences,
    waiting,
    write_occurrences,
)
from embedding_ledger.pagetext import page_text, read_page

SUFFIXES = ("", ".txt", ".md", ".qmd", ".html")
CLAIMS = [
    SimpleNamespace(id="d7.height", document="007"),
    SimpleNamespace(id="d7.age", document="007"),
    SimpleNamespace(id="d8.weight", document="008"),
]


def printed(text, suffix=""):
    return [numeral.numeral for numeral in scan.find_numerals(page_text(text, suffix))]


def numerals(text):
    return scan.find_numerals(page_text(text))


def register(text, *rows, document="007"):
    """Register a text's numerals; `rows`: claims (a tuple) or a reason for each, in order."""
    filled = []
    for numeral, row in zip(numerals(text), rows, strict=True):
        fields = {"reason": row} if isinstance(row, str) else {"claims": row}
        filled.append(
            Occurrence(document, numeral.numeral, numeral.before, numeral.after, **fields)
        )
    return filled


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("grew from 12,345 to 12 345", ["12,345", "12 345"]),
        ("8\u00a0192 8\u2009192 8\u202f192", ["8\u00a0192", "8\u2009192", "8\u202f192"]),
        ("is \u22120.25, -0.25 or +0.25", ["\u22120.25", "-0.25", "+0.25"]),
        ("31 %, 31% and 31.0\u00a0%", ["31 %", "31%", "31.0\u00a0%"]),
        ("at 1e-9, 2.5E+3, 1e\u22125", ["1e-9", "2.5E+3", "1e\u22125"]),
        ("half is .5 (or -.5)", [".5", "-.5"]),
        ("[3,0,-1]", ["3", "0", "-1"]),
        ("[0. 1. -0.5]", ["0", "1", "-0.5"]),
        ("pages 10-20, 3/4, 6:30", ["10", "20", "3", "4", "6", "30"]),
        ("on 2031-05-07", ["2031", "05", "07"]),
        ("T5-small, int8, R2D2Model, layer_12, 3i+1", ["5", "8", "2", "2", "12", "3", "1"]),
        ("version 2.15.0.", ["2.15.0"]),
        ("plate V.7 and f'{x:.3f}'", ["7", "3"]),
        ("1,23 and 0,500", ["1", "23", "0", "500"]),
        ("1234,567", ["1234", "567"]),
        ("12 3456 789", ["12", "3456", "789"]),
        ("10^-9", ["10", "-9"]),
        ("x²+y² is ½", []),
        ("", []),
    ],
)
def test_what_counts_as_a_numeral(text, expected):
    assert printed(text) == expected


SIGNS = st.sampled_from(["", "+", "-", "\u2212"])
GROUPS = st.sampled_from(["", ",", " ", "\u00a0", "\u2009", "\u202f"])
NUMBERS = st.builds(
    lambda sign, integer, group, fraction, power, end: (
        f"{sign}{integer:,}".replace(",", group)
        + (f".{fraction}" if fraction else "")
        + ("" if power is None else f"e{power}")
        + end
    ),
    SIGNS,
    st.integers(0, 10**12),
    GROUPS,
    st.text("0123456789", max_size=6),
    st.none() | st.integers(-30, 30),
    st.sampled_from(["", "%", " %", "\u00a0%"]),
)
WORDS = st.text(st.characters(categories=["Ll", "Lu"]), min_size=1, max_size=8)
AROUND = st.sampled_from([("", ""), ("(", ")"), ("[", "]"), ('"', '"'), ("$", "$"), ("= ", ",")])


@given(st.lists(st.tuples(WORDS, NUMBERS, AROUND), min_size=1, max_size=8), st.booleans())
def test_every_printed_number_is_found(items, lines):
    """Also: whatever is found is a number that the registry's parser reads."""
    space = "\n" if lines else " "
    text = space.join(f"{word} {a}{number}{b}" for word, number, (a, b) in items)
    expected = [number for _, number, _ in items]
    assert printed(text) == expected
    assert all(parse_printed(numeral) for numeral in expected)
    page = f"<p>{html.escape(text)}</p>"
    assert printed(page, ".html") == expected


TEXTS = st.text() | st.text(st.sampled_from("0123456789.,-+%eE \n`~#*_[](){}<>!&;/a:|$\\'\"="))


@given(TEXTS, st.sampled_from(SUFFIXES))
def test_any_text_can_be_scanned(text, suffix):
    """Whatever the text, each numeral stands where it is said to stand."""
    lines = text.split("\n")
    try:
        page = page_text(text, suffix)
    except LedgerError:  # a declaration that HTML does not know
        assert suffix == ".html" and "<![" in text
        return
    assert len(page.text) == len(page.offsets)
    for numeral in scan.find_numerals(page):
        rest = lines[numeral.line - 1][numeral.column - 1 :]
        assert rest[0] == numeral.numeral[0] or rest[0] == "&"
    assert len(scan.match_page("007", scan.find_numerals(page), []).unregistered) == len(
        scan.find_numerals(page)
    )


def test_declaration_that_html_does_not_know(tmp_path):
    """Some versions of the parser skip it, others refuse it; neither is a traceback."""
    page = tmp_path / "page.html"
    page.write_text("<p>5</p><![odd[ x ]]>")
    try:
        assert scan.find_numerals(read_page(page))[0].numeral == "5"
    except LedgerError as error:
        (fault,) = error.faults
        assert fault.startswith(f"{page}: not HTML")


def test_page_that_cannot_be_read(tmp_path):
    page = tmp_path / "page.md"
    with pytest.raises(LedgerError, match="No such file"):
        read_page(page)
    page.write_bytes("5 Türme".encode("latin-1"))
    with pytest.raises(LedgerError, match="not UTF-8"):
        read_page(page)
    page.write_bytes(b"5 towers\0")
    with pytest.raises(LedgerError, match=r"page\.md: not text"):
        read_page(page)


@pytest.mark.parametrize("name", ["page.docx", "page.PDF", "page.ipynb"])
def test_kind_of_file_that_is_not_read(tmp_path, name):
    page = tmp_path / name
    page.write_text("5 towers")
    with pytest.raises(
        LedgerError, match=rf"{name}: \.\w+ is no kind of file that is read \(\.txt"
    ):
        read_page(page)


def test_places_are_lines_and_columns_of_the_file():
    found = numerals("a 5\n\n  −6.5 % b 7")
    assert [(n.line, n.column) for n in found] == [(1, 3), (3, 3), (3, 12)]
    page = page_text("<p>mass\n<b>12</b>&nbsp;345 and &#54;<br>7", ".html")
    found = scan.find_numerals(page)
    assert [(n.numeral, n.line, n.column) for n in found] == [
        ("12\u00a0345", 2, 4),
        ("6", 2, 24),
        ("7", 2, 33),
    ]


MARKDOWN = """---
title: Towers of 1987
---

# Towers {#sec-44 .wide data-size=45}

The **tall** tower has [412 steps](https://example.org/9/8?x=7 "77") and \u22123 cellars.<!-- 55 -->
See <https://example.org/66> or [the list][list]{.note}, `steps[2]`, {{< var size.33 >}}.
<img src="tower-22.png" width="21"> <span class="c4">19 doors</span>

| floor | lamps |
|------:|:-----:|
| 1     | 0.50  |

```{python}
height(3, "~~~") # {#6}
```

[list]: https://example.org/88
"""
HTML = """<!DOCTYPE html><html><head><title>Towers of 1987</title><style>p { margin: 44px }</style>
<script>var x = 45;</script></head><body id="b77">
<p class="w9">The <b>tall</b> tower has <a href="/9/8">412 steps</a> and &minus;3 cellars.
<!-- 55 --> See <code>steps[2]</code>,</p><template>7</template>
<span style="width: 3px">19 doors</span>
<table><tr><td>1</td><td>0.50</td></tr></table>
<pre>height(3, "~~~") # {#6}</pre>
<math><mn>12</mn><annotation>12</annotation></math>
</body></html>
"""


@pytest.mark.parametrize(
    ("text", "suffixes", "expected"),
    [
        (MARKDOWN, (".md", ".qmd", ".MD"), "412 \u22123 2 19 1 0.50 3 6"),
        (HTML, (".html", ".htm"), "412 \u22123 2 19 1 0.50 3 6 12"),
    ],
)
def test_only_what_is_printed_counts(text, suffixes, expected):
    for suffix in suffixes:
        assert printed(text, suffix) == expected.split()


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        ("5<br>600", ".html"),
        ("<td>5</td><td>600</td>", ".html"),
        ("5<sup>600</sup>", ".html"),
        ("5<br>600", ".md"),
        ("5<!-- -->600", ".md"),
    ],
)
def test_what_markup_parts_stays_apart(text, suffix):
    assert printed(text, suffix) == ["5", "600"]


def test_markdown_that_is_no_markup_stays():
    text = "if a <b 5 and c> 6, then {7} or `x` 8 `y` ]( 9\n\n```\n10\n"
    assert printed(text, ".md") == ["5", "6", "7", "8", "9", "10"]


def words(numeral):
    return numeral.before, numeral.after


def test_context_is_words_not_punctuation_nor_format():
    plain = numerals("the tall tower has 412 steps, and a roof")[0]
    for text, suffix in [
        ("The tall TOWER –\nhas **412** _steps_ and", ".md"),
        ("a tower&nbsp;has <b>412</b><br>steps and", ".html"),
    ]:
        (other,) = scan.find_numerals(page_text(text, suffix))
        assert words(other) == words(plain)
    for text in (
        "tower had 412 steps and",
        "house has 412 steps and",
        "tower has 412 steps or",
        "has tower 412 steps and",
    ):
        assert words(numerals(text)[0]) != words(plain)
    assert words(numerals("one two 5 three")[0]) != words(numerals("one 5 two three")[0])
    one_side = numerals("tower has 412 lamps, no")[0]
    assert one_side.before == plain.before and one_side.after != plain.after


PAGE = (
    "The old tower is 41 metres high. It was built in 1987 on rock. "
    "Its height, 41 metres, is known."
)
ROWS = (("d7.height",), ("d7.age",), ("d7.height",))


def test_unchanged_page_is_registered():
    result = scan.match_page("007", numerals(PAGE), register(PAGE, *ROWS))
    assert [match.how for match in result.matches] == ["same"] * 3
    assert (result.unregistered, result.gone, result.claims_not_found) == ([], [], [])


def test_planted_number_is_unregistered():
    changed = PAGE.replace("on rock", "on rock 12 centuries old")
    result = scan.match_page("007", numerals(changed), register(PAGE, *ROWS))
    (planted,) = result.unregistered
    assert (planted.found.numeral, planted.how) == ("12", "unregistered")
    assert (planted.found.line, planted.found.column) == (1, changed.index("12 cent") + 1)
    assert result.gone == []


def test_changed_number_is_unregistered_and_gone():
    result = scan.match_page("007", numerals(PAGE.replace("1987", "1978")), register(PAGE, *ROWS))
    assert [match.found.numeral for match in result.unregistered] == ["1978"]
    assert [occurrence.numeral for occurrence in result.gone] == ["1987"]
    assert result.claims_not_found == ["d7.age"]


def test_claim_is_found_while_one_of_its_numerals_is():
    result = scan.match_page(
        "007", numerals(PAGE.replace("41 metres high", "high")), register(PAGE, *ROWS)
    )
    assert [occurrence.numeral for occurrence in result.gone] == ["41"]
    assert result.claims_not_found == []
    nothing = scan.match_page("007", [], register(PAGE, *ROWS))
    assert nothing.claims_not_found == ["d7.age", "d7.height"]


def test_moved_words_still_match():
    changed = "In 1987 it rose. " + PAGE.replace("It was built in 1987 on rock.", "")
    result = scan.match_page("007", numerals(changed), register(PAGE, *ROWS))
    assert [(m.found.numeral, m.how, m.occurrence.claims) for m in result.matches] == [
        ("1987", "moved", ("d7.age",)),
        ("41", "same", ("d7.height",)),
        ("41", "same", ("d7.height",)),
    ]
    assert (result.unregistered, result.gone) == ([], [])


def test_same_words_win_over_order_of_appearance():
    page = "alpha beta 512 gamma delta; one two 512 three four"
    registered = register(page, ("d7.age",), ("d7.height",))
    turned = "one two 512 three four; x 512 y"
    result = scan.match_page("007", numerals(turned), registered)
    assert [m.occurrence.claims for m in result.matches] == [("d7.height",), ("d7.age",)]
    assert [m.how for m in result.matches][1] == "moved"


def test_equal_occurrences_match_in_order():
    page = "end row 0 end row 0 end row 0 end row"
    registered = register(page, ("d7.age",), "a reason", ("d7.height",))
    assert len({words(occurrence) for occurrence in registered}) == 1
    result = scan.match_page("007", numerals(page), registered)
    assert [m.occurrence for m in result.matches] == registered
    assert result.gone == []


def test_kinds_of_minus_and_space_are_alike():
    registered = register("is −3 or 8\u2009192 x", ("d7.age",), ("d7.age",))
    result = scan.match_page("007", numerals("is -3 or 8 192 x"), registered)
    assert [match.how for match in result.matches] == ["same", "same"]


def test_row_that_waits_for_its_author_is_unregistered():
    registered = register("a 5 b", ())
    result = scan.match_page("007", numerals("a 5 b"), registered)
    assert (len(result.unregistered), result.gone) == (1, [])


def test_document_that_fits_best():
    other = "A bridge of 41 tonnes, of 41 parts, 41 bolts and 3 owners"
    registered = register(PAGE, *ROWS) + register(other, *[("d8.weight",)] * 4, document="008")
    assert scan.scan_page(numerals(PAGE), registered).document == "007"
    assert scan.scan_page(numerals(other), registered).document == "008"
    # the same words outweigh more numerals that merely occur
    mixed = "built in 1987 on rock; 41, 41, 41, 3"
    assert scan.scan_page(numerals(mixed), registered).document == "007"
    assert scan.scan_page(numerals(mixed), registered, "008").document == "008"
    with pytest.raises(LedgerError, match="--document"):
        scan.scan_page(numerals("99 balloons"), registered)
    with pytest.raises(LedgerError, match="--document"):
        scan.scan_page(numerals("5"), [])
    assert scan.scan_page([], registered) == scan.Scan("", [], [])


def test_small_integer_moves_only_with_its_words():
    """A namesake among other words is no match; the same words on one side are."""
    registered = register("one two 5 three four, six 51.2 seven", ("d7.age",), ("d7.height",))
    for text, how in [
        ("one two 5 balloons fly", ["moved"]),
        ("some balloons 5 three four", ["moved"]),
        ("some balloons 5 fly high", ["unregistered"]),
        ("some balloons 51.2 fly high", ["moved"]),
    ]:
        assert [m.how for m in scan.match_page("007", numerals(text), registered).matches] == how


def test_words_on_one_side_win_over_order_of_appearance():
    registered = register("a b 512 c d, e f 512 g h", ("d7.age",), ("d7.height",))
    result = scan.match_page("007", numerals("e f 512 x, y 512 z"), registered)
    assert [m.occurrence.claims for m in result.matches] == [("d7.height",), ("d7.age",)]


def test_number_of_another_document_is_told():
    other = register("weighs about 73.5 tonnes in all", ("d8.weight",), document="008")
    registered = register(PAGE, *ROWS) + other + register("x 9 y", ("d8.weight",), document="008")
    page = PAGE + " Some 73.5 and 9 and 44.1."
    result = scan.scan_page(numerals(page), registered, "007")
    assert [m.elsewhere for m in result.matches[-3:]] == [tuple(other), (), ()]
    lines = scan.as_lines(result)
    assert lines[3].endswith("  unregistered; document 008: d8.weight")
    assert lines[4].endswith("  unregistered")
    record = scan.as_record(result)["numerals"][3]
    assert record["elsewhere"] == {"008": ["d8.weight"]}


def test_long_lists_of_what_is_gone_are_cut():
    text = " ".join(f"word{chr(97 + n)} {n}.25" for n in range(15))
    registered = register(text, *[("d7.age",)] * 14, ("d7.height",))
    result = scan.match_page("007", numerals("worda 0.25"), registered)
    lines = scan.as_lines(result)
    assert sum(line.split()[0] == "gone" for line in lines) == 10
    assert any("and 4 more; --all lists them" in line for line in lines)
    assert "most of document 007 is gone: the page looks like a part of it" in lines
    full = scan.as_lines(result, everything=True)
    assert sum(line.split()[0] == "gone" for line in full) == 14
    whole = scan.match_page("007", numerals(text), registered)
    assert not any("looks like a part" in line for line in scan.as_lines(whole))


def claim(stated, unit=""):
    return SimpleNamespace(id="d7.new", document="007", stated=stated, unit=unit)


LONG = "one two 512 three four, five six 640 seven eight, nine ten 768 end"


def test_a_claim_gets_its_numeral_on_a_part_of_the_page():
    """The row stands where the page has it, all others stay, whatever the part leaves out."""
    before = register(LONG, ("d7.age",), ("d7.height",), ("d7.age",))
    other = register("9 kg", ("d8.weight",), document="008")
    part = numerals("five six 640 seven eight, wide 3.5 metres, and 3.5 more")
    result = scan.scan_page(part, [*before, *other], "007")
    rows, (given,) = scan.with_claim(result, [*before, *other], claim("3.5"))
    assert given == part[1]
    assert rows[:2] == before[:2] and rows[3:] == [before[2], *other]
    assert (rows[2].document, rows[2].numeral, rows[2].claims) == ("007", "3.5", ("d7.new",))
    again = scan.scan_page(part, rows, "007")
    assert [m.how for m in again.matches] == ["same", "same", "unregistered"]


def test_row_of_a_claim_before_what_follows_or_at_the_end():
    before = register(LONG, ("d7.age",), ("d7.height",), ("d7.age",))
    for text, place in [("high 3.5; five six 640 seven eight", 1), ("high 3.5", 3)]:
        result = scan.scan_page(numerals(text), before, "007")
        rows, _ = scan.with_claim(result, before, claim("3.5"))
        assert [row.claims for row in rows].index(("d7.new",)) == place


def test_row_that_waits_gets_the_claim():
    before = register("a 3.5 b", ())
    rows, _ = scan.with_claim(scan.scan_page(numerals("a 3.5 b"), before), before, claim("3.5"))
    assert [row.claims for row in rows] == [("d7.new",)]


@pytest.mark.parametrize(
    ("stated", "unit", "columns"),
    [
        ("31", "", [4]),
        ("31", "%", [13]),
        ("31 %", "", [13]),
        ("1,024;31", "", [22, 4]),
        ("< 1,024", "", [22]),
        ("31;31", "%", [13, 32]),
    ],
)
def test_numerals_that_a_claim_states(stated, unit, columns):
    result = scan.scan_page(numerals("of 31 lamps 31 % and 1,024 and 31%"), [], "007")
    rows, given = scan.with_claim(result, [], claim(stated, unit))
    assert [numeral.column for numeral in given] == columns
    assert len(rows) == len(columns)


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ("41", "41 is registered already: 1:18  41  d7.height; 1:76  41  d7.height"),
        ("7.5", "7.5 is not on the page"),
        ("true", "the stated 'true' holds no numeral"),
    ],
)
def test_no_numeral_for_a_claim(stated, told):
    registered = register(PAGE, *ROWS)
    with pytest.raises(LedgerError) as caught:
        scan.with_claim(
            scan.scan_page(numerals(PAGE), registered, "007"), registered, claim(stated)
        )
    assert told in str(caught.value)


def test_rows_that_wait_are_named():
    registered = register("a 5 b 77 c", ("d7.age",), ())
    assert waiting("n.csv", registered) == ["n.csv:3: document 007, 77"]


def test_registering_anew_keeps_what_is_known(tmp_path):
    other = register("9 kg", ("d8.weight",), document="008")
    changed = "Since 1066: " + PAGE.replace("built in 1987", "built long ago")
    registered = [*other, *register(PAGE, ("d7.height",), "a year", ("d7.height",))]
    anew = scan.registered_anew(scan.scan_page(numerals(changed), registered, "007"), registered)
    path = tmp_path / "numerals.csv"
    write_occurrences(path, anew)
    back = read_occurrences(path, CLAIMS)
    assert [(o.document, o.numeral, o.claims, o.reason) for o in back] == [
        ("007", "1066", (), ""),
        ("007", "41", ("d7.height",), ""),
        ("007", "41", ("d7.height",), ""),
        ("008", "9", ("d8.weight",), ""),
    ]
    again = scan.scan_page(numerals(changed), back, "007")
    assert [match.how for match in again.matches] == ["same"] * 3
    assert [match.found.numeral for match in again.unregistered] == ["1066"]


def test_lines_tell_each_numeral_and_what_is_missing():
    registered = register(PAGE, ("d7.height",), ("d7.age",), "said before")
    changed = PAGE.replace("1987", "1978")
    lines = scan.as_lines(scan.match_page("007", numerals(changed), registered))
    assert [line.split() for line in lines[:4]] == [
        ["1:18", "41", "d7.height"],
        ["1:50", "1978", "unregistered"],
        ["1:76", "41", "no", "claim:", "said", "before"],
        ["gone", "1987", "d7.age"],
    ]
    assert lines[4] == "no longer found: claim d7.age"
    assert lines[5].startswith("3 numerals: 2 registered (0 moved), 1 unregistered; 1 gone, 1 ")


def test_every_fault_of_the_registry_of_numerals_at_once(tmp_path):
    path = tmp_path / "numerals.csv"
    path.write_text(
        "document,numeral,before,after,claims,reason\n"
        "007,41,0123abcd,0123abcd,d7.height;d7.age,\n"
        "009,41,0123abcd,0123abcd,d7.age,\n"
        "007,,0123abcd,0123abcd,d7.age,\n"
        "007,41,0123abcd,0123ABCD,d7.age,\n"
        "007,41,0123abcd,0123abcd,d7.heigth,\n"
        "007,41,0123abcd,0123abcd,d8.weight,\n"
        "007,41,0123abcd,0123abcd,d7.age,both\n"
        "007,41,0123abcd,0123abcd,,\n"
    )
    with pytest.raises(LedgerError) as caught:
        read_occurrences(path, CLAIMS)
    assert caught.value.faults == [
        f"{path}:3: column 'document': '009' is not one of 007, 008",
        f"{path}:4: column 'numeral': empty",
        f"{path}:5: column 'after': '0123ABCD' is not 8 hexadecimal digits",
        f"{path}:6: column 'claims': no claim 'd7.heigth' (did you mean 'd7.height'?)",
        f"{path}:7: column 'claims': 'd8.weight' is a claim of document 008",
        f"{path}:8: columns 'claims' and 'reason': give one of them",
    ]
    path.write_text("document,numeral,words,claims,reason\n")
    with pytest.raises(LedgerError, match="the columns are document,numeral,words"):
        read_occurrences(path, CLAIMS)


def test_real_registry_of_numerals(project):
    """Every row has claims or a reason, every claim exists, every document is there."""
    claims = read_claims(sorted(project.glob("claims/[0-9]*.csv")))
    rows = read_occurrences(project / "claims" / "numerals.csv", claims)
    counts = Counter(row.document for row in rows)
    assert set(counts) == {claim.document for claim in claims}
    waits = waiting("claims/numerals.csv", rows)
    assert not waits, "\n".join(["give each a claim or a reason:", *waits])
    assert [row.document for row in rows] == sorted(row.document for row in rows)
    for row in rows:
        assert printed(row.numeral) == [row.numeral]
