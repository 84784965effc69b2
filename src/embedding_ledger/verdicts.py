"""From claims and artefacts to verdicts: which cell measures a claim, and what came of it."""

import difflib
import json
import re
from collections import Counter
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from embedding_ledger.claims import EVIDENCE, VERDICTS
from embedding_ledger.compare import COMPARISONS, NUMERIC, Comparison, overlaps, range_width
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import read_csv
from embedding_ledger.numerals import parse_cell, parse_printed, split_list

SUMMARY_SCHEMA_VERSION = 1
NOT_BUILT = "experiment not built yet"


UNVERIFIED = "unverified weights"


@dataclass(frozen=True)
class Verdict:
    """What came of one claim; the fields are the columns of results/claims.csv."""

    id: str
    document: str
    group: str
    section: str
    statement: str
    stated: str
    unit: str
    kind: str
    low: str
    high: str
    measured: str
    spread_low: str
    spread_high: str
    edge: bool
    verdict: str
    expected: str
    evidence: str
    reason: str
    artefact: str
    row: str
    column: str
    rule: str
    script: str
    other_stated: str
    other_section: str
    restates: str
    correction: str
    registry: str
    excused: bool


def parse_row(text):
    """Parse a row address such as `start=10;offset=4` into a dict (empty: every row)."""
    return dict(condition.split("=", 1) for condition in filter(None, split_list(text)))


def select_cells(columns, rows, row, column):
    """Return the cells that an address names, as texts in file order.

    `row`: conditions on columns, all of which must hold; `column`: one or more column names,
    separated by semicolons. Raises ValueError naming an unknown column or an address without rows.
    """
    conditions, wanted = parse_row(row), split_list(column)
    for name in [*conditions, *wanted]:
        if name not in columns:
            raise ValueError(f"no column '{name}'; the columns are {', '.join(columns)}")
    chosen = [r for r in rows if all(r[key] == value for key, value in conditions.items())]
    if not chosen:
        raise ValueError(f"no row with {row}{_values_there(rows, conditions)}")
    return [r[name] for r in chosen for name in wanted]


def _values_there(rows, conditions):
    """Name the values that the first condition without any row could have had."""
    for name, value in conditions.items():
        there = list(dict.fromkeys(row[name] for row in rows))
        if value not in there:
            near = difflib.get_close_matches(value, there, 3) or there[:8]
            return f"; {name} is {', '.join(near)}{' ...' if len(there) > len(near) else ''}"
    return ""


def _spread_cells(claim, columns, rows):
    """Return (measured, lows, highs) of a spread claim: columns x, x_low and x_high, a row each."""
    names = ";".join(f"{claim.column}{suffix}" for suffix in ("", "_low", "_high"))
    cells = select_cells(columns, rows, claim.row, names)
    stated = len(split_list(claim.stated))
    if len(cells) != 3 * stated:
        raise ValueError(f"{len(cells) // 3} rows with {claim.row} for {stated} stated numbers")
    return cells[::3], cells[1::3], cells[2::3]


def _not_finite(cells):
    """Return (verdict, reason) when a cell is no finite number, else None: nan never passes."""
    try:
        for cell in cells:
            parse_cell(cell)
    except ValueError as error:
        return "differs", str(error)
    return None


def _judge_spread(claim, lows, highs):
    """Return (verdict, reason) of numbers that hang on data the document leaves out."""
    ranges = list(zip(split_list(claim.stated), lows, highs, strict=True))
    shown = "the measured range is " + " and ".join(f"{low} to {high}" for _, low, high in ranges)
    note = f". {claim.expected_reason}" if claim.expected_reason else ""
    if any(range_width(low, high) < 0 for _, low, high in ranges):
        raise ValueError(f"{shown}: its ends are reversed")
    outside = [stated for stated, low, high in ranges if not overlaps(stated, low, high)]
    if outside:
        return "differs", f"{shown}: {' and '.join(outside)} lies outside{note}"
    cap = parse_printed(claim.tolerance).value
    if any(range_width(low, high) > cap for _, low, high in ranges):
        return "not pinned", f"{shown}, wider than the cap {claim.tolerance}{note}"
    return "consistent", f"{shown}, within the cap {claim.tolerance}{note}"


def _agrees(kind, stated, measured, tolerance):
    return COMPARISONS[kind](stated, measured, tolerance).holds


THIS_SIDE = "this side"
_AGREES = "the measurement agrees with "


