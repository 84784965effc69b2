"""Data of the explorer page: a classic script file a table, since browsers load no other from disk.

A file holds the words of document 001 and the first so many words of the table (its most common
ones), each with its nearest neighbours in the whole table and its place on the map.
"""

import json

import numpy as np

from embedding_ledger.tables import principal_components

NEIGHBOURS = 8
LIMIT = 1_000_000  # bytes of a file: three of them stay below 3 MB a page


def _is_word(table, token):
    """Whether a token is a word of ASCII letters, with its space where the table marks one."""
    word = token.removeprefix(table.space)
    return token.startswith(table.space) and word.isascii() and word.isalpha()


def _chosen(asked, common):
    """Return the rows that are shown: words of the questions, then the first `common` words."""
    table, questions = asked.table, asked.questions
    texts = [*questions["listed"], *questions["more_words"], *questions["spellings"]]
    texts += [text for neighbours in questions["listed"].values() for text in neighbours]
    rows = [table.id(table.token(text)) for text in asked.known(dict.fromkeys(texts))]
    rows += [table.id(table.token(word)) for words in asked.pools.values() for word in words]
    plain = (row for row, token in enumerate(table.tokens) if _is_word(table, token))
    rows += [row for row, _ in zip(plain, range(common), strict=False)]
    rows = [row for row in dict.fromkeys(rows) if table.lengths[row] > 0]
    return np.array(rows)


def _places(asked, rows):
    """Return the places (n, 2) of rows on the map of the families."""
    if not asked.enough:
        return np.zeros((len(rows), 2))
    unit = asked.unit(asked.words)
    mean = unit.mean(axis=0)
    coordinates, _ = principal_components(unit)
    directions = (unit - mean).T @ coordinates / (coordinates**2).sum(axis=0)
    vectors = np.asarray(asked.table.vectors[rows], dtype=float)
    return (vectors / asked.table.lengths[rows, None] - mean) @ directions


def explorer_data(asked, common):
    """Return the data of one table: tokens, places, neighbours as (index into names, cosine).

    Tokens are printed with an underscore for the space in front of them. Cosines are in
    thousandths.
    """
    table, rows = asked.table, _chosen(asked, common)
    families = dict(zip(asked.words, asked.labels, strict=True))
    family = {table.token(word): name for word, name in families.items()}
    names, index, near = [], {}, []

    def name(row):
        """Return the place of a row's token among the names, which each occur once."""
        if row not in index:
            index[row] = len(names)
            names.append(table.printed(table.tokens[row]))
        return index[row]

    for row in rows:
        name(int(row))
    for found in table.nearest_rows(rows, NEIGHBOURS):
        near.append([item for row, c in found for item in (name(row), round(1000 * c))])
    return {
        "title": table.name,
        "source": table.source,
        "rows": len(table.tokens),
        "space": bool(table.space),
        "shown": len(rows),
        "names": names,
        "near": near,
        "places": [[round(float(x), 3), round(float(y), 3)] for x, y in _places(asked, rows)],
        "families": [family.get(table.tokens[row], "") for row in rows],
    }


def script_text(name, data):
    """Return the data as a script that hangs it under `EMBEDDING_TABLES`."""
    told = json.dumps(data, separators=(",", ":"))
    key = json.dumps(name)
    every = "window.EMBEDDING_TABLES"
    return f"{every} = {every} || {{}};\n{every}[{key}] = {told};\n"
