"""The two small shapes of artefact that experiments share: named values and truths."""

import numpy as np

from embedding_ledger.files import write_csv


def write_values(path, values):
    """Write {quantity: value or list of values} as rows (quantity, index, value)."""
    rows = []
    for quantity, value in values.items():
        items = value if isinstance(value, (list, tuple)) else [value]
        rows += [(quantity, index, item) for index, item in enumerate(items)]
    write_csv(path, ("quantity", "index", "value"), rows)


def write_truths(path, truths):
    """Write {statement: (holds, numbers)} as rows (statement, holds, numbers).

    `numbers`: the mapping of named numbers that the truth was decided from.
    """
    rows = [
        (statement, bool(holds), "; ".join(f"{k} = {_shown(n)}" for k, n in numbers.items()))
        for statement, (holds, numbers) in truths.items()
    ]
    write_csv(path, ("statement", "holds", "numbers"), rows)


def _shown(number):
    """Print a number behind a truth: six digits say enough, and no last bit is shown."""
    if isinstance(number, (list, tuple)):
        return f"[{', '.join(map(_shown, number))}]"
    if hasattr(number, "tolist"):  # of NumPy: a scalar or an array
        return _shown(number.tolist())
    return f"{number:.6g}" if isinstance(number, float) else str(number)


def six_digits(number):
    """Round a number to six significant digits, so that no last bit reaches an artefact."""
    return float(f"{number:.6g}")


def agreement(found, expected, bound=1e-12):
    """Return the truth that two arrays agree: every difference is below `bound`.

    Its number is the largest difference, or just the bound when it is smaller: what is left below
    is rounding, which is not the same on every processor. Raises ValueError for unlike shapes.
    """
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        raise ValueError(f"shapes {found.shape} and {expected.shape} differ")
    largest = np.abs(found - expected).max()
    small = bool(largest < bound)
    return small, {"largest difference": f"below {bound:g}" if small else six_digits(largest)}
