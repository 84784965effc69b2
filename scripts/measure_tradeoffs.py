"""Try document 002's trade-offs on a share of the corpus: width, unseen words, seeds, workers."""

import tempfile
from pathlib import Path

from embedding_ledger import word2vec_tradeoffs as t
from embedding_ledger.artefacts import write_truths
from embedding_ledger.corpora import read_share
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    chosen, families = config["word2vec"]["tradeoffs"], config["word2vec"]["families"]
    settings = {**config["word2vec"]["training"], "min_count": chosen["min_count"]}
    with tempfile.TemporaryDirectory() as folder:
        share = Path(folder) / "share.txt"
        with share.open("w", encoding="utf-8") as stream:
            for words in read_share(inputs.corpus, chosen["every"]):
                stream.write(" ".join(words) + "\n")
        widths = t.width_rows(share, settings, chosen["widths"], families)
        subwords, reached = t.subword_rows(share, settings, chosen["subwords"])
        repeats, repeated = t.repeat_rows(share, settings, chosen["repeat"])
    write_csv(outputs.widths, t.WIDTH_COLUMNS, widths)
    write_csv(outputs.subwords, ("unseen", "known", "cosine", "rank"), subwords)
    write_csv(outputs.repeats, ("word", "same_seed", "other_seed"), repeats)
    write_truths(outputs.truths, {**t.width_truths(widths), **reached, **repeated})


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("corpus",),
        outputs=("widths", "subwords", "repeats", "truths"),
        sections=("word2vec",),
    )
