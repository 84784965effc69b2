"""Cost of document 002's skip-gram: one number at a time, or all seeds in one NumPy step.

The literal runs are complete for the seeds given by --literal and scaled to all seeds from their
mean; the batched run is complete. `difference` is the largest one of any vector's entry between
the two for the seeds that both have run. A second measurement, `workers`, says how many of the
ten nearest words two runs of gensim with two workers and one seed share: another number each time.

    OMP_NUM_THREADS=1 python benchmarks/skipgram_literal.py [--literal SEEDS] > table.csv
"""

import argparse
import csv
import importlib.util
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from embedding_ledger import word2vec, word2vec_tradeoffs
from embedding_ledger.config import load
from embedding_ledger.corpora import read_share, write_corpus
from embedding_ledger.skipgram_training import train_seeds

CONFIG = load()
SETTINGS = CONFIG["mechanics"]["skipgram"]
YARDSTICK = Path(__file__).parents[1] / "tests/unit/test_skipgram_training.py"


def literal():
    """Return the literal algorithm, which lives in the tests."""
    spec = importlib.util.spec_from_file_location("yardstick", YARDSTICK)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.literal


def toy_rows(literal_seeds):
    """Time both forms; rows (measurement, quantity, value, unit, how)."""
    seeds, spent, ends, run = CONFIG["word2vec"]["toy"]["seeds"], [], [], literal()
    for seed in range(literal_seeds):
        start = time.perf_counter()
        ends.append(run(SETTINGS, seed, SETTINGS["epochs"])[0])
        spent.append(time.perf_counter() - start)
    start = time.perf_counter()
    _, _, runs = train_seeds(SETTINGS, range(seeds))
    batched = time.perf_counter() - start
    whole = np.mean(spent) * seeds
    how = "measured" if literal_seeds == seeds else f"from {literal_seeds} seeds"
    difference = np.abs(runs.centers[:literal_seeds] - ends).max()
    yield "toy", "seeds", seeds, "", "given"
    yield "toy", "literal", whole, "s", how
    yield "toy", "batched", batched, "s", "measured"
    yield "toy", "speedup", whole / batched, "1", how
    yield "toy", "difference", difference, "", f"{literal_seeds} seeds"


def worker_rows():
    """Compare tables of two workers, on the share of the corpus that the pipeline uses."""
    chosen = CONFIG["word2vec"]["tradeoffs"]
    settings = {**CONFIG["word2vec"]["training"], "min_count": chosen["min_count"]}
    repeat = chosen["repeat"]
    with tempfile.TemporaryDirectory() as folder:
        corpus, share = Path(folder) / "corpus.txt", Path(folder) / "share.txt"
        write_corpus(CONFIG["word2vec"]["corpus"], corpus)
        lines = (" ".join(words) + "\n" for words in read_share(corpus, chosen["every"]))
        share.write_text("".join(lines), encoding="utf-8")
        one, other = (
            word2vec.table_of(word2vec.fit(share, settings, 0, workers=2)[0], "two workers")
            for _ in range(2)
        )
    words = one.tokens[repeat["skipped"] : repeat["skipped"] + repeat["words"]]
    shared = word2vec_tradeoffs.overlaps(one, other, words, repeat["shown"])
    yield "workers", "shared of the ten nearest", float(np.mean(shared)), "words", "one seed, twice"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    seeds = CONFIG["word2vec"]["toy"]["seeds"]
    parser.add_argument("--literal", type=int, default=seeds, help="seeds to run literally")
    options = parser.parse_args()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("measurement", "quantity", "value", "unit", "how"))
    for rows in (toy_rows(options.literal), worker_rows()):
        for measurement, quantity, value, *rest in rows:
            shown = f"{value:.6g}" if isinstance(value, float) else value
            writer.writerow((measurement, quantity, shown, *rest))


if __name__ == "__main__":
    main()
