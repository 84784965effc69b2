"""Skip-gram: number by number, or all seeds at a time

Document 002's toy, ten epochs over its pairs. The loss is the mean over pairs and seeds, in nats.
"""

from harness import measured_often

AXIS = "seeds"
SIZES = (1, 5, 50, 500)
QUICK = (1, 5)
OURS = "NumPy, all seeds in one step"
EPOCHS = 10
SKIPPED = {("pure Python, pair by pair", 500): "ten times the row above: seeds run one by one"}


def _settings():
    from embedding_ledger.config import load

    return {**load()["mechanics"]["skipgram"], "epochs": EPOCHS}


def _loss(settings, centers, contexts):
    """Return the mean loss of some runs, each (V, d)."""
    from embedding_ledger import skipgram
    from embedding_ledger.skipgram_training import sentences_of

    found = skipgram.pairs(sentences_of(settings["sentences"]), settings["window"])
    runs = list(zip(centers, contexts, strict=True))
    return float(sum(skipgram.loss(*run, found) for run in runs) / len(found) / len(runs))


def literal(seeds):
    from embedding_ledger.literal import skipgram_descent

    settings = _settings()
    told, ends = measured_often(
        lambda: [skipgram_descent(settings, seed, EPOCHS) for seed in range(seeds)]
    )
    return {**told, "loss": _loss(settings, *zip(*ends, strict=True))}


def batched(seeds):
    from embedding_ledger.skipgram_training import train_seeds

    settings = _settings()
    told, (_, _, runs) = measured_often(train_seeds, settings, range(seeds))
    return {**told, "loss": _loss(settings, runs.centers, runs.contexts)}


SIDES = {"pure Python, pair by pair": literal, OURS: batched}
