"""Compare averages of reordered sentences; train a small model with and without positions."""

from embedding_ledger import order
from embedding_ledger.artefacts import write_truths
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.tables import load_table


def main(inputs, outputs, config):
    rows = order.model_rows(config["order"])
    write_csv(
        outputs.models,
        ("positions", "seed", "accuracy", "shared_before", "shared_after"),
        rows,
    )
    table = load_table(inputs.vectors.parent)
    write_truths(outputs.truths, order.truths(config["order"], table, rows))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("vectors",),
        outputs=("models", "truths"),
        sections=("order",),
    )
