"""The two shared shapes of artefact, read back with the standard library."""

import csv

import numpy as np
import pytest

from embedding_ledger.artefacts import agreement, six_digits, write_truths, write_values


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def test_values(tmp_path):
    path = tmp_path / "values.csv"
    write_values(path, {"a": 0.1, "b": [1, 2.5], "c": (True, "x"), "d": np.float64(3), "e": []})
    assert rows(path) == [
        ["quantity", "index", "value"],
        ["a", "0", "0.1"],
        ["b", "0", "1"],
        ["b", "1", "2.5"],
        ["c", "0", "true"],
        ["c", "1", "x"],
        ["d", "0", "3.0"],
    ]


@pytest.mark.parametrize("holds", [True, np.bool_(True), 1])
def test_truths(tmp_path, holds):
    path = tmp_path / "truths.csv"
    numbers = {"small": 0.5, "list": [1, 2]}
    write_truths(path, {"it.holds": (holds, numbers), "it.fails": (not holds, {})})
    assert rows(path) == [
        ["statement", "holds", "numbers"],
        ["it.holds", "true", "small = 0.5; list = [1, 2]"],
        ["it.fails", "false", ""],
    ]


@pytest.mark.parametrize(
    ("number", "rounded"),
    [(0.1 + 0.2, 0.3), (1234567.8, 1234570.0), (-1.23456749e-9, -1.23457e-9), (0, 0)],
)
def test_six_digits(number, rounded):
    assert six_digits(np.float64(number)) == rounded


@pytest.mark.parametrize(
    ("found", "expected", "holds", "told"),
    [
        ([1, 2], [1, 2 + 1e-13], True, "below 1e-12"),
        ([1, 2], [1, 2.5], False, 0.5),
        ([[1.0]], [[1 + 1 / 3]], False, 0.333333),
        ([1, np.inf], [1, 1], False, np.inf),
    ],
)
def test_agreement(found, expected, holds, told):
    assert agreement(found, expected) == (holds, {"largest difference": told})


def test_agreement_of_nan_and_unlike_shapes():
    assert agreement([np.nan], [np.nan])[0] is False
    assert agreement([1], [1.5], bound=1)[0] is True
    with pytest.raises(ValueError, match="differ"):
        agreement([1, 1], [1])
