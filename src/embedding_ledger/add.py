"""Adding a claim to the registry: defaults, prompts, validation of the whole, one atomic write."""

import csv
import io
import tempfile
from pathlib import Path

from embedding_ledger.claims import COLUMNS, EVIDENCE, KINDS, VERDICTS, read_claims
from embedding_ledger.compare import parse_bound
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import read_csv, replacing
from embedding_ledger.numerals import parse_printed, split_list

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
        if not allowed or answer in allowed:
            return answer
        tell(f"{answer!r} is not one of {', '.join(allowed)}")


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
    """Return the registry file of a document; raise LedgerError naming those there are."""
    by_document = {Path(path).stem: Path(path) for path in paths}
    if document not in by_document:
        known = ", ".join(sorted(by_document))
        raise LedgerError(f"document {document!r} has no registry file; there are: {known}")
    return by_document[document]


def _id_faults(document, name):
    start = f"d{document.lstrip('0') or '0'}."
    if name.startswith(start):
        return []
    return [f"column 'id': {name!r} does not begin with {start} (document {document})"]


def would_be(paths, document, row):
    """Return (file, its bytes with the row added), after validating the whole registry with it.

    Raises LedgerError with every fault: of the row, a repeated id, or of another file.
    """
    file = find_file(paths, document)
    columns, _ = read_csv(file)
    content = with_row(file.read_bytes(), csv_line(row, columns))
    faults = _id_faults(document, row["id"])
    with tempfile.TemporaryDirectory() as folder:
        trials = {Path(folder) / Path(path).name: Path(path) for path in paths}
        for trial, path in trials.items():
            trial.write_bytes(content if path == file else path.read_bytes())
        try:
            read_claims(trials)
        except LedgerError as error:
            for fault in error.faults:
                for trial, path in trials.items():
                    fault = fault.replace(str(trial), str(path))
                faults.append(fault)
    if faults:
        raise LedgerError(faults)
    return file, content


def write_bytes(path, content):
    """Write a file whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)
