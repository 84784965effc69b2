"""The sinusoidal table of positions (Vaswani et al. 2017, section 3.5; document 004)."""

import numpy as np

from embedding_ledger.errors import LedgerError

BASE = 10000.0


def wavenumbers(width, base=BASE):
    """Return the angle per position of each (sine, cosine) pair, shape (width / 2,).

    Pair i turns by base^(-2i / width) radians a position (Vaswani et al. 2017, section 3.5).
    Raises ValueError for an odd or non-positive width.
    """
    if width <= 0 or width % 2:
        raise ValueError(f"width {width} is not a positive even number")
    return base ** (-np.arange(0, width, 2) / width)


def wavelengths(width, base=BASE):
    """Return the positions a full cycle of each pair takes, shape (width / 2,)."""
    return 2 * np.pi / wavenumbers(width, base)


def sinusoidal(positions, width, base=BASE):
    """Return the table of position vectors, shape (positions, width).

    Even columns hold the sines and odd columns the cosines of position times wavenumber.
    """
    angles = np.arange(positions)[:, None] * wavenumbers(width, base)
    table = np.empty((positions, width))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def dot_terms(table, start, offset):
    """Return what each pair of columns adds to the dot product of two positions, shape (pairs,).

    `table`: shape (positions, width). A term is the cosine of the angle that its pair turns by
    between the positions `start` and `start + offset`.
    """
    return (table[start] * table[start + offset]).reshape(-1, 2).sum(axis=1)


def rotations(offset, width, base=BASE):
    """Return the matrices that shift each pair by `offset` positions, shape (width / 2, 2, 2).

    For a pair (sin a, cos a), the matrix gives (sin(a + wk), cos(a + wk)), whatever a is.
    """
    angles = wavenumbers(width, base) * offset
    sine, cosine = np.sin(angles), np.cos(angles)
    return np.stack([np.stack([cosine, sine], -1), np.stack([-sine, cosine], -1)], -2)


def shift(table, offset, base=BASE):
    """Rotate every pair of every row by `offset` positions; same shape as `table` (n, width)."""
    pairs = table.reshape(len(table), -1, 2)
    turned = np.einsum("pij,npj->npi", rotations(offset, table.shape[1], base), pairs)
    return turned.reshape(table.shape)


def check(config):
    """Raise LedgerError for every setting whose positions lie outside the tables built for it."""
    farthest = max(config["offsets"])
    rotated = sum(config["rotation"].values())
    needs = [
        ("shown", max(config["shown"]), "rows"),
        ("offsets", farthest, "rows"),
        ("starts", max(config["starts"]) + farthest, "long_rows"),
        ("distances", max(map(max, config["distances"])), "long_rows"),
        ("rotation", rotated, "long_rows"),
    ]
    faults = [
        f"positions.{key} reaches position {last}, but positions.{rows} is {config[rows]}"
        for key, last, rows in needs
        if last >= config[rows]
    ]
    if faults:
        raise LedgerError(faults)


def settings(config):
    """Return the quantities that follow from the settings of the experiment (document 004)."""
    rotation = config["rotation"]
    lengths = wavelengths(config["width"])
    return {
        "base": BASE,
        "table_shape": list(sinusoidal(config["rows"], config["width"]).shape),
        "columns": config["width"],
        # the starts whose farthest offset still lies in the table that the page builds
        "starts": [s for s in config["starts"] if s + max(config["offsets"]) < config["rows"]],
        "rotation_example": [
            rotation["offset"],
            rotation["position"],
            config["width"],
            rotation["position"] + rotation["offset"],
        ],
        "fastest_pair": int(lengths.argmin()) + 1,
        "slowest_pair": int(lengths.argmax()) + 1,
    }


def _smallest_gap(table):
    """Return the smallest distance between two different rows."""
    distances = np.linalg.norm(table[:, None] - table[None], axis=-1)
    return distances[~np.eye(len(table), dtype=bool)].min()


def _fit_error(features, targets):
    """Return the largest error of the best linear map from features (n, k) to targets (n, m)."""
    solution, *_ = np.linalg.lstsq(features, targets, rcond=None)
    return np.abs(features @ solution - targets).max()


