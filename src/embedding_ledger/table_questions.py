"""The questions of document 001, asked of any table: neighbours, families, map, common direction.

Texts carry the space in front of them; a table that knows no space drops it. What a table has no
token for is left out and listed. Thresholds were fixed before any table was looked at.
"""

import numpy as np

from embedding_ledger.tables import principal_components

PERCENTILES = (2.5, 97.5)
OVERLAPPING = ("animals", "food", "jobs")  # families that document 001 finds mixed on the map
LISTED = 6  # neighbours that the page lists of a word


def rounded(value, digits=6):
    """Round a number as it is written, away from the last bits of the arithmetic."""
    return round(float(value), digits)


def silhouette(distances, labels):
    """Return the mean silhouette of points with these pairwise distances (n, n) and labels (n,).

    Of each point: (b - a) / max(a, b), a the mean distance to its own kind, b to the nearest other
    kind (Rousseeuw 1987); 0 for the only point of its kind.
    """
    labels, found = np.asarray(labels), []
    for i, label in enumerate(labels):
        own = (labels == label) & (np.arange(len(labels)) != i)
        if not own.any():
            found.append(0.0)
            continue
        a = distances[i, own].mean()
        b = min(distances[i, labels == other].mean() for other in set(labels.tolist()) - {label})
        found.append((b - a) / max(a, b) if max(a, b) > 0 else 0.0)
    return float(np.mean(found))


def distances(points):
    """Return the pairwise Euclidean distances (n, n) of points (n, d)."""
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def nearest_own(similarities, labels):
    """Return for each point whether the most similar other one has its label, shape (n,)."""
    others = np.where(np.eye(len(labels), dtype=bool), -np.inf, similarities)
    labels = np.asarray(labels)
    return labels[others.argmax(axis=1)] == labels


class Asked:
    """A table with the questions (config key `questions`) and the sizes of its families."""

    def __init__(self, table, questions, sizes):
        self.table, self.questions, self.sizes = table, questions, sizes
        self.absent = []
        pools = {name: self.known(words) for name, words in questions["families"].items()}
        self.pools = {name: words for name, words in pools.items() if len(words) > 1}
        self.families = {name: words[: sizes[name]] for name, words in self.pools.items()}
        self.words = [word for words in self.families.values() for word in words]
        self.labels = [name for name, words in self.families.items() for _ in words]
        self.enough = len(self.families) > 1

    def known(self, texts):
        """Return the texts that the table has a token for; note the others."""
        self.absent += [t for t in texts if self.table.token(t) not in self.table.ids]
        return [text for text in texts if self.table.token(text) in self.table.ids]

    def unit(self, texts):
        return self.table.unit([self.table.token(text) for text in texts])

    def cosine(self, a, b):
        return self.table.cosine(self.table.token(a), self.table.token(b))

    def pairs(self, name):
        """Return the pairs of a question of which the table knows both sides."""
        return [pair for pair in self.questions[name] if len(self.known(pair)) == 2]

    def rank(self, a, b):
        """Return the place of b among the neighbours of a, from 1, within `near`; else None."""
        near = self.table.nearest(self.table.token(a), self.questions["near"])
        tokens = [token for token, _ in near]
        wanted = self.table.token(b)
        return tokens.index(wanted) + 1 if wanted in tokens else None


def row_rows(asked):
    """Return rows (word, id, index, value): the first entries of some rows of the table."""
    table, shown = asked.table, asked.questions["shown"]
    return [
        (text.strip(), table.id(table.token(text)), index, rounded(value))
        for text in asked.known(shown["tokens"])
        for index, value in enumerate(
            table.vectors[table.id(table.token(text))][: shown["entries"]]
        )
    ]


def cosine_rows(asked):
    """Return rows (a, b, cosine) of the pairs."""
    return [(a.strip(), b.strip(), rounded(asked.cosine(a, b))) for a, b in asked.pairs("pairs")]


