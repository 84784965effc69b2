"""Recompute the worked arithmetic of the documents from the inputs they give."""

from embedding_ledger import arithmetic
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    examples = config["examples"]
    write_values(outputs.values, arithmetic.values(examples))
    write_truths(outputs.truths, arithmetic.truths(examples))
    vocabulary = examples["tables"]["toy"]["vocabulary"]
    write_csv(
        outputs.factored,
        ("width", "parameters"),
        arithmetic.factored_parameters(vocabulary, examples["widths"]),
    )


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("values", "truths", "factored"),
        sections=("examples",),
    )
