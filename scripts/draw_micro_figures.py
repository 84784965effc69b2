"""Draw the figures of the small language model from artefacts."""

from itertools import groupby

from embedding_ledger import micro_figures
from embedding_ledger.files import read_csv
from embedding_ledger.jobs import run_script

# The font of the figures has no Chinese characters.
LABELS = {"three": "three: numbers", "heart": "heart: body parts", "细胞": "cell: Chinese biology"}


def numbers(rows, *columns):
    """Return some columns of rows as tuples of numbers."""
    return [tuple(float(row[name]) for name in columns) for row in rows]


def shares(rows):
    """Return {label: (step, share of hits)} of neighbours over time."""
    found = {}
    for word, members in groupby(
        sorted(rows, key=lambda row: (row["word"], int(row["step"]))), key=lambda row: row["word"]
    ):
        steps = groupby(members, key=lambda row: int(row["step"]))
        label = LABELS.get(word, word)
        found[label] = []
        for step, listed in steps:
            hits = [row["hit"] == "true" for row in listed]
            found[label].append((step, sum(hits) / len(hits)))
    return found


def main(inputs, outputs, config):
    points = [
        (int(r["step"]), r["word"], r["kind"], float(r["x"]), float(r["y"]))
        for r in read_csv(inputs.map)[1]
    ]
    kinds = [row for row in read_csv(inputs.kinds)[1] if row["table"] == "trained"]
    micro_figures.micro_map(
        outputs.micro_map, points, {int(row["step"]): float(row["plane"]) for row in kinds}
    )
    micro_figures.micro_neighbours(outputs.micro_neighbours, shares(read_csv(inputs.neighbours)[1]))
    runs = {
        path.parent.name.replace("_", " "): [
            (tokens / 1e6, loss)
            for tokens, loss in numbers(read_csv(path)[1], "tokens", "held_out_loss")
        ]
        for path in inputs.curves
    }
    gains = numbers(
        read_csv(inputs.bytes)[1], "step", "gain_of_short_context", "gain_of_longer_context"
    )
    micro_figures.micro_curves(outputs.micro_curves, runs, gains)


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("map", "kinds", "neighbours", "curves*", "bytes"),
        outputs=("micro_map", "micro_neighbours", "micro_curves"),
    )
