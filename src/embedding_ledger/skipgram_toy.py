"""What document 002's skip-gram learns from thirteen sentences, over seeds and over sentences.

The page leaves its sentences out. One set that fits what it says stands in the configuration
(mechanics.skipgram); random sets that fit it too show how far the outcome hangs on the choice.
Every statement about geometry is tried at the random start as well.
"""

import numpy as np
from scipy.optimize import minimize

from embedding_ledger import skipgram
from embedding_ledger.artefacts import six_digits
from embedding_ledger.skipgram_training import initial_vectors, train, train_seeds
from embedding_ledger.tables import EmbeddingTable

# Who is followed by what, as the page says.
FOLLOWERS = {"cat": ("eats", "chases"), "dog": ("eats", "chases"), "car": ("drives", "needs")}
SENTENCES = 13
MOMENTS = ("start", "end")


def cosines(vectors):
    """Return the cosines of all words of every run, shape (runs, V, V)."""
    unit = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit @ unit.transpose(0, 2, 1)


def distances(vectors):
    """Return the Euclidean distances of all words of every run, shape (runs, V, V)."""
    return np.linalg.norm(vectors[:, :, None] - vectors[:, None], axis=-1)


def statements(words, vectors, used=None):
    """Return {statement: (runs,) whether it holds} for center vectors (runs, V, d).

    `used`: which words a run has (runs, V); the others are nobody's neighbours.
    """
    at = {word: place for place, word in enumerate(words)}
    close, apart = cosines(vectors), distances(vectors)
    apart[:, range(len(words)), range(len(words))] = np.inf
    if used is not None:
        apart = np.where(used[:, None], apart, np.inf)
    nearest = apart.argmin(axis=-1)

    def cosine(a, b):
        return close[:, at[a], at[b]]

    def distance(a, b):
        return apart[:, at[a], at[b]]

    def mutual(a, b):
        return (nearest[:, at[a]] == at[b]) & (nearest[:, at[b]] == at[a])

    others = [("cat", "car"), ("dog", "car")]
    return {
        "cat_dog_cosine_above_car": np.all(
            [cosine("cat", "dog") > cosine(*pair) for pair in others], axis=0
        ),
        "cat_dog_nearer_than_car": np.all(
            [distance("cat", "dog") < distance(*pair) for pair in others], axis=0
        ),
        "cat_dog_ten_times_nearer": np.all(
            [distance("cat", "dog") < 0.1 * distance(*pair) for pair in others], axis=0
        ),
        "cat_dog_nearest_of_all": mutual("cat", "dog"),
        "cat_car_cosine_negative": cosine("cat", "car") < 0,
        "eats_nearest_chases": nearest[:, at["eats"]] == at["chases"],
        "drives_nearest_needs": nearest[:, at["drives"]] == at["needs"],
    }


def same_neighbours(words, found):
    """Return the pairs of words that have exactly the same neighbours equally often, (n, 2)."""
    counts = np.zeros((len(words), len(words)), dtype=int)
    np.add.at(counts, tuple(np.asarray(found).T), 1)
    first, second = np.triu_indices(len(words), 1)
    alike = (counts[first] == counts[second]).all(axis=1)
    return np.stack([first[alike], second[alike]], axis=1)


def entropy_floor(found):
    """Return the conditional entropy of the context given the center, in nats a pair.

    No table of any width brings the loss a pair below it.
    """
    _, pair_counts = np.unique(found, axis=0, return_counts=True)
    centers, totals = np.unique(found[:, 0], return_counts=True)
    of_center = dict(zip(centers, totals, strict=True))
    given = [of_center[center] for center in np.unique(found, axis=0)[:, 0]]
    return float(-(pair_counts * np.log(pair_counts / np.array(given))).sum() / len(found))


def best_fit(found, words, dim, seeds, init):
    """Return the lowest loss a pair that descent with curvature (L-BFGS) finds in `dim` numbers."""
    shape = (2, words, dim)

    def both(flat):
        tables = flat.reshape(shape)
        gradients = skipgram.gradients(*tables, found)
        return skipgram.loss(*tables, found) / len(found), np.stack(gradients).ravel() / len(found)

    ends = [
        minimize(
            both,
            initial_vectors(seed, words, dim, init).ravel(),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 500},
        )
        for seed in seeds
    ]
    return float(min(end.fun for end in ends))


