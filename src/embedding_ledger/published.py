"""Published facts that no run can recompute (sources/published.csv), and what follows from them.

A key is `<table>.<item>.<property>`, such as `models.gpt2.width`.
"""

import re
from collections import Counter
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import read_csv

LARGE = 7  # billions of parameters from which a model counts as large
FULL = 0.1  # and from which it has learnt a language; smaller ones learnt children's stories
RECENT = 2023  # first year that counts as recent


@dataclass(frozen=True)
class Fact:
    """One sourced fact. The fields are the columns of sources/published.csv.

    `address`: where the paper or configuration is published; `date`: of its publication;
    `note`: how the fact was looked up, or that it was not.
    """

    key: str
    value: str
    unit: str
    title: str
    address: str
    date: str
    note: str

    @property
    def place(self):
        """The key as (table, item, property)."""
        return tuple(self.key.split("."))


COLUMNS = tuple(field.name for field in fields(Fact))
# properties that are computed with, and how their values are written
_WHOLE = "[1-9][0-9]*"
NUMBERS = {
    "width": _WHOLE,
    "vocabulary": _WHOLE,
    "context_window": _WHOLE,
    "parameters": r"[0-9]+(\.[0-9]+)?",
}
_KEY = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+\.[a-z0-9_]+")


def _column_faults(path, columns):
    """Name every unknown, missing and repeated column."""
    faults = [f"unknown column '{column}'" for column in columns if column not in COLUMNS]
    faults += [f"missing column '{column}'" for column in COLUMNS if column not in columns]
    faults += [
        f"column '{column}' occurs {number} times"
        for column, number in Counter(columns).items()
        if number > 1
    ]
    if faults:
        faults.append(f"the columns are {', '.join(COLUMNS)}")
    return [f"{path}:1: {fault}" for fault in faults]


def _is_date(text):
    """Tell whether `text` is a year, a month (2017-06) or a day (2017-06-12)."""
    if not re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?", text):
        return False
    try:
        date.fromisoformat(text + "-01-01"[len(text) - 4 :])  # the rest of a whole date
    except ValueError:
        return False
    return True


def _fact_faults(fact):
    """List what is wrong with one fact."""
    faults = [
        f"column '{column}': empty"
        for column in ("value", "title", "address", "date")
        if not getattr(fact, column).strip()
    ]
    if not _KEY.fullmatch(fact.key):
        faults.append(f"column 'key': {fact.key!r} is not like models.gpt2.width")
    if ";" in fact.value:
        faults.append(f"column 'value': {fact.value!r} is a list; give each item a row")
    elif fact.value.strip() and not re.fullmatch(NUMBERS.get(fact.place[-1], ".*"), fact.value):
        faults.append(f"column 'value': {fact.value!r} is no number as {fact.place[-1]} needs it")
    if fact.address.strip() and not fact.address.startswith("https://"):
        faults.append(f"column 'address': {fact.address!r} does not start with https://")
    if fact.date.strip() and not _is_date(fact.date):
        faults.append(f"column 'date': {fact.date!r} is not like 2017, 2017-06 or 2017-06-12")
    return faults


def read_published(path):
    """Read and validate published facts; return them as a list of Fact, sorted by key.

    Raises LedgerError with every fault (file and line): columns, empty cells, keys that are
    malformed, given twice or out of order, values that are lists, addresses, dates.
    """
    path = Path(path).as_posix()
    _, rows = read_csv(path, _column_faults)
    faults, lines, before = [], {}, ""
    facts = [Fact(**row) for row in rows]
    for line, fact in enumerate(facts, start=2):
        found = _fact_faults(fact)
        if fact.key in lines:
            found.append(f"column 'key': {fact.key!r} stands in line {lines[fact.key]} already")
        elif fact.key < before:
            found.append(f"column 'key': {fact.key!r} sorts before {before!r}")
        lines.setdefault(fact.key, line)
        before = fact.key
        faults += [f"{path}:{line}: {fault}" for fault in found]
    if faults:
        raise LedgerError(faults)
    return facts


