"""Real Snakemake runs in a temporary copy of the project."""

import fcntl
import shutil
from pathlib import Path

import copies
import pytest


class Copy:
    """A copy of the project in a folder of its own, with a command to run Snakemake in it."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def path(self, name):
        return self.folder / name

    def edit(self, name, old, new):
        """Replace the first occurrence of `old` in a file, which must hold it."""
        path = self.path(name)
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} does not hold {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def run(self, *arguments, timeout=600, **options):
        """Run Snakemake with the copy's own package; return (status, everything it printed)."""
        options = {"module": "snakemake", **options}
        return copies.run(self.folder, "--cores", "2", *arguments, timeout=timeout, **options)


@pytest.fixture(scope="session")
def built(tmp_path_factory, worker_id):
    """A copy whose pipeline has run once; tests take copies of it and never change it.

    What `make test` has just made is taken along with Snakemake's records, so that here only what
    is missing or out of date is made; once for all workers of pytest-xdist.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    folder, done = shared / "built", shared / "built.done"
    with (shared / "built.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            assert not folder.exists(), "the pipeline failed in another worker, see there"
            copies.copy_project(folder)
            for made in (copies.RESULTS, ".snakemake"):
                if (copies.ROOT / made).is_dir():
                    ignore = shutil.ignore_patterns("locks", "log", "*.lock")
                    shutil.copytree(copies.ROOT / made, folder / made, ignore=ignore)
            status, told = Copy(folder).run(*copies.QUICK)
            assert status == 0, told
            done.touch()
    return Copy(folder)


@pytest.fixture
def fresh(tmp_path):
    """A copy of the project in which nothing has run."""
    return Copy(copies.copy_project(tmp_path / "fresh"))


@pytest.fixture
def copy(built, tmp_path):
    """A fresh copy of the built project, results and Snakemake's records included."""
    folder = tmp_path / "project"
    shutil.copytree(built.folder, folder, symlinks=True)
    return Copy(folder)
