"""Checking claims, and scanning a page, against their number

The project's own registry, repeated under other ids until it has so many claims, judged on the
artefacts of the last run: reading and validating the registry, every verdict, and the three files
written. And a page of so many numerals against a registry of as many, read, validated and matched.
Needs the results of a finished run.
"""

import tempfile
from pathlib import Path

from harness import ROOT, measured, seconds

AXIS = "claims"
SIZES = (100, 594, 5_000, 50_000)
QUICK = (100, 594)
NUMERALS = 7  # of the numerals of a synthetic page, one in so many is printed with others' words


def _registry(folder, number):
    """Write a registry of `number` claims made of the project's own; return its path."""
    from dataclasses import replace

    from embedding_ledger.claims import COLUMNS, read_claims
    from embedding_ledger.files import write_csv

    own = read_claims(sorted((ROOT / "claims").glob("00*.csv")))
    rows = []
    for place in range(number):
        claim = own[place % len(own)]
        copied = replace(claim, id=f"{claim.id}.copy{place // len(own)}", restates="")
        rows.append([getattr(copied, column) for column in COLUMNS])
    path = Path(folder) / "copied.csv"
    write_csv(path, COLUMNS, rows)
    return path


def _check(path, results, folder):
    """Read, judge and write as the rule check_claims does; return the seconds of each part."""
    from dataclasses import fields
    from operator import attrgetter

    from embedding_ledger import number, verdicts
    from embedding_ledger.claims import read_claims
    from embedding_ledger.files import read_csv, write_csv, write_json, write_text

    told = {}
    sources = [
        row for name in ("sources", "absent") for row in read_csv(results / f"{name}.csv")[1]
    ]
    told["reading_s"], claims = seconds(read_claims, [path])
    makers = number.makers(results)
    told["judging_s"], decided = seconds(verdicts.judge_all, claims, results, makers, sources)

    def write():
        columns = [field.name for field in fields(verdicts.Verdict)]
        write_csv(folder / "claims.csv", columns, map(attrgetter(*columns), decided))
        write_json(folder / "summary.json", verdicts.summarize(decided))
        write_text(folder / "claims.junit.xml", verdicts.junit(decided))

    told["writing_s"], _ = seconds(write)
    return told


def check(claims):
    if not (ROOT / "results" / "claims.csv").exists():
        raise SystemExit("claims: results/claims.csv is absent; run make reproduce first")
    with tempfile.TemporaryDirectory() as folder:
        path = _registry(folder, claims)
        told, parts = measured(_check, path, Path("results"), Path(folder))
    return {**told, **parts}


def scan(numerals):
    """Scan a page of so many numerals, a claim each; one in NUMERALS has changed on the page."""
    from types import SimpleNamespace

    from embedding_ledger import occurrences
    from embedding_ledger import scan as s
    from embedding_ledger.pagetext import page_text

    lines = [f"the value of item{n} is {n / 100:.2f} in run{n}\n" for n in range(numerals)]
    claims = [SimpleNamespace(id=f"d9.n{n}", document="999") for n in range(numerals)]
    registered = [
        occurrences.Occurrence("999", found.numeral, found.before, found.after, (claim.id,))
        for found, claim in zip(_decimals(lines), claims, strict=True)
    ]
    changed = "".join(
        line.replace(" is ", " was about ") if n % NUMERALS == 0 else line
        for n, line in enumerate(lines)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "numerals.csv"
        occurrences.write_occurrences(path, registered)

        def run():
            read = occurrences.read_occurrences(path, claims)
            result = s.scan_page(s.find_numerals(page_text(changed)), read, "999")
            return s.as_lines(result), s.as_record(result)

        told, _ = measured(run)
    return told


def _decimals(lines):
    """Return the numerals of the lines that have a point, one a line."""
    from embedding_ledger import scan as s
    from embedding_ledger.pagetext import page_text

    return [n for n in s.find_numerals(page_text("".join(lines))) if "." in n.numeral]


SIDES = {"check": check, "scan": scan}
