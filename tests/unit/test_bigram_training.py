"""The count-matrix trainer against autograd, finite differences and the per-example loop."""

import math
import warnings
from functools import cache

import numpy as np
import pytest
import torch

from embedding_ledger import bigram_training as b
from embedding_ledger import grammar as g
from embedding_ledger.config import load
from embedding_ledger.literal import bigram_descent

V = 34
WIDTHS = (1, 2, 3, 4, 6, 8, 16, 34)
TOY = load()["toy_language"]
F4 = g.parse_grammars(TOY["grammars"])[TOY["default"]]


def parts(sentences=4_000, seed=0):
    return g.split(g.corpus(F4, sentences, seed))


@cache
def counts_of(sentences=4_000, seed=0):
    return g.bigram_counts(parts(sentences, seed)[0], V)


def published(width):
    """Steps and learning rate that document 004 states for a width."""
    steps, rate = (4_000, 3.0) if width < 3 else (3_000, 10.0)
    return {"steps": steps, "learning_rate": rate}


@pytest.fixture
def case():
    rng = np.random.default_rng(5)
    return rng.normal(size=(6, 3)), rng.normal(size=(3, 6)), rng.integers(0, 9, (6, 6))


def test_gradient_against_finite_differences(case):
    E, U, counts = case
    for which, analytic in enumerate(b.gradients(E, U, counts)):
        numeric = np.zeros_like(analytic)
        for place in np.ndindex(analytic.shape):
            sides = []
            for shift in (1e-5, -1e-5):
                moved = [E.copy(), U.copy()]
                moved[which][place] += shift
                sides.append(b.cross_entropy(*moved, counts))
            numeric[place] = (sides[0] - sides[1]) / 2e-5
        np.testing.assert_allclose(analytic, numeric, atol=1e-9)


def test_gradient_and_loss_against_autograd(case):
    E, U, counts = case
    before, after = np.nonzero(counts)
    repeats = counts[before, after]
    x = torch.tensor(np.repeat(before, repeats))
    y = torch.tensor(np.repeat(after, repeats))
    E_t, U_t = (torch.tensor(part, requires_grad=True) for part in (E, U))
    loss = torch.nn.functional.cross_entropy(E_t[x] @ U_t, y)
    loss.backward()
    dE, dU = b.gradients(E, U, counts)
    assert b.cross_entropy(E, U, counts) == pytest.approx(loss.item(), abs=1e-14)
    np.testing.assert_allclose(dE, E_t.grad.numpy(), atol=1e-15)
    np.testing.assert_allclose(dU, U_t.grad.numpy(), atol=1e-15)


def test_training_is_simultaneous_descent_on_that_gradient(case):
    E, U, counts = case
    run = b.train_from(counts, E[None], U[None], steps=4, learning_rate=0.7, record_at=(0, 3, 5))
    want_E, want_U, losses, tables = E, U, [], {}
    for done in range(6):
        losses.append(b.cross_entropy(want_E, want_U, counts))
        tables[done] = want_E
        if done < 5:
            dE, dU = b.gradients(want_E, want_U, counts)
            want_E, want_U = want_E - 0.7 * dE, want_U - 0.7 * dU
    np.testing.assert_allclose(run.E[0], want_E, atol=1e-13)
    np.testing.assert_allclose(run.U[0], want_U, atol=1e-13)
    np.testing.assert_allclose(run.losses[0], losses, atol=1e-13)
    assert run.held is None
    held = np.roll(counts, 1, axis=0)
    again = b.train_from(counts, E[None], U[None], steps=4, learning_rate=0.7, held=held)
    np.testing.assert_array_equal(again.losses, run.losses)
    assert again.held[0, -1] == pytest.approx(b.cross_entropy(want_E, want_U, held), abs=1e-13)
    assert sorted(run.snapshots) == [0, 3, 5]
    for done, table in run.snapshots.items():
        np.testing.assert_allclose(table[0], tables[done], atol=1e-13)
    np.testing.assert_array_equal(run.snapshots[5], run.E)


