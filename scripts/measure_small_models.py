"""Train small language models: tied and untied tables, and one of bytes that writes on the way."""

from embedding_ledger import small_models as s
from embedding_ledger.artefacts import write_truths
from embedding_ledger.corpora import read_share
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    tying, byte = config["small_models"]["tying"], config["small_models"]["bytes"]
    tied = s.tying_rows(read_share(inputs.corpus, tying["every"]), tying)
    write_csv(outputs.tying, s.TYING_COLUMNS, tied)
    written = s.byte_rows(read_share(inputs.corpus, byte["every"]), byte)
    write_csv(outputs.bytes, s.BYTE_COLUMNS, written)
    write_truths(outputs.truths, {**s.tying_truths(tied), **s.byte_truths(written)})


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("corpus",),
        outputs=("tying", "bytes", "truths"),
        sections=("small_models",),
    )
