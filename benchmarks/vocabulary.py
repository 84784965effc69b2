"""Cost against the size of the vocabulary

One update of width 8 on ten thousand tokens whose frequencies fall as one over their rank. The
table of counts has V x V entries whatever the text, so it pays for texts that are long for their
vocabulary; a text this short and a vocabulary this large is its worst case.
"""

from harness import measured_often

AXIS = "vocabulary"
SIZES = (34, 100, 300, 1_000, 3_000, 10_000, 50_000)
QUICK = (34, 300)
OURS = "from counts"
TOKENS, UPDATES, WIDTH, RATE = 10_000, 1, 8, 1.0
SKIPPED = {
    (OURS, 10_000): "its V x V tables would take 4 GB",
    (OURS, 50_000): "its V x V tables would take 100 GB",
    ("pair by pair", 50_000): "the scores of all pairs at once would take 4 GB",
}


def prepared(V):
    """Return (stream, E, U) of a vocabulary."""
    import numpy as np

    from embedding_ledger.bigram_training import initial_factors

    shares = 1 / np.arange(1, V + 1)
    stream = np.random.default_rng(0).choice(V, size=TOKENS, p=shares / shares.sum())
    return stream, *initial_factors(V, WIDTH, 0)


def pair_by_pair(V):
    from embedding_ledger.literal import bigram_descent

    told, _ = measured_often(bigram_descent, *prepared(V), UPDATES, RATE)
    return told


def from_counts(V):
    from embedding_ledger.bigram_training import train_from
    from embedding_ledger.grammar import bigram_counts

    stream, E, U = prepared(V)

    def run():
        counts = bigram_counts(stream, V)
        return train_from(counts, E[None], U[None], steps=UPDATES - 1, learning_rate=RATE)

    told, _ = measured_often(run)
    return told


SIDES = {"pair by pair": pair_by_pair, OURS: from_counts}