@pytest.mark.parametrize(
    ("width", "rate"), [(w, 1.0) for w in WIDTHS] + [(w, 10.0) for w in (3, 4, 6, 16)]
)
def test_equal_to_the_per_example_loop(width, rate):
    """Over 251 updates, wherever the rate does not amplify the last bits of the arithmetic."""
    train, val = parts(sentences=300)
    pairs, held = g.bigram_counts(train, V), g.bigram_counts(val, V)
    E, U = bigram_descent(train, *b.initial_factors(V, width, 0), 251, rate)
    run = b.train(pairs, width, [0], steps=250, learning_rate=rate)
    for counts in (pairs, held):
        ours = b.cross_entropy(run.E[0], run.U[0], counts)
        assert ours == pytest.approx(b.cross_entropy(E, U, counts), abs=1e-10)
    assert run.losses[0, -1] == pytest.approx(b.cross_entropy(E, U, pairs), abs=1e-10)


@pytest.mark.parametrize("size", [800.0, -800.0, 1e5])
def test_scores_beyond_the_range_of_exp(case, size):
    """One step where exp of the scores overflows or vanishes, alone and beside a tame run."""
    E, U, counts = case
    E, U = np.stack([np.ones_like(E), E]), np.stack([U, U])
    U[0, 0] += size
    run = b.train_from(counts, E, U, steps=0, learning_rate=0.5)
    for place in (0, 1):
        dE, dU = b.gradients(E[place], U[place], counts)
        np.testing.assert_allclose(run.E[place], E[place] - 0.5 * dE, rtol=1e-12, atol=1e-10)
        np.testing.assert_allclose(run.U[place], U[place] - 0.5 * dU, rtol=1e-12, atol=1e-12)
        assert run.losses[place, 0] == pytest.approx(
            b.cross_entropy(E[place], U[place], counts), abs=1e-9
        )
        alone = b.train_from(counts, E[[place]], U[[place]], steps=0, learning_rate=0.5)
        np.testing.assert_array_equal(alone.E[0], run.E[place])


@pytest.mark.parametrize("width", WIDTHS)
def test_equal_to_the_per_example_loop_step_by_step(width):
    """At the edge of stability too: from anywhere on our path, one step of each is the same.

    With 300 sentences the published rates turn last bits into 1e-5 and more at widths 2, 8 and
    34 on the way, so there two exact methods drift apart although every step agrees.
    """
    train, _ = parts(sentences=300)
    pairs, rate = g.bigram_counts(train, V), published(width)["learning_rate"]
    E, U = (part[None] for part in b.initial_factors(V, width, 0))
    for _ in range(12):
        literal = bigram_descent(train, E[0], U[0], 1, rate)
        run = b.train_from(pairs, E, U, steps=0, learning_rate=rate)
        np.testing.assert_allclose(run.E[0], literal[0], rtol=0, atol=1e-13)
        np.testing.assert_allclose(run.U[0], literal[1], rtol=0, atol=1e-13)
        run = b.train_from(pairs, E, U, steps=24, learning_rate=rate)
        E, U = run.E, run.U


def test_initial_factors_draw_E_before_U():
    E, U = b.initial_factors(V, 8, 3)
    draws = np.random.default_rng(3).standard_normal(2 * V * 8) * 0.1
    np.testing.assert_array_equal(np.concatenate([E.ravel(), U.ravel()]), draws)
    assert E.shape == (V, 8)
    assert U.shape == (8, V)
    assert E.size + U.size == b.parameter_count(V, 8) == 544


@pytest.mark.parametrize("width", [1, 2, 8, 34])
def test_a_batch_of_seeds_equals_single_runs_bit_for_bit(width):
    counts, setting = counts_of(), published(width) | {"steps": 300}
    batch = b.train(counts, width, range(5), record_at=(50,), **setting)
    for seed in range(5):
        alone = b.train(counts, width, [seed], record_at=(50,), **setting)
        np.testing.assert_array_equal(alone.E[0], batch.E[seed])
        np.testing.assert_array_equal(alone.U[0], batch.U[seed])
        np.testing.assert_array_equal(alone.losses[0], batch.losses[seed])
        np.testing.assert_array_equal(alone.snapshots[50][0], batch.snapshots[50][seed])
        assert alone.outcomes[0] == batch.outcomes[seed]