def _judge_contradiction(claim, measured):
    """Return (verdict, reason) of a claim that another place of its document denies."""
    sides = {THIS_SIDE: claim.stated, claim.other_section: claim.other_stated}
    holding = [
        side for side, text in sides.items() if _agrees(claim.kind, text, measured, claim.tolerance)
    ]
    decided = f"{_AGREES}{' and '.join(holding) or 'neither'}"
    other = f"{claim.other_section} has {claim.other_stated}"
    note = f" {claim.expected_reason}" if claim.expected_reason else ""
    return "contradicted", f"stated {claim.stated}; {other}; {decided}.{note}"


def agreeing(row):
    """Return the sides of a contradiction (row of claims.csv) that the measurement agrees with."""
    decided = row["reason"].partition(_AGREES)[2]
    both = [THIS_SIDE, row["other_section"]]
    for sides in (both, both[:1], both[1:]):
        if decided.startswith(f"{' and '.join(sides)}."):
            return sides
    return []


def _decided_from(claim, columns, rows):
    """Return the numbers that a truth was decided from, where its artefact keeps them."""
    if claim.kind != "truth" or "numbers" not in columns:
        return ""
    return " / ".join(filter(None, select_cells(columns, rows, claim.row, "numbers")))


def _judge_comparison(claim, comparison, numbers):
    """Return (verdict, reason) of a plain comparison."""
    if comparison.holds:
        return "reproduced", "lies exactly on the rounding edge" if comparison.edge else numbers
    known = claim.expected_reason if claim.expected == "differs" else ""
    return "differs", ": ".join(filter(None, (comparison.detail, numbers, known)))


def _measure(claim, columns, rows):
    """Compare a claim with its cells; return (verdict, reason, comparison, measured, spread)."""
    if claim.kind == "spread":
        measured, *ranges = _spread_cells(claim, columns, rows)
        printed = [parse_printed(item) for item in split_list(claim.stated)]
        low, high = (";".join(str(getattr(n, end)) for n in printed) for end in ("low", "high"))
        cells = [cell for column in (measured, *ranges) for cell in column]
        decided = _not_finite(cells) or _judge_spread(claim, *ranges)
        return *decided, Comparison(True, low, high), measured, tuple(map(";".join, ranges))
    measured = select_cells(columns, rows, claim.row, claim.column)
    comparison = COMPARISONS[claim.kind](claim.stated, measured, claim.tolerance)
    if claim.other_stated:
        numeric = claim.kind in NUMERIC
        decided = (numeric and _not_finite(measured)) or _judge_contradiction(claim, measured)
    else:
        decided = _judge_comparison(claim, comparison, _decided_from(claim, columns, rows))
    return *decided, comparison, measured, ("", "")


def _absent(source):
    """Whether a claim needs an optional source that is not on this machine."""
    return bool(source) and source["here"] != "true"


def judge(claim, table=None, maker=None, source=None):
    """Decide one claim.

    `table`: (columns, rows) of its artefact, None when there is no such file; `maker`: the sidecar
    of the job that made it; `source`: the row that tells whether what it needs is here, if that
    is optional. An optional source excuses whatever the verdict is in two cases: the source
    is absent, or the registry expects `not run` because nobody has measured it yet.
    An address that names no cell is `not run`, with what is there instead.
    """
    comparison, measured, spread = Comparison(False), [], ("", "")
    if claim.kind == "none":
        verdict, reason = "not checkable", claim.expected_reason
    elif table is None:
        verdict, reason = "not run", claim.expected_reason or NOT_BUILT
        if _absent(source):
            reason = source["reason"]
    else:
        try:
            verdict, reason, comparison, measured, spread = _measure(claim, *table)
        except ValueError as error:
            verdict, reason = "not run", f"its address names no cell: {error}"
    if source and table and source.get("verified") == "false":
        reason = "; ".join(filter(None, (UNVERIFIED, reason)))
    excused = _absent(source) and verdict == "not run"
    excused = excused or bool(source and claim.expected == "not run")
    maker = maker or {}
    same = {name: getattr(claim, name) for name in claim.__dataclass_fields__}
    return Verdict(
        **{name: same[name] for name in Verdict.__dataclass_fields__ if name in same},
        low=comparison.low,
        high=comparison.high,
        measured=";".join(measured),
        spread_low=spread[0],
        spread_high=spread[1],
        edge=comparison.holds and comparison.edge,
        verdict=verdict,
        reason=reason,
        rule=maker.get("rule", ""),
        script=maker.get("script", ""),
        registry=f"{claim.file}:{claim.line}",
        excused=excused,
    )


