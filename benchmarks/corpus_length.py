"""Cost against the length of the corpus

A corpus of document 004's default grammar that arrives in pieces: counting its pairs, then ten
updates of width 8. Counting grows with the corpus, an update from counts does not.
"""

from harness import measured, seconds

AXIS = "tokens"
SIZES = (10**4, 10**5, 10**6, 10**7, 10**8)
QUICK = (10**4, 10**5)
OURS = "from counts"
UPDATES, WIDTH, RATE = 10, 8, 10.0
SKIPPED = {
    ("pair by pair", 10**7): "the scores of all pairs at once would take 2.7 GB",
    ("pair by pair", 10**8): "the scores of all pairs at once would take 27 GB",
}


def _grammar():
    from embedding_ledger.config import load
    from embedding_ledger.toy_language import default_grammar

    return default_grammar(load()["toy_language"])


def stream_of(grammar, tokens, seed=0, sentences=50_000):
    """Yield pieces of a random stream of exactly `tokens` ids, a block of sentences at a time.

    Same distribution as grammar.corpus, another order of draws (whole blocks are drawn at once).
    """
    import numpy as np

    from embedding_ledger.grammar import slots, vocabulary

    ids = {token: number for number, token in enumerate(vocabulary(grammar))}
    tables = []
    for slot in slots(grammar):
        table = np.full((len(slot), max(len(phrase) for phrase, _ in slot)), -1)
        for row, (phrase, _) in zip(table, slot, strict=True):
            row[: len(phrase)] = [ids[token] for token in phrase]
        tables.append((table, [share for _, share in slot]))
    rng = np.random.default_rng(seed)
    while tokens > 0:
        columns = [t[rng.choice(len(t), size=sentences, p=shares)] for t, shares in tables]
        block = np.concatenate(columns, axis=1)
        piece = block[block >= 0][:tokens]
        tokens -= len(piece)
        yield piece


def _timed(chunks, clock):
    """Pass the pieces on and add the time spent making them to clock[0]."""
    chunks = iter(chunks)
    while True:
        spent, chunk = seconds(next, chunks, None)
        clock[0] += spent
        if chunk is None:
            return
        yield chunk


def pair_by_pair(tokens):
    import numpy as np

    from embedding_ledger.bigram_training import initial_factors
    from embedding_ledger.grammar import vocabulary
    from embedding_ledger.literal import bigram_descent

    grammar = _grammar()
    stream = np.concatenate(list(stream_of(grammar, tokens)))
    start = initial_factors(len(vocabulary(grammar)), WIDTH, 0)
    told, _ = measured(bigram_descent, stream, *start, UPDATES, RATE)
    return told


def from_counts(tokens):
    from embedding_ledger.bigram_training import train
    from embedding_ledger.grammar import bigram_counts_of_stream, vocabulary

    grammar, drawing = _grammar(), [0.0]
    V = len(vocabulary(grammar))
    warm = bigram_counts_of_stream(stream_of(grammar, 1_000), V)  # first calls load libraries
    train(warm, WIDTH, [0], steps=UPDATES - 1, learning_rate=RATE)
    pieces = _timed(stream_of(grammar, tokens), drawing)
    told, counts = measured(bigram_counts_of_stream, pieces, V)
    if counts.sum() != tokens - 1:
        raise AssertionError(f"{counts.sum()} pairs counted in {tokens} tokens")
    counting = told["seconds"] - drawing[0]
    updates, _ = seconds(train, counts, WIDTH, [0], steps=UPDATES - 1, learning_rate=RATE)
    return {**told, "seconds": counting + updates, "counting_s": counting, "updates_s": updates}


SIDES = {"pair by pair": pair_by_pair, OURS: from_counts}
