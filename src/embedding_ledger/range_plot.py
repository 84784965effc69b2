"""A small picture of one number: what a page states, what was measured, and over which range.

All on one scale, as inline SVG that takes its colours from the page's style sheet.
"""

import math
from dataclasses import dataclass

from markupsafe import Markup

WIDTH, MARGIN, MIDDLE, TEXT = 320, 10, 13, 36
PADDING = 0.12  # room beyond the outermost number, as a share of the distance between them


@dataclass(frozen=True)
class Places:
    """Places from 0 to 1 on one scale, and its two outermost numbers as texts.

    `stated`: (left, right) of the stated interval, which ends at 0 or 1 where it is open;
    `spread`: (left, right) of the measured range, None without one.
    """

    stated: tuple[float, float]
    measured: float
    spread: tuple[float, float] | None
    ends: tuple[tuple[float, str], tuple[float, str]]


def _number(text):
    """Return a cell as a float, None unless it is a finite number."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def places(low, high, measured, spread_low="", spread_high=""):
    """Return the Places of cells (texts), None when there is nothing to draw.

    `low`, `high`: the stated interval; one of them is empty where the interval is open there.
    Nothing is drawn of texts, nan and infinity, and when all numbers are equal.
    """
    given = {"low": low, "high": high, "measured": measured}
    given |= {"spread_low": spread_low, "spread_high": spread_high}
    given = {name: text for name, text in given.items() if text}
    found = {name: _number(text) for name, text in given.items()}
    if None in found.values() or "measured" not in found or not {"low", "high"} & set(found):
        return None
    first, last = min(found, key=found.get), max(found, key=found.get)
    room = (found[last] - found[first]) * PADDING
    if not room:
        return None
    start, width = found[first] - room, found[last] - found[first] + 2 * room

    def place(name):
        return (found[name] - start) / width

    return Places(
        stated=(place("low") if "low" in found else 0.0, place("high") if "high" in found else 1.0),
        measured=place("measured"),
        spread=(place("spread_low"), place("spread_high")) if "spread_low" in found else None,
        ends=((place(first), given[first]), (place(last), given[last])),
    )


def _x(place):
    return f"{MARGIN + place * (WIDTH - 2 * MARGIN):.1f}"


def draw(found, told):
    """Return Places as SVG; `told` says the same in words."""
    left, right = (float(_x(place)) for place in found.stated)
    parts = [
        Markup('<path class="axis" d="M0 {y}H{w}"/>').format(y=MIDDLE, w=WIDTH),
        Markup('<rect class="stated" x="{}" y="3" width="{:.1f}" height="20"/>').format(
            left, max(right - left, 2)
        ),
    ]
    if found.spread:
        bar = Markup('<path class="spread" d="M{a} 8v10m0 -5H{b}m0 -5v10"/>')
        parts.append(bar.format(a=_x(found.spread[0]), b=_x(found.spread[1])))
    parts.append(
        Markup('<circle class="measured" cx="{}" cy="{}" r="4.5"/>').format(
            _x(found.measured), MIDDLE
        )
    )
    for (place, text), anchor in zip(found.ends, ("start", "end"), strict=True):
        label = Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>')
        # a label starts at its number, or ends there: two of them never meet in the middle
        parts.append(label.format(_x(place), TEXT, anchor, text))
    return Markup(
        '<svg class="plot" viewBox="0 0 {} 40" role="img" aria-label="{}">{}</svg>'
    ).format(WIDTH, told, Markup("").join(parts))
