"""Measure where gradients of an embedding table go, in PyTorch and by the written formulas."""

from embedding_ledger import gradients
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    values, truths, optimizers = gradients.measure(config["mechanics"], config["examples"])
    write_values(outputs.values, values)
    write_truths(outputs.truths, truths)
    columns = ("optimizer", "gradient", "accepts", "rows_changed", "error")
    write_csv(outputs.optimizers, columns, optimizers)
    write_csv(outputs.environment, ("package", "version"), gradients.environment())


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("values", "truths", "optimizers", "environment"),
        sections=("mechanics", "examples"),
    )
