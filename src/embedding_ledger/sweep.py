"""Document 004's sweep over widths: one run a width on the default corpus.

`settings` is what training_settings returns.
"""

import numpy as np

from embedding_ledger import bigram
from embedding_ledger import bigram_training as b
from embedding_ledger.grammar import corpus, roles, split, vocabulary
from embedding_ledger.toy_language import counted, default_grammar, families

EARLY = 100  # updates over which gradients are compared
NUDGES = 4  # starts that differ from the default one in last bits only
RUN_COLUMNS = ("status", "train_loss", "val_loss", "train_mean", "val_mean", "low", "high")


def training_settings(config):
    """Return the settings that the page gives and those that are ours as one mapping."""
    return {**config["settings"]["bigram"], **config["bigram"]}


def published(settings, width):
    """Return the steps and the learning rate that document 004 gives for a width."""
    source = settings["narrow"] if width in settings["narrow"]["widths"] else settings
    return {"steps": source["steps"], "learning_rate": source["learning_rate"]}


def too_fast(settings):
    """Return the setting at which document 004 says that its narrow widths overflow."""
    return {"steps": settings["steps"], "learning_rate": settings["learning_rate"]}


def train_width(pairs, width, seeds, settings, setting, record_at=()):
    """Train runs of one width on `pairs`, the (training, held-out) counts."""
    return b.train(
        pairs[0],
        width,
        seeds,
        scale=settings["init_scale"],
        held=pairs[1],
        record_at=record_at,
        **setting,
    )


def measures(run, place):
    """Return what came of one run: RUN_COLUMNS, losses in nats to five decimals.

    train_loss and val_loss are those after the last update, and empty unless the run settled;
    the means, low and high (of the training loss) are over the last SETTLING_WINDOW updates, and
    empty for a run that is not finite.
    """
    end = run.outcomes[place]
    last = slice(-b.SETTLING_WINDOW - 1, None)
    final = (run.losses[place, -1], run.held[place, -1])
    means = (run.losses[place, last].mean(), run.held[place, last].mean(), end.low, end.high)
    numbers = [
        *(final if end.status == b.TRAINED else (None, None)),
        *((None,) * 4 if end.status == b.NON_FINITE else means),
    ]
    return (end.status, *(None if number is None else round(number, 5) for number in numbers))


def table_losses(pairs, alpha):
    """Return the training and the held-out loss of the full table of frequencies, in nats."""
    return [round(b.count_table_loss(pairs[0], counts, alpha), 5) for counts in pairs]


class Sweep:
    """The runs of the default start on the default corpus, by width; and the ones at the edge.

    runs       width -> Training at the published setting
    too_fast   width -> Training of the narrow widths at the setting of the wide ones
    last_bits  width -> largest change of the mean training loss among NUDGES starts that differ
               from the default one in last bits only, as another processor's arithmetic would
    gradients  width -> mean size of an entry of the gradient on E over the first EARLY updates,
               all widths at the learning rate of the narrow ones, at which each of them is finite
    """

    def __init__(self, toy, settings):
        grammar = default_grammar(toy)
        self.settings = settings
        self.tokens, self.families = vocabulary(grammar), families(grammar)
        self.subjects = roles(grammar)["subject"]
        stream = corpus(grammar, toy["sentences"], toy["corpus_seed"])
        self.stream, _ = split(stream, toy["train_share"])
        self.pairs = counted(grammar, toy, toy["corpus_seed"])
        seeds = [settings["seed"]]
        self.runs = {
            width: train_width(self.pairs, width, seeds, settings, published(settings, width))
            for width in settings["widths"]
        }
        self.too_fast = {
            width: train_width(self.pairs, width, seeds, settings, too_fast(settings))
            for width in settings["narrow"]["widths"]
        }
        self.last_bits = {width: self._moved_by_last_bits(width) for width in settings["widths"]}
        early = {"steps": EARLY - 1, "learning_rate": settings["narrow"]["learning_rate"]}
        self.gradients = {}
        for width in settings["widths"]:
            run = train_width(self.pairs, width, seeds, settings, early, range(EARLY + 1))
            tables = np.stack([run.snapshots[done][0] for done in range(EARLY + 1)])
            steps = np.diff(tables, axis=0) / early["learning_rate"]
            sizes = np.sqrt((steps**2).mean(axis=(1, 2)))
            self.gradients[width] = float(sizes.mean())
        self.table = table_losses(self.pairs, settings["alpha"])

    def _moved_by_last_bits(self, width):
        settings = self.settings
        E, U = b.initial_factors(len(self.tokens), width, settings["seed"], settings["init_scale"])
        nudged = np.stack([b.nudge(U, number) for number in range(NUDGES)])
        again = b.train_from(self.pairs[0], E[None], nudged, **published(settings, width))
        last = slice(-b.SETTLING_WINDOW - 1, None)
        usual = self.runs[width].losses[0, last].mean()
        return float(np.abs(again.losses[:, last].mean(axis=1) - usual).max())

    def means(self):
        """Return {width: (training, held-out) loss}, means over the last updates."""
        return {width: measures(run, 0)[3:5] for width, run in self.runs.items()}


