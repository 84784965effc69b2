"""Fetch the weights of GPT-2, unless they are here; `make reproduce` tries it and goes on."""

from embedding_ledger import fetch, sources
from embedding_ledger.errors import LedgerError
from embedding_ledger.jobs import log, run_script


def main(inputs, outputs, config):
    located = sources.locate("gpt2", config["tables"]["gpt2"], config["fetch"]["folder"])
    if located.files:
        log.info("the weights are here: %s", located.files[0])
        return
    if not config["fetch"]["network"]:
        raise LedgerError("fetch.network is false in the configuration: nothing was fetched")
    log.info("%s", fetch.fetch_gpt2(config["fetch"]["folder"]))


if __name__ == "__main__":
    run_script(main, globals().get("snakemake"), sections=("fetch", "tables"))
