"""The story of a claim: what is stated, what was measured, where, and how to make it again.

Everything that comes from data is escaped here, once.
"""

from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup

from embedding_ledger.claims import KINDS
from embedding_ledger.numerals import split_list
from embedding_ledger.range_plot import draw, places

EMPTY = Markup("")
# lines that say much the same in every story, which a search passes over
_SAME = ("Agrees when", "Make it again", "Says the same")
_COMMON = Markup(' class="common"')
MOST_PLOTS = 4  # a longer list is told in words


def slug(text):
    """Return a name for CSS classes and keys: `not run` is `not-run`."""
    return text.replace(" ", "-")


def badge(verdict):
    """Return a verdict as a coloured label."""
    return Markup('<span class="verdict {}">{}</span>').format(slug(verdict), verdict)


def _short(item):
    try:
        number = float(item)
    except ValueError:
        return item
    if number.is_integer():
        return f"{number:.0f}"
    return item if len(item) <= 8 else f"{number:.6g}"


def printed(text):
    """Shorten a list of measured digits for reading; the CSV download keeps all of them."""
    return "; ".join(_short(item) for item in text.split(";")) if text else ""


def stated(row):
    """Return the stated value with its unit, item by item where both are lists."""
    items, units = row["stated"].split(";"), row["unit"].split(";")
    if len(items) == len(units):
        return "; ".join(" ".join(filter(None, pair)) for pair in zip(items, units, strict=True))
    return f"{'; '.join(items)} {'; '.join(units)}".strip()


def _spans(lows, highs):
    """Return ranges in words, item by item; the ends are texts joined by semicolons."""
    pairs = zip(printed(lows).split("; "), printed(highs).split("; "), strict=True)
    return "; ".join(f"{low} to {high}" if low != high else low for low, high in pairs)


def _interval(row):
    """Return the interval that agrees with what is stated, empty where there is none."""
    if row["low"] and row["high"]:
        lows, highs = row["low"], row["high"]
        pairs = zip(lows.split(";"), highs.split(";"), strict=True)
        return "; ".join(f"{low} to {high}" if low != high else low for low, high in pairs)
    return f"from {row['low']}" if row["low"] else f"up to {row['high']}" if row["high"] else ""


def measured(row):
    """Return the measured value, with its range where the claim has one."""
    shown = Markup("{}").format(printed(row["measured"]))
    if row["spread_low"]:
        span = _spans(row["spread_low"], row["spread_high"])
        shown += Markup(' <span class="range">{}</span>').format(span)
    return shown


def claim_link(claim, told=None):
    """Return a link to the story of a claim, named by its id unless told otherwise."""
    told = Markup("<code>{}</code>").format(claim) if told is None else told
    return Markup('<a href="claims.html#{}">{}</a>').format(claim, told)


def filter_link(told, **chosen):
    """Return a link to the table of claims with filters chosen."""
    query = "&".join(f"{name}={quote(value)}" for name, value in chosen.items())
    return Markup('<a href="claims.html?{}">{}</a>').format(query, told)


def plots(row):
    """Return a picture for each number of a claim; empty when there is nothing to draw."""
    items, values = split_list(row["stated"]), split_list(row["measured"])
    cells = [row[name].split(";") for name in ("low", "high", "spread_low", "spread_high")]
    cells = [found if len(found) == len(items) else [""] * len(items) for found in cells]
    if len(items) != len(values) or len(items) > MOST_PLOTS:
        return EMPTY
    drawn = []
    for text, value, low, high, *spread in zip(items, values, *cells, strict=True):
        found = places(*map(_short, (low, high)), _short(value), *map(_short, spread))
        if found:
            told = f"stated {text}; measured {_short(value)}"
            told += f", in a range from {_short(spread[0])} to {_short(spread[1])}" * bool(
                spread[0]
            )
            drawn.append(draw(found, told))
    return EMPTY.join(drawn)


def _cell(row):
    """Return the address of the measured cell, with a link to its file."""
    if not row["artefact"]:
        return EMPTY
    file = Markup("<code>{}</code>").format(row["artefact"])
    if row["script"]:
        file = Markup('<a href="data/{}">{}</a>').format(row["artefact"], file)
    where = Markup(", row <code>{}</code>").format(row["row"]) if row["row"] else EMPTY
    return file + where + Markup(", column <code>{}</code>").format(row["column"])


def _script(row):
    """Return the rule that made the cell and the site's own copy of its script."""
    if not row["script"]:
        return EMPTY
    script = Path(row["script"]).name
    return Markup('rule {}, <a href="scripts/{}.txt">{}</a>').format(row["rule"], script, script)


def story(row):
    """Return the story of one claim as HTML, with the claim's id as its address."""
    page = Markup('<a href="document-{document}.html#{id}">document {document}, {section}</a>')
    suggested = Markup('{} <a href="authors.html#{}">for the authors</a>')
    lines = {
        "Stated": stated(row),
        "Other side": f"{row['other_section']}: {row['other_stated']}" * bool(row["other_stated"]),
        "Interval": _interval(row),
        "Agrees when": KINDS[row["kind"]] * (row["kind"] != "none"),
        "Measured": "; ".join(split_list(row["measured"])),
        "Range": _spans(row["spread_low"], row["spread_high"]),
        "Reason": row["reason"],
        "Evidence": row["evidence"],
        "Suggestion": suggested.format(row["correction"], row["id"]) if row["correction"] else "",
        "Cell": _cell(row),
        "Made by": _script(row),
        "Make it again": Markup("<code>make number ID={}</code>").format(row["id"])
        if row["artefact"]
        else "",
        "Says the same": claim_link(row["restates"]) if row["restates"] else "",
        "Stands in": page.format(**{name: row[name] for name in ("document", "id", "section")}),
        "Registry": row["registry"],
        "Address": claim_link(row["id"]),
    }
    told = EMPTY.join(
        Markup("<dt>{}</dt><dd{}>{}</dd>\n").format(name, _COMMON * (name in _SAME), text)
        for name, text in lines.items()
        if text
    )
    return Markup('<div class="story" id="{}">{}<dl>{}</dl></div>').format(
        row["id"], plots(row), told
    )