WIDTH_COLUMNS = (
    *("width", "parameters", "steps", "learning_rate", *RUN_COLUMNS),
    *("last_bits", "failed_at", "last_finite_loss"),
)


def width_rows(sweep):
    """Return a row a run: the sweep, the narrow widths at the wide ones' rate, the full table.

    failed_at (updates) and last_finite_loss are for runs that fail; they hang on last bits.
    """
    V, settings = len(sweep.tokens), sweep.settings
    rows = []
    for runs, as_published in ((sweep.runs, True), (sweep.too_fast, False)):
        for width, run in runs.items():
            used = published(settings, width) if as_published else too_fast(settings)
            moved = f"{sweep.last_bits[width]:.0e}" if as_published else None
            end = run.outcomes[0]
            failed = None if end.failed_at is None else f"{end.last_finite_loss:.0e}"
            told = (*measures(run, 0), moved, end.failed_at, failed)
            rows.append((width, b.parameter_count(V, width), *used.values(), *told))
    return [*rows, ("full", V * V, None, None, "counted", *sweep.table, *(None,) * 7)]


def curve_rows(sweep):
    """Return rows (width, updates, train_loss, val_loss) of the sweep, closer together early on."""
    rows = []
    for width, run in sweep.runs.items():
        last = run.losses.shape[1] - 1
        shown = np.unique([*range(11), *np.geomspace(10, last, 60).astype(int), last])
        rows += [
            (width, done, round(run.losses[0, done], 5), round(run.held[0, done], 5))
            for done in shown.tolist()
        ]
    return rows


def values(sweep):
    """Return {quantity: value} of counts that the page states or asks for."""
    settings = sweep.settings
    return {
        "updates": sweep.runs[max(sweep.runs)].losses.shape[1] - 1,
        "short_steps": settings["vectors"]["short_steps"],
        "exercise_neighbours": settings["vectors"]["exercise"]["shown"],
        "subjects": len(sweep.subjects),
    }


def _pooled(counts, tokens, families):
    """Return counts with the rows of each family replaced by the family's mean row."""
    pooled = np.array(counts, dtype=float)
    for words in families.values():
        rows = [tokens.index(word) for word in words]
        pooled[rows] = pooled[rows].sum(axis=0)
    return pooled


def _full_batch_error(sweep, width):
    """How far one update is from the learning rate times the gradient summed pair by pair."""
    V, settings = len(sweep.tokens), sweep.settings
    E, U = b.initial_factors(V, width, settings["seed"], settings["init_scale"])
    rate = settings["learning_rate"]
    run = b.train_from(sweep.pairs[0], E[None], U[None], steps=0, learning_rate=rate)
    on_E, on_U = bigram.gradients(E, U, sweep.stream[:-1], sweep.stream[1:])
    return max(
        np.abs(run.E[0] - (E - rate * on_E)).max(), np.abs(run.U[0] - (U - rate * on_U)).max()
    )


