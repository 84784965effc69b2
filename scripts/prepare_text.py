"""Write the corpus of word2vec as lines of words, and what it is."""

from embedding_ledger.artefacts import write_values
from embedding_ledger.corpora import write_corpus
from embedding_ledger.jobs import log, run_script


def main(inputs, outputs, config):
    about = write_corpus(config["word2vec"]["corpus"], outputs.corpus)
    log.info("%s: %d words; for more: %s", about["source"], about["words"], about["better"])
    write_values(outputs.about, about)


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("corpus", "about"),
        sections=("word2vec",),
    )