def test_corpora_and_seeds_pair_up():
    tables = np.stack([counts_of(seed=s) for s in range(3)])
    setting = {"steps": 50, "learning_rate": 10.0}
    one_seed = b.train(tables, 4, [0], **setting)
    paired = b.train(tables, 4, [0, 1, 2], **setting)
    for place, table in enumerate(tables):
        np.testing.assert_array_equal(one_seed.E[place], b.train(table, 4, [0], **setting).E[0])
        np.testing.assert_array_equal(paired.E[place], b.train(table, 4, [place], **setting).E[0])
    with pytest.raises(ValueError, match="broadcast"):
        b.train(tables, 4, [0, 1], **setting)


def test_the_start_is_not_modified():
    E, U = (part[None] for part in b.initial_factors(V, 4, 0))
    kept = E.copy(), U.copy()
    b.train_from(counts_of(sentences=50), E, U, steps=3, learning_rate=10.0)
    np.testing.assert_array_equal(E, kept[0])
    np.testing.assert_array_equal(U, kept[1])


def test_nudge_moves_every_number_by_its_last_bit():
    E, _ = b.initial_factors(V, 4, 0)
    moved = b.nudge(E, 1)
    assert (moved != E).all()
    np.testing.assert_array_equal(np.abs(moved - E), np.abs(np.spacing(np.minimum(E, moved))))
    np.testing.assert_array_equal(moved, b.nudge(E, 1))
    assert not np.array_equal(moved, b.nudge(E, 2))


def test_divergence_is_a_result_without_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        setting = {"steps": 300, "learning_rate": 1e5, "held": counts_of(seed=1)}
        run = b.train(counts_of(), 1, range(2), record_at=(0, 301), **setting)
        assert np.isnan(b.cross_entropy(run.E, run.U, counts_of())).all()
    for place, end in enumerate(run.outcomes):
        assert end.status == b.NON_FINITE
        assert math.isnan(end.final_loss)
        assert 0 < end.failed_at <= 301
        assert end.last_finite_loss == run.losses[place, end.failed_at - 1]
        assert np.isnan(run.losses[place, end.failed_at :]).all()
        assert np.isnan(run.held[place, end.failed_at :]).all()
    assert np.isnan(run.E).all()
    assert np.isnan(run.U).all()
    assert np.isnan(run.snapshots[301]).all()
    assert np.isfinite(run.snapshots[0]).all()


def test_a_failed_run_leaves_its_neighbours_alone():
    E, U = b.initial_batch(V, 3, (0, 1))
    E[0] *= 1e200
    U[0] *= 1e200
    pair = b.train_from(counts_of(), E, U, steps=200, learning_rate=10.0)
    alone = b.train_from(counts_of(), E[1:], U[1:], steps=200, learning_rate=10.0)
    assert pair.outcomes[0].status == b.NON_FINITE
    assert pair.outcomes[0].failed_at == 0
    assert math.isnan(pair.outcomes[0].last_finite_loss)
    np.testing.assert_array_equal(pair.E[1], alone.E[0])
    assert pair.outcomes[1] == alone.outcomes[0]


def test_outcome_looks_at_the_last_hundred_steps_only():
    quiet = np.full(400, 1.5)
    early, late = quiet.copy(), quiet.copy()
    early[400 - 102] = 9.0
    late[400 - 101] = 1.52
    assert b._outcome(quiet).status == b._outcome(early).status == b.TRAINED
    end = b._outcome(late)
    assert end.status == b.UNSETTLED
    assert end.high - end.low == pytest.approx(0.02)
    assert (end.low, end.high) == (1.5, 1.52)
    assert end.final_loss == end.last_finite_loss == 1.5
    assert end.failed_at is None


@pytest.mark.parametrize("width", [w for w in WIDTHS if w >= 2])
def test_default_corpus_trains_at_the_published_settings(width):
    run = b.train(counts_of(), width, [0], **published(width))
    assert run.outcomes[0].status == b.TRAINED
    assert run.losses.shape == (1, published(width)["steps"] + 2)
    floor = b.count_table_loss(counts_of(), counts_of(), 0)
    assert floor < run.outcomes[0].final_loss < floor + (0.009 if width == 2 else 0.003)


def test_width_one_swings_and_is_reported_unsettled():
    end = b.train(counts_of(), 1, [0], **published(1)).outcomes[0]
    assert end.status == b.UNSETTLED
    assert 0.02 < end.high - end.low < 0.06
    assert 1.94 < end.final_loss < 2.03


