"""Record the inputs that pages give for experiments, as the runs take them."""

from embedding_ledger import inputs as given
from embedding_ledger.artefacts import write_values
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    write_values(outputs.values, given.values(config["settings"]))


if __name__ == "__main__":
    run_script(main, globals().get("snakemake"), outputs=("values",), sections=("settings",))
