"""The registry of numerals, claims/numerals.csv: which claim each printed numeral belongs to."""

from dataclasses import dataclass, fields
from pathlib import Path

from embedding_ledger.errors import LedgerError, did_you_mean
from embedding_ledger.files import read_csv, write_csv
from embedding_ledger.numerals import split_list

DEFAULT = "claims/numerals.csv"


@dataclass(frozen=True)
class Occurrence:
    """One numeral at one place of a document, in the order of the page.

    `numeral`: as printed; `before`, `after`: fingerprints of the words on either side
    (scan.fingerprint); `claims`: ids of the claims that cover it; `reason`: why it is no claim.
    With neither it still waits for its author.
    """

    document: str
    numeral: str
    before: str
    after: str
    claims: tuple = ()
    reason: str = ""

    @property
    def waits(self):
        """Whether it has neither claims nor a reason."""
        return not (self.claims or self.reason)


COLUMNS = tuple(field.name for field in fields(Occurrence))


def _column_faults(path, columns):
    if tuple(columns) == COLUMNS:
        return []
    return [f"{path}:1: the columns are {','.join(columns)}, expected {','.join(COLUMNS)}"]


def _faults(row, documents, known):
    """List what is wrong with one row; `documents`: claim id -> document; `known`: all of them."""
    faults, ids = [], list(filter(None, split_list(row["claims"])))
    if row["document"] not in known:
        faults.append(f"column 'document': {row['document']!r} is not one of {', '.join(known)}")
    if not row["numeral"]:
        faults.append("column 'numeral': empty")
    for column in ("before", "after"):
        if len(row[column]) != 8 or set(row[column]) - set("0123456789abcdef"):
            faults.append(f"column '{column}': {row[column]!r} is not 8 hexadecimal digits")
    for claim in ids:
        if claim not in documents:
            hint = did_you_mean(claim, documents)
            faults.append(f"column 'claims': no claim {claim!r}{hint}")
        elif row["document"] in known and documents[claim] != row["document"]:
            faults.append(f"column 'claims': {claim!r} is a claim of document {documents[claim]}")
    if ids and row["reason"]:
        faults.append("columns 'claims' and 'reason': give one of them")
    return faults


def read_occurrences(path, claims):
    """Read and validate the registry of numerals against the claims (claims.Claim).

    Raises LedgerError with every fault: file, line, column, value, what is allowed.
    """
    documents = {claim.id: claim.document for claim in claims}
    known = sorted(set(documents.values()))
    _, rows = read_csv(path, _column_faults)
    faults = [
        f"{Path(path)}:{line}: {fault}"
        for line, row in enumerate(rows, start=2)
        for fault in _faults(row, documents, known)
    ]
    if faults:
        raise LedgerError(faults)
    return [
        Occurrence(**{**row, "claims": tuple(filter(None, split_list(row["claims"])))})
        for row in rows
    ]


def waiting(path, occurrences):
    """Name each row that has neither claims nor a reason; `occurrences`: as `path` has them."""
    return [
        f"{path}:{line}: document {occurrence.document}, {occurrence.numeral}"
        for line, occurrence in enumerate(occurrences, start=2)
        if occurrence.waits
    ]


def write_occurrences(path, occurrences):
    """Write the registry of numerals, documents in order, each in the order of its page."""
    rows = [
        (o.document, o.numeral, o.before, o.after, ";".join(o.claims), o.reason)
        for o in sorted(occurrences, key=lambda occurrence: occurrence.document)
    ]
    write_csv(path, COLUMNS, rows)