def neighbour_rows(asked):
    """Return rows (word, rank, neighbour, cosine, listed); `listed`: as far as the page lists."""
    table, listed = asked.table, asked.questions["listed"]
    texts = asked.known([*listed, *asked.questions["more_words"]])
    ids = [table.id(table.token(text)) for text in texts]
    rows = []
    for text, found in zip(
        texts, table.nearest_rows(ids, asked.questions["neighbours"]), strict=True
    ):
        rows += [
            (
                text.strip(),
                rank,
                table.printed(table.tokens[row]),
                rounded(cosine),
                text in listed and rank <= LISTED,
            )
            for rank, (row, cosine) in enumerate(found, start=1)
        ]
    return rows


def listed_rows(asked):
    """Return rows (word, index, token, cosine) of the neighbours that the page names, in its order.

    They are looked up by name, so that the order of the cosines is a finding.
    """
    table, rows = asked.table, []
    for word, neighbours in asked.questions["listed"].items():
        if not asked.known([word]):
            continue
        own, tokens = table.token(word), [table.token(text) for text in asked.known(neighbours)]
        tokens = [token for token in dict.fromkeys(tokens) if token != own]
        rows += [
            (word.strip(), index, table.printed(token), rounded(table.cosine(own, token)))
            for index, token in enumerate(tokens)
        ]
    return rows


def map_rows(asked):
    """Return rows (token, family, x, y) of the words on their two principal directions."""
    if not asked.enough:
        return []
    places, _ = principal_components(asked.unit(asked.words))
    return [
        (word.strip(), family, rounded(x, 4), rounded(y, 4))
        for word, family, (x, y) in zip(asked.words, asked.labels, places, strict=True)
    ]


def _family_cosines(asked):
    """Return the mean cosine of pairs by family, shape (f, f), a word never with itself."""
    cosines, labels = _cosines(asked), np.array(asked.labels)
    np.fill_diagonal(cosines, np.nan)
    names = list(asked.families)
    return np.array(
        [[np.nanmean(cosines[labels == a][:, labels == b]) for b in names] for a in names]
    )


def _cosines(asked):
    unit = asked.unit(asked.words)
    return unit @ unit.T


def family_rows(asked):
    """Return rows (family, other, cosine): mean cosines of pairs of words of two families."""
    if not asked.enough:
        return []
    names, means = list(asked.families), _family_cosines(asked)
    return [(a, b, rounded(means[i, j])) for i, a in enumerate(names) for j, b in enumerate(names)]


def analogy_rows(asked):
    """Return rows (a, b, c, d, rank, found, cosine): where d stands, and what stands first.

    b - a + c of the rows as they are is compared with every row but a, b and c.
    """
    table, rows = asked.table, []
    for analogy in asked.questions["analogies"]:
        if len(asked.known(analogy)) < 4:
            continue
        a, b, c, d = (table.id(table.token(text)) for text in analogy)
        wanted = np.asarray(table.vectors[b], float) - table.vectors[a] + table.vectors[c]
        lengths = np.where(table.lengths > 0, table.lengths, np.inf)
        cosines = table.vectors @ wanted.astype(table.vectors.dtype) / lengths
        cosines /= np.linalg.norm(wanted)
        cosines[[a, b, c]] = -np.inf
        first = int(cosines.argmax())
        told = (int((cosines > cosines[d]).sum()) + 1, table.printed(table.tokens[first]))
        rows.append((*(text.strip() for text in analogy), *told, rounded(cosines[first])))
    return rows


def _list_numbers(rows, labels):
    """Return (within, between, share of spread in per cent) of unit rows with family labels."""
    first, second = np.triu_indices(len(rows), 1)
    pairs, same = (rows @ rows.T)[first, second], labels[first] == labels[second]
    moved = rows - rows.mean(axis=0)
    spreads = np.linalg.eigvalsh(moved @ moved.T)  # those of the directions, from n x n numbers
    share = spreads[-2:].sum() / spreads.sum()
    return pairs[same].mean(), pairs[~same].mean(), 100 * share


