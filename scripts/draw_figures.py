"""Draw the figures of the report from artefacts."""

import re

import numpy as np

from embedding_ledger import bigram_figures, figures, table_figures
from embedding_ledger.files import read_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.tables import load_table
from embedding_ledger.verdicts import read_summary


def numbers(path, columns=None):
    """Read columns of an artefact (all when None) as an array of shape (rows, columns)."""
    names, rows = read_csv(path)
    return np.array([[float(row[name]) for name in columns or names] for row in rows])


def losses(path):
    """Read (width, stated, measured, low, high) of the held-out losses of the sweep."""
    rows = []
    for row in read_csv(path)[1]:
        width = re.fullmatch(r"d4\.width\.(\d+)\.val_loss", row["id"])
        if width and row["spread_low"]:
            cells = [row[name] for name in ("stated", "measured", "spread_low", "spread_high")]
            rows.append([float(cell) for cell in (width[1], *cells)])
    return rows


def draw_vectors(inputs, outputs):
    """Draw the map, the heat map and the forming of the trained vectors."""
    _, rows = read_csv(inputs.map)
    points = [(int(r["steps"]), r["role"], float(r["x"]), float(r["y"])) for r in rows]
    bigram_figures.vector_map(outputs.vector_map, points)
    table = load_table(inputs.vectors.parent)
    role = {row["token"]: row["role"] for row in rows}
    order = [*bigram_figures.ROLE_COLOURS, None]
    words = sorted(table.tokens, key=lambda token: (order.index(role.get(token)), token))
    kinds = [role.get(word) for word in words]
    borders = [place for place in range(1, len(words)) if kinds[place] != kinds[place - 1]]
    bigram_figures.cosine_heat_map(outputs.cosine_heat_map, table.cosines(words), words, borders)
    _, rows = read_csv(inputs.steps)
    pair = [
        (int(row["updates"]), float(row["cosine"]))
        for row in rows
        if (row["a"], row["b"]) == ("cat", "dog")
    ]
    bigram_figures.formation(outputs.formation, pair, numbers(inputs.families))


def draw_tables(inputs, outputs):
    """Draw the maps of the published tables and the words in their layers."""
    titles = {row["table"]: row["title"] for row in read_csv(inputs.sources)[1]}
    maps = {
        titles[path.parent.name]: [
            (row["family"], float(row["x"]), float(row["y"])) for row in read_csv(path)[1]
        ]
        for path in inputs.tables
    }
    table_figures.table_maps(
        outputs.table_maps, {title: rows for title, rows in maps.items() if rows}
    )
    layers = {
        titles[path.parent.name]: [
            (int(row["layer"]), row["pairs"], float(row["cosine"])) for row in read_csv(path)[1]
        ]
        for path in inputs.layers
    }
    table_figures.word_in_sentences(outputs.word_in_sentences, layers)


def main(inputs, outputs, config):
    figures.scoreboard(outputs.scoreboard, read_summary(inputs.summary))
    figures.position_clocks(outputs.position_clocks, numbers(inputs.positions)[:, 1:])
    listed = numbers(inputs.dot_products, ("offset", "dot_product"))
    figures.dot_curve(outputs.dot_curve, numbers(inputs.curve), listed)
    bigram_figures.loss_by_width(outputs.loss_by_width, losses(inputs.claims))
    draw_vectors(inputs, outputs)
    draw_tables(inputs, outputs)


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=(
            "summary",
            "positions",
            "curve",
            "dot_products",
            "claims",
            "vectors",
            "map",
            "steps",
            "families",
            "sources",
            "tables*",
            "layers*",
        ),
        outputs=(
            "scoreboard",
            "position_clocks",
            "dot_curve",
            "loss_by_width",
            "vector_map",
            "cosine_heat_map",
            "formation",
            "table_maps",
            "word_in_sentences",
        ),
    )