def procrustes(vectors, reference):
    """Turn every run (runs, V, d) onto `reference` (V, d) by the best rotation or reflection.

    A common rotation of both tables changes no probability, so runs may differ by one.
    """
    left, _, right = np.linalg.svd(vectors.transpose(0, 2, 1) @ reference)
    return vectors @ (left @ right)


class Toy:
    """The example trained from many seeds, with what was recorded on the way.

    `settings`: config key mechanics.skipgram; `config`: config key word2vec.toy.
    """

    def __init__(self, settings, config):
        self.settings, self.config = settings, config
        self.seeds = [settings["seed"] + n for n in range(config["seeds"])]
        last = settings["epochs"]
        self.epochs = sorted({0, *(e for e in config["epochs"] if e < last), last})
        self.words, self.pairs, self.runs = train_seeds(settings, self.seeds, self.epochs)
        self.at = {"start": self.runs.snapshots[0][0], "end": self.runs.centers}

    @property
    def table(self):
        """The center vectors of the page's own seed, a row a word."""
        return EmbeddingTable("skip-gram", self.words, self.runs.centers[0], "document 002's toy")

    def losses(self, epoch):
        """Return the loss a pair of every run after an epoch, in nats."""
        tables = zip(*self.runs.snapshots[epoch], strict=True)
        return np.array([skipgram.loss(*both, self.pairs) for both in tables]) / len(self.pairs)


def loss_rows(toy):
    """Return rows (epoch, mean, low, high): loss a pair over seeds."""
    found = [(epoch, toy.losses(epoch)) for epoch in toy.epochs]
    return [(e, *map(six_digits, (x.mean(), x.min(), x.max()))) for e, x in found]


def path_rows(toy):
    """Return rows (epoch, word, x, y): the first two numbers of each word, the page's seed."""
    return [
        (epoch, word, *map(six_digits, vector[:2]))
        for epoch in toy.epochs
        for word, vector in zip(toy.words, toy.runs.snapshots[epoch][0][0], strict=True)
    ]


def map_rows(toy):
    """Return rows (seed, word, x, y): all runs turned onto that of the page's seed."""
    turned = procrustes(toy.runs.centers, toy.runs.centers[0])
    return [
        (seed, word, *map(six_digits, vector[:2]))
        for seed, vectors in zip(toy.seeds, turned, strict=True)
        for word, vector in zip(toy.words, vectors, strict=True)
    ]


def run_rows(toy):
    """Return rows (moment, seed, cosines and distances of cat, dog and car, statements)."""
    rows = []
    for moment in MOMENTS:
        vectors = toy.at[moment]
        told = statements(toy.words, vectors)
        close, apart = cosines(vectors), distances(vectors)
        for run, seed in enumerate(toy.seeds):
            numbers = [
                six_digits(kind[run, toy.words.index(a), toy.words.index(b)])
                for kind in (close, apart)
                for a, b in PAIRS
            ]
            rows.append((moment, seed, *numbers, *(bool(holds[run]) for holds in told.values())))
    return rows, (*RUN_COLUMNS, *told)


PAIRS = (("cat", "dog"), ("cat", "car"), ("dog", "car"))
RUN_COLUMNS = (
    "moment",
    "seed",
    *(f"{kind}_{a}_{b}" for kind in ("cosine", "distance") for a, b in PAIRS),
)


def share_rows(toy):
    """Return rows (statement, start, end, seeds): in how many seeds it holds, before and after."""
    start, end = (statements(toy.words, toy.at[moment]) for moment in MOMENTS)
    return [(name, int(start[name].sum()), int(end[name].sum()), len(toy.seeds)) for name in end]


def fit_rows(toy):
    """Return rows (dim, loss): the best fit found in so many numbers a word."""
    found = toy.config["fit"]
    seeds, init = range(found["starts"]), toy.settings["init"]
    return [
        (dim, round(best_fit(toy.pairs, len(toy.words), dim, seeds, init), 4))
        for dim in found["dims"]
    ]


