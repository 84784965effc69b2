"""Measure the benchmarks, side by side in one run, and write what docs/benchmarks.md shows.

Every measurement is a process of its own on one thread, so that its peak memory is its own. The
sides of a comparison take turns, repeat after repeat, so that whatever else the machine does meets
all of them; read the ratios, not the times.
"""

import argparse
import csv
import importlib
import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from harness import ROOT, SCRATCH, machine, peak_mb

NAMES = (
    "bigram_literal",
    "corpus_length",
    "vocabulary",
    "skipgram_literal",
    "skipgram_torch",
    "workers",
    "neighbours",
    "table_rows",
    "claims",
    "site_build",
    "pipeline",
)
MEASURED = ROOT / "benchmarks" / "measured"
COLUMNS = ("benchmark", "side", "size", "repeat", "quantity", "value", "machine")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
REPEATS = 3


def measure_one(name, side, size):
    """Run one measurement in a process of its own; return {quantity: value}."""
    command = [sys.executable, __file__, "--one", name, side, str(size)]
    # the package of this folder, whatever is installed
    environment = {**os.environ, **dict.fromkeys(THREADS, "1"), "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment
    )
    if done.returncode:
        raise SystemExit(f"{name}, {side}, {size}: failed\n{done.stderr.strip()}")
    return json.loads(done.stdout.splitlines()[-1])


def cases(benchmark, quick):
    """Return the (side, size) of a benchmark that are run, in turns."""
    skipped = getattr(benchmark, "SKIPPED", {})
    sizes = benchmark.QUICK if quick else benchmark.SIZES
    return [(s, n) for n in sizes for s in benchmark.SIDES if (s, n) not in skipped]


def rows_of(name, benchmark, repeats, quick, told):
    """Yield rows of COLUMNS of one benchmark, measured repeat after repeat."""
    for repeat in range(repeats):
        for side, size in cases(benchmark, quick):
            found = measure_one(name, side, size)
            print(f"{name}: {side}, {size:,}: {found['seconds']:.3g} s", file=sys.stderr)
            for quantity, value in found.items():
                yield name, side, size, repeat, quantity, f"{value:.6g}", told


def absent(names):
    """Return the packages that some benchmarks need and that are not installed."""
    needed = {p for name in names for p in getattr(importlib.import_module(name), "NEEDS", ())}
    return sorted(package for package in needed if importlib.util.find_spec(package) is None)


def write_rows(path, rows):
    """Write the rows of a benchmark once all of them are measured."""
    rows = list(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def parser():
    made = argparse.ArgumentParser(
        prog="python benchmarks/run.py",
        description=__doc__.splitlines()[0],
        epilog="Without names all are run.",
    )
    made.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(NAMES)}")
    made.add_argument("--repeats", type=int, help=f"default {REPEATS}, 1 for the pipeline")
    made.add_argument(
        "--quick", action="store_true", help="small sizes, once, into build/benchmarks; no page"
    )
    made.add_argument("--page", action="store_true", help="measure nothing, write the page anew")
    made.add_argument(
        "--check", action="store_true", help="measure nothing; fail if the page is not up to date"
    )
    made.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    return made


def main():
    options = parser().parse_args()
    if options.one:
        name, side, size = options.one
        found = importlib.import_module(name).SIDES[side](int(size))
        print(json.dumps({"peak_mb": peak_mb(), **found}))
        return
    import page  # which stays free of what would raise the memory of the processes started here

    if options.check:
        raise SystemExit(page.check(NAMES, MEASURED))
    if not options.page:
        names = options.names or NAMES
        unknown = sorted(set(names) - set(NAMES))
        if unknown:
            parser().error(f"no benchmark {', '.join(unknown)}; there are {', '.join(NAMES)}")
        if options.repeats is not None and options.repeats < 1:
            parser().error(f"--repeats must be at least 1, not {options.repeats}")
        missing = absent(names)
        if missing:
            told = "pip install --editable '.[bench]'"
            raise SystemExit(f"not installed: {', '.join(missing)}; {told}")
        measure(names, options)
    if not options.quick:
        page.write(NAMES, MEASURED)


def measure(names, options):
    """Measure some benchmarks, each into a CSV of its own."""
    told, started = machine(), time.perf_counter()
    for name in names:
        benchmark, begun = importlib.import_module(name), time.perf_counter()
        usual = 1 if options.quick else getattr(benchmark, "REPEATS", REPEATS)
        rows = rows_of(name, benchmark, options.repeats or usual, options.quick, told)
        write_rows(Path(SCRATCH if options.quick else MEASURED) / f"{name}.csv", rows)
        print(f"{name}: done in {time.perf_counter() - begun:.0f} s", file=sys.stderr)
    print(f"all done in {time.perf_counter() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
