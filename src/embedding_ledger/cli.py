"""The command `ledger`: what an author of a page needs, one sub-command each.

Exit status: 0 all is well, 1 findings (something unregistered, gone, moved or unexpected),
2 wrong usage or input that cannot be read.
"""

import argparse
import json
import os
import sys

from embedding_ledger import add, diff, number, occurrences, scan
from embedding_ledger.claims import COLUMNS, VERDICTS, read_claims
from embedding_ledger.config import load_over_default
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import read_csv
from embedding_ledger.pagetext import read_page


def _show(options, record, lines):
    """Print the record as JSON when it is asked for, else the lines."""
    if options.json:
        print(json.dumps(record, indent=2, ensure_ascii=False))
    else:
        print("\n".join(lines))


def _count(number, noun):
    return f"{number} {noun}{'s' * (number != 1)}"


def _claim_files():
    return load_over_default()["claims"]


def scan_command(options):
    claims = read_claims(_claim_files())
    known = sorted({claim.document for claim in claims})
    if options.document and options.document not in known:
        raise LedgerError(
            f"no claim of a document {options.document!r}; there are: {', '.join(known)}. "
            "`ledger add` makes the first one of a page of your own (docs/authors.md)"
        )
    registered = occurrences.read_occurrences(options.numerals, claims)
    found = scan.find_numerals(read_page(options.page))
    result = scan.scan_page(found, registered, options.document)
    chosen = "" if options.document else ", the one that fits best"
    lines = scan.as_lines(result, options.all)
    if result.document:
        lines.insert(0, f"{options.page}: document {result.document}{chosen}")
    else:
        lines[0] = f"{options.page}: {lines[0]}"
    _show(options, {"page": options.page, **scan.as_record(result)}, lines)
    if options.register:
        _register(options, result, registered)
    return int(bool(result.unregistered or result.gone))


def _register(options, result, registered):
    """Write the rows of the scanned document anew, unless that drops some unasked."""
    if result.gone and not options.drop_gone:
        rows, lost = _count(len(result.gone), "row"), len(result.claims_not_found)
        raise LedgerError(
            [
                f"nothing was written: {rows} of document {result.document} would be dropped, and "
                f"{_count(lost, 'claim')} would lose the last numeral",
                "for a part of a page there is nothing to register: `ledger add --page` enters "
                "the numeral of a new claim",
                "if the page no longer has these numerals, give --drop-gone as well",
            ]
        )
    occurrences.write_occurrences(options.numerals, scan.registered_anew(result, registered))
    written = occurrences.read_occurrences(options.numerals, read_claims(_claim_files()))
    waiting = occurrences.waiting(options.numerals, written)
    print(f"{options.numerals}: document {result.document} written anew", file=sys.stderr)
    if waiting:
        print("\n".join(["give each a claim or a reason:", *waiting]), file=sys.stderr)


def diff_command(options):
    moves = diff.compare_runs(diff.read_run(options.old), diff.read_run(options.new))
    lines = diff.as_markdown(moves) if options.markdown else diff.as_lines(moves)
    _show(options, [vars(move) for move in moves], lines)
    return int(bool(moves))


def number_command(options):
    claim = number.find_claim(read_claims(_claim_files()), options.id)
    if options.artefact:
        source = number.find_source(claim, options.results)
        can_be_made = not source or source["here"] == "true"
        print(number.artefact_path(claim, options.results) or "" if can_be_made else "")
        return 0
    record = number.as_record(claim, options.results)
    _show(options, record, number.as_lines(record))
    return int(record["verdict"] != record["expected"] and not record["excused"])


def list_command(options):
    _, rows = read_csv(f"{options.results}/claims.csv")
    asked = {name: getattr(options, name) for name in ("document", "verdict", "group")}
    asked = {name: value for name, value in asked.items() if value is not None}
    rows = [row for row in rows if all(row[name] == value for name, value in asked.items())]
    lines = [f"{row['verdict']:13}  {row['id']}  {row['stated']}" for row in rows]
    _show(options, rows, [*lines, _count(len(rows), "claim")])
    return 0


def _measured(claim, results):
    """Return (record of the would-be claim's number or None, what to say about it)."""
    if not claim.artefact:
        return None, []
    if not number.makers(results):
        return None, [f"not measured: there is no run in {results} (make reproduce)"]
    try:
        record = add.measured(claim, results)
    except LedgerError as error:
        if claim.expected != "not run":
            raise
        return None, [f"not measured: {fault}" for fault in error.faults]
    if record["verdict"] == record["expected"]:
        return record, []
    return record, ["the verdict is not the expected one: `check` would be red"]


def _same_cell(claim, claims):
    """Suggest which claim the would-be one may restate."""
    if claim.restates:
        return []
    return [
        f"{other.id} has the same cell and states {other.stated}; if it is the same fact: "
        f"--restates {other.restates or other.id}"
        for other in add.same_cell(claim, claims)
    ]


def _enter(claim, claims, page):
    """Return (the registry of numerals with the claim at its place on the page, what was done)."""
    registered = occurrences.read_occurrences(occurrences.DEFAULT, claims)
    found = scan.find_numerals(read_page(page))
    result = scan.scan_page(found, registered, claim.document)
    try:
        rows, given = scan.with_claim(result, registered, claim)
    except LedgerError as error:
        raise LedgerError([f"{page}: {fault}" for fault in error.faults]) from None
    return rows, [f"{page}:{n.line}:{n.column}: {n.numeral} is {claim.id}" for n in given]


