"""What moved between two runs: verdicts and measured digits, claim by claim."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import read_csv

COMPARED = ("verdict", "measured", "spread_low", "spread_high")
HEADINGS = ("claim", "change", "stated", "before", "after")


@dataclass(frozen=True)
class Move:
    """One claim that is not as it was; `before` and `after`: verdict and measured cells."""

    id: str
    change: str
    stated: str
    before: str
    after: str


def _column_faults(path, columns):
    missing = [name for name in ("id", "stated", *COMPARED) if name not in columns]
    return [f"{path}:1: missing column '{name}'" for name in missing]


def read_run(path):
    """Read the verdicts of a run as {id: row}; `path`: a results folder or its claims.csv.

    Raises LedgerError when the file is absent or lacks a column that is compared.
    """
    path = Path(path)
    file = path / "claims.csv" if path.is_dir() else path
    _, rows = read_csv(file, _column_faults)
    times = Counter(row["id"] for row in rows)
    twice = [name for name in sorted(times) if times[name] > 1]
    if twice:
        raise LedgerError([f"{file}: claim {name} stands there more than once" for name in twice])
    return {row["id"]: row for row in rows}


def _state(row):
    """Say in a few words what came of a claim: verdict, measured cells, range."""
    if row is None:
        return ""
    span = f" ({row['spread_low']} to {row['spread_high']})" if row["spread_low"] else ""
    return f"{row['verdict']}: {row['measured']}{span}" if row["measured"] else row["verdict"]


def _change(old, new):
    if old is None or new is None:
        return "new" if old is None else "gone"
    changed = [name for name in COMPARED if old[name] != new[name]]
    return "verdict" if "verdict" in changed else "digits" if changed else ""


def compare_runs(old, new):
    """Return the Moves from one run to another ({id: row} each), sorted by claim.

    Measured values are compared as printed cells: one changed digit is a move.
    """
    moves = []
    for name in sorted(old.keys() | new.keys()):
        pair = old.get(name), new.get(name)
        if change := _change(*pair):
            stated = (pair[1] or pair[0])["stated"]
            moves.append(Move(name, change, stated, *map(_state, pair)))
    return moves


def _cells(moves):
    return [(move.id, move.change, move.stated, move.before, move.after) for move in moves]


def _count(moves):
    return f"{len(moves)} {'claim' if len(moves) == 1 else 'claims'} moved"


def as_lines(moves):
    """Return the moves as a table of text, ended by their number."""
    rows = [HEADINGS, *_cells(moves)] if moves else []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return [*lines, _count(moves) if moves else "no claim moved"]


def as_markdown(moves):
    """Return the moves as lines of Markdown, for a comment on a pull request."""
    if not moves:
        return ["No claim moved."]

    def line(cells):
        escaped = [cell.replace("|", "\\|") for cell in cells]
        return f"| {' | '.join(escaped)} |"

    rule = f"|{'---|' * len(HEADINGS)}"
    return [f"**{_count(moves)}**", "", line(HEADINGS), rule, *map(line, _cells(moves))]