def by_item(facts, table):
    """Return {item: {property: value}} of one table; `year` is that of the item's first fact."""
    found = {}
    for fact in facts:
        name, item, prop = fact.place
        if name == table:
            found.setdefault(item, {"year": fact.date[:4]})[prop] = fact.value
    return found


def wide(found):
    """Return (columns, rows) of items: a row an item, a column a property, empty if unsourced."""
    properties = sorted({prop for known in found.values() for prop in known})
    return properties, [
        [item, *(known.get(prop, "") for prop in properties)] for item, known in found.items()
    ]


def _sourced(found, prop, convert=str):
    """Return {item: value} of the items for which a property is sourced."""
    return {item: convert(known[prop]) for item, known in found.items() if prop in known}


def values(facts):
    """Return {quantity: values} that follow from several facts.

    `widths`: smallest and largest width of the sourced models and word vectors.
    """
    embeddings = by_item(facts, "models") | by_item(facts, "vectors")
    widths = _sourced(embeddings, "width", int).values()
    return {"widths": [min(widths), max(widths)]}


def families(models):
    """Return {family: widths}, each from its smallest to its largest model."""
    sizes = _sourced(models, "parameters", float)
    members = {}
    for item in sorted(sizes, key=lambda item: (sizes[item], item)):
        if "family" in models[item]:
            members.setdefault(models[item]["family"], []).append(int(models[item]["width"]))
    return dict(sorted(members.items()))


def truths(facts):
    """Return {statement: (holds, numbers)} of statements that several facts decide."""
    models, quotations = by_item(facts, "models"), by_item(facts, "quotations")
    sizes = _sourced(models, "parameters", float)
    large = {item: models[item] for item, size in sizes.items() if size >= LARGE}
    full = {item: models[item] for item, size in sizes.items() if size >= FULL}
    recent = {item: known for item, known in full.items() if int(known["year"]) >= RECENT}
    widths, large_widths = _sourced(models, "width", int), _sourced(large, "width", int)
    large_rows = _sourced(large, "vocabulary", int)
    full_widths = _sourced(full, "width", int).values()
    tied, large_tied = _sourced(models, "tied"), _sourced(large, "tied")
    positions = Counter(_sourced(recent, "positions").values())
    windows = _sourced(recent, "context_window", int)
    newer = {item: windows[item] for item in _sourced(recent, "positions") if item in windows}
    gpt2, grown = models["gpt2"], families(models)
    return {
        "width.grows_with_size": (
            all(w == sorted(w) and w[0] < w[-1] for w in grown.values()),
            grown,
        ),
        "width.from_64_to_over_10000": (
            min(widths.values()) <= 64 and max(widths.values()) > 10_000,
            {"narrowest model": min(widths.values()), "widest model": max(widths.values())},
        ),
        "width.hundreds_or_thousands": (
            min(full_widths) >= 100,
            {"narrowest": min(full_widths), "widest": max(full_widths)},
        ),
        "width.large_models_thousands": (min(large_widths.values()) >= 1000, large_widths),
        "width.large_models_several_thousand": (min(large_widths.values()) >= 3000, large_widths),
        "rows.large_models_tens_of_thousands": (
            all(10_000 <= rows < 100_000 for rows in large_rows.values()),
            large_rows,
        ),
        "tied.not_all": ({"true", "false"} <= set(tied.values()), tied),
        "tied.large_sometimes_separate": ("false" in large_tied.values(), large_tied),
        "positions.newer_differ_and_read_longer": (
            gpt2["positions"] not in positions
            and min(newer.values()) > int(gpt2["context_window"]),
            {"gpt2": gpt2["context_window"], **newer},
        ),
        "positions.usage": (
            gpt2["positions"] == "learned"
            and models["transformer"]["positions"] == "sinusoidal"
            and positions["rotary"] > positions.total() / 2,
            {"rotary": positions["rotary"], f"models since {RECENT}": positions.total()},
        ),
        "company.said_by_a_linguist": (
            quotations["company"]["profession"] == "linguist",
            {"author": quotations["company"]["author"]},
        ),
    }
