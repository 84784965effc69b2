"""Count the parameters of GPT-2 small from its published configuration, tied and untied."""

from embedding_ledger import parameters
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    gpt2 = parameters.Configuration(**config["models"]["gpt2"])
    sizes = parameters.tensors(gpt2)
    write_csv(outputs.tensors, ("tensor", "parameters"), sizes.items())
    write_values(outputs.values, parameters.values(gpt2, config["examples"]))
    write_truths(outputs.truths, parameters.truths(gpt2))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("tensors", "values", "truths"),
        sections=("models", "examples"),
    )
