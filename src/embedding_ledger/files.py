"""Reading and writing files whole: writes are atomic, CSV files have one dialect."""

import csv
import hashlib
import io
import json
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

from embedding_ledger.errors import LedgerError


@contextmanager
def replacing(path):
    """Give the path of a temporary sibling that replaces `path` when the block succeeds."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path, text):
    """Write `text` as UTF-8 with LF line ends, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(path, value):
    """Write `value` as JSON with sorted keys."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n")


def cell_text(value):
    """Print one CSV cell: `true`/`false` for booleans, the shortest exact form for floats."""
    if hasattr(value, "item"):  # a NumPy or torch scalar
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _csv_line(cells):
    """Return one CSV line ending in LF, with every line end inside a cell quoted."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def write_csv(path, columns, rows):
    """Write `rows` (sequences as long as `columns`) as a CSV file."""
    lines = [_csv_line(columns)]
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"{path}: a row of {len(row)} cells for {len(columns)} columns: {row}")
        lines.append(_csv_line([cell_text(value) for value in row]))
    write_text(path, "".join(lines))


def read_text(path):
    """Read a UTF-8 text file; raise LedgerError when it is absent or not UTF-8.

    A byte order mark, which spreadsheets and Windows editors write, is left out.
    """
    path = Path(path)
    try:
        return path.read_bytes().decode("utf-8-sig")  # read_text would turn CR into LF
    except UnicodeDecodeError as error:
        raise LedgerError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise LedgerError(f"{path}: {error.strerror}") from None


def parse_json(path, text):
    """Parse the text of a JSON file; raise LedgerError for a syntax error or a key given twice."""

    def mapping(pairs):
        found = dict(pairs)
        if len(found) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise LedgerError(f"{path}: key '{twice}' is given twice")
        return found

    try:
        return json.loads(text, object_pairs_hook=mapping)
    except json.JSONDecodeError as error:
        raise LedgerError(f"{path}:{error.lineno}: not JSON ({error.msg})") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, deep nesting
        raise LedgerError(f"{path}: not JSON that can be read ({error})") from None


def read_csv(path, column_faults=lambda path, columns: []):
    """Read a CSV file as (columns, list of dicts); every cell stays text.

    `column_faults(path, columns)` may list what is wrong with the header; the rows are then not
    looked at. Raises LedgerError with every fault: header, or rows (file and line) that have more
    or fewer cells than the header, or cannot be read.
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""))
    try:
        columns = next(reader, None)
    except csv.Error as error:
        raise LedgerError(f"{path}:1: not CSV ({error})") from None
    if columns is None:
        raise LedgerError(f"{path}: empty, expected a header line")
    faults, rows = column_faults(path, columns), []
    if faults:
        raise LedgerError(faults)
    if len(set(columns)) != len(columns):
        twice = next(column for column in columns if columns.count(column) > 1)
        raise LedgerError(f"{path}:1: column '{twice}' is given twice")
    try:
        for cells in reader:
            if len(cells) == len(columns):
                rows.append(dict(zip(columns, cells, strict=True)))
            else:
                told = f"{len(cells)} cells, the header has {len(columns)}"
                faults.append(f"{path}:{reader.line_num}: {told}")
    except csv.Error as error:  # such as a cell beyond the reader's limit of 131,072 characters
        faults.append(f"{path}:{reader.line_num}: not CSV ({error})")
    if faults:
        raise LedgerError(faults)
    return columns, rows


def sha256(path):
    """Return the SHA-256 of a file, or of all files of a folder (names and contents)."""
    path = Path(path)
    if not path.is_dir():
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        # Snakemake keeps a time stamp of its own in folders that a rule makes
        if file.is_file() and file.name != ".snakemake_timestamp":
            digest.update(f"{file.relative_to(path).as_posix()}\0{sha256(file)}\n".encode())
    return digest.hexdigest()
