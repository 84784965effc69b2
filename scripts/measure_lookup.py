"""Measure the mechanics of a table lookup, on random tables of the documents' sizes."""

from embedding_ledger import lookup
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    mechanics, examples = config["mechanics"], config["examples"]
    write_values(outputs.values, lookup.values(mechanics, examples))
    write_truths(outputs.truths, lookup.truths(mechanics, examples, config["models"]["gpt2"]))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("values", "truths"),
        sections=("mechanics", "examples", "models"),
    )
