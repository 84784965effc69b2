"""word2vec with negative sampling on a real text, and the famous statements about its vectors.

Skip-gram of Mikolov et al. 2013 (arXiv 1310.4546) as gensim has it. One worker: with more the
order of updates, and so the table, is another one in every run. The starts hang on the seed and
the words, not on PYTHONHASHSEED.
"""

import numpy as np

from embedding_ledger.artefacts import six_digits
from embedding_ledger.errors import LedgerError
from embedding_ledger.tables import EmbeddingTable

REPORT = 10  # seconds between lines of progress


def model_options(settings, seed, workers=1):
    """Return gensim's options for our settings (config key word2vec.training)."""
    return {
        "vector_size": settings["dim"],
        "window": settings["window"],
        "negative": settings["negatives"],
        "sg": 1,
        "min_count": settings["min_count"],
        "sample": settings["sample"],
        "alpha": settings["learning_rate"],
        "epochs": settings["epochs"],
        "seed": seed,
        "workers": workers,
    }


def fit(path, settings, seed, workers=1, make=None, **options):
    """Train on a written corpus; return (model, start), the center vectors before any update.

    `make`: gensim's class of the model, Word2Vec unless it is given.

    Raises LedgerError when no word occurs often enough.
    """
    if make is None:
        from gensim.models import Word2Vec as make  # slow to load, and tables need none of it
    model = make(**model_options(settings, seed, workers), **options)
    model.build_vocab(corpus_file=str(path))
    if len(model.wv) < 2:
        raise LedgerError(
            f"corpus: {len(model.wv)} words occur {settings['min_count']} times; "
            "a larger text or a smaller word2vec min_count is needed"
        )
    start = model.wv.vectors.copy()
    model.train(
        corpus_file=str(path),
        total_examples=model.corpus_count,
        total_words=model.corpus_total_words,
        epochs=model.epochs,
        report_delay=REPORT,
    )
    return model, start


def table_of(model, name, source="", licence=""):
    """Return the center vectors of a model as an EmbeddingTable, most frequent word first."""
    vectors = np.ascontiguousarray(model.wv.vectors)
    return EmbeddingTable(name, tuple(model.wv.index_to_key), vectors, source, licence)


def known(table, words):
    """Return those of some words that a table has."""
    return [word for word in words if word in table.ids]


def neighbour_rows(tables, words, shown):
    """Return rows (seed, word, rank, neighbour, cosine) for every table {seed: table}."""
    return [
        (seed, word, rank, near, round(cosine, 3))
        for seed, table in tables.items()
        for word in known(table, words)
        for rank, (near, cosine) in enumerate(table.nearest(word, shown), start=1)
    ]


def cosine_rows(tables, pairs):
    """Return rows (a, b, value, value_low, value_high): the first table's cosine, and the range.

    A pair with a word that is not in the vocabulary has empty cells.
    """
    rows = []
    for a, b in pairs:
        found = [
            round(t.cosine(a, b), 3) for t in tables.values() if len(known(t, (a, b))) == 2
        ] or [None]
        rows.append((a, b, found[0], *((min(found), max(found)) if found != [None] else found * 2)))
    return rows


def analogies(couples):
    """Return every question (a, b, c, answer) that pairs of like couples put: b - a + c."""
    return [(*first, *second) for first in couples for second in couples if first is not second]


def rank_of(found, word):
    """Return the place of a word in a list of (token, cosine), the first being 1."""
    return 1 + [token for token, _ in found].index(word)


def analogy_rows(tables, famous, couples):
    """Return rows (seed, a, b, c, answer, first, rank, rank_with_query, rank_alone).

    first: what lies nearest to b - a + c, the three words left out; rank: place of the answer;
    rank_with_query: the same, nothing left out; rank_alone: its place among the neighbours of c.
    The famous question comes first.
    """
    questions = dict.fromkeys([tuple(famous), *analogies(list(map(tuple, couples)))])
    rows = []
    for seed, table in tables.items():
        for question in questions:
            if len(known(table, question)) < 4:
                continue
            a, b, c, answer = question
            size = len(table.tokens)
            found = table.analogy(a, b, c, size)
            whole = table.analogy(a, b, c, size, without=False)
            alone = rank_of(table.nearest(c, size), answer)
            ranks = rank_of(found, answer), rank_of(whole, answer), alone
            rows.append((seed, *question, found[0][0], *ranks))
    return rows


def family_rows(tables, families):
    """Return rows (seed, within, between, words, nearest_in_family).

    within, between: mean cosines; nearest_in_family: words whose nearest word of all families is
    of their own. Words that a table lacks are left out, and families that keep fewer than two.
    """
    rows = []
    for seed, table in tables.items():
        here = {name: known(table, members) for name, members in families.items()}
        here = {name: members for name, members in here.items() if len(members) > 1}
        if len(here) > 1:
            told = map(six_digits, table.family_means(here))
            rows.append((seed, *told, *nearest_in_family(table, here)))
    return rows


def nearest_in_family(table, families):
    """Return (words, those whose nearest word of all families is of their own)."""
    members = [word for family in families.values() for word in family]
    labels = np.repeat(range(len(families)), [len(family) for family in families.values()])
    close = table.cosines(members)
    np.fill_diagonal(close, -np.inf)
    return len(members), int((labels[close.argmax(axis=1)] == labels).sum())


def map_rows(table, families):
    """Return rows (word, family, x, y): family words flattened onto two directions."""
    family = {w: name for name, members in families.items() for w in known(table, members)}
    if len(family) < 2:
        return []
    points, _ = table.map(list(family))
    return [
        (word, name, round(float(x), 4), round(float(y), 4))
        for (word, name), (x, y) in zip(family.items(), points, strict=True)
    ]


def truths(rows, famous):
    """Return {statement: (holds, numbers)} of analogy_rows.

    The famous analogy counts as solved when its answer lies nearest in most seeds, the words of
    the question left out. What the arithmetic adds to the neighbours of c alone stands beside it.
    """
    asked = [row for row in rows if row[1:5] == tuple(famous)]
    first = [row for row in asked if row[6] == 1]
    others = [row for row in rows if row[1:5] != tuple(famous)]
    return {
        "analogy.famous": (
            2 * len(first) > len(asked),
            {
                "seeds": len(asked),
                "answer": famous[3],
                "ranks": " ".join(str(row[6]) for row in asked),
                "ranks with the question's words": " ".join(str(row[7]) for row in asked),
                f"ranks next to {famous[2]} alone": " ".join(str(row[8]) for row in asked),
                "other questions": len(others),
                "answered": sum(row[6] == 1 for row in others),
                "answered without arithmetic": sum(row[8] == 1 for row in others),
            },
        )
    }
