"""What the vectors of document 004's factored bigram model look like, and how they form.

`settings` is what sweep.training_settings returns. Cosines are written to four decimals.
"""

import numpy as np

from embedding_ledger.grammar import vocabulary
from embedding_ledger.sweep import published, train_width
from embedding_ledger.tables import EmbeddingTable
from embedding_ledger.toy_language import counted, default_grammar, families, role_of

SHUFFLES = 199
SOURCE = "the factored bigram model of document 004, trained on a reconstructed toy language"


def updates_after(steps):
    """Return the number of updates that document 004 makes in so many steps (none in none)."""
    return steps + 1 if steps else 0


def round_cosine(value):
    """Round a cosine to the decimals that are written."""
    return round(float(value), 4)


class TrainedVectors:
    """The table of the inspected width after every recorded number of updates.

    tables   number of updates -> EmbeddingTable; `table` is the last
    outputs  the factor U of the same run as a table, a row a token
    twin     the table of another start on the same corpus
    """

    def __init__(self, toy, settings):
        grammar = default_grammar(toy)
        self.settings = settings["vectors"]
        self.tokens, self.role = vocabulary(grammar), role_of(grammar)
        self.families = families(grammar)
        self.train, held = counted(grammar, toy, toy["corpus_seed"])
        width = settings["inspected_width"]
        setting = published(settings, width)
        last = updates_after(setting["steps"])
        self.steps = {
            updates_after(steps): steps
            for steps in sorted({*self.settings["steps"], setting["steps"]})
            if steps <= setting["steps"]
        }
        curve = np.unique(np.geomspace(1, last, 60).astype(int)).tolist()
        run = train_width(
            (self.train, held),
            width,
            [settings["seed"], settings["seed"] + 1],
            settings,
            setting,
            sorted({0, 1, *curve, *self.steps}),
        )
        self.tables = {
            done: EmbeddingTable(f"{done} updates", self.tokens, E[0])
            for done, E in sorted(run.snapshots.items())
        }
        self.table = EmbeddingTable(f"bigram-{width}", self.tokens, run.E[0], SOURCE, "MIT")
        self.outputs = EmbeddingTable("outputs", self.tokens, np.ascontiguousarray(run.U[0].T))
        self.twin = EmbeddingTable("another start", self.tokens, run.E[1])


def pair_rows(table, pairs, role):
    """Return rows (a, b, role_a, role_b, cosine) of some pairs of words."""
    return [(a, b, role[a], role[b], round_cosine(table.cosine(a, b))) for a, b in pairs]


def neighbour_rows(made):
    """Return rows (word, rank, neighbour, cosine, same_role) of the lists that the page has."""
    rows = []
    for asked in (made.settings["neighbours"], made.settings["exercise"]):
        for word in asked["words"]:
            found = made.table.nearest(word, asked["shown"])
            rows += [
                (word, rank, near, round_cosine(cosine), made.role[near] == made.role[word])
                for rank, (near, cosine) in enumerate(found, start=1)
            ]
    return rows


def subject_rows(made):
    """Return rows (a, b, cosine) of all pairs of subjects, the most alike first."""
    words = made.families["subject"]
    pairs = [(a, b) for i, a in enumerate(words) for b in words[i + 1 :]]
    rows = [(a, b, round_cosine(made.table.cosine(a, b))) for a, b in pairs]
    return sorted(rows, key=lambda row: (-row[2], row[0], row[1]))


def formation_rows(made):
    """Return rows (updates, a, b, cosine) of the page's pairs over training."""
    return [
        (done, a, b, round_cosine(table.cosine(a, b)))
        for done, table in made.tables.items()
        for a, b in made.settings["pairs"]
    ]


def family_rows(made):
    """Return rows (updates, within, between): mean cosines of pairs in one role and in two."""
    return [
        (done, *map(round_cosine, table.family_means(made.families)))
        for done, table in made.tables.items()
    ]


def map_rows(made):
    """Return rows (steps, token, role, x, y): the words of the four roles, flattened each time.

    The sign of a direction is free: it is chosen so that a word lies as near as can be to where
    it lies at the next moment.
    """
    words = [word for members in made.families.values() for word in members]
    rows, later = [], None
    for done, steps in sorted(made.steps.items(), reverse=True):
        places, _ = made.tables[done].map(words)
        if later is not None:
            places = places * np.where((places * later).sum(axis=0) < 0, -1, 1)
        later = places
        moment = zip(words, places, strict=True)
        rows.append([(steps, w, made.role[w], round(x, 4), round(y, 4)) for w, (x, y) in moment])
    return [row for moment in reversed(rows) for row in moment]


def _same_role(made, pair):
    a, b = (made.role[word] for word in pair)
    return a == b and a in made.families


def _updates_alike(made):
    """Return mean cosine of the rows' first updates within and between roles, and the least."""
    first = EmbeddingTable(
        "first update", made.tokens, made.tables[1].vectors - made.tables[0].vectors
    )
    least = min(first.cosines(words).min() for words in made.families.values())
    return (*first.family_means(made.families), least)


