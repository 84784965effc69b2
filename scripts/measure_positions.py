"""Measure the sinusoidal table of positions: entries, dot products, distances, wavelengths."""

import numpy as np

from embedding_ledger import positions
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    c = config["positions"]
    positions.check(c)
    width = c["width"]
    table = positions.sinusoidal(c["rows"], width)
    long_table = positions.sinusoidal(c["long_rows"], width)
    write_csv(
        outputs.entries,
        ("position", "column", "pair", "function", "value"),
        [
            (p, column, column // 2 + 1, ("sine", "cosine")[column % 2], table[p, column])
            for p in c["shown"]
            for column in range(width)
        ],
    )
    write_csv(
        outputs.table,
        ("position", *(f"column_{column}" for column in range(width))),
        [(position, *row) for position, row in enumerate(table)],
    )
    write_csv(
        outputs.dot_products,
        ("start", "offset", "dot_product"),
        [(s, o, long_table[s] @ long_table[s + o]) for s in c["starts"] for o in c["offsets"]],
    )
    angles = positions.wavenumbers(width)
    write_csv(
        outputs.dot_terms,
        ("start", "offset", "pair", "angle", "term", "sum"),
        [
            (s, o, pair + 1, o * angles[pair], term, terms[: pair + 1].sum())
            for s in c["starts"]
            for o in c["offsets"]
            for terms in [positions.dot_terms(long_table, s, o)]
            for pair, term in enumerate(terms)
        ],
    )
    write_csv(
        outputs.dot_curve,
        ("offset", "dot_product"),
        [(offset, long_table[0] @ long_table[offset]) for offset in range(c["rows"])],
    )
    write_csv(
        outputs.distances,
        ("position_a", "position_b", "distance"),
        [(a, b, np.linalg.norm(long_table[a] - long_table[b])) for a, b in c["distances"]],
    )
    write_csv(
        outputs.wavelengths,
        ("width", "pair", "angle", "wavelength"),
        [
            (w, pair + 1, angle, wavelength)
            for w in (width, c["wavelength_width"])
            for pair, (angle, wavelength) in enumerate(
                zip(positions.wavenumbers(w), positions.wavelengths(w), strict=True)
            )
        ],
    )
    write_values(outputs.values, positions.settings(c))
    write_truths(outputs.truths, positions.truths(c))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=(
            "entries",
            "table",
            "dot_products",
            "dot_terms",
            "dot_curve",
            "distances",
            "wavelengths",
            "values",
            "truths",
        ),
        sections=("positions",),
    )
