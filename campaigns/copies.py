"""Copies of the project: make one, run its pipeline, compare what two runs made.

Shared by the campaigns of this folder and the workflow tests.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
QUICK = ("--configfile", "config/quick.yaml")
RESULTS = "build/quick"  # of the quick configuration
PARTS = (
    "CITATION.cff",
    "Snakefile",
    "workflow",
    "scripts",
    "src",
    "config",
    "claims",
    "report",
    "profiles",
    "sources",
    "requirements.lock",
)
# Hold times and the order of jobs, nothing measured: all that two runs may differ in.
MAY_DIFFER = ("logs", "benchmarks", ".snakemake_timestamp")


def copy_project(folder, root=ROOT):
    """Copy what a run needs into a folder, without results; return the folder."""
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for part in PARTS:
        source, target = Path(root) / part, Path(folder) / part
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignore)
        elif source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    return Path(folder)


def start(folder, *arguments, module="embedding_ledger.run", before=(), **variables):
    """Start the pipeline in a copy, with the copy's own package, as a process group of its own.

    `module`: what `python -m` runs; `before`: words of a command that wraps it; `variables`: of
    the environment. Everything it prints goes to the pipe `stdout`.
    """
    return subprocess.Popen(
        [*before, sys.executable, "-m", module, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(folder, "src")), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def run(folder, *arguments, timeout=900, **options):
    """Run the pipeline in a copy; return (exit status, everything it printed)."""
    process = start(folder, *arguments, **options)
    told, _ = process.communicate(timeout=timeout)
    return process.returncode, told


def made(results):
    """Return {path: bytes} of the files under a results folder that must not differ."""
    files = (path for path in sorted(Path(results).rglob("*")) if path.is_file())
    named = {path.relative_to(results): path for path in files}
    return {
        name.as_posix(): path.read_bytes()
        for name, path in named.items()
        if not set(MAY_DIFFER) & {name.parts[0], name.name}
    }


def differing(first, second):
    """Return the sorted paths under two results folders that are not byte for byte the same."""
    one, other = made(first), made(second)
    return sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))
