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
from embedding_ledger.config import DEFAULT, load
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
    return load([DEFAULT])["claims"]


def scan_command(options):
    claims = read_claims(_claim_files())
    known = sorted({claim.document for claim in claims})
    if options.document and options.document not in known:
        raise LedgerError(f"no document {options.document!r}; there are: {', '.join(known)}")
    registered = occurrences.read_occurrences(options.numerals, claims)
    found = scan.find_numerals(read_page(options.page))
    result = scan.scan_page(found, registered, options.document)
    chosen = "" if options.document else ", the one that fits best"
    heading = f"{options.page}: document {result.document}{chosen}"
    record = {"page": options.page, **scan.as_record(result)}
    _show(options, record, [heading, *scan.as_lines(result)])
    if options.register:
        anew = scan.registered_anew(result, registered)
        occurrences.write_occurrences(options.numerals, anew)
        told = f"{options.numerals}: document {result.document} written anew"
        rest = f"; give {_count(len(result.unregistered), 'row')} a claim or a reason"
        print(told + rest * bool(result.unregistered), file=sys.stderr)
    return int(bool(result.unregistered or result.gone))


def diff_command(options):
    moves = diff.compare_runs(diff.read_run(options.old), diff.read_run(options.new))
    lines = diff.as_markdown(moves) if options.markdown else diff.as_lines(moves)
    _show(options, [vars(move) for move in moves], lines)
    return int(bool(moves))


def number_command(options):
    claim = number.find_claim(read_claims(_claim_files()), options.id)
    if options.artefact:
        print(number.artefact_path(claim, options.results) or "")
        return 0
    record = number.as_record(claim, options.results)
    _show(options, record, number.as_lines(record))
    return int(record["verdict"] != record["expected"])


def list_command(options):
    _, rows = read_csv(f"{options.results}/claims.csv")
    asked = {name: getattr(options, name) for name in ("document", "verdict", "group")}
    asked = {name: value for name, value in asked.items() if value is not None}
    rows = [row for row in rows if all(row[name] == value for name, value in asked.items())]
    lines = [f"{row['verdict']:13}  {row['id']}  {row['stated']}" for row in rows]
    _show(options, rows, [*lines, _count(len(rows), "claim")])
    return 0


def add_command(options):
    files = _claim_files()
    given = {column: getattr(options, column) for column in COLUMNS}
    interactive = sys.stdin.isatty()
    document = options.document
    if document is None:
        if not interactive:
            raise LedgerError("name the document: --document")
        document = input("document (such as 004): ").strip()
    add.find_file(files, document)
    row = add.complete(given, add.prompt if interactive else None)
    file, content = add.would_be(files, document, row)
    lines = [f"{column:17} {row[column]}" for column in COLUMNS if row[column]]
    _show(options, {"file": str(file), "row": row, "written": not options.dry_run}, lines)
    if options.dry_run:
        print(f"valid; nothing was written to {file}", file=sys.stderr)
        return 0
    if interactive and input(f"Write it to {file}? [y] ").strip().lower() not in ("", "y", "yes"):
        print("nothing was written", file=sys.stderr)
        return 0
    add.write_bytes(file, content)
    print(
        f"written to {file}. Next: ledger scan PAGE --document {document} --register and enter\n"
        f"{row['id']} in {occurrences.DEFAULT}; make reproduce; ledger number {row['id']}",
        file=sys.stderr,
    )
    return 0


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
        child.set_defaults(run=run)
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
        "claims and reasons of those found again are kept",
    )
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
    for parsed in (child, listing):
        parsed.add_argument(
            "--results", default="results", metavar="FOLDER", help="default %(default)s"
        )

    child = command(
        "add",
        add_command,
        "add a claim to the registry, asking for what is not given",
        "On a terminal it asks for every column that is not given; elsewhere it takes defaults.",
    )
    child.add_argument("--document", help="such as 004")
    for column in COLUMNS:
        child.add_argument(
            f"--{column.replace('_', '-')}",
            dest=column,
            choices=add.CHOICES.get(column),
            metavar="TEXT" if column not in add.CHOICES else None,
            help=add.HINTS[column],
        )
    child.add_argument("--dry-run", action="store_true", help="validate and show, write nothing")
    return parser


def main(arguments=None):
    """Run the command; return its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command == "scan" and options.register and not options.document:
        parser.error("--register needs --document: it writes that document's rows anew")
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
