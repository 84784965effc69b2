"""The project's own limits of time and memory: goal, measured, met?

Needs the results of a finished run. The two runs of the whole default pipeline take minutes and
are made with --pipeline only; without it, their last measured values are kept.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
from statistics import median

import page
from harness import ROOT, machine, seconds
from pipeline import copy_of_project, run
from run import MEASURED, NAMES, measure_one

FILE = MEASURED / "goals.csv"
COLUMNS = ("goal", "limit", "measured", "unit", "note", "machine")
REPEATS = 3
# what a script does until its work begins, as a rule or from the command line
START = """
import json, runpy, sys, time
begun = time.perf_counter()
runpy.run_path(sys.argv[1], run_name="started")
print(json.dumps([time.perf_counter() - begun, "torch" in sys.modules]))
"""


def python(code, *arguments):
    """Run code in a fresh process on the package of this folder; return what it printed last."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[-1]


def library():
    """Import everything that the command `ledger` needs."""
    code = (
        "import sys, time; begun = time.perf_counter(); import embedding_ledger.cli; "
        "print(time.perf_counter() - begun); assert 'torch' not in sys.modules"
    )
    return median(float(python(code)) for _ in range(REPEATS)), "embedding_ledger.cli"


def starts():
    """Import what each script imports; the slowest of those that need no torch."""
    slowest = (0, "")
    for script in sorted((ROOT / "scripts").glob("*.py")):
        first, with_torch = json.loads(python(START, str(script)))
        if not with_torch:
            more = [json.loads(python(START, str(script)))[0] for _ in range(REPEATS - 1)]
            slowest = max(slowest, (median([first, *more]), script.name))
    return slowest


def claims(number):
    """Check so many claims, as the benchmark of that name does."""
    found = [measure_one("claims", "check", number)["seconds"] for _ in range(3)]
    return median(found), "read, judge, write"


def idle():
    """Run Snakemake where nothing is to be done."""
    command = ["snakemake", "--cores", "2", "--dry-run", "--nolock"]
    timed = [seconds(run, ROOT, *command) for _ in range(3)]
    if not all("Nothing to be done" in told for _, told in timed):
        return None, "not measured: something is to be done here"
    return median(spent for spent, _ in timed), "a dry run"


def memory():
    """Return the most memory that a rule of the last default run took, as Snakemake sampled it."""
    peaks = []
    for file in (ROOT / "results" / "benchmarks").glob("*.tsv"):
        with file.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t"))
        peaks += [(float(r["max_rss"]) / 1000, file.stem) for r in rows if r["max_rss"] != "NA"]
    return max(peaks, default=(None, "not measured: no default run here"))


def whole(micro):
    """Run the default pipeline in a copy of the project on two cores, from nothing."""
    command = ["snakemake", "--cores", "2", "--quiet", "all"]
    with copy_of_project() as folder:
        if not micro:
            (folder / "without.yaml").write_text("micro: { enabled: false }\n")
            command += ["--configfile", "without.yaml"]
        spent, _ = seconds(run, folder, *command)
        if micro and not (folder / "results/micro/runs").exists():
            return None, "not measured: the texts of the model are not installed"
    return spent / 60, "from nothing, environment there"


# goal: (limit, unit, how it is measured, whether it is a run of the whole pipeline)
GOALS = {
    "import of the library": (0.3, "s", library, False),
    "start of a script without torch": (1, "s", starts, False),
    "Snakemake with nothing to do": (5, "s", idle, False),
    "all 594 claims checked": (1, "s", lambda: claims(594), False),
    "50,000 claims checked": (10, "s", lambda: claims(50_000), False),
    "most memory of a default rule": (2, "GB", memory, False),
    "default pipeline without the small language model": (2.5, "min", lambda: whole(False), True),
    "default pipeline": (8, "min", lambda: whole(True), True),
}


def read():
    """Return {goal: row} of what was measured before."""
    if not FILE.exists():
        return {}
    with FILE.open(encoding="utf-8", newline="") as stream:
        return {row["goal"]: row for row in csv.DictReader(stream)}


def main():
    parser = argparse.ArgumentParser(
        prog="python benchmarks/goals.py", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--pipeline", action="store_true", help="run the default pipeline as well")
    options = parser.parse_args()
    before, rows, told = read(), [], machine()
    for goal, (limit, unit, measure, is_run) in GOALS.items():
        row = before.get(goal, dict.fromkeys(COLUMNS, "") | {"note": "not run: --pipeline"})
        if options.pipeline or not is_run:
            value, note = measure()
            row = {"measured": "" if value is None else f"{value:.3g}", "note": note}
            row |= {"machine": told}
        row |= {"goal": goal, "limit": limit, "unit": unit}
        rows.append(row)
        print(f"{goal}: {row['measured'] or '?'} of {limit} {unit} ({row['note']})", flush=True)
    FILE.parent.mkdir(parents=True, exist_ok=True)
    with FILE.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    page.write(NAMES, MEASURED)
    missed = [row["goal"] for row in rows if page.verdict(row) == "no"]
    if missed:
        sys.exit(f"missed: {'; '.join(missed)}")


if __name__ == "__main__":
    main()