def values(toy, fits):
    """Return {quantity: value} of the example; `fits`: rows of fit_rows."""
    floor = entropy_floor(toy.pairs)
    return {
        "words": len(toy.words),
        "pairs": len(toy.pairs),
        "distinct_pairs": len(np.unique(toy.pairs, axis=0)),
        "uniform_loss": six_digits(np.log(len(toy.words))),
        "start_loss": six_digits(toy.losses(0).mean()),
        "end_loss": six_digits(toy.losses(toy.settings["epochs"]).mean()),
        "entropy_floor": six_digits(floor),
        # within a thousandth of a nat: descent only comes near a floor that lies at infinity
        "least_dim_at_floor": min((d for d, loss in fits if loss < floor + 1e-3), default=0),
    }


def _drift(toy):
    """Return the truth that cat and dog come together from random starts, in every seed."""
    a, b = toy.words.index("cat"), toy.words.index("dog")
    size = {m: distances(toy.at[m]).mean(axis=(1, 2)) for m in MOMENTS}
    apart = {m: distances(toy.at[m])[:, a, b] / size[m] for m in MOMENTS}
    close = {m: cosines(toy.at[m])[:, a, b] for m in MOMENTS}
    nearer = (apart["end"] < apart["start"]) & (close["end"] > close["start"])
    return bool(nearer.all()), {
        "seeds": len(toy.seeds),
        "in which they come nearer": int(nearer.sum()),
        "mean cosine at the start": six_digits(close["start"].mean()),
        "least at the end": six_digits(close["end"].min()),
    }


def _elsewhere(toy):
    """Return the truth that car lands away from cat and dog: in all seeds, not so at the start."""
    by_moment = [statements(toy.words, toy.at[moment]) for moment in MOMENTS]
    start, end = (
        told["cat_dog_cosine_above_car"] & told["cat_dog_nearer_than_car"] for told in by_moment
    )
    close = cosines(toy.runs.centers)
    a, b, c = map(toy.words.index, ("cat", "dog", "car"))
    gap = close[:, a, b] - np.maximum(close[:, a, c], close[:, b, c])
    return bool(end.all() and not start.all()), {
        "seeds": len(toy.seeds),
        "holds at the start in": int(start.sum()),
        "after training in": int(end.sum()),
        "least gap of cosines": six_digits(gap.min()),
    }


def _converge(toy):
    """Return the truth that words with the same neighbours end closer than other words do."""
    alike = same_neighbours(toy.words, toy.pairs)
    first, second = np.triu_indices(len(toy.words), 1)

    def ratio(moment):
        apart = distances(toy.at[moment])
        return apart[:, *alike.T].max(axis=1) / apart[:, first, second].mean(axis=1)

    start, end = ratio("start"), ratio("end")
    return bool((end < start).all() and (end < 0.5).all()), {
        "pairs of words": ", ".join(f"{toy.words[i]}-{toy.words[j]}" for i, j in alike),
        "seeds": len(toy.seeds),
        "largest distance over the mean of all pairs, start": six_digits(start.max()),
        "end": six_digits(end.max()),
    }


def _returned(toy):
    """Return the truth that rows come back by word, sorted, and are the center vectors.

    Without an epoch what comes back is the start, whose first half are the center vectors.
    """
    untrained = train_seeds({**toy.settings, "epochs": 0}, toy.seeds[:1])
    centers, contexts = initial_vectors(
        toy.seeds[0], len(toy.words), toy.settings["dim"], toy.settings["init"]
    )
    back = EmbeddingTable("back", untrained[0], untrained[2].centers[0])
    by_word = {word: back.vectors[back.id(word)] for word in back.tokens}
    same = all(np.array_equal(by_word[w], centers[n]) for n, w in enumerate(sorted(by_word)))
    return same and not np.array_equal(back.vectors, contexts), {
        "words": len(by_word),
        "first": back.tokens[0],
        "last": back.tokens[-1],
    }


def truths(toy):
    """Return {statement: (holds, numbers)} of the example, over all its seeds."""
    return {
        "skipgram.cat_and_dog_drift_together": _drift(toy),
        "skipgram.car_lands_elsewhere": _elsewhere(toy),
        "skipgram.same_neighbours_converge": _converge(toy),
        "skipgram.returns_centers_by_word": _returned(toy),
    }


