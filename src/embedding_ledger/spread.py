"""How far the numbers of document 004 move with start, corpus and grammar.

For each grammar two groups of runs: many starts on its default corpus (varied: seed), and the
default start on many corpora (varied: corpus). Only runs that settled enter the range of a
number; the others are counted beside it.
"""

from collections import defaultdict

import numpy as np

from embedding_ledger import bigram_training as b
from embedding_ledger.grammar import parse_grammar, vocabulary
from embedding_ledger.sweep import (
    RUN_COLUMNS,
    measures,
    published,
    table_losses,
    too_fast,
    train_width,
)
from embedding_ledger.tables import EmbeddingTable
from embedding_ledger.toy_language import counted, families
from embedding_ledger.trained_vectors import round_cosine, updates_after

PERCENTILES = (2.5, 97.5)  # the central 95 % of the runs
FULL = "full"
KEYS = ("grammar", "varied", "seed", "corpus", "width", "learning_rate")
BAND_WIDTHS = (2, 3, 8)  # of document 004's exercise


def pair_name(pair):
    """Return the name of a pair's cosine."""
    return f"cosine.{pair[0]}.{pair[1]}"


def vector_names(settings):
    """Return the names of what is measured on the vectors of a run of the inspected width."""
    vectors = settings["vectors"]
    return (
        *map(pair_name, vectors["pairs"]),
        *(f"neighbours.{word}.{end}" for word in vectors["neighbours"]["words"] for end in "01"),
        "neighbours_in_role",
        "same_role_min",
        "subjects_min",
        "subjects_max",
        "cat_dog_short",
    )


def run_columns(settings):
    """Return the columns of run_rows."""
    return (*KEYS, *RUN_COLUMNS, *vector_names(settings))


def _vector_measures(tokens, E, early, grammar_families, vectors):
    """Measure one table; `early` is the table after the exercise's fewer steps."""
    table = EmbeddingTable("run", tokens, E)
    asked = vectors["neighbours"]
    lists = {word: table.nearest(word, asked["shown"]) for word in asked["words"]}
    role = {word: name for name, words in grammar_families.items() for word in words}
    in_role = [role.get(near) == role[word] for word, found in lists.items() for near, _ in found]
    least = [table.cosines(words).min() for words in grammar_families.values()]
    subjects = table.cosines(grammar_families["subject"])[
        np.triu_indices(len(grammar_families["subject"]), 1)
    ]
    cosines = [
        *(table.cosine(*pair) for pair in vectors["pairs"]),
        *(found[place][1] for found in lists.values() for place in (-1, 0)),
    ]
    ends = (min(least), subjects.min(), subjects.max())
    short = EmbeddingTable("early", tokens, early).cosine("cat", "dog")
    return (
        *map(round_cosine, cosines),
        all(in_role),
        *map(round_cosine, (*ends, short)),
    )


def run_rows(name, toy, settings):
    """Train every run of one grammar; return a row a run, see run_columns.

    A row of width `full` holds the losses of the full table of a corpus.
    """
    grammar = parse_grammar(name, toy["grammars"][name])
    tokens, grammar_families = vocabulary(grammar), families(grammar)
    ensemble = toy["ensemble"]["default" if name == toy["default"] else "others"]
    first_seed, first_corpus = settings["seed"], toy["corpus_seed"]
    seeds = [first_seed + i for i in range(ensemble["seeds"])]
    corpora = [first_corpus + i for i in range(ensemble["corpora"])]
    drawn = [counted(grammar, toy, corpus) for corpus in corpora]
    # both groups in one batch: (varied, seed, corpus) of each run
    runs = [("seed", seed, first_corpus) for seed in seeds]
    runs += [("corpus", first_seed, corpus) for corpus in corpora]
    pairs = [
        np.stack([drawn[corpus - first_corpus][part] for _, _, corpus in runs]) for part in (0, 1)
    ]
    vectors, blank = settings["vectors"], (None,) * len(vector_names(settings))
    short = updates_after(vectors["short_steps"])
    rows = []
    for corpus, counts in zip(corpora, drawn, strict=True):
        losses = table_losses(counts, settings["alpha"])
        told = ("counted", *losses, *(None,) * 4)
        rows.append((name, "corpus", first_seed, corpus, FULL, None, *told, *blank))
    trials = [(width, published(settings, width)) for width in settings["widths"]]
    trials += [(width, too_fast(settings)) for width in settings["narrow"]["widths"]]
    for width, setting in trials:
        inspected = width == settings["inspected_width"]
        starts = [seed for _, seed, _ in runs]
        run = train_width(pairs, width, starts, settings, setting, (short,) * inspected)
        for place, label in enumerate(runs):
            told, found = measures(run, place), blank
            if inspected and told[0] == b.TRAINED:
                early = run.snapshots[short][place]
                found = _vector_measures(tokens, run.E[place], early, grammar_families, vectors)
            rows.append((name, *label, width, setting["learning_rate"], *told, *found))
    return rows


