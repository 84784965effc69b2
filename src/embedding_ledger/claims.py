"""The registry: claims of the documents, read from claims/<document>.csv and validated whole."""

import os
import re
from dataclasses import dataclass, fields
from pathlib import Path

from embedding_ledger.compare import parse_bound
from embedding_ledger.errors import LedgerError, did_you_mean
from embedding_ledger.files import read_csv
from embedding_ledger.numerals import parse_printed, split_list

KINDS = {
    "digits": "the measured value rounds to the printed digits (a list: one by one)",
    "tolerance": "the measured value is within the tolerance of the stated one",
    "list": "the items agree in order, numbers by printed digits and words exactly",
    "set": "the same words, in whatever order",
    "ordering": "the measured numbers are ordered as the stated ones are",
    "truth": "the statement holds (true or false)",
    "bound": "the measured value satisfies the bound, such as < 1",
    "spread": "the number hangs on data the document leaves out: it lies in the measured range",
    "none": "no measurement decides it",
}
EVIDENCE = ("computed", "trained", "real table", "published source", "given")
VERDICTS = {
    "reproduced": "A program made the number again: it agrees with every printed digit, "
    "or lies within the tolerance that was fixed before the run.",
    "consistent": "The page leaves out data that the number hangs on. Over the data that fit, "
    "the measured range contains it, and that range is narrow.",
    "not pinned": "The measured range contains it, but is so wide that the page does not "
    "determine the number.",
    "differs": "The measured value lies outside what the page states.",
    "contradicted": "The document disagrees with itself here; the measured cell decides.",
    "not run": "Something it needs is absent on this machine, or its experiment is not built yet.",
    "not checkable": "No measurement can decide it; the reason is given.",
}


@dataclass(frozen=True)
class Claim:
    """One statement of one document. The fields after `line` are the columns of the registry."""

    document: str
    file: str
    line: int
    id: str
    group: str
    section: str
    statement: str
    stated: str
    unit: str
    kind: str
    tolerance: str
    tolerance_reason: str
    evidence: str
    needs: str
    artefact: str
    row: str
    column: str
    expected: str
    expected_reason: str
    other_stated: str
    other_section: str
    restates: str
    correction: str


