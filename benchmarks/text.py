"""The text that the benchmarks of word2vec train on: a share of the pipeline's default corpus."""

from harness import SCRATCH


def share(words):
    """Return the path of about so many words of the corpus as lines, taken from all over it.

    The corpus is prepared once and kept under build/benchmarks.
    """
    from embedding_ledger.config import load
    from embedding_ledger.corpora import read_share, write_corpus
    from embedding_ledger.files import write_text

    corpus, path = SCRATCH / "corpus.txt", SCRATCH / f"words-{words}.txt"
    if not corpus.exists():
        write_corpus(load()["word2vec"]["corpus"], corpus)
    if not path.exists():
        total = len(corpus.read_text(encoding="utf-8").split())
        lines = (" ".join(line) + "\n" for line in read_share(corpus, max(1, total // words)))
        write_text(path, "".join(lines))
    return path


def settings():
    """Return the word2vec settings of the benchmarks: the pipeline's, fit for a short text."""
    from embedding_ledger.config import load

    return {**load()["word2vec"]["training"], "min_count": 5}
