"""Train small models that must tell the first word of a window, with and without positions."""

from embedding_ledger import order
from embedding_ledger.artefacts import write_truths
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    rows = order.model_rows(config["order"])
    write_csv(
        outputs.models,
        ("positions", "seed", "accuracy", "shared_before", "shared_after"),
        rows,
    )
    write_truths(outputs.truths, order.truths(config["order"], rows))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("models", "truths"),
        sections=("order",),
    )
