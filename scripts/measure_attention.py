"""Measure what word order, context and positions do to vectors, with random weights."""

from embedding_ledger import attention, learned_positions, superposition
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    c, learned = config["attention"], config["examples"]["learned_table"]
    context_window = config["models"]["gpt2"]["context_window"]
    write_values(outputs.values, learned_positions.values(c, context_window))
    write_truths(
        outputs.truths,
        attention.truths(c) | learned_positions.truths(c, learned) | superposition.truths(c),
    )


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("values", "truths"),
        sections=("attention", "models", "examples"),
    )
