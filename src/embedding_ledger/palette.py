"""Colours of figures, badges and pages, for light and dark paper.

Hues are those of Okabe and Ito's palette, which colour-blind readers can tell apart; each is made
darker or lighter until it has a contrast of 3 or more on either paper, text 4.5 or more.
`report/assets/ledger.css` repeats these values, and a test compares them.
"""

PAPER = ("#fdfcf9", "#16191d")
# name: (on light paper, on dark paper)
SHADES = {
    "ink": ("#22262b", "#e3e1db"),
    "rule": ("#dedad0", "#363b42"),
    "blue": ("#0072b2", "#4aa3df"),
    "vermilion": ("#cf5b00", "#f08a4b"),
    "green": ("#009067", "#2fbf93"),
    "purple": ("#b85c93", "#de9cc3"),
    "sky": ("#3a97d0", "#a5dbfa"),
    "yellow": ("#b57c00", "#f0c04e"),
    "violet": ("#7d5ba6", "#b79be0"),
    "grey": ("#666666", "#a9a9a9"),
}
INK, RULE, BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW, VIOLET, GREY = (
    light for light, _ in SHADES.values()
)
# Behind dark text on either paper, so one colour is enough: Okabe and Ito's own, and two greys.
VERDICT_COLOURS = {
    "reproduced": "#009e73",
    "consistent": "#56b4e9",
    "not pinned": "#e69f00",
    "differs": "#d55e00",
    "contradicted": "#cc79a7",
    "not run": "#999999",
    "not checkable": "#cccccc",
}
ON_VERDICT = "#14181c"  # text on them


def contrast(first, second):
    """Return the contrast of two colours `#rrggbb`, 1 to 21, as WCAG 2 defines it."""
    darker, lighter = sorted(map(_luminance, (first, second)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def dark_rules():
    """Return CSS that puts the shades for dark paper into an SVG drawn in those for light paper.

    Selectors read what matplotlib writes: colours as `fill: #rrggbb` in style attributes.
    """
    rules = [
        f'[style*="{kind}: {light}"] {{ {kind}: {dark} !important }}'
        for light, dark in SHADES.values()
        for kind in ("fill", "stroke")
    ]
    return "@media screen and (prefers-color-scheme: dark) {\n" + "\n".join(rules) + "\n}"
