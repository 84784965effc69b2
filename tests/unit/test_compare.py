"""Comparisons against their definitions, decided with exact fractions and decimal rounding."""

import operator
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedding_ledger.compare import COMPARISONS, by_bound, overlaps, parse_bound, range_width

BAD_CELLS = ["nan", "NaN", "-nan", "sNaN", "inf", "-inf", "", " ", "abc", "None", "1,5", "0x1"]
# for every kind the widest that it can state, so that only the cell itself can fail
WIDEST = [
    ("digits", "0e300;0e300", ""),
    ("tolerance", "0;0", "1e300"),
    ("list", "0e300;0e300", ""),
    ("set", "0;1", ""),
    ("ordering", "1;1", ""),
    ("truth", "true", ""),
    ("bound", "> -1e300", ""),
    ("bound", "<= 1e300", ""),
]
tenths = st.integers(-60, 60).map(lambda n: Decimal(n) / 10)
decimals = st.decimals(-1000, 1000, places=4, allow_nan=False)


def compare(kind, stated, *measured, tolerance=""):
    return COMPARISONS[kind](stated, list(measured), tolerance)


def printed(value, digits):
    return f"{value:,.{digits}f}".replace("-", "\u2212")


@given(
    measured=st.floats(-1e6, 1e6).map(lambda x: Decimal(repr(x)))
    | st.decimals(-1000, 1000, places=3, allow_nan=False),
    digits=st.integers(0, 5),
    steps=st.integers(-2, 2),
    percent=st.sampled_from(["", "%", " %"]),
)
def test_digits_hold_where_the_value_rounds_to_them(measured, digits, steps, percent):
    unit = Decimal(1).scaleb(-digits)
    up, down = (measured.quantize(unit, way) for way in (ROUND_HALF_UP, ROUND_HALF_DOWN))
    stated = up + steps * unit
    result = compare("digits", printed(stated, digits) + percent, str(measured))
    assert result.holds == (stated in (up, down))
    assert result.edge == (result.holds and up != down)
    assert bool(result.detail) == (not result.holds)


@given(st.floats(-1e8, 1e8), st.integers(0, 6))
def test_digits_hold_for_every_formatted_float(number, digits):
    assert compare("digits", f"{number:.{digits}f}", repr(number)).holds


@pytest.mark.parametrize(
    ("stated", "measured", "holds", "edge"),
    [
        ("0.634", "0.6345", True, True),
        ("0.634", "0.6335", True, True),
        ("0.634", "0.63449999999999995", True, False),
        ("0.634", "0.63350000000000001", True, False),
        ("0.634", "0.63450000000000001", False, False),
        ("0.634", "0.63349999999999999", False, False),
        ("0.634", "0.635", False, False),
        ("0.6340", "0.6341", False, False),
        ("−0.164", "-0.16449", True, False),
        ("−0.164", "0.164", False, False),
        ("38,597,376", "38597376", True, False),
        ("38,597,376", "38597377", False, False),
        ("1e-9", "1.4e-09", True, False),
        ("1e-9", "1.6e-09", False, False),
        ("0.5;0.25", "0.5", False, False),
    ],
)
def test_digits(stated, measured, holds, edge):
    result = compare("digits", stated, measured)
    assert (result.holds, result.edge) == (holds, edge)


def test_words_have_no_interval():
    result = compare("list", "cat", "cat")
    assert (result.low, result.high, result.detail, result.edge) == ("", "", "", False)


def test_digits_interval_is_shown():
    result = compare("digits", "0.634; −2", "0.6341", "-1.9")
    assert (result.low, result.high) == ("0.6335;-2.5", "0.6345;-1.5")


@pytest.mark.parametrize("kind", ["digits", "list"])
@pytest.mark.parametrize("wrong", range(3))
def test_one_wrong_item_is_enough(kind, wrong):
    right = ["1.04", "2.0", "-2.96"]
    assert compare(kind, "1.0;2.0;−3.0", *right).holds
    right[wrong] = str(Decimal(right[wrong]) + Decimal("0.1"))
    assert not compare(kind, "1.0;2.0;−3.0", *right).holds


@pytest.mark.parametrize("kind", ["digits", "tolerance", "list", "set", "ordering"])
@pytest.mark.parametrize("measured", [["1"], ["1", "2", "3"], []])
def test_lengths_must_agree(kind, measured):
    assert not compare(kind, "1;2", *measured, tolerance="9" * (kind == "tolerance")).holds


