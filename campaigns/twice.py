"""Run the pipeline twice in two fresh copies that differ in everything that should not matter.

    python campaigns/twice.py [--full] [--processors]

The runs differ in cores, hash seed, locale and time zone; every file under results must be the
same byte for byte, except copies.MAY_DIFFER (logs and timings). Exit status 1 when one is not,
each named. By default both run config/quick.yaml; --full the default configuration.

--processors makes the second run do its arithmetic as on an older processor (no vector instruction
that came after SSE3): last bits may then differ. Verdicts must not; what moves is listed a file a
line, with the largest relative difference of a number, in campaigns/processors_measured.csv.
"""

import argparse
import csv
import sys
import tempfile
from pathlib import Path

import copies

from embedding_ledger.files import read_csv, write_csv

ONE = {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC"}
OTHER = {"PYTHONHASHSEED": "4294967295", "LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati"}
OLDER = {
    "OPENBLAS_CORETYPE": "Prescott",
    "ATEN_CPU_CAPABILITY": "default",
    "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3,X86_V4,AVX512_ICL,AVX512_SPR",
}
PROCESSORS = Path("campaigns/processors_measured.csv")


def build(folder, cores, variables, *arguments):
    """Run the whole pipeline in a fresh copy of the project; stop here when it fails."""
    folder = copies.copy_project(folder)
    status, told = copies.run(folder, "--cores", cores, *arguments, timeout=3600, **variables)
    if status:
        sys.exit(f"{told}\nthe run on {cores} cores failed with status {status}")
    return folder


def cells(path):
    """Return the cells of a CSV file, else the words of a text."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".csv":
        return [cell for row in csv.reader(text.splitlines()) for cell in row]
    return text.split()


def largest_move(first, second):
    """Return (largest relative difference of two numbers, cells that differ otherwise)."""
    one, other = cells(first), cells(second)
    if len(one) != len(other):
        return 0.0, abs(len(one) - len(other))
    largest, others = 0.0, 0
    for a, b in zip(one, other, strict=True):
        if a == b:
            continue
        try:
            x, y = float(a), float(b)
        except ValueError:
            others += 1
            continue
        largest = max(largest, abs(x - y) / max(abs(x), abs(y)))
    return largest, others


def verdicts_moved(first, second):
    """Return the ids of the claims whose verdicts are not the same in two results folders."""
    tables = [read_csv(Path(results) / "claims.csv")[1] for results in (first, second)]
    one, other = ({row["id"]: row["verdict"] for row in rows} for rows in tables)
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="the default configuration")
    parser.add_argument("--processors", action="store_true", help="older instructions")
    options = parser.parse_args()
    arguments = () if options.full else copies.QUICK
    results = "results" if options.full else copies.RESULTS
    with tempfile.TemporaryDirectory() as folder:
        first = build(Path(folder) / "one", "2", ONE, *arguments) / results
        other = (ONE | OLDER) if options.processors else OTHER
        second = build(Path(folder) / "a longer name", "1", other, *arguments) / results
        differ = copies.differing(first, second)
        count = len(copies.made(first))
        for path in differ:
            print(f"differs: {path}")
        print(f"{count - len(differ)} of {count} files are the same byte for byte")
        if not options.processors:
            sys.exit(bool(differ))
        tables = [p for p in differ if p.endswith(".csv") and not p.startswith(("pages/", "site/"))]
        rows = [(path, *largest_move(first / path, second / path)) for path in tables]
        write_csv(PROCESSORS, ("artefact", "largest_relative_difference", "other_cells"), rows)
        moved = verdicts_moved(first, second)
        print(f"verdicts that are not the same: {', '.join(moved) or 'none'}")
        sys.exit(bool(moved))


if __name__ == "__main__":
    main()