def judge_all(claims, results, makers, sources=()):
    """Decide every claim on the artefacts under the folder `results`.

    `makers`: sidecar by output path, as manifest.verify returns them; `sources`: rows that tell
    what is optional and whether it is here (provides, here, reason, perhaps verified).
    Raises LedgerError naming every artefact that lies there although no rule made it.
    """
    read = cache(read_csv)
    provided = {row["provides"]: row for row in sources if row["provides"]}
    verdicts, faults = [], set()
    for claim in claims:
        path = (Path(results) / claim.artefact).as_posix() if claim.artefact else None
        if path and path not in makers and Path(path).exists():
            faults.add(f"{path}: no rule of this pipeline made it; remove it")
        table = read(path) if path in makers else None
        verdicts.append(judge(claim, table, makers.get(path), provided.get(claim.needs)))
    if faults:
        raise LedgerError(sorted(faults))
    return verdicts


def _is_unexpected(verdict):
    """Whether a verdict is neither the one expected nor excused."""
    return verdict.verdict != verdict.expected and not verdict.excused


def unexpected(verdicts):
    """Return the verdicts that are neither the ones expected nor excused."""
    return [verdict for verdict in verdicts if _is_unexpected(verdict)]


def _is_skipped(verdict):
    """Whether a verdict is `not run`, as expected or excused."""
    return verdict.verdict == "not run" and not _is_unexpected(verdict)


def summarize(verdicts):
    """Count verdicts in all, by document, and by evidence (the scoreboard)."""

    def count(chosen):
        numbers = Counter(verdict.verdict for verdict in chosen)
        return {name: numbers[name] for name in VERDICTS}

    documents = sorted({verdict.document for verdict in verdicts})
    return {
        "schema_version": SUMMARY_SCHEMA_VERSION,
        "claims": len(verdicts),
        "verdicts": count(verdicts),
        "documents": {d: count(v for v in verdicts if v.document == d) for d in documents},
        "evidence": {e: count(v for v in verdicts if v.evidence == e) for e in EVIDENCE},
        "unexpected": [verdict.id for verdict in unexpected(verdicts)],
    }


# what XML 1.0 cannot hold, however it is escaped
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(verdicts):
    """Return a JUnit XML text: a case a claim, failed when unexpected, skipped when not run."""
    suite = ElementTree.Element(
        "testsuite",
        name="claims",
        tests=str(len(verdicts)),
        failures=str(sum(map(_is_unexpected, verdicts))),
        skipped=str(sum(map(_is_skipped, verdicts))),
    )
    for verdict in verdicts:
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"document.{verdict.document}", name=verdict.id
        )
        if _is_unexpected(verdict):
            ElementTree.SubElement(case, "failure", message=told(asdict(verdict)))
        elif _is_skipped(verdict):
            ElementTree.SubElement(case, "skipped", message=verdict.reason)
    ElementTree.indent(suite)
    text = ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)
    return _NO_XML.sub("\ufffd", text) + "\n"


def told(row):
    """Say in one line what came of a claim, for terminals and logs (`row`: of claims.csv)."""
    reason = row["reason"]
    cell = f"{row['artefact']} {row['row']} {row['column']}".strip()
    return (
        f"{row['registry']}: {row['id']}: {row['verdict']}, expected {row['expected']}; "
        f"stated {row['stated']}, measured {row['measured'] or 'nothing'}"
        f"{f' ({cell})' if cell else ''}{f'; {reason}' if reason else ''}"
    )


def excuses(rows):
    """Say in a line each what is absent and which claims wait for it, and what is measured first.

    `rows`: of claims.csv, those that `judge` excused.
    """
    excused = [row for row in rows if row["excused"] == "true"]
    waiting = Counter(row["reason"] for row in excused if row["verdict"] == "not run")
    lines = [
        f"{count} {'claims are' if count > 1 else 'claim is'} not run: {reason}"
        for reason, count in waiting.items()
    ]
    first = [row for row in excused if row["verdict"] != "not run"]
    return lines + [f"measured for the first time: {row['id']}: {row['verdict']}" for row in first]


def scoreboard(summary):
    """Return the scoreboard as lines of text: verdicts down, evidence across."""
    evidence = [e for e in EVIDENCE if sum(summary["evidence"][e].values())]
    width = max(map(len, VERDICTS))
    lines = [f"{'':{width}}  {'all':>5}  " + "  ".join(f"{e:>16}" for e in evidence)]
    for name in VERDICTS:
        counts = "  ".join(f"{summary['evidence'][e][name]:>16}" for e in evidence)
        lines.append(f"{name:{width}}  {summary['verdicts'][name]:>5}  {counts}")
    lines.append(f"{'claims':{width}}  {summary['claims']:>5}")
    return lines


def read_summary(path):
    """Read results/summary.json."""
    return json.loads(Path(path).read_text(encoding="utf-8"))