@pytest.mark.parametrize(("kind", "stated", "tolerance"), WIDEST)
@pytest.mark.parametrize("bad", BAD_CELLS)
@pytest.mark.parametrize("place", [0, 1])
def test_garbage_never_passes(kind, stated, tolerance, bad, place):
    good = ["true", "true"] if kind == "truth" else ["0", "1"]
    assert compare(kind, stated, *good, tolerance=tolerance).holds
    cells = list(good)
    cells[place] = bad
    result = compare(kind, stated, *cells, tolerance=tolerance)
    assert not result.holds
    assert not result.edge
    assert result.detail


@pytest.mark.parametrize(("kind", "stated", "tolerance"), WIDEST)
def test_nothing_measured_never_passes(kind, stated, tolerance):
    assert not compare(kind, stated, tolerance=tolerance).holds


@given(stated=tenths, width=st.integers(0, 30).map(lambda n: Decimal(n) / 10), measured=tenths)
def test_tolerance_is_a_closed_interval(stated, width, measured):
    result = compare("tolerance", printed(stated, 1), str(measured), tolerance=str(width))
    assert result.holds == (abs(Fraction(measured) - Fraction(stated)) <= Fraction(width))


@given(stated=tenths, width=st.integers(1, 30).map(lambda n: Decimal(n) / 10), sign=st.booleans())
def test_tolerance_edge(stated, width, sign):
    end = stated + width if sign else stated - width
    assert compare("tolerance", str(stated), str(end), tolerance=str(width)).edge
    assert not compare("tolerance", str(stated), str(stated), tolerance=str(width)).edge


def test_exact_count_is_no_edge():
    result = compare("tolerance", "890", "890", tolerance="0")
    assert result.holds
    assert not result.edge


@pytest.mark.parametrize(
    ("measured", "tolerance", "holds"),
    [
        (["1.1", "2.1"], "0.1", True),
        (["1.1", "2.2"], "0.1", False),
        (["1.1", "2.2"], "0.1;0.2", True),
        (["1.2", "2.1"], "0.1;0.2", False),
        (["1", "2"], "0", True),
        (["1", "2.0000000001"], "0", False),
    ],
)
def test_tolerance_for_all_or_one_each(measured, tolerance, holds):
    assert compare("tolerance", "1;2", *measured, tolerance=tolerance).holds == holds


@pytest.mark.parametrize("tolerance", ["0.1;0.1;0.1", "", "wide", "nan"])
def test_tolerance_must_fit(tolerance):
    with pytest.raises(ValueError):
        compare("tolerance", "1;2", "1", "2", tolerance=tolerance)


@pytest.mark.parametrize(
    ("stated", "measured", "holds"),
    [
        ("cat; dog", ["cat", "dog"], True),
        ("cat; dog", ["dog", "cat"], False),
        ("cat; dog", ["Cat", "dog"], False),
        ("cat; dog", ["cat", "dogs"], False),
        ("king; 0.53", ["king", "0.5349"], True),
        ("king; 0.53", ["king", "0.5351"], False),
        ("king; 0.53", ["0.53", "king"], False),
        ("king; 0.53", ["king", "0.525"], True),
        ("king; 0.53", ["king", "0.535"], True),
    ],
)
def test_list(stated, measured, holds):
    assert compare("list", stated, *measured).holds == holds


@given(st.permutations(["cat", "dog", "car", "bus"]))
def test_set_has_no_order(words):
    assert compare("set", "cat; dog; car; bus", *words).holds


@pytest.mark.parametrize(
    "words", ["cat dog", "cat dog car bus", "cat dog dog", "cat dog car car", "cat dog Car"]
)
def test_set_has_the_same_words(words):
    assert not compare("set", "cat; dog; car", *words.split()).holds


@given(
    stated=st.lists(st.integers(-9, 9), min_size=2, max_size=6, unique=True).map(sorted),
    data=st.data(),
    falling=st.booleans(),
)
def test_strict_ordering(stated, data, falling):
    size = len(stated)
    measured = data.draw(st.lists(st.integers(-9, 9), min_size=size, max_size=size))
    expected = measured == sorted(set(measured))
    if falling:
        stated, measured = stated[::-1], measured[::-1]
    result = compare("ordering", ";".join(map(str, stated)), *map(str, measured))
    assert result.holds == expected


