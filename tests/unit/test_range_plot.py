"""The small picture of a number: where things stand on its one scale."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lxml import html

from embedding_ledger.range_plot import MARGIN, PADDING, WIDTH, draw, places

numbers = st.integers(-(10**6), 10**6).map(lambda n: n / 1000)


def cells(*values):
    return [repr(value) for value in values]


@given(st.lists(numbers, min_size=5, max_size=5))
def test_one_scale_for_all(values):
    """Distances on the picture are as the distances of the numbers, all with one factor."""
    low, high, spread_low, spread_high = sorted(values[:4])
    assume(len({*values}) > 1)
    found = places(*cells(low, high, values[4], spread_low, spread_high))
    drawn = [*found.stated, found.measured, *found.spread]
    given_numbers = [low, high, values[4], spread_low, spread_high]
    width = (max(given_numbers) - min(given_numbers)) * (1 + 2 * PADDING)
    expected = [(v - given_numbers[0]) / width for v in given_numbers]
    assert [d - drawn[0] for d in drawn] == pytest.approx(expected, abs=1e-9)
    assert all(0 < place < 1 for place in drawn)
    (first, low_text), (last, high_text) = found.ends
    assert (float(low_text), float(high_text)) == (min(given_numbers), max(given_numbers))
    assert first == pytest.approx(min(drawn)) and last == pytest.approx(max(drawn))


def test_ends_of_the_scale_leave_equal_room():
    found = places("1", "3", "2")
    assert found.stated[0] == pytest.approx(1 - found.stated[1])
    assert found.measured == pytest.approx(0.5)
    assert found.spread is None


@pytest.mark.parametrize(
    "given_cells",
    [
        ("0.6", "0.7", "nan"),
        ("0.6", "0.7", "inf"),
        ("0.6", "0.7", "-inf"),
        ("0.6", "0.7", ""),
        ("0.6", "0.7", "queen"),
        ("low", "0.7", "0.65"),
        ("0.6", "0.7", "0.65", "nan", "1"),
        ("", "", "0.65"),
        ("", "", ""),
        ("4", "4", "4"),
        ("4", "4", "4.0", "4", "4"),
    ],
)
def test_nothing_to_draw(given_cells):
    assert places(*given_cells) is None


def test_equal_ends_with_another_measured_value():
    found = places("4", "4", "8")
    assert found.stated[0] == found.stated[1] < found.measured
    assert [text for _, text in found.ends] == ["4", "8"]


def test_open_intervals_reach_the_end_of_the_scale():
    assert places("", "1", "0.63").stated[0] == 0
    assert places("1", "", "0.63").stated[1] == 1


def test_picture_in_words_and_in_place():
    found = places("1", "3", "2", "0", "4")
    (svg,) = html.fragments_fromstring(draw(found, 'stated 2 <b>"x"</b>'))
    assert svg.get("aria-label") == 'stated 2 <b>"x"</b>'
    assert svg.get("role") == "img"
    assert not svg.xpath(".//b")
    dot = float(svg.xpath(".//circle/@cx")[0])
    assert dot == pytest.approx(WIDTH / 2)
    box = svg.xpath(".//rect")[0]
    left, width = float(box.get("x")), float(box.get("width"))
    assert left + width / 2 == pytest.approx(dot, abs=0.1)
    inner = WIDTH - 2 * MARGIN
    assert width == pytest.approx(inner * 2 / (4 * (1 + 2 * PADDING)), abs=0.2)
    assert svg.xpath(".//text/text()") == ["0", "4"]


def test_a_point_is_wide_enough_to_see():
    (svg,) = html.fragments_fromstring(draw(places("4", "4", "8"), "told"))
    assert float(svg.xpath(".//rect/@width")[0]) == 2