def _by_run(rows, settings):
    """Return {(grammar, varied, seed, corpus): {width: row}} of the runs as published."""
    rates = {w: published(settings, w)["learning_rate"] for w in settings["widths"]}
    runs = defaultdict(dict)
    for row in rows:
        if row["learning_rate"] in (rates.get(row["width"]), None):
            runs[tuple(row[key] for key in KEYS[:4])][row["width"]] = row
    return runs


def _compared(runs, default):
    """Return measurements that compare runs of several widths: see measurements."""
    found, usual = [], [runs[default].get(width, {}).get("val_loss") for width in BAND_WIDTHS]
    for run, widths in runs.items():
        grammar, varied, _, corpus = run
        full = runs[grammar, "corpus", default[2], corpus][FULL]
        if 3 in widths:
            for loss in ("train_loss", "val_loss"):
                three = widths[3][loss]
                gap = None if three is None else round(three - full[loss], 5)
                told = (grammar, varied, run, widths[3]["status"])
                found.append((f"three_above_full.{loss}", 0, *told, gap))
        if all(width in widths for width in BAND_WIDTHS):
            own = [widths[width]["val_loss"] for width in BAND_WIDTHS]
            ends = {widths[width]["status"] for width in BAND_WIDTHS} - {b.TRAINED}
            away = None
            if None not in own + usual:
                away = round(max(abs(x - y) for x, y in zip(own, usual, strict=True)), 5)
            told = (grammar, varied, run, min(ends, default=b.TRAINED))
            found.append(("val_loss_moved", 0, *told, away))
    return found


def measurements(rows, toy, settings):
    """Return (quantity, index, grammar, varied, run, status, value or None) of all runs.

    Quantities are losses by width, what is measured on vectors, two comparisons over widths, and
    the lists of cosines that the page repeats. A number is None where the run did not settle.
    """
    default = (toy["default"], "seed", settings["seed"], toy["corpus_seed"])
    vectors, found = settings["vectors"], []
    lists = {"printed": vectors["printed_pairs"], "recap": vectors["recap_pairs"]}
    runs = _by_run(rows, settings)
    for run, widths in runs.items():
        for width, row in widths.items():
            told = (run[0], run[1], run, row["status"])
            for loss in ("train_loss", "val_loss", "train_mean", "val_mean"):
                if width != FULL or row[loss] is not None:
                    found.append((f"width.{width}.{loss}", 0, *told, row[loss]))
            if width != settings["inspected_width"]:
                continue
            for name in vector_names(settings):
                if name.startswith("neighbours."):
                    quantity, index = name.rsplit(".", 1)
                    found.append((quantity, int(index), *told, row[name]))
                elif name != "neighbours_in_role":
                    found.append((name, 0, *told, row[name]))
            for name, pairs in lists.items():
                for index, pair in enumerate(pairs):
                    found.append((name, index, *told, row[pair_name(pair)]))
    return found + _compared(runs, default)


GROUP_COLUMNS = (
    "quantity",
    "index",
    "grammar",
    "varied",
    "low",
    "median",
    "high",
    "trained",
    "unsettled",
    "non_finite",
)
SPREAD_COLUMNS = (
    "quantity",
    "index",
    "value",
    "value_low",
    "value_high",
    "runs",
    "used",
    "unsettled",
    "non_finite",
    "seed_moves",
    "corpus_moves",
    "grammar_moves",
    "moved_most_by",
)


def group_rows(found):
    """Return the range of each quantity in each group of runs, see GROUP_COLUMNS."""
    groups = defaultdict(list)
    for quantity, index, grammar, varied, _, status, value in found:
        groups[quantity, index, grammar, varied].append((status, value))
    rows = []
    for key, members in groups.items():
        values = [value for _, value in members if value is not None]
        counts = [sum(s == status for s, _ in members) for status in (b.UNSETTLED, b.NON_FINITE)]
        low, high = np.percentile(values, PERCENTILES) if values else (None, None)
        middle = np.median(values) if values else None
        told = (None if n is None else round(float(n), 5) for n in (low, middle, high))
        rows.append((*key, *told, len(members) - sum(counts), *counts))
    return rows