@given(
    stated=st.lists(st.integers(-5, 5), min_size=2, max_size=8),
    jitter=st.lists(st.integers(0, 2), min_size=8, max_size=8),
)
def test_ordering_is_free_where_digits_are_equal(stated, jitter):
    measured = [10 * value + wobble for value, wobble in zip(stated, jitter, strict=False)]
    assert compare("ordering", ";".join(map(str, stated)), *map(str, measured)).holds


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=8), st.data())
def test_ordering_fails_where_neighbours_are_swapped_or_equal(stated, data):
    steps = [i for i in range(len(stated) - 1) if stated[i] != stated[i + 1]]
    if not steps:
        return
    i, equal = data.draw(st.sampled_from(steps)), data.draw(st.booleans())
    measured = list(stated)
    measured[i], measured[i + 1] = stated[i + 1], stated[i + 1] if equal else stated[i]
    result = compare("ordering", ";".join(map(str, stated)), *map(str, measured))
    assert not result.holds
    assert result.detail


@pytest.mark.parametrize(
    ("stated", "measured", "told"),
    [
        ("3;1;2", ["3", "1", "5"], "items 1 and 3, 3 and 5, are out of order"),
        ("5;5;3", ["1", "9", "3"], "items 1 and 3, 1 and 3, are out of order"),
        ("1;2;3", ["1", "4", "2"], "items 2 and 3, 4 and 2, are out of order"),
    ],
)
def test_ordering_of_items_further_apart(stated, measured, told):
    result = compare("ordering", stated, *measured)
    assert (result.holds, result.detail) == (False, told)


@pytest.mark.parametrize(
    ("stated", "measured", "holds"),
    [
        ("true", ["true"], True),
        ("true", ["true", "true"], True),
        ("true", ["true", "false"], False),
        ("true", ["false"], False),
        ("false", ["false"], True),
        ("false", ["true"], False),
        ("true", ["True"], False),
        ("true", ["1"], False),
    ],
)
def test_truth(stated, measured, holds):
    assert compare("truth", stated, *measured).holds == holds


@given(
    sign=st.sampled_from(["<", "<=", ">", ">="]),
    bound=tenths,
    measured=st.lists(tenths, min_size=1, max_size=3),
    space=st.sampled_from(["", " "]),
)
def test_bound(sign, bound, measured, space):
    decide = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}[sign]
    result = by_bound(sign + space + printed(bound, 1), list(map(str, measured)))
    assert result.holds == all(decide(value, bound) for value in measured)
    ends = (result.low, result.high) if ">" in sign else (result.high, result.low)
    assert Decimal(ends[0]) == bound
    assert ends[1] == ""


def test_parse_bound():
    assert parse_bound(">= −0.5") == (">=", Decimal("-0.5"))
    assert parse_bound("<1e-9") == ("<", Decimal("1e-9"))


@pytest.mark.parametrize("text", ["", "1", "= 1", "< ", "< x", "> nan", ">> 1", "1 <", "≤ 1"])
def test_bad_bounds(text):
    with pytest.raises(ValueError):
        parse_bound(text)


@given(stated=tenths, ends=st.tuples(decimals, decimals).map(sorted))
def test_overlap(stated, ends):
    low, high = map(Fraction, ends)
    bottom, top = Fraction(stated) - Fraction(1, 20), Fraction(stated) + Fraction(1, 20)
    shares_a_point = max(low, bottom) <= min(high, top)
    assert overlaps(printed(stated, 1), *map(str, ends)) == shares_a_point


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        ("0.6345", "0.7", True),
        ("0.63451", "0.7", False),
        ("0", "0.6335", True),
        ("0", "0.63349", False),
        ("0", "1", True),
        ("0.634", "0.634", True),
    ],
)
def test_overlap_is_closed(low, high, expected):
    assert overlaps("0.634", low, high) == expected


@given(st.tuples(decimals, decimals).map(sorted))
def test_range_width(ends):
    assert Fraction(range_width(*map(str, ends))) == Fraction(ends[1]) - Fraction(ends[0])


@pytest.mark.parametrize("bad", BAD_CELLS)
@pytest.mark.parametrize("function", [range_width, lambda low, high: overlaps("1", low, high)])
def test_ranges_are_finite(function, bad):
    for ends in ((bad, "1"), ("1", bad)):
        with pytest.raises(ValueError):
            function(*ends)
