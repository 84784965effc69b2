"""The two small shapes of artefact that experiments share: named values and truths."""

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
        (statement, bool(holds), "; ".join(f"{name} = {n}" for name, n in numbers.items()))
        for statement, (holds, numbers) in truths.items()
    ]
    write_csv(path, ("statement", "holds", "numbers"), rows)
