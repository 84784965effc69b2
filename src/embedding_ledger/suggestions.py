"""What the authors of a document may want to change, worded from the verdicts."""

from markupsafe import Markup

from embedding_ledger.numerals import parse_cell, parse_printed, split_list
from embedding_ledger.stories import (
    EMPTY,
    badge,
    claim_link,
    measured,
    printed,
    stated,
)

TOPICS = {
    "contradicted": "The page says two things",
    "differs": "The measurement says otherwise",
    "not pinned": "The page does not determine it",
    "": "True under a condition, or could be clearer",
}


def topic(row):
    """Return the topic under which a claim is listed, None when there is nothing to suggest."""
    if row["verdict"] in TOPICS:
        return row["verdict"]
    return "" if row["correction"] else None


def _rounded(text, like):
    """Return a measured cell with the printed digits of `like`; as it is when it is no number."""
    try:
        unit = 2 * parse_printed(like).half_unit
        shown = f"{parse_cell(text).quantize(unit.normalize()):f}"
    except ValueError:
        return text
    return shown.replace("-", "\N{MINUS SIGN}") if "\N{MINUS SIGN}" in like else shown


def _range(row):
    items = zip(
        *(printed(row[name]).split("; ") for name in ("spread_low", "spread_high")), strict=True
    )
    return " and ".join(f"{low} to {high}" for low, high in items)


def _replacement(row):
    """Return (new, old): measured items in the place of stated ones, where these disagree."""
    old, new = split_list(row["stated"]), split_list(row["measured"])
    if len(old) != len(new) or row["kind"] == "set" or row["evidence"] == "trained":
        return ", ".join(new), ", ".join(old)
    pairs = [(_rounded(n, o), o) for n, o in zip(new, old, strict=True)]
    pairs = [(n, o) for n, o in pairs if n != o] or [
        (printed(n), o) for n, o in zip(new, old, strict=True)
    ]
    return tuple(", ".join(side) for side in zip(*pairs, strict=True))


def suggestion(row):
    """Return in our own words what may be changed about a claim (a row of claims.csv)."""
    if row["correction"]:
        return row["correction"]
    if row["verdict"] == "contradicted":
        return (
            f"Say the same in both places: here {row['stated']}, "
            f"under {row['other_section']} {row['other_stated']}; measured {row['measured']}."
        )
    old = ", ".join(split_list(row["stated"]))
    if row["spread_low"] and row["verdict"] == "not pinned":
        return f"Print the range, {_range(row)}, or say which run gave {old}."
    if row["spread_low"]:
        return f"Say which data and which run gave {old}: ours give {_range(row)}."
    if row["kind"] == "truth" and row["evidence"] == "trained":
        return "Say for which data and which run it holds: in ours it does not."
    if row["kind"] == "truth":
        return "Say when it holds, or leave it out: measured, it does not hold."
    new, old = _replacement(row)
    if row["evidence"] == "trained":
        return f"Say that {old} is the outcome of one run: ours gives {new}."
    return f"Print {new} instead of {old}."


def _sides(row):
    """Return what stands against what, empty where nothing does."""
    sides = {"stated": stated(row)}
    if row["other_stated"]:
        sides[row["other_section"]] = "; ".join(split_list(row["other_stated"]))
    sides["measured"] = measured(row)
    return Markup("; ").join(Markup("{} <b>{}</b>").format(*side) for side in sides.items())


def _item(row, again):
    """Return one suggestion as a list item; `again`: other claims that state the same."""
    links = Markup(", ").join(claim_link(other["id"], other["section"]) for other in again)
    return Markup(
        '<li id="{id}"><p class="suggested">{suggestion}</p>\n<p>{section}: {statement}{also}</p>\n'
        '<p class="sides">{badge} {sides}</p>\n{reason}<p class="rests-on">{link}</p></li>\n'
    ).format(
        id=row["id"],
        suggestion=suggestion(row),
        section=row["section"],
        statement=row["statement"],
        also=Markup(" Said again: {}.").format(links) if again else EMPTY,
        badge=badge(row["verdict"]),
        sides=_sides(row) if topic(row) else EMPTY,
        # why something is absent is no reason to change a page
        reason=Markup('<p class="why">{}</p>\n').format(row["reason"])
        if row["reason"] and row["verdict"] != "not run"
        else EMPTY,
        link=claim_link(row["id"]),
    )


def _repeats(row, first):
    """Whether a claim needs no suggestion of its own beside that of another."""
    if row["correction"]:
        return False
    same = all(row[name] == first[name] for name in ("stated", "measured"))
    same = same and row["kind"] != "truth" and not first["correction"]
    return row["restates"] == first["id"] or same


def chosen(rows):
    """Return {topic: [(row, rows that restate it)]} of a document's suggestions, in page order.

    A claim that says the same as another one under the same topic is listed with it.
    """
    found = {name: [] for name in TOPICS}
    for row in rows:
        name = topic(row)
        if name is None:
            continue
        for first, again in found[name]:
            if _repeats(row, first):
                again.append(row)
                break
        else:
            found[name].append((row, []))
    return {name: listed for name, listed in found.items() if listed}


def document_suggestions(rows):
    """Return the suggestions of one document as HTML: a count on top, then topic by topic."""
    found = chosen(rows)
    if not found:
        return Markup("<p>Nothing to suggest.</p>\n")
    counts = EMPTY.join(
        Markup("<li><b>{}</b> {}</li>\n").format(len(listed), TOPICS[name])
        for name, listed in found.items()
    )
    parts = [Markup('<ul class="topics">\n{}</ul>\n').format(counts)]
    for name, listed in found.items():
        items = EMPTY.join(_item(row, again) for row, again in listed)
        parts.append(
            Markup('<h3>{}</h3>\n<ul class="suggestions">\n{}</ul>\n').format(TOPICS[name], items)
        )
    return EMPTY.join(parts)
