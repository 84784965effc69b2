"""Count the words of a text: how often each occurs, how many there are, how many different ones."""

from collections import Counter

from embedding_ledger.artefacts import write_values
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    if "text" not in config["own"]:  # `own` is not validated before
        raise LedgerError("own.text is missing: the text whose words are counted")
    words = config["own"]["text"].split()
    counts = Counter(words)
    shares = {word: count / len(words) for word, count in counts.items()}
    rows = [(word, counts[word], shares[word]) for word in sorted(counts)]
    write_csv(outputs.words, ("word", "count", "share"), rows)
    write_values(outputs.values, {"words": len(words), "different": len(counts)})


if __name__ == "__main__":
    run_script(main, globals().get("snakemake"), outputs=("words", "values"), sections=("own",))
