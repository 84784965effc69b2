"""The worked arithmetic of the documents: each example from its inputs (config key `examples`)."""

import itertools
import math

import numpy as np

from embedding_ledger.artefacts import agreement, six_digits
from embedding_ledger.parameters import FLOAT32_BYTES
from embedding_ledger.vectors import cosine_similarity, softmax

MIB = 2**20


def table_size(table):
    """Return the parameters of an embedding table, vocabulary times width."""
    return table["vocabulary"] * table["width"]


def projection_logits(example):
    """Return the logits of document 000's projection: one dot product a weight row, shape (V,)."""
    return np.array(example["rows"]) @ np.array(example["hidden"])


def values(examples):
    """Return {quantity: value or list} of every worked example (documents 000, 001, 002, 004)."""
    a, b = (np.array(examples["similarity"][key]) for key in "ab")
    c, d = (np.array(examples["exercise"][key]) for key in "ab")
    projection, tables = examples["projection"], examples["tables"]
    worked = table_size(tables["worked"]) * FLOAT32_BYTES / MIB
    logits = projection_logits(projection)
    learned = examples["learned_table"]
    direction = np.array([0.6, -1.7, 2.5])  # any vector will do: only directions count
    at_right_angles = np.array([1.7, 0.6, 0.0])
    return {
        "ids.distance": abs(examples["ids"]["cat"] - examples["ids"]["dog"]),
        "consecutive_ids": list(examples["consecutive_ids"].values()),
        "projection.hidden": projection["hidden"],
        "projection.rows": [entry for row in projection["rows"] for entry in row],
        "projection.vocabulary": len(projection["rows"]),
        "projection.logits": logits.tolist(),
        "projection.softmax": softmax(logits).tolist(),
        "similarity.dot": a @ b,
        "similarity.length_a": np.linalg.norm(a),
        "similarity.length_b": np.linalg.norm(b),
        "similarity.length_ratio": np.linalg.norm(b) / np.linalg.norm(a),
        "similarity.cosine": cosine_similarity(a, b),
        "similarity.distance": np.linalg.norm(a - b),
        "similarity.dimensions": len(a),
        "cosine.same_direction": cosine_similarity(direction, 3 * direction),
        "cosine.opposite": cosine_similarity(direction, -3 * direction),
        "cosine.right_angle": cosine_similarity(direction, at_right_angles),
        "cosine.similar_direction": cosine_similarity([1, 0], [3, 4]),
        "exercise.dot": c @ d,
        "exercise.lengths": [np.linalg.norm(c), np.linalg.norm(d)],
        "exercise.cosine": cosine_similarity(c, d),
        "cosines.ratio": examples["cosines"]["related"] / examples["cosines"]["unrelated"],
        "families.ratio": examples["families"]["same"] / examples["families"]["different"],
        "tables.worked": table_size(tables["worked"]),
        "tables.worked_mib": worked,
        "tables.two_mib": 2 * worked,
        "tables.exercise_001": table_size(tables["exercise_001"]),
        "tables.exercise_004": table_size(tables["exercise_004"]),
        "tables.toy": [tables["toy"]["vocabulary"], tables["toy"]["width"]],
        "bigram.full_parameters": tables["toy"]["vocabulary"] ** 2,
        "learned_table.missing": [learned["rows"], learned["tokens"] - 1],
        "learned_table.inputs": [learned["rows"], learned["tokens"]],
        "sine_and_cosine_of_0": [math.sin(0), math.cos(0)],
        "sine_of_1": math.sin(1),
        "cosine_of_1": math.cos(1),
    }


def factored_parameters(vocabulary, widths):
    """Return (width, parameters) of the factored bigram model: two V x d factors (document 004)."""
    return [(width, 2 * vocabulary * width) for width in widths]


def cosine_truths(rng, examples):
    """Return the truths about cosine similarity and distance (documents 000 and 001)."""
    vectors = rng.standard_normal((2, 8))
    cosine = cosine_similarity(*vectors)
    stretched = cosine_similarity(vectors[0], 7 * vectors[1])
    a, b = (np.array(examples["similarity"][key]) for key in "ab")
    with np.errstate(invalid="ignore"):
        quotient = np.float64(0) / np.float64(0)  # dot product over lengths, one of them zero
    try:
        refused, answer = False, cosine_similarity([0, 0], [1, 0])
    except ValueError as error:
        refused, answer = True, error
    return {
        "cosine.ignores_length": (
            math.isclose(cosine, stretched, abs_tol=1e-12),
            {"cosine": six_digits(cosine), "one vector 7 times as long": six_digits(stretched)},
        ),
        "cosine.zero_length_undefined": (
            bool(np.isnan(quotient)) and refused,
            {"0 / 0 in floating point": quotient, "our answer": answer},
        ),
        "similarity.same_direction_other_place": (
            math.isclose(cosine_similarity(a, b), 1) and np.linalg.norm(a - b) > 0,
            {"cosine": cosine_similarity(a, b), "distance": np.linalg.norm(a - b)},
        ),
    }


def _multiply(matrix, vector):
    """Tell whether the shapes of a matrix and a vector allow their product."""
    return matrix.shape[-1] == len(vector)


def projection_truths(rng, example):
    """Return the truths about document 000's projection from a hidden list to logits."""
    rows, hidden = np.array(example["rows"]), np.array(example["hidden"])
    logits = projection_logits(example)
    distribution = softmax(logits)
    bias = rng.standard_normal(len(rows))
    return {
        "softmax.is_distribution": (
            math.isclose(distribution.sum(), 1) and list(np.argsort(logits)) == [0, 1, 2],
            {"sum": six_digits(distribution.sum()), "probabilities": np.round(distribution, 4)},
        ),
        "projection.shapes": (
            len(logits) == len(rows) and not _multiply(rows.T, hidden),
            {"rows": len(rows), "columns": len(hidden), "logits": len(logits)},
        ),
        "projection.bias_shifts_each_logit": agreement(
            [row @ hidden + shift for row, shift in zip(rows, bias, strict=True)], logits + bias
        ),
    }


def truths(examples):
    """Return {statement: (holds, numbers)} of the arithmetic statements."""
    rng = np.random.default_rng(0)
    words = examples["consecutive_ids"]
    steps = [abs(second - first) for first, second in itertools.pairwise(words.values())]
    terms = rng.standard_normal((6, 8))
    sizes = [table_size({**examples["tables"]["worked"], "width": w}) for w in (64, 128, 256)]
    return {
        **cosine_truths(rng, examples),
        **projection_truths(rng, examples["projection"]),
        "ids.equal_steps": (steps[0] == steps[1], {"steps": steps}),
        "ids.follow_alphabet": (
            sorted(words, key=words.get) == sorted(words),
            {"by id": sorted(words, key=words.get), "by letter": sorted(words)},
        ),
        "addition.commutes": agreement(terms.sum(axis=0), terms[::-1].sum(axis=0)),
        "tables.grow_with_width": (sizes == sorted(set(sizes)), {"sizes": sizes}),
    }