def _rows_changed(sweep, word, like):
    """Give one word more followers of another; count the rows that the table and the model change.

    Returns (rows of the table of frequencies, rows of the factored model), changes above 1e-6.
    """
    width, settings = sweep.settings["inspected_width"], sweep.settings
    more = sweep.pairs[0].astype(float)
    more[sweep.tokens.index(word)] += sweep.pairs[0][sweep.tokens.index(like)]
    shares = [c / c.sum(axis=1, keepdims=True) for c in (sweep.pairs[0], more)]
    again = train_width(
        (more, sweep.pairs[1]), width, [settings["seed"]], settings, published(settings, width)
    )
    models = []
    for run in (sweep.runs[width], again):
        scores = np.exp(run.E[0] @ run.U[0])
        models.append(scores / scores.sum(axis=1, keepdims=True))
    return tuple(int((np.abs(new - old).max(axis=1) > 1e-6).sum()) for old, new in (shares, models))


def truths(sweep):
    """Return {statement: (holds, numbers)} of the sweep; losses in nats."""
    width = sweep.settings["inspected_width"]
    means, table, narrow = sweep.means(), sweep.table, sweep.settings["narrow"]["widths"]
    validation = {w: loss[1] for w, loss in means.items()}
    training = {w: loss[0] for w, loss in means.items()}
    one, two, three = (validation[w] for w in (1, 2, 3))
    rest = max(loss for w, loss in validation.items() if w > 2)
    fastest = {w: run.outcomes[0].status for w, run in sweep.too_fast.items()}
    wide = {w: size for w, size in sweep.gradients.items() if w not in narrow}
    start = {w: run.losses[0, 0] for w, run in sweep.runs.items()}
    pooled = b.count_table_loss(
        _pooled(sweep.pairs[0], sweep.tokens, sweep.families), *(sweep.pairs[1], 0)
    )
    by_table, by_model = _rows_changed(sweep, "cat", "dog")
    error = _full_batch_error(sweep, width)
    run = sweep.runs[width]
    return {
        "loss.order": (
            one > two > rest and one - two > 10 * (two - rest),
            {"held-out loss of width 1": one, "of width 2": two, "largest of the others": rest},
        ),
        "loss.falls_with_width": (
            training[1] > training[2] > training[3] > training[max(training)],
            {f"training loss of width {w}": training[w] for w in (1, 2, 3, max(training))},
        ),
        "loss.three_numbers_nearly_enough": (
            abs(three - table[1]) < 0.01 * (one - table[1]),
            {"width 3": three, "full table": table[1], "width 1": one},
        ),
        **{
            f"width_{w}.not_finite_when_too_fast": (
                status == b.NON_FINITE,
                {"learning rate": sweep.settings["learning_rate"], "status": status},
            )
            for w, status in fastest.items()
        },
        "narrow.train_when_slower": (
            all(np.isfinite(sweep.runs[w].losses).all() for w in narrow),
            {f"width {w}": sweep.runs[w].outcomes[0].status for w in narrow},
        ),
        "gradient.larger_when_narrow": (
            min(sweep.gradients[w] for w in narrow) > max(wide.values()),
            {f"width {w}": f"{size:.4f}" for w, size in sweep.gradients.items()},
        ),
        "training.lowers_the_loss": (
            all(training[w] < start[w] for w in start),
            {f"width {w}": f"{start[w]:.4f} to {training[w]:.4f}" for w in start},
        ),
        "training.is_full_batch_descent": (
            error < 1e-12,
            {"largest difference below": 1e-12},
        ),
        "training.one_update_more_than_steps": (
            run.losses.shape[1] - 1 == sweep.settings["steps"] + 1,
            {"steps": sweep.settings["steps"], "updates": run.losses.shape[1] - 1},
        ),
        "table.role_is_enough": (
            pooled < table[1] + 0.001,
            {"held-out loss, a row a role": f"{pooled:.5f}", "a row a word": table[1]},
        ),
        "table.shares_nothing": (
            by_table == 1 and by_model > 1,
            {"rows changed in the table": by_table, "in the factored model": by_model},
        ),
    }
