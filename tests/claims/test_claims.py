"""One case a claim, on the results of the pipeline run just made (pytest --results=FOLDER)."""

import csv
from pathlib import Path

import pytest

from embedding_ledger.verdicts import told


def pytest_generate_tests(metafunc):
    path = Path(metafunc.config.getoption("--results")) / "claims.csv"
    if not path.is_file():
        pytest.exit(f"{path} is absent: run the pipeline first (make test does)", returncode=4)
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    metafunc.parametrize("row", rows, ids=[row["id"] for row in rows])


def test_claim(row):
    if row["excused"] == "true":
        pytest.skip(row["reason"] or "measured for the first time")
    assert row["verdict"] == row["expected"], told(row)
    if row["verdict"] == "not run":
        pytest.skip(row["reason"])
