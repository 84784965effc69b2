"""Numbers as people print them: sign, thousands separators, percent, printed digits."""

import re
from dataclasses import dataclass
from decimal import Decimal

# 38,597,376 and 8 192 (plain, no-break, thin and narrow no-break spaces) or plain digits
# (a group never starts with 0: 0,634 is a decimal comma, which is refused)
_INTEGER = r"[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]{0,2}(?:[ \u00a0\u2009\u202f][0-9]{3})+|[0-9]+"
_NUMBER = re.compile(
    rf"(?P<sign>[+\-\u2212]?)(?P<integer>{_INTEGER})?(?:\.(?P<fraction>[0-9]+))?"
    r"(?:[eE](?P<exponent>[+\-\u2212]?[0-9]{1,3}))?\s?%?"
)

MOST_DIGITS = 24  # intervals are exact: Decimal keeps 28, half a unit takes one more

_CELL = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True)
class Printed:
    """A printed number: its value and half a unit of its last printed digit."""

    value: Decimal
    half_unit: Decimal

    @property
    def low(self):
        """The smallest number that rounds to the printed digits."""
        return self.value - self.half_unit

    @property
    def high(self):
        """The largest number that rounds to the printed digits."""
        return self.value + self.half_unit


def parse_printed(text):
    """Parse a printed number such as `0.634`, `38,597,376`, `−0.164`, `31.0 %` or `1e-9`.

    The percent sign is dropped: 31 % is 31, in the unit percent.
    Raises ValueError when `text` is no printed number (nan and inf included).
    """
    match = _NUMBER.fullmatch(text.strip())
    if not match or not (match["integer"] or match["fraction"]):
        raise ValueError(f"{text!r} is not a printed number, such as 0.634, 1,024 or 31 %")
    sign = "-" if match["sign"] in ("-", "\u2212") else ""
    integer = re.sub(r"\D", "", match["integer"] or "0")
    fraction = match["fraction"] or ""
    if len(integer + fraction) > MOST_DIGITS:
        raise ValueError(f"{text[:12]!r}... has more than {MOST_DIGITS} digits")
    exponent = int((match["exponent"] or "0").replace("\u2212", "-"))
    unit = Decimal(1).scaleb(exponent - len(fraction))
    return Printed(Decimal(f"{sign}{integer}{fraction}") * unit, unit / 2)


def parse_cell(text):
    """Parse a measured cell as an exact Decimal; raise ValueError unless it is a finite number."""
    if not _CELL.fullmatch(text):
        raise ValueError(f"{text!r} is not a finite number")
    return Decimal(text)


def split_list(text):
    """Split a stated list at its semicolons."""
    return [item.strip() for item in text.split(";")]
