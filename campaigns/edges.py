"""List the claims whose measured value lies near an end of the interval that decides them.

    python campaigns/edges.py [RESULTS] [--share 0.02]

Near: within a share of the interval's half width (default 2 %). Another processor's last bits move
a value by far less (docs/trust.md); whoever changes an experiment looks at these first.
"""

import argparse
from decimal import Decimal
from pathlib import Path

from embedding_ledger.files import read_csv
from embedding_ledger.numerals import parse_cell, split_list


def nearness(low, high, cell):
    """Return the distance of a cell to the nearer end as a share of half the interval's width."""
    half = (Decimal(high) - Decimal(low)) / 2
    value = parse_cell(cell)
    return min(abs(value - Decimal(low)), abs(Decimal(high) - value)) / half


def near_edges(rows, share):
    """Return [(share, id, stated, measured)] of judged rows of claims.csv, nearest first."""
    found = []
    for row in rows:
        lists = [split_list(row[name]) for name in ("low", "high", "measured")]
        if row["kind"] not in ("digits", "tolerance") or len({len(items) for items in lists}) > 1:
            continue
        shares = [
            nearness(low, high, cell)
            for low, high, cell in zip(*lists, strict=True)
            if low and low != high  # an exact count has no edge
        ]
        if shares and min(shares) <= share:
            found.append((min(shares), row["id"], row["stated"], row["measured"]))
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="?", default="results")
    parser.add_argument("--share", type=Decimal, default=Decimal("0.02"))
    options = parser.parse_args()
    _, rows = read_csv(Path(options.results) / "claims.csv")
    for share, name, stated, measured in near_edges(rows, options.share):
        print(f"{share:8.1e}  {name}  stated {stated}  measured {measured}")


if __name__ == "__main__":
    main()