def random_set(rng):
    """Draw thirteen sentences that fit what the page says; return them as lists of words.

    Every subject takes each of its verbs at least once. How often, from how many objects a verb
    chooses, and so how many objects cat and dog share, is left to chance.
    """
    phrases = [(subject, verb) for subject, verbs in FOLLOWERS.items() for verb in verbs]
    counts = 1 + rng.multinomial(SENTENCES - len(phrases), np.full(len(phrases), 1 / len(phrases)))
    sentences = []
    for verb in dict.fromkeys(verb for _, verb in phrases):
        takers = [
            (subject, count)
            for (subject, v), count in zip(phrases, counts, strict=True)
            if v == verb
        ]
        most, total = max(n for _, n in takers), sum(n for _, n in takers)
        pool = rng.integers(most, total + 1)
        for subject, count in takers:
            chosen = rng.choice(pool, size=count, replace=False)
            sentences += [[subject, verb, f"{verb}{number}"] for number in sorted(chosen)]
    return [sentences[place] for place in rng.permutation(SENTENCES)]


def shared_objects(sentences):
    """Count the things of which one sentence says it of cat and another of dog."""
    said = {who: {tuple(s[1:]) for s in sentences if s[0] == who} for who in ("cat", "dog")}
    return len(said["cat"] & said["dog"])


def set_rows(settings, config):
    """Train random sets of sentences; return (rows, columns).

    A row a set: its number, its sentences, the objects that cat and dog share, and for every
    statement the share of seeds in which it holds, at the start and at the end.
    """
    rng = np.random.default_rng(config["sets"]["seed"])
    drawn = [random_set(rng) for _ in range(config["sets"]["number"])]
    seeds, dim = config["sets"]["seeds"], settings["dim"]
    # subjects and verbs have the same rows in every set, the objects of a set follow
    common = sorted({*FOLLOWERS, *(verb for verbs in FOLLOWERS.values() for verb in verbs)})
    most = max(len(skipgram.vocabulary(sentences)) for sentences in drawn)
    words = [*common, *(f"object {number}" for number in range(most - len(common)))]
    found, used = [], np.zeros((len(drawn), most), dtype=bool)
    # a vector of length zero has no cosine: rows of words that a set lacks are ones
    starts = np.ones((len(drawn), seeds, 2, most, dim))
    for number, sentences in enumerate(drawn):
        own = skipgram.vocabulary(sentences)
        order = [*common, *(word for word in own if word not in common)]
        places = np.array([order.index(word) for word in own])
        found.append(places[skipgram.pairs(sentences, settings["window"])])
        used[number, places] = True
        for seed in range(seeds):
            drawn_start = initial_vectors(number * seeds + seed, len(own), dim, settings["init"])
            starts[number, seed][:, places] = drawn_start
    used = np.repeat(used, seeds, axis=0)
    runs = train(
        starts.reshape(-1, *starts.shape[2:]),
        np.repeat(found, seeds, axis=0),
        settings["learning_rate"],
        settings["epochs"],
        record=(0,),
        used=used,
    )
    told = [statements(words, v, used) for v in (runs.snapshots[0][0], runs.centers)]
    shares = [
        {name: holds.reshape(-1, seeds).mean(axis=1) for name, holds in at_moment.items()}
        for at_moment in told
    ]
    columns = ["set", "sentences", "shared_objects"]
    columns += [f"{name}_{moment}" for name in told[0] for moment in MOMENTS]
    rows = [
        (
            number,
            "; ".join(" ".join(sentence) for sentence in sentences),
            shared_objects(sentences),
            *(six_digits(at_moment[name][number]) for name in told[0] for at_moment in shares),
        )
        for number, sentences in enumerate(drawn)
    ]
    return rows, columns


def robustness_rows(rows, columns):
    """Return rows (statement, start, end, sets_always, sets) of what set_rows returned.

    start, end: share of all runs; sets_always: sets in which it holds at the end in every seed.
    """
    found = dict(zip(columns, zip(*rows, strict=True), strict=True))
    names = [name.removesuffix("_end") for name in columns if name.endswith("_end")]
    return [
        (
            name,
            *(six_digits(np.mean(found[f"{name}_{moment}"])) for moment in MOMENTS),
            int(np.sum(np.array(found[f"{name}_end"]) == 1)),
            len(rows),
        )
        for name in names
    ]
