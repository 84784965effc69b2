"""What document 002's list of trade-offs says of word2vec, tried on a share of the corpus.

The width of the table, words outside the vocabulary (fastText), and what seed and workers move.
"""

import numpy as np
from gensim.models import FastText, Word2Vec

from embedding_ledger import word2vec as w
from embedding_ledger.artefacts import six_digits

STARTS = ("1/d", "fixed")  # scale of a start's entries: as word2vec has it, as the page's code


def _fit_from(path, settings, dim, start, spread, seed):
    """Train with `dim` numbers from a start of either scale; return (model, start)."""
    settings = {**settings, "dim": dim}

    class Started(Word2Vec):
        def init_weights(self):
            super().init_weights()
            if start == "fixed":
                rng = np.random.default_rng(seed)
                drawn = rng.normal(0, spread, self.wv.vectors.shape)
                self.wv.vectors[:] = drawn.astype(np.float32)

    return w.fit(path, settings, seed, make=Started)


def width_rows(path, settings, config, families):
    """Train at every width from both scales of start; return rows of WIDTH_COLUMNS.

    settings: key word2vec.training; config: word2vec.widths; families: word2vec.families.
    rare and frequent: cosine of a row's end with its own start, averaged over the words that
    occur at most, or at least, so often; 1 is a row that only changed its length.
    """
    rows = []
    for start in STARTS:
        for dim in config["dims"]:
            model, before = _fit_from(
                path, settings, dim, start, config["fixed_start"], config["seed"]
            )
            table = w.table_of(model, f"{dim} numbers")
            counts = np.array([model.wv.get_vecattr(word, "count") for word in table.tokens])
            after = table.vectors
            stayed = (after * before).sum(axis=1)
            stayed = stayed / np.linalg.norm(after, axis=1) / np.linalg.norm(before, axis=1)
            here = {name: w.known(table, members) for name, members in families.items()}
            here = {name: members for name, members in here.items() if members}
            words, alike = w.nearest_in_family(table, here) if here else (0, 0)
            rows.append(
                (
                    start,
                    dim,
                    len(table.tokens),
                    round(float(stayed[counts <= config["rare"]].mean()), 3),
                    round(float(stayed[counts >= config["frequent"]].mean()), 3),
                    words,
                    alike,
                )
            )
    return rows


WIDTH_COLUMNS = ("start", "dim", "vocabulary", "rare", "frequent", "family_words", "in_family")


def width_truths(rows):
    """Return {statement: (holds, numbers)} of width_rows.

    Collisions: fewer family words than at the best width find their nearest in their own family
    at the smallest. Rare rows stay: from entries of a fixed scale, as in the page's code, their
    cosine with their start is larger than that of frequent rows, and larger the wider the table.
    """
    by_start = {s: [row for row in rows if row[0] == s] for s in STARTS}
    alike = {s: [row[6] for row in found] for s, found in by_start.items()}
    rare = {s: [row[3] for row in found] for s, found in by_start.items()}
    frequent = {s: [row[4] for row in found] for s, found in by_start.items()}
    collide = all(found[0] < max(found) for found in alike.values())
    stay = rare["fixed"] == sorted(rare["fixed"]) and rare["fixed"][-1] > frequent["fixed"][-1]
    dims = " ".join(str(row[1]) for row in by_start["fixed"])
    numbers = {"numbers a word": dims, "family words": rows[0][5]}
    for start in STARTS:
        told = f"start {start}"
        numbers[f"nearest in family, {told}"] = " ".join(map(str, alike[start]))
        numbers[f"rare rows, cosine with their start, {told}"] = " ".join(map(str, rare[start]))
        numbers[f"frequent rows, {told}"] = " ".join(map(str, frequent[start]))
    return {"widths.collide_and_stay": (collide and stay, numbers)}


