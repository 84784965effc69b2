"""Draw the figures of the report from artefacts."""

import numpy as np

from embedding_ledger import figures
from embedding_ledger.files import read_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.verdicts import read_summary


def numbers(path, columns=None):
    """Read columns of an artefact (all when None) as an array of shape (rows, columns)."""
    names, rows = read_csv(path)
    return np.array([[float(row[name]) for name in columns or names] for row in rows])


def main(inputs, outputs, config):
    figures.scoreboard(outputs.scoreboard, read_summary(inputs.summary))
    figures.position_clocks(outputs.position_clocks, numbers(inputs.positions)[:, 1:])
    listed = numbers(inputs.dot_products, ("offset", "dot_product"))
    figures.dot_curve(outputs.dot_curve, numbers(inputs.dot_curve), listed)


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("summary", "positions", "dot_curve", "dot_products"),
        outputs=("scoreboard", "position_clocks", "dot_curve"),
    )