def _distribution_agreement(made):
    """Correlate cosines of vectors with likeness of next-token distributions, over all pairs.

    Likeness is one minus the total variation. Returns the correlation and the largest one of
    SHUFFLES random assignments of vectors to tokens.
    """
    shares = made.train / made.train.sum(axis=1, keepdims=True)
    likeness = 1 - np.abs(shares[:, None] - shares[None]).sum(axis=2) / 2
    cosines = made.table.cosines(made.tokens)
    upper = np.triu_indices(len(made.tokens), 1)
    rng = np.random.default_rng(0)
    orders = [np.arange(len(made.tokens))]
    orders += [rng.permutation(len(made.tokens)) for _ in range(SHUFFLES)]
    found = [np.corrcoef(cosines[np.ix_(o, o)][upper], likeness[upper])[0, 1] for o in orders]
    return found[0], max(found[1:])


def _against_twin(made):
    """Compare two starts: same word across the two tables, and the two tables' own cosines."""
    across = (made.table.unit(made.tokens) * made.twin.unit(made.tokens)).sum(axis=1)
    upper = np.triu_indices(len(made.tokens), 1)
    structures = [table.cosines(made.tokens)[upper] for table in (made.table, made.twin)]
    return across.mean(), np.abs(across).mean(), np.corrcoef(structures)[0, 1]


def _lists_fit_pairs(made):
    """Whether every pair of the page's table that a neighbour list leaves out is no nearer."""
    lowest, checked = {}, []
    for word, _, near, cosine, _ in neighbour_rows(made):
        if word in made.settings["neighbours"]["words"]:
            names, least = lowest.get(word, ((), 2.0))
            lowest[word] = ((*names, near), min(least, cosine))
    for pair in made.settings["pairs"]:
        for word, other in (pair, pair[::-1]):
            if word in lowest and other not in lowest[word][0]:
                checked.append(round_cosine(made.table.cosine(*pair)) <= lowest[word][1])
    return checked


def truths(made):
    """Return {statement: (holds, numbers)} of the trained vectors."""
    table, pairs = made.table, made.settings["pairs"]
    cosine = {tuple(pair): round_cosine(table.cosine(*pair)) for pair in pairs}
    alike = [value for pair, value in cosine.items() if _same_role(made, pair)]
    others = [value for pair, value in cosine.items() if not _same_role(made, pair)]
    within, between, least = _updates_alike(made)
    agreement, by_chance = _distribution_agreement(made)
    same_word, size, structure = _against_twin(made)
    checked = _lists_fit_pairs(made)
    means = family_rows(made)
    words = made.families["subject"]
    outputs = made.outputs.cosines(words)
    a, b = np.unravel_index(outputs.argmin(), outputs.shape)
    cat_dog = {done: t.cosine("cat", "dog") for done, t in made.tables.items()}
    early = max(value for done, value in cat_dog.items() if done <= updates_after(50))
    last = cat_dog[max(cat_dog)]
    return {
        "pairs.same_role_near_one_others_not": (
            min(alike) > 0.9 > 0.5 > max(others),
            {"least within a role": min(alike), "largest of the others": max(others)},
        ),
        "neighbours.fit_pairs": (
            bool(checked) and all(checked),
            {"pairs left out of the lists": len(checked), "of them no nearer": sum(checked)},
        ),
        "neighbours.in_role": (
            all(
                same
                for word, _, _, _, same in neighbour_rows(made)
                if word in made.settings["neighbours"]["words"]
            ),
            {"words": " ".join(made.settings["neighbours"]["words"])},
        ),
        "vectors.follow_next_tokens": (
            agreement > by_chance,
            {
                "correlation": f"{agreement:.4f}",
                f"largest of {SHUFFLES} shuffled": f"{by_chance:.4f}",
            },
        ),
        "models.not_comparable": (
            size < 0.5 < structure,
            {
                "mean cosine of a word across two starts": f"{same_word:.4f}",
                "mean size of it": f"{size:.4f}",
                "correlation of the two tables' cosines": f"{structure:.4f}",
            },
        ),
        "updates.alike_within_roles": (
            least > 0 and within > between,
            {
                "mean cosine of first updates within roles": f"{within:.4f}",
                "between": f"{between:.4f}",
                "least within": f"{least:.4f}",
            },
        ),
        "updates.alike_and_roles_drift": (
            least > 0 and within > between and means[-1][1] > means[0][1],
            {
                "mean cosine of first updates within roles": f"{within:.4f}",
                "between": f"{between:.4f}",
                "vectors within roles at the start": means[0][1],
                "at the end": means[-1][1],
            },
        ),
        "formation.roles_drift_together": (
            means[-1][1] > means[0][1] and means[-1][1] > means[-1][2],
            {
                "within roles at the start": means[0][1],
                "at the end": means[-1][1],
                "between roles at the end": means[-1][2],
            },
        ),
        "formation.cat_and_dog_drift_together": (
            last > cat_dog[0],
            {"at the start": round_cosine(cat_dog[0]), "at the end": round_cosine(last)},
        ),
        "formation.cat_dog_near_one_early_then_falls": (
            early > 0.99 > last,
            {"largest by step 50": round_cosine(early), "at the end": round_cosine(last)},
        ),
        "similarity.not_in_every_layer": (
            table.cosines(words).min() > 0.9 and outputs[a, b] < 0.5,
            {
                "least cosine of two subjects in E": round_cosine(table.cosines(words).min()),
                f"{words[a]} and {words[b]} in U": round_cosine(outputs[a, b]),
            },
        ),
    }
