"""The factored bigram model of document 004, trained on a table of pair counts.

The scores of the next token are `E[x] @ U`, with a table E of shape (V, d) and a matrix U of
shape (d, V). The loss is the mean cross-entropy over the pairs of the corpus, in nats.

Why counts suffice: two pairs with the same first token have the same scores, so a corpus enters
the loss and its gradient only through how often each pair occurs. With F the (V, V) table of
pair frequencies, r its row sums and P the rows of softmax(E U),

    loss = -sum(F * log P),   G = r P - F,   dE = G U^T,   dU = E^T G,

which is the exact full-batch gradient in O(V^2 d), whatever the length of the corpus. Adding up
per-example gradients (bigram.py) gives the same numbers in another order of summation; tests and
benchmarks compare the two.

Runs are batched along a leading axis R (seeds, corpora, or pairs of them). Batching changes no
run: each is computed by the same calls on the same memory layout as it would be alone.

Divergence is a result: no function here raises or warns because a run blew up.
"""

from dataclasses import dataclass

import numpy as np

from embedding_ledger import bigram

TRAINED = "trained"
UNSETTLED = "unsettled"
NON_FINITE = "non-finite"
SETTLING_WINDOW = 100  # steps
SETTLING_RANGE = 0.01  # nats
SMALLEST, LARGEST = 1e-250, 1e250  # safe range of a sum of exponentials


@dataclass(frozen=True)
class Outcome:
    """How one run ended.

    status            'trained'; 'unsettled' when the training loss varies by more than
                      SETTLING_RANGE over the last SETTLING_WINDOW steps; 'non-finite'
    final_loss        training loss after the last update, nats (NaN when non-finite)
    last_finite_loss  the last loss that was a number, nats
    low, high         least and greatest loss over the last SETTLING_WINDOW steps, nats
    failed_at         number of updates after which the loss was first not finite, or None

    Where a run stands at the edge of stability, `failed_at` and even the status depend on the
    last bits of the arithmetic, hence on the processor: state them as a count of runs, not as
    a number.
    """

    status: str
    final_loss: float
    last_finite_loss: float
    low: float
    high: float
    failed_at: int | None = None


@dataclass(frozen=True)
class Training:
    """R runs of the same length. NaN stands wherever a run had stopped being finite.

    E          (R, V, d) the trained tables
    U          (R, d, V)
    losses     (R, steps + 2) training loss after 0, 1, ..., steps + 1 updates, nats
    held       the same for the held-out pairs, None where there are none
    snapshots  number of updates -> E at that moment, (R, V, d)
    outcomes   one per run
    """

    E: np.ndarray
    U: np.ndarray
    losses: np.ndarray
    held: np.ndarray | None
    snapshots: dict
    outcomes: tuple


def parameter_count(V, width):
    """Number of trained numbers in E and U together."""
    return 2 * V * width


def initial_factors(V, width, seed, scale=0.1):
    """E (V, d) and then U (d, V) from one generator: standard normals times `scale`."""
    return bigram.draw(np.random.default_rng(seed), V, width, scale)


def initial_batch(V, width, seeds, scale=0.1):
    """The start of one run per seed, stacked: E (R, V, d) and U (R, d, V)."""
    starts = [initial_factors(V, width, seed, scale) for seed in seeds]
    return np.stack([E for E, _ in starts]), np.stack([U for _, U in starts])


def nudge(factor, seed):
    """A copy in which every number has moved to one of its two neighbouring floats, at random.

    Training from nudged starts shows how far a result hangs on the last bits of the arithmetic,
    and so on the processor: no more digits should be stated than all these runs share.
    """
    up = np.random.default_rng(seed).random(factor.shape) < 0.5
    return np.nextafter(factor, np.where(up, np.inf, -np.inf))


def train(counts, width, seeds, *, steps, learning_rate, scale=0.1, record_at=(), held=None):
    """Train from the seeded start: one run per seed, or per corpus, or per pair of both.

    counts    (V, V) one corpus for all seeds, or (R, V, V): then one seed serves all corpora, or
              R seeds are paired with them
    steps     as document 004 counts them: the loop runs steps + 1 times
    scale     of the start, see initial_factors
    record_at numbers of updates (0 = before training) at which to keep E; the table that
              document 004 would get from k steps is the one after k + 1 updates
    held      counts of held-out pairs, shaped like `counts`, whose loss is followed too

    Raises ValueError for arguments that make no run; never for a run that diverges.
    """
    V = np.shape(counts)[-1]
    if not len(seeds):
        raise ValueError("seeds: at least one is needed")
    if width < 1:
        raise ValueError(f"width must be at least 1, not {width!r}")
    E, U = initial_batch(V, width, seeds, scale)
    return train_from(
        counts, E, U, steps=steps, learning_rate=learning_rate, record_at=record_at, held=held
    )


