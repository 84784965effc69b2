"""Train skip-gram on random sentences that fit document 002's text, to see what they decide."""

from embedding_ledger import skipgram_toy as s
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    rows, columns = s.set_rows(config["mechanics"]["skipgram"], config["word2vec"]["toy"])
    write_csv(outputs.sets, columns, rows)
    write_csv(
        outputs.robustness,
        ("statement", "start", "end", "sets_always", "sets"),
        s.robustness_rows(rows, columns),
    )


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("sets", "robustness"),
        sections=("mechanics", "word2vec"),
    )