def spread_rows(found, groups, toy, settings):
    """Return value and range of each quantity, see SPREAD_COLUMNS.

    The value is that of the default run. The range spans the ranges of all groups. seed_moves and
    corpus_moves are the widths of the default grammar's two ranges, grammar_moves the distance of
    the grammars' medians over corpora.
    """
    default = (toy["default"], settings["seed"], toy["corpus_seed"])
    names = dict.fromkeys(row[:2] for row in found)
    values, used = {}, defaultdict(int)
    for quantity, index, _, _, run, _, value in found:
        used[quantity, index] += value is not None
        if (run[0], run[2], run[3]) == default:
            values.setdefault((quantity, index), value)
    ranges = defaultdict(dict)
    for row in groups:
        named = dict(zip(GROUP_COLUMNS, row, strict=True))
        ranges[row[:2]][named["grammar"], named["varied"]] = named
    rows = []
    for name in names:
        own = ranges[name]
        filled = [group for group in own.values() if group["low"] is not None]
        moves = {}
        for varied in ("seed", "corpus"):
            group = own.get((toy["default"], varied))
            known = group and group["low"] is not None
            moves[varied] = round(group["high"] - group["low"], 5) if known else None
        medians = [g["median"] for (_, varied), g in own.items() if varied == "corpus"]
        medians = [median for median in medians if median is not None]
        moves["grammar"] = round(max(medians) - min(medians), 5) if medians else None
        most = max((kind for kind in moves if moves[kind] is not None), key=moves.get, default="")
        rows.append(
            (
                *name,
                values.get(name),
                min((group["low"] for group in filled), default=None),
                max((group["high"] for group in filled), default=None),
                sum(g["trained"] + g["unsettled"] + g["non_finite"] for g in own.values()),
                used[name],
                sum(group["unsettled"] for group in own.values()),
                sum(group["non_finite"] for group in own.values()),
                *moves.values(),
                most,
            )
        )
    return rows


def status_rows(rows):
    """Count how runs ended: (grammar, varied, width, learning_rate, trained, unsettled, not)."""
    counts = defaultdict(lambda: defaultdict(int))
    for row in rows:
        if row["width"] != FULL:
            key = tuple(row[name] for name in ("grammar", "varied", "width", "learning_rate"))
            counts[key][row["status"]] += 1
    return [
        (*key, *(told[status] for status in (b.TRAINED, b.UNSETTLED, b.NON_FINITE)))
        for key, told in counts.items()
    ]


def truths(rows, groups, toy, settings):
    """Return {statement: (holds, numbers)}: what must hold in every candidate, and one median."""
    named = [dict(zip(GROUP_COLUMNS, row, strict=True)) for row in groups]

    def ends(quantity, key="low", pick=min):
        """The least (or largest) end of a quantity over all groups."""
        return pick(g[key] for g in named if g["quantity"] == quantity and g[key] is not None)

    inspected = [
        row
        for row in rows
        if row["width"] == settings["inspected_width"] and row["status"] == b.TRAINED
    ]
    in_role = sum(row["neighbours_in_role"] for row in inspected)
    least = min(row["same_role_min"] for row in inspected)
    alike = sum(row["same_role_min"] > 0.9 for row in inspected)
    gap, one = ends("three_above_full.train_loss", "high", max), ends("width.1.train_mean")
    two = ends("width.2.train_loss", "high", max)
    median = next(
        g["median"]
        for g in named
        if (g["quantity"], g["grammar"], g["varied"])
        == ("three_above_full.val_loss", toy["default"], "corpus")
    )
    low, high = (ends("three_above_full.val_loss", k, p) for k, p in (("low", min), ("high", max)))
    slower = [row for row in rows if row["learning_rate"] == settings["narrow"]["learning_rate"]]
    return {
        "three_numbers.nearly_match_the_table": (
            gap < 0.01 * (one - two),
            {"largest training gap": gap, "least loss of width 1": one, "largest of width 2": two},
        ),
        "three_numbers.cost_nothing_held_out": (
            median < 0.0005,
            {"median over corpora": median, "lowest": low, "highest": high},
        ),
        "one_number.clearly_too_few": (
            one - two > 0.5,
            {"least loss of width 1": one, "largest of width 2": two},
        ),
        "same_role.above_0.9": (
            least > 0.9,
            {"runs": len(inspected), "of them above": alike, "least cosine": least},
        ),
        "neighbours.in_role": (
            in_role == len(inspected),
            {"runs": len(inspected), "of them in role": in_role},
        ),
        "narrow.finite_when_slower": (
            all(row["status"] != b.NON_FINITE for row in slower),
            {"runs": len(slower)},
        ),
    }