COLUMNS = tuple(field.name for field in fields(Claim))[3:]
_GROUP = re.compile(r"[A-Za-z0-9_-]*")  # it becomes part of file names; empty is told elsewhere
_ID = re.compile(r"d[0-9]+(\.[A-Za-z0-9_]+)+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def _wrong_choice(column, value, allowed):
    return f"column '{column}': {value!r} is not one of {', '.join(allowed)}"


def _column_faults(path, columns):
    """Name every unknown, missing and repeated column of a registry file."""
    faults = []
    for column in columns:
        if column not in COLUMNS:
            hint = did_you_mean(column, COLUMNS)
            faults.append(f"{path}:1: unknown column '{column}'{hint}")
    missing = [column for column in COLUMNS if column not in columns]
    faults += [f"{path}:1: missing column '{column}'" for column in missing]
    faults += [
        f"{path}:1: column '{column}' occurs {columns.count(column)} times"
        for column in sorted(set(columns))
        if columns.count(column) > 1
    ]
    if faults:
        faults.append(f"{path}:1: the columns are {', '.join(COLUMNS)}")
    return faults


def _parse_fault(column, text, parse):
    """Return a fault when some item of the list `text` does not parse."""
    try:
        for item in split_list(text):
            parse(item)
    except ValueError as error:
        return [f"column '{column}': {error}"]
    return []


def _stated_faults(kind, column, stated):
    """Say what is wrong with a stated value (column `stated` or `other_stated`) of this kind."""
    if kind == "bound" and ";" in stated:
        return [f"column '{column}': {stated!r} is a list, a bound is one value"]
    if kind in ("digits", "tolerance", "ordering", "spread"):
        faults = _parse_fault(column, stated, parse_printed)
        if faults or kind != "ordering":
            return faults
        different = {parse_printed(item).value for item in split_list(stated)}
        told = f"column '{column}': {stated!r}, an ordering needs two different numbers"
        return [told] if len(different) < 2 else []
    if kind == "bound":
        return _parse_fault(column, stated, parse_bound)
    if kind == "truth" and stated not in ("true", "false"):
        return [_wrong_choice(column, stated, ("true", "false"))]
    return [] if stated or kind == "none" else [f"column '{column}': empty"]


def _parse_width(text):
    """Parse a tolerance: a plain number, not negative."""
    if parse_printed(text).value < 0 or "%" in text:
        raise ValueError(f"{text!r} is not a width, such as 0.0005")


def _tolerance_faults(claim):
    """Say what is wrong with the tolerance of a claim of kind tolerance or spread."""
    faults = _parse_fault("tolerance", claim.tolerance, _parse_width)
    widths, values = (len(split_list(text)) for text in (claim.tolerance, claim.stated))
    if widths not in (1, values):
        faults.append(f"column 'tolerance': {widths} widths for {values} stated values")
    if not claim.tolerance_reason.strip():
        faults.append("column 'tolerance_reason': empty, a tolerance needs its reason")
    return faults


def _address_faults(claim):
    """Say what is wrong with the address of a claim's cell."""
    faults = []
    if (claim.row or claim.column) and not claim.artefact:
        faults.append("column 'artefact': empty, but row or column is given")
    if claim.artefact and not claim.column:
        faults.append("column 'column': empty, but an artefact is named")
    if claim.artefact.startswith("/") or ".." in Path(claim.artefact).parts:
        faults.append(f"column 'artefact': {claim.artefact!r} leaves the results folder")
    conditions = list(filter(None, split_list(claim.row)))
    for condition in conditions:
        if "=" not in condition:
            faults.append(f"column 'row': {condition!r} is not like start=10")
    names = [condition.split("=")[0] for condition in conditions]
    for name in sorted({name for name in names if names.count(name) > 1}):
        faults.append(f"column 'row': '{name}' is given twice")
    return faults


def _is_formula(text):
    """Tell whether a spreadsheet would run a cell instead of showing it (numbers are shown)."""
    if text[:1] in ("=", "@", "\t"):
        return True
    return text[:1] in ("+", "-") and bool(_parse_fault("", text, parse_printed))


def claim_faults(claim):
    """List what is wrong with one claim, each fault naming column, value and what is allowed."""
    faults = []
    if not _ID.fullmatch(claim.id):
        faults.append(f"column 'id': {claim.id!r} is not like d4.dot.1.start10")
    for column in ("group", "section", "statement"):
        if not getattr(claim, column).strip():
            faults.append(f"column '{column}': empty")
    choices = (("kind", KINDS), ("evidence", EVIDENCE), ("expected", VERDICTS))
    for column, allowed in choices:
        if getattr(claim, column) not in allowed:
            faults.append(_wrong_choice(column, getattr(claim, column), allowed))
    if claim.kind in KINDS:
        faults += _stated_faults(claim.kind, "stated", claim.stated)
        if claim.other_stated:
            faults += _stated_faults(claim.kind, "other_stated", claim.other_stated)
    if claim.kind in ("tolerance", "spread"):
        faults += _tolerance_faults(claim)
    elif claim.tolerance:
        faults.append(f"column 'tolerance': {claim.tolerance!r}, only tolerance and spread use it")
    faults += _address_faults(claim)
    for column in COLUMNS:
        text = getattr(claim, column)
        if "\r" in text or "\n" in text:
            faults.append(f"column '{column}': holds a line break")
        elif _CONTROL.search(text):
            faults.append(f"column '{column}': {text[:40]!r} holds a control character")
        if _is_formula(text):
            faults.append(f"column '{column}': {text[:40]!r} begins like a formula")
    if claim.expected in ("differs", "not checkable") and not claim.expected_reason.strip():
        faults.append(f"column 'expected_reason': empty, '{claim.expected}' needs its reason")
    if not _GROUP.fullmatch(claim.group):
        allowed = "letters, digits, - and _"
        faults.append(f"column 'group': {claim.group[:40]!r} is not allowed, only {allowed}")
    if claim.other_stated and claim.other_stated == claim.stated:
        faults.append("column 'other_stated': the same as 'stated', which is no contradiction")
    if bool(claim.other_stated) != bool(claim.other_section):
        faults.append("columns 'other_stated' and 'other_section': give both or none")
    return faults


def _restatement_faults(claims):
    """Check that a restatement names a claim of the registry that is no restatement itself."""
    known = {claim.id: claim for claim in claims}
    faults = []
    for claim in claims:
        place = f"{claim.file}:{claim.line}: column 'restates': {claim.restates!r}"
        if claim.restates and claim.restates not in known:
            faults.append(f"{place} is no claim of the registry")
        elif claim.restates and known[claim.restates].restates:
            faults.append(f"{place} restates {known[claim.restates].restates!r}: name that one")
    return faults


def read_claims(paths):
    """Read and validate registry files; return the claims in file order.

    Raises LedgerError with every fault of every file: file, line, column, value, what is allowed.
    """
    claims, faults, seen = [], [], {}
    for path in map(Path, sorted(map(Path, paths))):
        if not os.path.lexists(path):
            faults.append(
                f"{path}: No such file, though config/config.yaml lists it under claims; "
                f"`ledger add --document {path.stem}` makes it with its first claim"
            )
            continue
        try:
            _, rows = read_csv(path, _column_faults)
        except LedgerError as error:
            faults += error.faults
            continue
        for line, row in enumerate(rows, start=2):
            claim = Claim(document=path.stem, file=path.as_posix(), line=line, **row)
            claims.append(claim)
            faults += [f"{path}:{line}: {fault}" for fault in claim_faults(claim)]
            if claim.id in seen:
                faults.append(
                    f"{path}:{line}: column 'id': {claim.id!r} stands in {seen[claim.id]}"
                )
            seen.setdefault(claim.id, f"{path}:{line}")
    faults += _restatement_faults(claims)
    if faults:
        raise LedgerError(faults)
    return claims
