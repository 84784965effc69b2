"""Adding a claim to the registry: defaults, prompts, validation of the whole, one atomic write."""

import csv
import io
import tempfile
from dataclasses import replace
from pathlib import Path

from embedding_ledger.claims import COLUMNS, EVIDENCE, KINDS, VERDICTS, read_claims
from embedding_ledger.compare import parse_bound
from embedding_ledger.errors import LedgerError, did_you_mean
from embedding_ledger.files import read_csv, replacing
from embedding_ledger.number import artefact_path, as_record, makers
from embedding_ledger.numerals import parse_printed, split_list
from embedding_ledger.verdicts import parse_row

REQUIRED = ("id", "group", "section", "statement")
CHOICES = {"kind": tuple(KINDS), "evidence": EVIDENCE, "expected": tuple(VERDICTS)}
HINTS = {
    "id": "unique, such as d4.dot.1.start10",
    "group": "subject, as other claims have it",
    "section": "heading of the document",
    "statement": "the claim in your own words",
    "stated": "the value as printed; a list is separated by semicolons",
    "unit": "of the stated value, may be empty",
    "kind": "how to compare",
    "tolerance": "largest difference that agrees; 0 for a count",
    "tolerance_reason": "why this tolerance",
    "evidence": "what the measured number rests on",
    "needs": "what must be present to measure it, may be empty",
    "artefact": "file under the results folder, empty while it is not built",
    "row": "such as quantity=sum;index=0, empty for all rows",
    "column": "one or more column names",
    "expected": "the verdict you believe in",
    "expected_reason": "why, needed for differs and not checkable",
    "other_stated": "what another place of the document says instead, may be empty",
    "other_section": "where it says so",
    "restates": "id of the claim that states the same fact first, may be empty",
    "correction": "what you suggest to the page's author, may be empty",
}


def _parses(parse, text):
    try:
        return all(parse(item) is not None for item in split_list(text))
    except ValueError:
        return False


def default(column, row):
    """Return what a column most likely holds, given the columns of `row` filled so far."""
    stated = row.get("stated", "")
    if column == "kind":
        if not stated:
            return "none"
        if stated in ("true", "false"):
            return "truth"
        if _parses(parse_bound, stated):
            return "bound"
        return "digits" if _parses(parse_printed, stated) else "list"
    if column == "expected":
        if row.get("kind") == "none":
            return "not checkable"
        return "reproduced" if row.get("artefact") else "not run"
    return "computed" if column == "evidence" else ""


def _applies(column, row):
    """Tell whether a column has a use beside those filled so far."""
    if column in ("tolerance", "tolerance_reason"):
        return row["kind"] in ("tolerance", "spread")
    if column in ("row", "column"):
        return bool(row["artefact"])
    return column != "other_section" or bool(row["other_stated"])


def complete(given, ask=None):
    """Return a whole row {column: text} from the columns `given`.

    `ask(column, default)` is called for each column that is not given and has a use; without it
    the default is taken.
    """
    row = {}
    for column in COLUMNS:
        if given.get(column) is not None:
            row[column] = given[column]
        elif not _applies(column, row):
            row[column] = ""
        else:
            likely = default(column, row)
            row[column] = ask(column, likely) if ask else likely
    return row


def prompt(column, likely, read=input, tell=print):
    """Ask for one column on the terminal until the answer is allowed; an empty one is `likely`."""
    allowed = CHOICES.get(column, ())
    listed = f"; one of {', '.join(allowed)}" if allowed else ""
    while True:
        shown = f" [{likely}]" if likely else ""
        answer = read(f"{column} ({HINTS[column]}{listed}){shown}: ").strip() or likely
        if allowed and answer not in allowed:
            tell(f"{answer!r} is not one of {', '.join(allowed)}")
        elif not answer and column in REQUIRED:
            tell(f"{column} may not be empty")
        else:
            return answer