def _ngram_mean(model, word):
    """Return the mean of the vectors of a word's character n-grams, shape (d,)."""
    from gensim.models.fasttext_inner import compute_ngrams_bytes, ft_hash_bytes

    kv = model.wv
    buckets = [
        ft_hash_bytes(piece) % kv.bucket for piece in compute_ngrams_bytes(word, kv.min_n, kv.max_n)
    ]
    return kv.vectors_ngrams[buckets].mean(axis=0)


def relatives(path, model, shortest, count):
    """Return (unseen, known) words of a text: no row of its own, and the word it begins with.

    known: the longest word of the vocabulary, of at least `shortest` letters, that the unseen one
    continues by at most three letters. In alphabetical order, evenly spread over the text's words.
    """
    with open(path, encoding="utf-8") as stream:
        there = {word for line in stream for word in line.split()}
    rows = model.wv.key_to_index
    found = []
    for word in sorted(there - set(rows)):
        stems = (word[:-cut] for cut in (1, 2, 3))
        stem = next((s for s in stems if len(s) >= shortest and s in rows), None)
        if stem:
            found.append((word, stem))
    return found[:: max(1, len(found) // count)][:count]


def subword_rows(path, settings, config):
    """Train fastText; return (rows (unseen, known, cosine, rank), truths).

    rank: place of the known relative among all words, by cosine with the unseen word's vector.
    """
    model, _ = w.fit(
        path,
        {**settings, "dim": config["dim"], "epochs": config["epochs"]},
        config["seed"],
        make=FastText,
        min_n=config["ngrams"][0],
        max_n=config["ngrams"][1],
        bucket=config["buckets"],
    )
    table = w.table_of(model, "fastText")
    rows, errors = [], [0.0]
    for word, known in relatives(path, model, config["shortest"], config["words"]):
        vector = model.wv.get_vector(word)
        errors.append(np.abs(vector - _ngram_mean(model, word)).max())
        found = table.nearest_to(vector, len(table.tokens))
        rank = w.rank_of(found, known)
        rows.append((word, known, round(found[rank - 1][1], 3), rank))
    size, ranks = len(table.tokens), [row[3] for row in rows]
    return rows, {
        "subwords.reach_unseen_words": (
            bool(rows) and max(errors) < 1e-6,
            {
                "unseen words with a vector, the mean of their n-grams": len(rows),
                "median rank of the word they continue": float(np.median(ranks)) if rows else "",
                "by chance": (size + 1) / 2,
            },
        )
    }


def overlaps(one, other, words, shown):
    """Return how many of the nearest words two tables share, for each word."""
    return [
        len(
            {near for near, _ in one.nearest(word, shown)}
            & {near for near, _ in other.nearest(word, shown)}
        )
        for word in words
    ]


def repeat_rows(path, settings, config):
    """Train again with the same seed, with another, with two workers; return (rows, truths).

    rows (word, again, other_seed): shared ones of the nearest words. What two workers give is
    another thing in every run, so that of it only the inequality is written.
    """
    seeds = config["seeds"]
    first, again, other = (
        w.table_of(w.fit(path, settings, seed)[0], f"seed {seed}")
        for seed in (seeds[0], seeds[0], seeds[1])
    )
    pair = [
        w.fit(path, settings, seeds[0], workers=config["workers"])[0].wv.vectors for _ in range(2)
    ]
    words = first.tokens[config["skipped"] : config["skipped"] + config["words"]]
    shared = [overlaps(first, table, words, config["shown"]) for table in (again, other)]
    rows = list(zip(words, *shared, strict=True))
    return rows, {
        "repeat.same_seed_same_bytes": (
            first.vectors.tobytes() == again.vectors.tobytes(),
            {"least of the nearest shared": min(shared[0]), "of": config["shown"]},
        ),
        "repeat.another_seed_another_table": (
            not np.array_equal(first.vectors, other.vectors),
            {
                "mean of the nearest shared": six_digits(np.mean(shared[1])),
                "of": config["shown"],
            },
        ),
        "repeat.two_workers_another_table": (
            not np.array_equal(pair[0], pair[1]),
            {"workers": config["workers"], "seed": seeds[0]},
        ),
    }
