"""Train many starts and many corpora of one grammar, at every width."""

from embedding_ledger import spread
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.sweep import training_settings


def main(inputs, outputs, config):
    name = outputs.runs.stem
    settings = training_settings(config)
    rows = spread.run_rows(name, config["toy_language"], settings)
    write_csv(outputs.runs, spread.run_columns(settings), rows)


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("runs",),
        sections=("toy_language", "bigram", "settings"),
    )