def truths(config):
    """Return {statement: (holds, numbers)} about the sinusoidal table (document 004)."""
    width, rotation = config["width"], config["rotation"]
    table = sinusoidal(config["long_rows"], width)
    short = sinusoidal(config["rows"], width)
    lengths = wavelengths(width)
    position, offset = rotation["position"], rotation["offset"]
    example = np.abs(shift(table[[position]], offset) - table[position + offset]).max()
    everywhere = max(np.abs(shift(table[:-k], k) - table[k:]).max() for k in range(1, 65))
    products = table @ table.T
    spread = max(np.ptp(np.diagonal(products, k)) for k in config["offsets"])
    curve = products[0, : config["rows"]]
    listed = curve[config["offsets"]]
    gap = np.diff(np.sort(curve)).min()
    rises = int(np.flatnonzero(np.diff(curve) > 0)[0])
    formula = np.array(
        [
            [
                (np.sin if column % 2 == 0 else np.cos)(p / BASE ** ((column // 2 * 2) / width))
                for column in range(width)
            ]
            for p in range(config["rows"])
        ]
    )
    pair, k = table[:, 2:4], 5
    alone = _fit_error(pair[:-k, :1], pair[k:, :1])
    together = _fit_error(pair[:-k], pair[k:])
    learned = np.random.default_rng(0).standard_normal((config["long_rows"], width)) * 0.02
    unit = learned / np.linalg.norm(learned, axis=1, keepdims=True)
    columns = [
        np.abs(products[a, a : a + 33] - products[b, b : b + 33]).max()
        for a, b in ((10, 30), (10, 300), (30, 300))
    ]
    return {
        "entries.follow_formula": (
            np.allclose(short, formula, atol=1e-12),
            {"largest difference": np.abs(short - formula).max()},
        ),
        "first_position.alternates": (
            np.array_equal(table[0], np.arange(width) % 2),
            {"entries": table[0].tolist()},
        ),
        "pairs.slow_down": (bool(np.all(np.diff(lengths) > 0)), {"wavelengths": lengths.tolist()}),
        "positions.distinct": (
            _smallest_gap(table) > 0,
            {"rows": len(table), "smallest distance": _smallest_gap(table)},
        ),
        "rotation.example": (np.allclose(example, 0), {"largest error": example}),
        "rotation.everywhere": (
            np.allclose(everywhere, 0, atol=1e-9),
            {"largest error over offsets 1 to 64": everywhere},
        ),
        "dot_product.depends_on_offset_only": (
            np.allclose(spread, 0, atol=1e-9),
            {"largest spread over all starts": spread},
        ),
        "dot_product.columns_identical": (
            max(columns) < 1e-9,
            {"largest difference between two starts": max(columns)},
        ),
        "dot_product.falls_over_listed_offsets": (
            bool(np.all(np.diff(listed) < 0)),
            {"listed": listed.tolist(), "first rise after offset": rises},
        ),
        "dot_product.falls_over_all_offsets": (
            bool(np.all(np.diff(curve) < 0)),
            {
                "first rise after offset": rises,
                "offset 3": curve[3],
                "offset 4": curve[4],
                "offset 13": curve[13],
            },
        ),
        "dot_product.differs_between_offsets": (
            gap > 1e-4,
            {"offsets": config["rows"], "smallest difference of two of them": gap},
        ),
        "table.extends": (
            np.array_equal(table[: config["rows"]], short),
            {"rows": len(short), "longer table": len(table)},
        ),
        "pair.shift_is_linear_sine_alone_is_not": (
            together < 1e-9 < 1e-3 < alone,
            {"error with the pair": together, "error with the sine alone": alone},
        ),
        "neighbours.linked_unlike_random_rows": (
            np.isclose(products[500, 501], products[0, 1]) and abs(unit[500] @ unit[501]) < 0.9,
            {
                "sinusoidal dot product of 500 and 501": products[500, 501],
                "of 0 and 1": products[0, 1],
                "cosine of two random rows": unit[500] @ unit[501],
            },
        ),
    }
