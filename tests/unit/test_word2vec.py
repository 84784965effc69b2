"""word2vec on a small text: the same table again, questions about it, and trade-offs."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from embedding_ledger import word2vec as w
from embedding_ledger import word2vec_tradeoffs as t
from embedding_ledger.errors import LedgerError
from embedding_ledger.tables import EmbeddingTable

SETTINGS = {
    "dim": 8,
    "window": 2,
    "negatives": 3,
    "min_count": 2,
    "sample": 1.0,
    "learning_rate": 0.05,
    "epochs": 2,
}
PLANE = EmbeddingTable(
    "plane",
    ("man", "woman", "king", "queen", "far"),
    np.array([[1, 0], [1, 1], [2, -0.1], [2, 1.3], [-1, 0]], dtype=float),
)


@pytest.fixture
def text(tmp_path):
    rng = np.random.default_rng(0)
    words = np.array([f"word{letter}" for letter in "abcdefghij"])
    lines = [" ".join(words[rng.integers(10, size=6)]) for _ in range(300)]
    path = tmp_path / "text.txt"
    path.write_text("\n".join([*lines, "wordaing wordbed rarely"]) + "\n", encoding="utf-8")
    return path


def test_one_seed_is_one_table_under_any_hash_seed(text):
    code = (
        "import sys; from embedding_ledger import word2vec as w; import hashlib; "
        f"m, _ = w.fit(sys.argv[1], {SETTINGS}, 3); "
        "print(hashlib.sha256(m.wv.vectors.tobytes()).hexdigest())"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code, str(text)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1] != ""


def test_the_start_is_what_training_moves(text):
    model, start = w.fit(text, SETTINGS, 0)
    assert start.shape == model.wv.vectors.shape == (10, 8)
    assert not np.array_equal(start, model.wv.vectors)
    assert np.abs(start).max() <= 1 / 8 + 1e-7  # the scale shrinks with the width


def test_too_small_a_text_is_told(text):
    with pytest.raises(LedgerError, match="0 words occur 9999 times"):
        w.fit(text, {**SETTINGS, "min_count": 9999}, 0)


def test_an_analogy_in_a_plane():
    found = PLANE.analogy("man", "woman", "king", 5)
    assert [token for token, _ in found] == ["queen", "far"]
    unit = PLANE.unit(["man", "woman", "king", "queen"])
    asked = unit[1] - unit[0] + unit[2]
    assert math.isclose(found[0][1], asked @ unit[3] / np.linalg.norm(asked))
    assert len(PLANE.analogy("man", "woman", "king", 5, without=False)) == 5


def test_ranks_of_an_analogy():
    couples = [["man", "woman"], ["king", "queen"]]
    rows = w.analogy_rows({0: PLANE}, ["man", "woman", "king", "queen"], couples)
    assert rows[0][1:6] == ("man", "woman", "king", "queen", "queen")
    assert rows[0][6] == 1
    assert [row[1:5] for row in rows] == w.analogies(list(map(tuple, couples)))
    unknown = w.analogy_rows({0: PLANE}, ["man", "woman", "king", "duchess"], couples)
    assert all(row[4] != "duchess" for row in unknown)


@pytest.mark.parametrize(
    ("ranks", "holds"), [((1, 1, 3), True), ((1, 2, 3), False), ((1, 2), False)]
)
def test_the_famous_analogy_needs_most_seeds(ranks, holds):
    famous = ["a", "b", "c", "d"]
    rows = [(seed, *famous, "x", rank, rank + 1, 4) for seed, rank in enumerate(ranks)]
    assert w.truths(rows, famous)["analogy.famous"][0] is holds
    assert w.truths([], famous)["analogy.famous"][0] is False


def test_words_that_a_table_lacks_are_left_out():
    tables = {0: PLANE}
    assert w.cosine_rows(tables, [["man", "nobody"]]) == [("man", "nobody", None, None, None)]
    assert w.neighbour_rows(tables, ["nobody"], 3) == []
    families = {"people": ["man", "woman", "nobody"], "rulers": ["king", "queen"], "none": ["x"]}
    rows = w.family_rows(tables, families)
    assert rows[0][3] == 4
    assert {row[0] for row in w.map_rows(PLANE, families)} == {"man", "woman", "king", "queen"}


def test_nearest_in_family_counts():
    families = {"low": ["man", "king"], "high": ["woman", "queen"]}
    close = PLANE.cosines(["man", "king", "woman", "queen"])
    np.fill_diagonal(close, -1)
    own = sum(close[i].argmax() == j for i, j in ((0, 1), (1, 0), (2, 3), (3, 2)))
    assert w.nearest_in_family(PLANE, families) == (4, own)


def test_widths_report_both_scales_of_start(text):
    config = {"dims": [2, 6], "seed": 0, "fixed_start": 0.5, "rare": 500, "frequent": 1}
    families = {"one": ["worda", "wordb"], "two": ["wordc", "wordd"]}
    rows = t.width_rows(text, {**SETTINGS, "epochs": 40}, config, families)
    assert [row[:2] for row in rows] == [(s, d) for s in t.STARTS for d in (2, 6)]
    assert rows[3][3] > rows[1][3]  # a large start keeps its direction longer


def width_row(start, dim, rare, frequent, alike):
    return (start, dim, 9, rare, frequent, 10, alike)


def test_width_truth_can_fail_either_way():
    def decide(alike, rare):
        rows = [width_row(s, 2 + n, rare[n], 0.1, alike[n]) for s in t.STARTS for n in (0, 1)]
        return t.width_truths(rows)["widths.collide_and_stay"][0]

    assert decide((3, 8), (0.2, 0.9))
    assert not decide((8, 3), (0.2, 0.9))
    assert not decide((3, 8), (0.9, 0.2))


def test_fasttext_reaches_words_without_a_row(text):
    config = {
        "dim": 6,
        "epochs": 1,
        "seed": 0,
        "ngrams": [3, 4],
        "buckets": 200,
        "words": 5,
        "shortest": 5,
    }
    rows, truths = t.subword_rows(text, SETTINGS, config)
    assert [row[:2] for row in rows] == [("wordaing", "worda"), ("wordbed", "wordb")]
    assert truths["subwords.reach_unseen_words"][0]


def test_the_same_seed_again_and_another(text):
    config = {"seeds": [0, 1], "workers": 2, "skipped": 1, "words": 4, "shown": 3}
    rows, truths = t.repeat_rows(text, SETTINGS, config)
    assert [row[1] for row in rows] == [3] * 4
    assert truths["repeat.same_seed_same_bytes"][0]
    assert truths["repeat.another_seed_another_table"][0]
