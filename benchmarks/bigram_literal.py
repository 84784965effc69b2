"""The bigram model: pair by pair, or from counts

Exact full-batch descent of document 004's model on its default corpus, 100 updates of each. Both
add the same terms, in another order, so the losses agree; counting the pairs is timed on its own.
"""

from harness import measured, measured_often

AXIS = "width"
SIZES = (1, 2, 3, 4, 6, 8, 16, 34)
QUICK = (1, 34)
OURS = "from counts"
UPDATES = 100


def prepared(width):
    """Return (stream of ids, size of the vocabulary, E, U, learning rate) of a width."""
    from embedding_ledger.bigram_training import initial_factors
    from embedding_ledger.config import load
    from embedding_ledger.grammar import corpus, split, vocabulary
    from embedding_ledger.sweep import published, training_settings
    from embedding_ledger.toy_language import default_grammar

    config = load()
    toy = config["toy_language"]
    grammar = default_grammar(toy)
    stream, _ = split(corpus(grammar, toy["sentences"], toy["corpus_seed"]), toy["train_share"])
    V = len(vocabulary(grammar))
    rate = published(training_settings(config), width)["learning_rate"]
    return stream, V, *initial_factors(V, width, 0), rate


def pair_by_pair(width):
    from embedding_ledger.bigram_training import cross_entropy
    from embedding_ledger.grammar import bigram_counts
    from embedding_ledger.literal import bigram_descent

    stream, V, E, U, rate = prepared(width)
    bigram_descent(stream, E, U, 1, rate)  # the first call also loads libraries
    told, factors = measured(bigram_descent, stream, E, U, UPDATES, rate)
    return {**told, "loss": float(cross_entropy(*factors, bigram_counts(stream, V)))}


def from_counts(width):
    from embedding_ledger.bigram_training import train_from
    from embedding_ledger.grammar import bigram_counts

    stream, V, E, U, rate = prepared(width)
    settings = {"learning_rate": rate, "steps": UPDATES - 1}
    counting, counts = measured_often(bigram_counts, stream, V)
    told, run = measured_often(train_from, counts, E[None], U[None], **settings)
    return {**told, "counting_s": counting["seconds"], "loss": float(run.losses[0, -1])}


SIDES = {"pair by pair": pair_by_pair, OURS: from_counts}