SPREAD_NAMES = ("families.within", "families.between", "map.share_percent")


def spread_rows(asked):
    """Return rows (quantity, value, value_low, value_high, lists) over lists that fit the page.

    The value is that of the first list; the range is the central 95 % of lists drawn from the
    pools, widened to hold the value.
    """
    if not asked.enough:
        return []
    rng = np.random.default_rng(asked.questions["lists"]["seed"])
    drawn = asked.questions["lists"]["drawn"]
    units = {name: asked.unit(words) for name, words in asked.pools.items()}
    labels = np.array(asked.labels)
    found = []
    for _ in range(drawn):
        chosen = [
            units[name][rng.choice(len(units[name]), len(words), replace=False)]
            for name, words in asked.families.items()
        ]
        found.append(_list_numbers(np.concatenate(chosen), labels))
    value = _list_numbers(asked.unit(asked.words), labels)
    low, high = np.percentile(found, PERCENTILES, axis=0)
    return [
        (name, rounded(v), rounded(min(lo, v)), rounded(max(hi, v)), drawn)
        for name, v, lo, hi in zip(SPREAD_NAMES, value, low, high, strict=True)
    ]


def _lookup_row(table, row):
    """Return the first row of the table that equals the product of a one-hot row with it."""
    one_hot = np.zeros(len(table.tokens), table.vectors.dtype)
    one_hot[row] = 1
    return int(np.flatnonzero((table.vectors == one_hot @ table.vectors).all(axis=1))[0])


def _furthest(asked):
    """Return the family with the lowest mean cosine to all others."""
    means = _family_cosines(asked)
    np.fill_diagonal(means, np.nan)
    return list(asked.families)[int(np.nanmean(means, axis=1).argmin())]


def _map_geometry(asked):
    """Return distances of the families' centres (f, f), mean distances to the own one (f,)."""
    places, _ = principal_components(asked.unit(asked.words))
    labels = np.array(asked.labels)
    centres = np.array([places[labels == name].mean(axis=0) for name in asked.families])
    gaps = distances(centres)
    np.fill_diagonal(gaps, np.inf)
    widths = [
        np.linalg.norm(places[labels == name] - centre, axis=1).mean()
        for name, centre in zip(asked.families, centres, strict=True)
    ]
    return gaps, np.array(widths)


def family_values(asked):
    """Return {quantity: value} of the words of the map."""
    cosines, labels = _cosines(asked), asked.labels
    places, share = principal_components(asked.unit(asked.words))
    _, uncentred = principal_components(asked.unit(asked.words), centred=False)
    flat = distances(places)
    gaps, _ = _map_geometry(asked)
    within, between, _ = _list_numbers(asked.unit(asked.words), np.array(labels))
    return {
        "families.tokens": len(labels),
        "families.dimensions": asked.unit(asked.words).shape[1],
        "families.within": rounded(within),
        "families.between": rounded(between),
        "families.ratio": rounded(within / between, 4),
        "map.share_percent": rounded(100 * share, 4),
        "map.share_percent.uncentred": rounded(100 * uncentred, 4),
        "silhouette.full": rounded(silhouette(1 - cosines, labels), 4),
        "silhouette.map": rounded(silhouette(flat, labels), 4),
        "nearest_own.full": int(nearest_own(cosines, labels).sum()),
        "nearest_own.map": int(nearest_own(-flat, labels).sum()),
        "furthest.full": _furthest(asked),
        "furthest.map": list(asked.families)[int(gaps.min(axis=1).argmax())],
    }


