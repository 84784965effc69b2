"""Printed numbers against exact fractions and Python's own formatting."""

from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedding_ledger.numerals import parse_cell, parse_printed, split_list

SEPARATORS = ["", ",", " ", "\u00a0", "\u2009", "\u202f"]
GARBAGE = [
    *("", " ", "nan", "NaN", "-nan", "inf", "-inf", "Infinity", "∞", "none", "true"),
    *("-", "%", ".", "5.", "e5", "1e", "1e5.0", "1.2.3", "--1", "- 1", "1 2", "1;2", "50%%"),
    *("1,23", "12,34,567", "1234,567", "1,0000", ",123", "1,000 000", "1_000", "1'000"),
    *("0x10", "1/2", "1–2", "≈3", "3 kg", "(3)", "½"),
]


@given(
    sign=st.sampled_from(["", "+", "-", "\u2212"]),
    integer=st.integers(0, 10**12),
    separator=st.sampled_from(SEPARATORS),
    fraction=st.text("0123456789", max_size=10),
    exponent=st.none() | st.integers(-20, 20),
    minus=st.sampled_from(["-", "\u2212"]),
    ending=st.sampled_from(["", "%", " %", "\u00a0%", " "]),
)
def test_value_and_interval(sign, integer, separator, fraction, exponent, minus, ending):
    text = sign + f"{integer:,}".replace(",", separator)
    text += f".{fraction}" if fraction else ""
    text += "" if exponent is None else f"e{exponent}".replace("-", minus)
    unit = Fraction(10) ** ((exponent or 0) - len(fraction))
    value = int(f"{integer}{fraction}") * unit * (-1 if sign in ("-", "\u2212") else 1)
    printed = parse_printed(text + ending)
    assert Fraction(printed.value) == value
    assert Fraction(printed.low) == value - unit / 2
    assert Fraction(printed.high) == value + unit / 2


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0.634", "0.6335", "0.6345"),
        ("0.6340", "0.63395", "0.63405"),
        ("−0.164", "-0.1645", "-0.1635"),
        ("38,597,376", "38597375.5", "38597376.5"),
        ("8 192", "8191.5", "8192.5"),
        ("31.0 %", "30.95", "31.05"),
        ("31%", "30.5", "31.5"),
        ("1e-9", "5e-10", "1.5e-9"),
        ("2.5E+3", "2450", "2550"),
        (".5", "0.45", "0.55"),
        (" 7 ", "6.5", "7.5"),
        ("0", "-0.5", "0.5"),
    ],
)
def test_examples(text, low, high):
    printed = parse_printed(text)
    assert (printed.low, printed.high) == (Decimal(low), Decimal(high))


@pytest.mark.parametrize("text", GARBAGE)
def test_garbage_is_refused(text):
    with pytest.raises(ValueError, match="is not a printed number"):
        parse_printed(text)


@pytest.mark.parametrize("text", ["0,634", "0 634", "007,123"])
def test_no_group_leads_with_zero(text):
    with pytest.raises(ValueError):
        parse_printed(text)


@given(st.text("0123456789.,eE+-\u2212% \u00a0nafix_;", max_size=12))
def test_only_numbers_parse(text):
    """Whatever parses is the number that remains without separators, by Python's own reading."""
    try:
        printed = parse_printed(text)
    except ValueError:
        return
    plain = text.replace("\u2212", "-").translate(str.maketrans("", "", ", \u00a0%"))
    assert Fraction(plain) == Fraction(printed.value)


@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_formatted_floats_come_back(number, digits):
    rounded = Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN)
    assert parse_printed(f"{number:,.{digits}f}").value == rounded


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_cells_are_exact(number):
    assert float(parse_cell(repr(number))) == number
    assert Fraction(parse_cell(repr(number))) == Fraction(repr(number))


@pytest.mark.parametrize("text", ["", " ", "nan", "-nan", "sNaN", "inf", "-inf", "1,5", "x", "0x1"])
def test_cells_are_finite_numbers(text):
    with pytest.raises(ValueError, match="is not"):
        parse_cell(text)


@pytest.mark.parametrize("text", ["1_0", " 10 ", "1__0"])
def test_cells_are_plain(text):
    with pytest.raises(ValueError):
        parse_cell(text)


def test_split_list():
    assert split_list("1; −2 ;3.0") == ["1", "−2", "3.0"]
    assert split_list("1,024") == ["1,024"]
    assert split_list("a;;b") == ["a", "", "b"]


@pytest.mark.parametrize("text", ["9" * 24, "0." + "9" * 23, "-1." + "0" * 22 + "1", "1e-999"])
def test_intervals_are_exact_up_to_the_longest_number(text):
    printed = parse_printed(text)
    exponent = -len(text.partition(".")[2]) if "e" not in text else -999
    half = Fraction(10) ** exponent / 2
    assert Fraction(printed.low) == Fraction(text) - half
    assert Fraction(printed.high) == Fraction(text) + half


@pytest.mark.parametrize("text", ["9" * 25, "0." + "9" * 24, "1e-1000"])
def test_longer_numbers_are_refused(text):
    with pytest.raises(ValueError):
        parse_printed(text)


def test_a_gigantic_number_is_told_by_its_beginning():
    with pytest.raises(ValueError, match=r"^'123456789012'\.\.\. has more than 24 digits$"):
        parse_printed("1234567890" * 3)


@pytest.mark.parametrize("text", ["1e1000", "1e-9999999999999999999999"])
def test_a_cell_of_another_world_is_refused(text):
    with pytest.raises(ValueError, match="is not a finite number"):
        parse_cell(text)