def csv_line(row, columns=COLUMNS):
    """Return a row as one line of CSV without its line end."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow([row[column] for column in columns])
    return buffer.getvalue()


def with_row(content, line):
    """Return the bytes of a CSV file with a line added at its end; all others stay as they are."""
    end = b"\r\n" if b"\r\n" in content else b"\n"
    content += b"" if content.endswith(b"\n") else end
    return content + line.encode() + end


def find_file(paths, document):
    """Return the registry file of a document; raise LedgerError saying how to have one."""
    by_document = {Path(path).stem: Path(path) for path in paths}
    if document not in by_document:
        known = ", ".join(sorted(by_document))
        raise LedgerError(
            f"document {document!r} has no registry file; there are: {known}. For a page of your "
            f"own list claims/{document}.csv under claims in config/config.yaml (docs/authors.md)"
        )
    return by_document[document]


def _id_faults(document, name):
    start = f"d{document.lstrip('0') or '0'}."
    if name.startswith(start):
        return []
    return [f"column 'id': {name!r} does not begin with {start} (document {document})"]


def would_be(paths, document, row):
    """Validate the whole registry with a row added; return (file, its bytes, all Claims).

    The last claim of its file is the new one; a file that is not there yet begins with its header.
    Raises LedgerError with every fault: of the row, a repeated id, or of another file.
    """
    file = find_file(paths, document)
    columns, content = COLUMNS, f"{','.join(COLUMNS)}\n".encode()
    if file.exists():
        columns, content = read_csv(file)[0], file.read_bytes()
    content = with_row(content, csv_line(row, columns))
    faults, claims = _id_faults(document, row["id"]), []
    with tempfile.TemporaryDirectory() as folder:
        trials = {Path(folder) / Path(path).name: Path(path) for path in paths}
        for trial, path in trials.items():
            if path == file or path.exists():
                trial.write_bytes(content if path == file else path.read_bytes())
        try:
            for claim in read_claims(trials):
                claims.append(replace(claim, file=trials[Path(claim.file)].as_posix()))
        except LedgerError as error:
            for fault in error.faults:
                for trial, path in trials.items():
                    fault = fault.replace(str(trial), str(path))
                faults.append(fault)
    if faults:
        raise LedgerError(faults)
    return file, content, claims


def _column_faults(claim, columns):
    """Name the columns of an address that its artefact has not; a spread reads two more."""
    names = split_list(claim.column)
    if claim.kind == "spread":
        names = [f"{name}{end}" for name in names for end in ("", "_low", "_high")]
    asked = [("row", name) for name in parse_row(claim.row)] + [("column", name) for name in names]
    return [
        f"column '{column}': {claim.artefact} has no column {name!r}"
        + (did_you_mean(name, columns, 3) or f"; it has {', '.join(columns)}")
        for column, name in asked
        if name not in columns
    ]


def _row_faults(claim, rows):
    """Say that no row meets the conditions of an address, with those that nearly do."""
    conditions = parse_row(claim.row)
    written = [";".join(f"{name}={row[name]}" for name in conditions) for row in rows]
    asked = ";".join(f"{name}={value}" for name, value in conditions.items())
    if asked in written:
        return []
    near = did_you_mean(asked, sorted(set(written)), 3)
    return [f"column 'row': {claim.artefact} has no row with {claim.row}{near}"]


def measured(claim, results):
    """Judge a would-be claim on the results at hand; return what number.as_record does.

    Raises LedgerError when its address names no cell, with the names that are near.
    """
    made = {
        Path(path).relative_to(results).as_posix()
        for path, record in makers(results).items()
        if record["rule"] != "check_claims"  # verdicts measure nothing
        and path.endswith(".csv")
        and Path(path).is_relative_to(results)
    }
    if claim.artefact not in made:
        near = did_you_mean(claim.artefact, sorted(made), 3)
        raise LedgerError(f"column 'artefact': no rule made {claim.artefact!r}{near}")
    columns, rows = read_csv(artefact_path(claim, results))
    faults = _column_faults(claim, columns) or _row_faults(claim, rows)
    if faults:
        raise LedgerError(faults)
    return as_record(claim, results)


def same_cell(claim, claims):
    """Return the claims besides this one whose address is the same cell."""

    def cell(claim):
        return claim.artefact, parse_row(claim.row), claim.column

    return [c for c in claims if claim.artefact and c.id != claim.id and cell(c) == cell(claim)]


def write_bytes(path, content):
    """Write a file whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)