def values(asked, parameters=None):
    """Return {quantity: value or list}; `parameters`: of the whole model, if known."""
    table, leanings = asked.table, asked.table.leanings()
    leanings = leanings[np.isfinite(leanings)]
    found = {
        "rows": len(table.tokens),
        "width": table.vectors.shape[1],
        "numbers": int(np.prod(table.vectors.shape)),
        "zero_rows": int(np.sum(table.lengths == 0)),
        "mean_cosine": rounded(table.mean_cosine()),
        "mean_cosine.centred": rounded(table.centred().mean_cosine()),
        "leaning.positive_rows": int((leanings > 0).sum()),
        "leaning.mean": rounded(leanings.mean()),
        "leaning.least": rounded(leanings.min()),
    }
    if parameters:
        found["parameters"] = parameters
        found["share_percent"] = rounded(100 * found["numbers"] / parameters, 4)
    for text in asked.known(asked.questions["shown"]["tokens"])[:1]:
        row = table.id(table.token(text))
        found["lookup.row"] = _lookup_row(table, row)
        found["row_start"] = [rounded(value) for value in table.vectors[row][:3]]
    recap = asked.pairs("recap")
    if recap:
        found["recap_cosines"] = [rounded(asked.cosine(a, b)) for a, b in recap]
    return found | (family_values(asked) if asked.enough else {})


def _map_truths(asked):
    """Return the truths about where families sit on the map and beside it."""
    names, (gaps, widths) = list(asked.families), _map_geometry(asked)
    found = {}
    if "days" in names:
        days, own = names.index("days"), gaps.min(axis=1)
        found["map.days_tight_far"] = (
            bool(widths.argmin() == days and own.argmax() == days),
            {
                "tightest": names[int(widths.argmin())],
                "furthest": names[int(own.argmax())],
                "gap of days": rounded(own[days], 4),
                "largest gap": rounded(own.max(), 4),
            },
        )
    if {"countries", "cities"} <= set(names):
        a, b = names.index("countries"), names.index("cities")
        near = [names[int(gaps[i].argmin())] for i in (a, b)]
        found["map.countries_and_cities_together"] = (
            near == ["cities", "countries"],
            {"nearest to countries": near[0], "nearest to cities": near[1]},
        )
    if set(OVERLAPPING) <= set(names):
        found |= _overlap_truths(asked)
    return found


def _overlap_truths(asked):
    """Animals, food and jobs: mixed on the map, apart in the directions that it leaves out."""
    unit = asked.unit(asked.words)
    centred = unit - unit.mean(axis=0)
    places, _ = principal_components(unit)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    rest = centred - centred @ directions[:2].T @ directions[:2]
    chosen = np.isin(asked.labels, OVERLAPPING)
    labels = np.array(asked.labels)[chosen]
    on_map = nearest_own(-distances(places[chosen]), labels)
    rest = rest[chosen] / np.linalg.norm(rest[chosen], axis=1, keepdims=True)
    in_rest = nearest_own(rest @ rest.T, labels)
    strays = {name: int((~on_map)[labels == name].sum()) for name in OVERLAPPING}
    cosines = rest @ rest.T
    means = {(a, b): cosines[labels == a][:, labels == b] for a in OVERLAPPING for b in OVERLAPPING}
    within = [
        (means[a, a].sum() / len(means[a, a]) - 1) / (len(means[a, a]) - 1) for a in OVERLAPPING
    ]
    between = [means[a, b].mean() for a in OVERLAPPING for b in OVERLAPPING if a != b]
    return {
        "map.animals_food_jobs_overlap": (
            all(strays.values()),
            {f"{name} nearest to another family": n for name, n in strays.items()},
        ),
        "map.apart_in_the_rest": (
            bool(min(within) > max(between) and in_rest.sum() > on_map.sum()),
            {
                "least mean cosine within": rounded(min(within), 4),
                "largest between": rounded(max(between), 4),
                "nearest of the own family": f"{in_rest.sum()} of {len(labels)}",
                "on the map": int(on_map.sum()),
            },
        ),
    }


def _property_shares(asked):
    """Return the largest share of one coordinate in a family's direction, and the least width.

    The direction is the family's mean less that of all families; its width is the participation
    ratio (sum of squares, squared, over the sum of fourth powers): 1 for one coordinate, d for all.
    """
    unit, labels = asked.unit(asked.words), np.array(asked.labels)
    means = np.array([unit[labels == name].mean(axis=0) for name in asked.families])
    squares = (means - means.mean(axis=0)) ** 2
    shares = squares / squares.sum(axis=1, keepdims=True)
    return shares.max(), (1 / (shares**2).sum(axis=1)).min()


