"""Draw the figures of word2vec and of the small models from artefacts."""

import numpy as np

from embedding_ledger import word2vec_figures as f
from embedding_ledger.files import read_csv
from embedding_ledger.jobs import run_script

LABELS = {
    "cat_dog_cosine_above_car": "cosine of cat and dog above those with car",
    "cat_dog_nearer_than_car": "cat and dog nearer than car",
    "cat_dog_ten_times_nearer": "ten times nearer",
    "cat_dog_nearest_of_all": "each other's nearest of all words",
    "cat_car_cosine_negative": "cosine of cat and car below zero",
    "eats_nearest_chases": "chases is nearest to eats",
    "drives_nearest_needs": "needs is nearest to drives",
}


def rows(path, *columns):
    """Read columns of an artefact as rows; numbers become numbers."""
    return [tuple(typed(row[name]) for name in columns) for row in read_csv(path)[1]]


def typed(text):
    """Read a cell as a number where it is one."""
    try:
        return float(text)
    except ValueError:
        return text


def draw_toy(inputs, outputs):
    """Draw the loss, the map and the random sets of the toy."""
    values = dict(rows(inputs.values, "quantity", "value"))
    losses = rows(inputs.losses, "epoch", "mean", "low", "high")
    fits = rows(inputs.fits, "dim", "loss")
    f.skipgram_loss(outputs.skipgram_loss, losses, values["entropy_floor"], fits)
    points = rows(inputs.map, "seed", "word", "x", "y")
    first = points[0][0]
    paths = {}
    for _, word, x, y in rows(inputs.paths, "epoch", "word", "x", "y"):
        paths.setdefault(word, []).append((x, y))
    f.skipgram_map(
        outputs.skipgram_map,
        [(word, x, y, seed == first) for seed, word, x, y in points],
        {word: np.array(places) for word, places in paths.items()},
    )
    own = {
        n: (s / k, e / k)
        for n, s, e, k in rows(inputs.shares, "statement", "start", "end", "seeds")
    }
    robust = rows(inputs.robustness, "statement", "start", "end")
    f.sentence_sets(
        outputs.sentence_sets,
        [(LABELS[name], *own[name], start, end) for name, start, end in robust],
    )


def main(inputs, outputs, config):
    draw_toy(inputs, outputs)
    f.word_map(outputs.word_map, rows(inputs.words, "word", "family", "x", "y"))
    shared = rows(inputs.shared, "same_seed", "other_seed")
    same, other = ([int(row[place]) for row in shared] for place in (0, 1))
    f.repeats(outputs.repeats, {"the same seed again": same, "another seed": other}, max(same))
    columns = ("start", "dim", "rare", "frequent", "in_family", "family_words")
    widths = [(*row[:4], row[4] / max(row[5], 1)) for row in rows(inputs.by_width, *columns)]
    f.widths(outputs.widths, widths)
    tried = rows(inputs.runs, "width", "seed", "tied", "step", "perplexity")
    runs = {}
    for width, seed, tied, step, perplexity in tried:
        if seed == tried[0][1]:
            runs.setdefault((int(width), tied == "true"), []).append((step, perplexity))
    f.tying(outputs.tying, runs)
    names = ("byte_pairs", "byte_triples", "words", "word_pairs")
    *written, text = rows(inputs.bytes, "step", *names)
    units = [name.replace("_", " ") for name in names]
    f.byte_patterns(
        outputs.byte_patterns,
        {unit: [(row[0], row[1 + n]) for row in written] for n, unit in enumerate(units)},
        dict(zip(units, text[1:], strict=True)),
    )


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=(
            "losses",
            "fits",
            "values",
            "map",
            "paths",
            "shares",
            "robustness",
            "words",
            "shared",
            "by_width",
            "runs",
            "bytes",
        ),
        outputs=(
            "skipgram_loss",
            "skipgram_map",
            "sentence_sets",
            "word_map",
            "repeats",
            "widths",
            "tying",
            "byte_patterns",
        ),
    )