def train_from(counts, E, U, *, steps, learning_rate, record_at=(), held=None):
    """`train` from given factors, (R, V, d) and (R, d, V); they are not modified."""
    updates = steps + 1
    record = _checked_record(record_at, updates)
    if steps < 0 or not 0 < learning_rate < np.inf:
        raise ValueError(
            f"steps must be >= 0 and learning_rate positive, not {steps!r}, {learning_rate!r}"
        )
    frequencies = _frequencies(counts)
    runs = max(len(E), len(U), len(frequencies))
    V, width = np.shape(E)[1:]
    if np.shape(U)[1:] != (width, V) or frequencies.shape[1:] != (V, V):
        raise ValueError(
            f"shapes do not fit: counts {np.shape(counts)}, E {np.shape(E)}, U {np.shape(U)}"
        )
    E = np.array(np.broadcast_to(E, (runs, V, width)), dtype=float, order="C")
    U = np.array(np.broadcast_to(U, (runs, width, V)), dtype=float, order="C")
    F = np.ascontiguousarray(np.broadcast_to(frequencies, (runs, V, V)))
    H = None if held is None else np.array(np.broadcast_to(_frequencies(held), (runs, V, V)))
    losses, held_losses, snapshots = _descend(F, H, E, U, updates, learning_rate, record)
    outcomes = tuple(_outcome(curve) for curve in losses)
    for run, end in enumerate(outcomes):
        if end.failed_at is not None:
            _blank(run, end.failed_at, E, U, losses, held_losses, snapshots)
    return Training(E, U, losses, held_losses, snapshots, outcomes)


def _descend(F, H, E, U, updates, learning_rate, record):
    """Gradient descent in place on E and U; returns losses on F and H, and snapshots.

    F and H: frequencies (R, V, V) of training and held-out pairs (H may be None); losses have
    shape (R, updates + 1).

    Both factors move by gradients taken at the same point. All large arrays are allocated
    once. The learning rate is folded into the frequencies that the gradient is made of. Scores
    are exponentiated as they are while that stays far from the ends of the float range;
    `_shift_extreme` takes over, run by run, where it does not.
    """
    runs, V, _ = E.shape
    rows = F.sum(axis=2, keepdims=True)
    rated_F, rated_rows = learning_rate * F, learning_rate * rows
    S = np.empty_like(F)  # scores
    G = np.empty_like(F)  # exp(S), then learning rate times the gradient on the scores
    Z = np.empty_like(rows)  # row sums of exp(S)
    scale = np.empty_like(rows)
    dE, dU = np.empty_like(E), np.empty_like(U)
    E_t, U_t = E.swapaxes(1, 2), U.swapaxes(1, 2)
    ones = np.ones((V, 1))
    log_Z = np.empty((runs, V))
    flat_S, flat_F, flat_rows, flat_Z = (part.reshape(runs, -1) for part in (S, F, rows, Z))
    dead = np.zeros(runs, bool)
    losses = np.full((runs, updates + 1), np.nan)
    held = None if H is None else np.full_like(losses, np.nan)
    if H is not None:
        flat_H, H_rows = H.reshape(runs, -1), H.sum(axis=2)
    snapshots = {}
    with np.errstate(all="ignore"):
        for done in range(updates + 1):
            if done in record:
                snapshots[done] = E.copy()
            np.matmul(E, U, out=S)
            np.exp(S, out=G)
            np.matmul(G, ones, out=Z)
            if not (flat_Z.min() > SMALLEST and flat_Z.max() < LARGEST):
                _shift_extreme(S, G, Z, dead)
            np.log(flat_Z, out=log_Z)
            losses[:, done] = np.vecdot(flat_rows, log_Z) - np.vecdot(flat_F, flat_S)
            if H is not None:
                held[:, done] = np.vecdot(H_rows, log_Z) - np.vecdot(flat_H, flat_S)
            if done == updates:
                break
            np.divide(rated_rows, Z, out=scale)
            G *= scale
            G -= rated_F
            np.matmul(E_t, G, out=dU)
            np.matmul(G, U_t, out=dE)
            E -= dE
            U -= dU
    return losses, held, snapshots


def _shift_extreme(S, G, Z, dead):
    """Subtract the row maximum from the scores of runs whose sums left the safe range.

    In place on S, G = exp(S), Z = its row sums, and on `dead` (R,), which marks runs whose
    scores are no longer numbers. A shift of a row changes neither loss nor gradient.
    """
    safe = (Z > SMALLEST).all(axis=(1, 2)) & (Z < LARGEST).all(axis=(1, 2))
    extreme = np.flatnonzero(~safe & ~dead)
    if extreme.size == 0:
        return
    shifted = S[extreme]
    shifted -= shifted.max(axis=2, keepdims=True)
    S[extreme] = shifted
    G[extreme] = np.exp(shifted)
    Z[extreme] = G[extreme].sum(axis=2, keepdims=True)
    dead[extreme] = np.isnan(Z[extreme]).any(axis=(1, 2))