def _program(asked, word):
    """Run document 001's search (one product of the unit table with one row, then topk)."""
    import torch  # slow to load, and only this question needs it

    vectors = torch.from_numpy(np.array(asked.table.vectors, dtype=np.float32))
    unit = vectors / vectors.norm(dim=1, keepdim=True)
    row = asked.table.id(asked.table.token(word))
    scores, ids = (unit @ unit[row]).topk(LISTED + 1)
    tokens = [asked.table.printed(asked.table.tokens[i]) for i in ids[1:]]
    return [(token, f"{score:.2f}") for token, score in zip(tokens, scores[1:], strict=True)]


def truths(asked):
    """Return {statement: (holds, numbers)}; a statement whose words a table lacks is left out."""
    table, found = asked.table, values(asked)
    directed = found["rows"] - found["zero_rows"]
    told = {
        "common_direction.all_lean": (
            found["leaning.positive_rows"] == directed and found["mean_cosine"] > 0,
            {
                "rows": directed,
                "of them leaning the same way": found["leaning.positive_rows"],
                "least cosine": found["leaning.least"],
                "mean cosine of all pairs": found["mean_cosine"],
            },
        )
    }
    lists = neighbour_rows(asked)
    monday = [(near, cosine) for word, rank, near, cosine, _ in lists if word == "Monday"][:LISTED]
    if monday:
        others = {table.printed(table.token(d)) for d in asked.pools.get("days", [])}
        others.discard(table.printed(table.token(" Monday")))
        told["days.nearest_six"] = (
            {near for near, _ in monday} == others,
            {"nearest": " ".join(near for near, _ in monday)},
        )
        program = _program(asked, " Monday")
        told["program.same_as_listing"] = (
            program == [(near, f"{cosine:.2f}") for near, cosine in monday],
            {"program": " ".join(" ".join(item) for item in program)},
        )
    spellings = asked.questions["spellings"]
    if len({table.token(text) for text in asked.known(spellings)}) == len(spellings):
        near = [token for token, _ in table.nearest(table.token(spellings[0]), LISTED)]
        told["spellings.near"] = (
            all(table.token(text) in near for text in spellings[1:]),
            {f"nearest of {spellings[0].strip()}": " ".join(map(table.printed, near))},
        )
    if len(asked.known([" king", " queen"])) == 2:
        ranks = asked.rank(" king", " queen"), asked.rank(" queen", " king")
        told["king_queen.near"] = (
            all(ranks),
            {
                "place of queen": ranks[0],
                "place of king": ranks[1],
                "looked at": asked.questions["near"],
            },
        )
    opposites = asked.pairs("opposites")
    if opposites:
        near = [(a, b) for a, b in opposites if asked.rank(a, b) or asked.rank(b, a)]
        told["opposites.near"] = (
            bool(near),
            {
                "pairs": len(opposites),
                f"among the {asked.questions['near']} nearest": len(near),
                "such as": "-".join(text.strip() for text in near[0]) if near else "none",
            },
        )
    for a, b, c, d, rank, first, _ in analogy_rows(asked)[:1]:
        told["analogy.first"] = (rank == 1, {f"{b} - {a} + {c}": first, f"place of {d}": rank})
    if asked.enough:
        told["families.same_above_different"] = (
            found["families.within"] > found["families.between"],
            {"within": found["families.within"], "between": found["families.between"]},
        )
        share, width = _property_shares(asked)
        told["properties.spread"] = (
            bool(share < 0.5),
            {
                "largest share of one coordinate in a family's direction": rounded(share, 4),
                "least participation ratio": rounded(width, 1),
            },
        )
        told |= _map_truths(asked)
    return told
