"""Real Snakemake runs in a temporary copy of the project."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


class Copy:
    """A copy of the project in a folder of its own, with a command to run Snakemake in it."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, name):
        return self.folder / name

    def edit(self, name, old, new):
        """Replace the first occurrence of `old` in a file, which must hold it."""
        path = self.path(name)
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} does not hold {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def run(self, *arguments):
        """Run Snakemake with the copy's own package; return (status, everything it printed)."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "src")}
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


def copy_project(root, folder):
    for part in PARTS:
        source = root / part
        if source.is_dir():
            ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(source, folder / part, ignore=ignore)
        elif source.exists():
            shutil.copy2(source, folder / part)
    return Copy(folder)


@pytest.fixture(scope="session")
def built(project, tmp_path_factory):
    """A copy whose quick pipeline has run; tests take copies of it and never change it.

    What `make test` has just made is taken along with Snakemake's records, so that here only what
    is missing or out of date is made.
    """
    copy = copy_project(project, tmp_path_factory.mktemp("built"))
    for made in ("build/quick", ".snakemake"):
        if (project / made).is_dir():
            ignore = shutil.ignore_patterns("locks", "log", "*.lock")
            shutil.copytree(project / made, copy.path(made), ignore=ignore)
    status, told = copy.run("--configfile", "config/quick.yaml")
    assert status == 0, told
    return copy


@pytest.fixture
def copy(built, tmp_path):
    """A fresh copy of the built project, results and Snakemake's records included."""
    folder = tmp_path / "project"
    shutil.copytree(built.folder, folder, symlinks=True)
    return Copy(Path(folder))
