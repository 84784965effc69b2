"""Gather the runs of all grammars: the range of each number, and what moves it most."""

from embedding_ledger import spread
from embedding_ledger.artefacts import write_truths
from embedding_ledger.files import read_csv, write_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.sweep import training_settings

TEXTS = ("grammar", "varied", "status", "width")
WHOLE = ("seed", "corpus")


def typed(name, text):
    """Read one cell of a table of runs as what it was when it was written."""
    if name in TEXTS:
        return int(text) if text.isdigit() else text
    if text in ("true", "false"):
        return text == "true"
    return (int(text) if name in WHOLE else float(text)) if text else None


def main(inputs, outputs, config):
    toy, settings = config["toy_language"], training_settings(config)
    rows = [
        {name: typed(name, text) for name, text in row.items()}
        for path in inputs.runs
        for row in read_csv(path)[1]
    ]
    found = spread.measurements(rows, toy, settings)
    groups = spread.group_rows(found)
    write_csv(outputs.groups, spread.GROUP_COLUMNS, groups)
    write_csv(
        outputs.spread, spread.SPREAD_COLUMNS, spread.spread_rows(found, groups, toy, settings)
    )
    write_csv(
        outputs.statuses,
        ("grammar", "varied", "width", "learning_rate", "trained", "unsettled", "non_finite"),
        spread.status_rows(rows),
    )
    write_truths(outputs.truths, spread.truths(rows, groups, toy, settings))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("runs*",),
        outputs=("spread", "groups", "statuses", "truths"),
        sections=("toy_language", "bigram", "settings"),
    )