def add_command(options):
    files = _claim_files()
    given = {column: getattr(options, column) for column in COLUMNS}
    interactive = sys.stdin.isatty()
    document, page = options.document, options.page
    if document is None:
        if not interactive:
            raise LedgerError("name the document: --document")
        document = input("document (such as 004): ").strip()
    add.find_file(files, document)
    row = add.complete(given, add.prompt if interactive else None)
    if page is None and interactive:
        page = input("page (file with its numeral, may be empty): ").strip()
    file, content, claims = add.would_be(files, document, row)
    claim = number.find_claim(claims, row["id"])
    record, told = _measured(claim, options.results)
    told += _same_cell(claim, claims)
    rows, entered = _enter(claim, claims, page) if page else (None, [])
    lines = [f"{column:17} {row[column]}" for column in COLUMNS if row[column]]
    if record:
        lines += [f"{name:17} {record[name]}" for name in ("measured", "verdict", "reason")]
    shown = {"file": str(file), "row": row, "written": not options.dry_run, "number": record}
    _show(options, shown, [line for line in lines if line.split(" ", 1)[1].strip()])
    print(*told, *entered, sep="\n", end="\n" * bool(told or entered), file=sys.stderr)
    status = int(bool(record) and record["verdict"] != record["expected"])
    if options.dry_run:
        print(f"valid; nothing was written to {file}", file=sys.stderr)
        return status
    if interactive and input(f"Write it to {file}? [y] ").strip().lower() not in ("", "y", "yes"):
        print("nothing was written", file=sys.stderr)
        return 0
    add.write_bytes(file, content)
    if page:
        occurrences.write_occurrences(occurrences.DEFAULT, rows)
    bare = "" if page else f" No numeral was entered in {occurrences.DEFAULT} (--page PAGE)."
    told = f"written to {file}.{bare} Next: make reproduce; ledger number {claim.id}"
    print(told, file=sys.stderr)
    return status


def _parser():
    parser = argparse.ArgumentParser(
        prog="ledger",
        description="Check a page, compare runs, look up a number, add a claim. Run it in the "
        "project's root folder.",
        epilog="Exit status: 0 all is well; 1 findings (something unregistered, gone, moved or "
        "unexpected); 2 wrong usage or input that cannot be read.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, run, told, more=""):
        child = commands.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")
        child.epilog = more or None
        child.add_argument("--json", action="store_true", help="print JSON")
        child.set_defaults(run=run, usage=child.error)
        return child

    child = command(
        "scan",
        scan_command,
        "list every numeral of a page and the claims that cover it",
        "Exit status 1 when a numeral is unregistered or a registered one is gone.",
    )
    child.add_argument("page", help="text, Markdown (.md, .qmd) or HTML (.html), UTF-8")
    child.add_argument("--document", help="such as 004; default: the one that fits best")
    child.add_argument(
        "--register",
        action="store_true",
        help="write the document's numerals anew as the page has them (needs --document); "
        "claims and reasons of those found again are kept; refused when registered ones are gone",
    )
    child.add_argument(
        "--drop-gone", action="store_true", help="with --register: drop the rows that are gone"
    )
    child.add_argument("--all", action="store_true", help="list all that is gone")
    child.add_argument(
        "--numerals",
        default=occurrences.DEFAULT,
        metavar="FILE",
        help="registry of numerals, default %(default)s",
    )

    child = command(
        "diff",
        diff_command,
        "list the claims whose verdict or measured digits moved between two runs",
        "Exit status 1 when something moved.",
    )
    child.add_argument("old", help="results folder or claims.csv of the run before")
    child.add_argument("new", help="results folder or claims.csv of the run after")
    child.add_argument("--markdown", action="store_true", help="print a Markdown table")

    child = command(
        "number",
        number_command,
        "show what one claim states, what was measured, and where it comes from",
        "Exit status 1 when the verdict is not the expected one. To measure it anew: "
        "make number ID=...",
    )
    child.add_argument("id", help="such as d4.dot.1.start10")
    child.add_argument("--artefact", action="store_true", help="print only the path of its file")

    listing = command("list", list_command, "list the claims of a run with their verdicts")
    listing.add_argument("--document", help="such as 004")
    listing.add_argument("--verdict", choices=VERDICTS)
    listing.add_argument("--group", help="subject")

    adding = command(
        "add",
        add_command,
        "add a claim to the registry, asking for what is not given",
        "On a terminal it asks for every column that is not given; elsewhere it takes defaults. "
        "Exit status 1 when the verdict is not the expected one.",
    )
    adding.add_argument("--document", help="such as 004")
    adding.add_argument(
        "--page", help="page, or part of it, on which the first unregistered numeral is the claim's"
    )
    for parsed in (child, listing, adding):
        parsed.add_argument(
            "--results", default="results", metavar="FOLDER", help="default %(default)s"
        )
    for column in COLUMNS:
        adding.add_argument(
            f"--{column.replace('_', '-')}",
            dest=column,
            choices=add.CHOICES.get(column),
            metavar="TEXT" if column not in add.CHOICES else None,
            help=add.HINTS[column],
        )
    adding.add_argument("--dry-run", action="store_true", help="validate and show, write nothing")
    return parser


def main(arguments=None):
    """Run the command; return its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command == "scan" and options.register and not options.document:
        options.usage("--register needs --document: it writes that document's rows anew")
    if options.command == "scan" and options.drop_gone and not options.register:
        options.usage("--drop-gone goes with --register")
    try:
        return options.run(options)
    except LedgerError as error:
        for fault in error.faults:
            print(f"ledger: {fault}", file=sys.stderr)
        return 2
    except (EOFError, KeyboardInterrupt):
        print("\nledger: interrupted, nothing was written", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of a pipe, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