def test_default_corpus_diverges_at_widths_one_and_two_with_rate_ten():
    for width in (1, 2):
        run = b.train(counts_of(), width, [0], steps=3_000, learning_rate=10.0)
        assert run.outcomes[0].status == b.NON_FINITE


def test_recorded_behaviour_of_other_corpora():
    width_two = np.stack([counts_of(seed=s) for s in (3, 4, 5)])
    run = b.train(width_two, 2, [0], steps=3_000, learning_rate=10.0)
    assert [end.status for end in run.outcomes] == [b.NON_FINITE, b.TRAINED, b.TRAINED]
    never = b.train(counts_of(seed=3), 34, [0], steps=3_000, learning_rate=10.0).outcomes[0]
    assert never.status == b.UNSETTLED
    assert never.high - never.low > 0.5


def test_cross_entropy_of_a_uniform_model_and_of_batches():
    counts = counts_of()
    assert b.cross_entropy(np.zeros((V, 2)), np.zeros((2, V)), counts) == pytest.approx(
        math.log(V), abs=1e-12
    )
    E, U = b.initial_batch(V, 3, (0, 1))
    both = b.cross_entropy(E, U, counts)
    assert both.shape == (2,)
    assert both[1] == b.cross_entropy(E[1], U[1], counts)


def test_cross_entropy_survives_huge_scores():
    counts = np.array([[1, 1], [0, 0]])
    E, U = np.array([[1e3], [0.0]]), np.array([[1.0, -1.0]])
    assert b.cross_entropy(E, U, counts) == pytest.approx(1000.0)


def test_count_table_loss():
    train, val = (g.bigram_counts(part, V) for part in parts())
    assert b.count_table_loss(train, train, 0) == pytest.approx(g.conditional_entropy(train))
    losses = [b.count_table_loss(train, train, alpha) for alpha in (0, 0.1, 1)]
    assert losses == sorted(losses)
    assert b.count_table_loss(train, val, 0) == pytest.approx(1.1613, abs=5e-5)
    table, other = np.array([[3, 1], [0, 0]]), np.array([[0, 0], [0, 1]])
    assert b.count_table_loss(table, table, 1) == pytest.approx(
        -(3 * math.log(4 / 6) + math.log(2 / 6)) / 4
    )
    assert b.count_table_loss(table, other, 0) == math.inf
    assert b.count_table_loss(table, other, 1) == pytest.approx(math.log(2))


def test_no_model_beats_the_count_table_in_training():
    for seed in range(3):
        counts = counts_of(seed=seed)
        run = b.train(counts, 16, [0], steps=500, learning_rate=10.0)
        assert run.losses[0, -1] > b.count_table_loss(counts, counts, 0)


GOOD = {"width": 2, "seeds": [0], "steps": 3, "learning_rate": 1.0}


@pytest.mark.parametrize(
    ("counts", "change", "message"),
    [
        (np.zeros((3, 3)), {}, "holds no pair"),
        (np.ones((3, 4)), {}, "shape"),
        (-np.ones((3, 3)), {}, "not negative"),
        (np.full((3, 3), np.nan), {}, "finite"),
        (np.ones((3, 3)), {"width": 0}, "width"),
        (np.ones((3, 3)), {"seeds": []}, "seeds"),
        (np.ones((3, 3)), {"steps": -1}, "steps"),
        (np.ones((3, 3)), {"learning_rate": 0.0}, "learning_rate"),
        (np.ones((3, 3)), {"learning_rate": math.nan}, "learning_rate"),
        (np.ones((3, 3)), {"record_at": [2, 5]}, r"record_at: \[5\]"),
    ],
)
def test_arguments_that_make_no_run(counts, change, message):
    with pytest.raises(ValueError, match=message):
        b.train(counts, **(GOOD | change))


def test_loss_arguments():
    table = np.ones((3, 3))
    with pytest.raises(ValueError, match="alpha"):
        b.count_table_loss(table, table, -1)
    with pytest.raises(ValueError, match="eval_counts"):
        b.count_table_loss(table, np.zeros((3, 3)), 0)
    with pytest.raises(ValueError, match="one table each"):
        b.count_table_loss(table, np.ones((4, 4)), 0)
    with pytest.raises(ValueError, match="shapes do not fit"):
        b.train_from(table, np.ones((1, 3, 2)), np.ones((1, 3, 3)), steps=1, learning_rate=1.0)
