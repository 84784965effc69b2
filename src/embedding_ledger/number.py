"""One claim, measured: the cell on this machine, its verdict, and the code that made it."""

import ast
import difflib
import os
from dataclasses import asdict
from pathlib import Path

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import read_csv
from embedding_ledger.imports import module_files
from embedding_ledger.manifest import read_sidecar, sidecar_faults
from embedding_ledger.verdicts import judge, parse_row


def find_claim(claims, name):
    """Return the claim with this id; raise LedgerError with the ids that look like it."""
    by_id = {claim.id: claim for claim in claims}
    if name in by_id:
        return by_id[name]
    near = difflib.get_close_matches(name, by_id, 5, 0.6)
    near = near or sorted(known for known in by_id if name and name in known)[:5]
    raise LedgerError([f"no claim {name!r}", *(f"did you mean {known}?" for known in near)])


def artefact_path(claim, results):
    """Return the path of the file that holds a claim's cell, None when it has no address.

    Told from the folder at hand, as sidecars tell it, however `results` is spelt.
    """
    if not claim.artefact:
        return None
    return Path(os.path.relpath(Path(results) / claim.artefact)).as_posix()


def makers(results):
    """Return {path: sidecar of its job} of every file that a job of the last run made."""
    sidecars = map(read_sidecar, sorted(Path(results).glob("manifest/*.json")))
    return {path: record for record in sidecars for path in record["outputs"]}


def find_source(claim, results):
    """Return the row that tells whether the optional source of a claim is here, None without."""
    lists = [Path(results) / name for name in ("sources.csv", "absent.csv")]
    rows = [row for path in lists if path.is_file() for row in read_csv(path)[1]]
    return next((row for row in rows if claim.needs and row["provides"] == claim.needs), None)


def measure(claim, results):
    """Return (verdict, sidecar of the maker or None) of one claim on the artefacts at hand.

    Raises LedgerError when the artefact is no longer what its job made, or nothing was made.
    """
    path, source = artefact_path(claim, results), find_source(claim, results)
    made = makers(results) if path else {}
    if path and not made:
        raise LedgerError(f"there is no run in {results} (make reproduce)")
    maker = made.get(path)
    if maker is None:
        return judge(claim, source=source), None
    faults = sidecar_faults(maker)
    if faults:
        raise LedgerError(faults)
    return judge(claim, read_csv(path), maker, source), maker


def _functions_naming(file, name):
    """Yield (line, function) for each place in a module where the text `name` is written."""

    def walk(node, function):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function = node.name
        if isinstance(node, ast.Constant) and node.value == name:
            yield node.lineno, function
        for child in ast.iter_child_nodes(node):
            yield from walk(child, function)

    return walk(ast.parse(Path(file).read_text(encoding="utf-8")), "")


def named_at(script, row):
    """Return `file:line (function)` where the code writes a row's quantity or statement.

    Found by reading the script and the modules that it imports; empty unless exactly one place
    holds the name, as there would be no telling which of several computed the number.
    """
    conditions = parse_row(row)
    name = conditions.get("quantity") or conditions.get("statement")
    if not name or not Path(script).is_file():
        return ""
    places = [
        (file, line, function)
        for file in (Path(script), *module_files(script))
        for line, function in _functions_naming(file, name)
    ]
    if len(places) != 1:
        return ""
    file, line, function = places[0]
    here = Path.cwd()
    file = file.relative_to(here) if file.is_relative_to(here) else file
    return f"{file.as_posix()}:{line}" + (f" ({function})" if function else "")


def as_record(claim, results):
    """Return all that is known of one claim's number as plain values."""
    verdict, maker = measure(claim, results)
    code = named_at(maker["script"], claim.row) if maker else ""
    return {**asdict(verdict), "registry": f"{claim.file}:{claim.line}", "code": code}


def as_lines(record):
    """Return the record of one number as lines of text; what is empty is left out."""
    span = f"{record['spread_low']} to {record['spread_high']}" if record["spread_low"] else ""
    interval = f"{record['low']} to {record['high']}" if record["low"] or record["high"] else ""
    cell = "  ".join(filter(None, (record["artefact"], record["row"], record["column"])))
    fields = {
        "statement": record["statement"],
        "stated": " ".join(filter(None, (record["stated"], record["unit"]))),
        "interval": interval,
        "measured": record["measured"] or "nothing yet",
        "range": span,
        "verdict": f"{record['verdict']} (expected: {record['expected']})",
        "reason": record["reason"],
        "evidence": record["evidence"],
        "cell": cell,
        "rule": record["rule"],
        "script": record["script"],
        "code": record["code"],
        "registry": record["registry"],
    }
    return [record["id"], *(f"  {name:9}  {told}" for name, told in fields.items() if told)]
