"""A small picture of the counts, to show on another page."""

from markupsafe import Markup

from embedding_ledger.palette import ON_VERDICT, VERDICT_COLOURS

CHARACTER = 6.6  # width of one in a font of 11 pixels; textLength makes it so
HEIGHT, MARGIN = 20, 7


def _part(x, text, fill, ink):
    width = round(len(text) * CHARACTER + 2 * MARGIN)
    return width, Markup(
        '<rect x="{}" width="{}" height="{}" fill="{}"/>'
        '<text x="{}" y="14" fill="{}" textLength="{}">{}</text>\n'
    ).format(x, width, HEIGHT, fill, x + MARGIN, ink, width - 2 * MARGIN, text)


def badge(summary):
    """Return the counts of reproduced and differing claims as an SVG text.

    Differing are those that differ or are contradicted by their own document.
    """
    counts = summary["verdicts"]
    differ = counts["differs"] + counts["contradicted"]
    parts = [
        ("claims", "#3a4148", "#ffffff"),
        (f"{counts['reproduced']} reproduced", VERDICT_COLOURS["reproduced"], ON_VERDICT),
        (f"{differ} differ", VERDICT_COLOURS["differs"], ON_VERDICT),
    ]
    x, drawn = 0, []
    for part in parts:
        width, svg = _part(x, *part)
        x += width
        drawn.append(svg)
    told = f"claims: {parts[1][0]}, {parts[2][0]}"
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}" role="img" '
        'aria-label="{}" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">\n'
        "<title>{}</title>\n{}</svg>\n"
    ).format(x, HEIGHT, told, told, Markup("").join(drawn))