def _blank(run, failed_at, E, U, losses, held, snapshots):
    """Leave no number that could be mistaken for a result after the loss stopped being one."""
    E[run] = U[run] = np.nan
    losses[run, failed_at:] = np.nan
    if held is not None:
        held[run, failed_at:] = np.nan
    for done, table in snapshots.items():
        if done >= failed_at:
            table[run] = np.nan


def _outcome(losses):
    """Classify one run from its loss curve."""
    broken = np.flatnonzero(~np.isfinite(losses))
    if broken.size:
        first = int(broken[0])
        last = float(losses[first - 1]) if first else float("nan")
        nan = float("nan")
        return Outcome(NON_FINITE, nan, last, nan, nan, first)
    window = losses[-SETTLING_WINDOW - 1 :]
    low, high, final = float(window.min()), float(window.max()), float(losses[-1])
    status = UNSETTLED if high - low > SETTLING_RANGE else TRAINED
    return Outcome(status, final, final, low, high)


def _frequencies(counts):
    """Counts (V, V) or (R, V, V) as pair frequencies (1 or R, V, V), each summing to one."""
    counts = _checked_counts(counts, "counts")
    counts = counts if counts.ndim == 3 else counts[None]
    return counts / counts.sum(axis=(1, 2), keepdims=True)


def _checked_counts(counts, name):
    counts = np.asarray(counts, dtype=float)
    if counts.ndim not in (2, 3) or counts.shape[-1] != counts.shape[-2]:
        raise ValueError(f"{name} must have shape (V, V) or (R, V, V), not {counts.shape}")
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise ValueError(f"{name} must be finite and not negative")
    if not (counts.sum(axis=(-1, -2)) > 0).all():
        raise ValueError(f"{name} holds no pair")
    return counts


def _checked_record(record_at, updates):
    outside = sorted(done for done in record_at if not 0 <= done <= updates)
    if outside:
        raise ValueError(f"record_at: {outside} lie outside 0 to {updates} updates")
    return frozenset(record_at)


def cross_entropy(E, U, counts):
    """Mean cross-entropy of the pairs in `counts`, nats; batch axes of all three broadcast.

    NaN for factors that are not finite. Raises ValueError for counts without any pair.
    """
    counts = _checked_counts(counts, "counts")
    with np.errstate(all="ignore"):
        S = np.matmul(E, U)
        S -= S.max(axis=-1, keepdims=True)
        log_P = S - np.log(np.exp(S).sum(axis=-1, keepdims=True))
        return -(counts * log_P).sum(axis=(-1, -2)) / counts.sum(axis=(-1, -2))


def gradients(E, U, counts):
    """Exact gradient of `cross_entropy` with respect to E and to U, in their shapes.

    The readable form of one step; `train` does the same in place.
    """
    counts = _checked_counts(counts, "counts")
    F = counts / counts.sum(axis=(-1, -2), keepdims=True)
    with np.errstate(all="ignore"):
        S = np.matmul(E, U)
        P = np.exp(S - S.max(axis=-1, keepdims=True))
        P /= P.sum(axis=-1, keepdims=True)
        G = F.sum(axis=-1, keepdims=True) * P - F
        return np.matmul(G, np.swapaxes(U, -1, -2)), np.matmul(np.swapaxes(E, -1, -2), G)


def count_table_loss(train_counts, eval_counts, alpha):
    """Cross-entropy in nats of the full table of conditional frequencies, add-alpha smoothed.

    The probability of j after i is (n_ij + alpha) / (n_i + alpha V). With alpha = 0 and the
    same counts twice this is the empirical conditional entropy. Pairs that the table holds
    impossible make it infinite.
    """
    if not 0 <= alpha < np.inf:
        raise ValueError(f"alpha must be finite and not negative, not {alpha!r}")
    table = _checked_counts(train_counts, "train_counts")
    pairs = _checked_counts(eval_counts, "eval_counts")
    if table.ndim != 2 or table.shape != pairs.shape:
        raise ValueError(f"one table each: shapes {table.shape} and {pairs.shape}")
    smoothed = table + alpha
    totals = np.broadcast_to(smoothed.sum(axis=1, keepdims=True), table.shape)
    seen = pairs > 0
    if (smoothed[seen] == 0).any():
        return float("inf")
    return float(-(pairs[seen] * np.log(smoothed[seen] / totals[seen])).sum() / pairs.sum())
