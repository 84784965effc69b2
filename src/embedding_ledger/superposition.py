"""Adding a token row and a position row: what the sum keeps, and how much room d numbers have.

All vectors are random (N(0, 1) entries): the statements are about the width d, not about training.
"""

import numpy as np

from embedding_ledger.artefacts import six_digits
from embedding_ledger.positions import sinusoidal
from embedding_ledger.vectors import unit_rows


def largest_cosine(rows):
    """Return the largest |cosine| between two different rows of (n, d)."""
    unit = unit_rows(rows)
    cosines = np.abs(unit @ unit.T)
    np.fill_diagonal(cosines, 0)
    return cosines.max()


def mean_cosine(a, b):
    """Return the mean |cosine| between rows of a (n, d) and rows of b (m, d)."""
    return np.abs(unit_rows(a) @ unit_rows(b).T).mean()


def root_mean_square(entries):
    """Return the root of the mean square of all entries."""
    return np.sqrt(np.mean(np.square(entries)))


def probe_accuracy(tokens, positions, rng):
    """Read token and position back from the sum of their rows with a linear probe.

    `tokens` (V, d) and `positions` (T, d): the two tables. The probe is fitted by least squares to
    half of the V x T pairs, drawn with `rng`, and asked about the other half. Returns the shares of
    that half whose token, and whose position, it names rightly.
    """
    pairs = rng.permutation(len(tokens) * len(positions))
    token, position = np.divmod(pairs, len(positions))
    sums = tokens[token] + positions[position]
    targets = np.hstack([np.eye(len(tokens))[token], np.eye(len(positions))[position]])
    half = len(pairs) // 2
    probe, *_ = np.linalg.lstsq(sums[:half], targets[:half], rcond=None)
    scores = sums[half:] @ probe
    named = scores[:, : len(tokens)].argmax(1), scores[:, len(tokens) :].argmax(1)
    return (named[0] == token[half:]).mean(), (named[1] == position[half:]).mean()


def scale_truth(width, seed):
    """Return the truth that sqrt(d) brings N(0, 1/d) entries to the scale of the sinusoids.

    Comparable means within a factor of two, by root mean square (document 002).
    """
    entries = np.random.default_rng(seed).standard_normal((1000, width)) / np.sqrt(width)
    signal = root_mean_square(sinusoidal(1000, width))
    before, after = root_mean_square(entries), root_mean_square(entries * np.sqrt(width))
    return (
        0.5 < after / signal < 2 < signal / before,
        {
            "width": width,
            "embedding before": six_digits(before),
            "after": six_digits(after),
            "position signal": six_digits(signal),
        },
    )


def truths(config):
    """Return {statement: (holds, numbers)} about sums of rows (documents 001, 002 and 004)."""
    rng = np.random.default_rng(config["seed"])
    room, accuracies = [], []
    for width in config["widths"]:
        tokens = rng.standard_normal((config["tokens"], width))
        positions = rng.standard_normal((config["positions"], width))
        room.append(six_digits(mean_cosine(tokens, positions)))
        accuracies.append(list(map(six_digits, probe_accuracy(tokens, positions, rng))))
    ids = rng.integers(len(tokens), size=len(positions))
    rows = tokens[ids]
    added, joined = rows + positions, np.hstack([rows, positions])
    first, later = config["places"]
    row = tokens[0]
    apart = np.abs((row + positions[first]) - (row + positions[later])).max()
    many = config["directions"]
    closest = [
        six_digits(largest_cosine(rng.standard_normal((many["vectors"], width), np.float32)))
        for width in many["widths"]
    ]
    return {
        "sum.shapes": (
            rows.shape == positions.shape == added.shape == (len(positions), width),
            {"token": rows.shape, "position": positions.shape, "sum": added.shape},
        ),
        "sum.width": (
            added.shape[1] == width and joined.shape[1] == 2 * width,
            {"width": width, "added": added.shape[1], "joined": joined.shape[1]},
        ),
        "sum.places_differ": (
            apart > 0,
            {"places": config["places"], "largest difference": six_digits(apart)},
        ),
        "sum.room_grows_with_width": (
            bool(np.all(np.diff(room) < 0)),
            {"widths": config["widths"], "mean |cosine| of token and position": room},
        ),
        "sum.linear_probe": (
            accuracies[-1] == [1, 1],
            {"widths": config["widths"], "token and position named rightly": accuracies},
        ),
        "directions.spread_with_width": (
            bool(np.all(np.diff(closest) < 0)),
            {
                "vectors": many["vectors"],
                "widths": many["widths"],
                "largest |cosine| of two": closest,
            },
        ),
        "scale.comparable": scale_truth(config["scaled_width"], config["seed"]),
    }
