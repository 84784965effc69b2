"""The sweep, the trained vectors and the spread, on small settings and against plain loops."""

import numpy as np
import pytest

from embedding_ledger import bigram_training as b
from embedding_ledger import spread, sweep, trained_vectors
from embedding_ledger.config import load
from embedding_ledger.grammar import vocabulary
from embedding_ledger.toy_language import counted, default_grammar

CONFIG = load()
TOY = CONFIG["toy_language"] | {
    "ensemble": {"default": {"seeds": 3, "corpora": 2}, "others": {"seeds": 1, "corpora": 2}}
}
SETTINGS = sweep.training_settings(CONFIG) | {
    "widths": [1, 2, 3, 8],
    "steps": 300,
    "narrow": {"widths": [1, 2], "steps": 300, "learning_rate": 3},
}


@pytest.fixture(scope="module")
def rows():
    columns = spread.run_columns(SETTINGS)
    return [
        dict(zip(columns, row, strict=True))
        for name in TOY["grammars"]
        for row in spread.run_rows(name, TOY, SETTINGS)
    ]


@pytest.fixture(scope="module")
def found(rows):
    return spread.measurements(rows, TOY, SETTINGS)


def test_measures_of_one_run():
    pairs = counted(default_grammar(TOY), TOY, 0)
    run = sweep.train_width(pairs, 3, [0], SETTINGS, {"steps": 200, "learning_rate": 10.0})
    told = dict(zip(sweep.RUN_COLUMNS, sweep.measures(run, 0), strict=True))
    assert told["low"] <= told["train_mean"] <= told["high"]
    assert told["train_mean"] == round(np.mean(run.losses[0, -101:]), 5)
    assert told["val_mean"] == round(np.mean(run.held[0, -101:]), 5)
    if told["status"] == b.TRAINED:
        assert told["val_loss"] == round(b.cross_entropy(run.E[0], run.U[0], pairs[1]), 5)


def test_losses_of_a_run_that_fails_or_swings_are_blank():
    pairs = counted(default_grammar(TOY), TOY, 0)
    run = sweep.train_width(pairs, 1, [0], SETTINGS, {"steps": 50, "learning_rate": 1e5})
    assert sweep.measures(run, 0) == (b.NON_FINITE, *(None,) * 6)
    run = sweep.train_width(pairs, 3, [0], SETTINGS, {"steps": 120, "learning_rate": 1.0})
    status, *losses = sweep.measures(run, 0)
    assert status == b.UNSETTLED
    assert losses[:2] == [None, None]
    assert None not in losses[2:]


def test_each_run_of_the_ensemble_is_the_run_alone(rows):
    grammar = default_grammar(TOY)
    for seed, corpus in ((2, 0), (0, 1)):
        pairs = counted(grammar, TOY, corpus)
        run = sweep.train_width(pairs, 8, [seed], SETTINGS, sweep.published(SETTINGS, 8))
        row = next(
            row
            for row in rows
            if (row["grammar"], row["seed"], row["corpus"], row["width"]) == ("F4", seed, corpus, 8)
        )
        assert tuple(row[name] for name in sweep.RUN_COLUMNS) == sweep.measures(run, 0)
        a, c = (run.E[0][vocabulary(grammar).index(word)] for word in ("cat", "dog"))
        cosine = a @ c / np.linalg.norm(a) / np.linalg.norm(c)
        if row["status"] == b.TRAINED:
            assert row["cosine.cat.dog"] == round(cosine, 4)


def test_ensemble_has_the_runs_that_are_asked_for(rows):
    runs = {(r["grammar"], r["varied"], r["seed"], r["corpus"]) for r in rows}
    assert len(runs) == (3 + 2) + 3 * (1 + 2)
    for run in runs:
        own = [r for r in rows if (r["grammar"], r["varied"], r["seed"], r["corpus"]) == run]
        full = run[1] == "corpus"
        assert len(own) == len(SETTINGS["widths"]) + len(SETTINGS["narrow"]["widths"]) + full


def test_only_settled_runs_enter_a_range(rows, found):
    groups = spread.group_rows(found)
    table = spread.spread_rows(found, groups, TOY, SETTINGS)
    named = {row[:2]: dict(zip(spread.SPREAD_COLUMNS, row, strict=True)) for row in table}
    for width in SETTINGS["widths"]:
        rate = sweep.published(SETTINGS, width)["learning_rate"]
        own = [r for r in rows if r["width"] == width and r["learning_rate"] == rate]
        told = named[f"width.{width}.train_loss", 0]
        settled = [r for r in own if r["status"] == b.TRAINED]
        assert told["runs"] == len(own)
        assert told["used"] == len(settled)
        assert told["unsettled"] == sum(r["status"] == b.UNSETTLED for r in own)
        lows = []
        for key in {(r["grammar"], r["varied"]) for r in settled}:
            group = [r["train_loss"] for r in settled if (r["grammar"], r["varied"]) == key]
            lows.append(np.percentile(group, 2.5))
        assert told["value_low"] == (round(min(lows), 5) if lows else None)


def test_lists_repeat_the_cosines(found):
    printed = [m[-1] for m in found if m[:2] == ("printed", 1)]
    assert printed == [m[-1] for m in found if m[0] == "cosine.cat.chased"]


def test_neighbour_range_is_that_of_the_list():
    made = trained_vectors.TrainedVectors(TOY, SETTINGS)
    listed = [row for row in trained_vectors.neighbour_rows(made) if row[0] == "fish"]
    assert [row[1] for row in listed] == [1, 2, 3, 4]
    cosines = [row[3] for row in listed]
    assert cosines == sorted(cosines, reverse=True)
    everyone = [made.table.cosine("fish", word) for word in made.tokens if word != "fish"]
    assert max(everyone) == pytest.approx(cosines[0], abs=1e-4)


def test_recorded_tables_are_those_of_shorter_trainings():
    made = trained_vectors.TrainedVectors(TOY, SETTINGS)
    pairs = counted(default_grammar(TOY), TOY, 0)
    shorter = sweep.train_width(pairs, 8, [0], SETTINGS, {"steps": 50, "learning_rate": 10})
    np.testing.assert_array_equal(made.tables[51].vectors, shorter.E[0])
    assert made.steps[0] == 0 and made.steps[51] == 50
    assert trained_vectors.updates_after(0) == 0
    assert trained_vectors.updates_after(3000) == 3001


def test_gradient_size_is_that_of_the_gradient():
    made = sweep.Sweep(TOY, SETTINGS)
    E, U = b.initial_factors(34, 8, 0)
    sizes = []
    for _ in range(sweep.EARLY):
        dE, dU = b.gradients(E, U, made.pairs[0])
        sizes.append(np.sqrt(np.mean(dE**2)))
        E, U = E - 3 * dE, U - 3 * dU
    assert made.gradients[8] == pytest.approx(np.mean(sizes), rel=1e-9)


def test_pooled_rows_are_means_of_a_role():
    counts = np.array([[4, 0, 0], [0, 2, 0], [1, 1, 1]])
    pooled = sweep._pooled(counts, ("a", "b", "c"), {"role": ("a", "b")})
    assert pooled.tolist() == [[4, 2, 0], [4, 2, 0], [1, 1, 1]]
