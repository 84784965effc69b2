"""Does a measured cell agree with what a page states? By printed digits, closed intervals.

Every comparison takes the stated text and the measured cells (texts, in file order) and returns
a Comparison. Nan and infinity never pass: a cell that is not a finite number does not hold.
"""

from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from embedding_ledger.numerals import parse_cell, parse_printed, split_list


@dataclass(frozen=True)
class Comparison:
    """What came of one comparison.

    `low` and `high`: the interval in which the measured value holds (lists joined by semicolons).
    `edge`: a measured value lies exactly on an end of its interval.
    `detail`: why it does not hold, empty when it does.
    """

    holds: bool
    low: str = ""
    high: str = ""
    edge: bool = False
    detail: str = ""


def _join(values):
    return ";".join(str(value) for value in values)


def _within(intervals, measured):
    """Compare cells with closed intervals, one each."""
    if len(intervals) != len(measured):
        detail = f"{len(measured)} values measured, {len(intervals)} stated"
        return Comparison(False, detail=detail)
    lows, highs = zip(*intervals, strict=True)
    low, high = _join(lows), _join(highs)
    edge = False
    for (bottom, top), cell in zip(intervals, measured, strict=True):
        try:
            value = parse_cell(cell)
        except ValueError as error:
            return Comparison(False, low, high, detail=str(error))
        if not bottom <= value <= top:
            detail = f"{cell} lies outside {bottom} to {top}"
            return Comparison(False, low, high, detail=detail)
        edge = edge or (bottom < top and value in (bottom, top))  # an exact count has no edge
    return Comparison(True, low, high, edge=edge)


def by_digits(stated, measured, tolerance=""):
    """Hold when every measured value rounds to the printed digits (a tie counts, and is marked)."""
    printed = [parse_printed(item) for item in split_list(stated)]
    return _within([(number.low, number.high) for number in printed], measured)


def by_tolerance(stated, measured, tolerance):
    """Hold when every |measured - stated| is at most the tolerance (one for all, or one each)."""
    values = [parse_printed(item).value for item in split_list(stated)]
    widths = [parse_printed(item).value for item in split_list(tolerance)]
    if len(widths) == 1:
        widths *= len(values)
    pairs = zip(values, widths, strict=True)
    return _within([(value - width, value + width) for value, width in pairs], measured)


def _items_agree(stated, measured):
    """Compare two items: numbers by printed digits, words exactly."""
    try:
        printed = parse_printed(stated)
        return printed.low <= parse_cell(measured) <= printed.high
    except ValueError:
        return stated == measured


def by_list(stated, measured, tolerance=""):
    """Hold when the items agree one by one, in order: numbers by digits, words exactly."""
    items = split_list(stated)
    if len(items) == len(measured) and all(map(_items_agree, items, measured)):
        return Comparison(True)
    return Comparison(False, detail=f"measured {_join(measured)}")


def by_set(stated, measured, tolerance=""):
    """Hold when both hold the same words, in whatever order."""
    if sorted(split_list(stated)) == sorted(measured):
        return Comparison(True)
    return Comparison(False, detail=f"measured {_join(measured)}")


def by_ordering(stated, measured, tolerance=""):
    """Hold when the measured numbers are ordered as the stated numbers are.

    Of any two items that the page states as different, the measured ones must differ strictly in
    the same direction; where it prints equal digits, either order holds.
    """
    numbers = [parse_printed(item).value for item in split_list(stated)]
    if len(numbers) != len(measured):
        return Comparison(False, detail=f"{len(measured)} values measured, {len(numbers)} stated")
    try:
        values = [parse_cell(cell) for cell in measured]
    except ValueError as error:
        return Comparison(False, detail=str(error))
    for i, j in combinations(range(len(numbers)), 2):
        stated_step, measured_step = numbers[j] - numbers[i], values[j] - values[i]
        if stated_step and stated_step * measured_step <= 0:
            detail = f"items {i + 1} and {j + 1}, {measured[i]} and {measured[j]}, are out of order"
            return Comparison(False, detail=detail)
    return Comparison(True)


def by_truth(stated, measured, tolerance=""):
    """Hold when every measured cell is the stated truth value, `true` or `false`."""
    if measured and all(cell == stated for cell in measured):
        return Comparison(True)
    return Comparison(False, detail=f"measured {_join(measured)}")


_BOUNDS = {
    "<=": lambda value, bound: value <= bound,
    ">=": lambda value, bound: value >= bound,
    "<": lambda value, bound: value < bound,
    ">": lambda value, bound: value > bound,
}


def parse_bound(stated):
    """Split a stated bound such as `< 1` or `>= 0.5` into its sign and value."""
    for sign in _BOUNDS:
        if stated.startswith(sign):
            return sign, parse_printed(stated.removeprefix(sign)).value
    raise ValueError(f"{stated!r} is not a bound, such as < 1, <= 1, > 0.5 or >= 0.5")


def by_bound(stated, measured, tolerance=""):
    """Hold when every measured value satisfies the stated bound."""
    sign, bound = parse_bound(stated)
    low, high = ("", str(bound)) if sign.startswith("<") else (str(bound), "")
    try:
        values = [parse_cell(cell) for cell in measured]
    except ValueError as error:
        return Comparison(False, low, high, detail=str(error))
    if values and all(_BOUNDS[sign](value, bound) for value in values):
        return Comparison(True, low, high)
    return Comparison(False, low, high, detail=f"measured {_join(measured)}")


NUMERIC = ("digits", "tolerance", "ordering", "bound")
COMPARISONS = {
    "digits": by_digits,
    "tolerance": by_tolerance,
    "list": by_list,
    "set": by_set,
    "ordering": by_ordering,
    "truth": by_truth,
    "bound": by_bound,
}


def overlaps(stated, low, high):
    """Tell whether the interval of the printed number `stated` meets the range [low, high].

    `low` and `high` are cells; raises ValueError unless they are finite numbers.
    """
    printed = parse_printed(stated)
    return parse_cell(low) <= printed.high and printed.low <= parse_cell(high)


def range_width(low, high):
    """Return high - low of two measured cells as a Decimal."""
    width: Decimal = parse_cell(high) - parse_cell(low)
    return width
