"""Record whether the texts of the small language model are here, and else how to get them."""

from embedding_ledger.corpus import why_untrained
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    reason = why_untrained(config["micro"])
    columns = ("provides", "here", "verified", "reason")
    write_csv(outputs.absent, columns, [("micro-model", not reason, not reason, reason)])


if __name__ == "__main__":
    run_script(main, globals().get("snakemake"), outputs=("absent",), sections=("micro",))
