"""Plant wrong digits: does the checker notice when one printed digit of a stated value is changed?

    python campaigns/planted_digits.py [RESULTS]     every digit of every claim, one by one

Run it in the project's root folder, after the pipeline. For each claim it writes the wrong values
tried, and those that the verdict did not turn to `differs` for, to
campaigns/planted_digits_measured.csv.
"""

import dataclasses
import re
import sys
from functools import cache
from pathlib import Path

from embedding_ledger.claims import read_claims
from embedding_ledger.config import load
from embedding_ledger.files import read_csv, write_csv
from embedding_ledger.numerals import parse_printed
from embedding_ledger.verdicts import judge

# Kinds that state a number to be met. Bounds, orderings and truths state none: `< 2` is as true of
# 0.5 as `< 1`.
KINDS = ("digits", "tolerance", "spread")
MEASURED = Path("campaigns/planted_digits_measured.csv")


def population(results):
    """Return the numeric claims that hold in a results folder, each with its artefact's table."""
    _, rows = read_csv(Path(results) / "claims.csv")
    verdicts = {row["id"]: row["verdict"] for row in rows}
    read = cache(read_csv)
    return [
        (claim, read(Path(results) / claim.artefact))
        for claim in read_claims(load()["claims"])
        if claim.kind in KINDS and verdicts.get(claim.id) in ("reproduced", "consistent")
    ]


def wrong_values(stated):
    """Return every text that differs from a stated value in one digit and is another number."""
    found = []
    for match in re.finditer("[0-9]", stated):
        for digit in "0123456789".replace(match.group(), ""):
            text = stated[: match.start()] + digit + stated[match.end() :]
            try:
                values = [[parse_printed(i).value for i in t.split(";")] for t in (text, stated)]
            except ValueError:  # 0,024 is no number: the registry refuses it
                continue
            if values[0] != values[1]:
                found.append(text)
    return found


def caught(claim, table, stated):
    """Tell whether the verdict turns to `differs` when the page states another value."""
    return judge(dataclasses.replace(claim, stated=stated), table).verdict == "differs"


def main(results="results"):
    rows, tried, missed = [], 0, 0
    for claim, table in population(results):
        wrong = wrong_values(claim.stated)
        through = [text for text in wrong if not caught(claim, table, text)]
        tried, missed = tried + len(wrong), missed + len(through)
        told = " | ".join(through)
        rows.append((claim.id, claim.kind, claim.stated, claim.tolerance, len(wrong), told))
    columns = ("id", "kind", "stated", "tolerance", "wrong_values", "not_noticed")
    write_csv(MEASURED, columns, rows)
    blind = sum(bool(row[-1]) for row in rows)
    print(
        f"{tried - missed} of {tried} wrong values noticed; {blind} of {len(rows)} claims let one"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
