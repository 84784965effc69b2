"""word2vec: one worker, or two

The time of one of two trainings with the same seed, and how many of the ten nearest words the two
share. With one worker they are the same table; with two, every training is another one.
"""

import text
from harness import measured

AXIS = "words"
SIZES = (200_000,)
QUICK = (20_000,)
OURS = "one worker"
SKIPPED_WORDS, WORDS, SHOWN = 100, 300, 10


def _train(words, workers):
    import gensim.models  # noqa: F401  here, so that loading it is not timed

    from embedding_ledger import word2vec
    from embedding_ledger.word2vec_tradeoffs import overlaps

    path, settings = text.share(words), text.settings()
    told, (first, _) = measured(word2vec.fit, path, settings, 0, workers=workers)
    second, _ = word2vec.fit(path, settings, 0, workers=workers)
    one, other = (word2vec.table_of(model, "") for model in (first, second))
    asked = one.tokens[SKIPPED_WORDS : SKIPPED_WORDS + WORDS]
    shared = overlaps(one, other, asked, SHOWN)
    return {**told, "shared_of_ten": float(sum(shared) / len(shared))}


SIDES = {
    OURS: lambda words: _train(words, 1),
    "two workers": lambda words: _train(words, 2),
}
