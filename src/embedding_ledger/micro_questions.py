"""What document 003 asks of a table of a small language model, asked of any EmbeddingTable."""

import numpy as np

from embedding_ledger.artefacts import six_digits
from embedding_ledger.micro_tokens import spelled
from embedding_ledger.vectors import cosine_similarity

TRAINED, CENTRED, COUNTS = "trained", "centred", "counts"


def shown_words(config, table):
    """Return {token: kind} of the words on the map that are tokens of the table."""
    return {
        spelled(word): kind
        for kind, words in config["words"].items()
        for word in words
        if spelled(word) in table.ids
    }


def missing_words(config, table):
    """Return the words of the map that are not one token."""
    words = [word for words in config["words"].values() for word in words]
    return [word for word in words if spelled(word) not in table.ids]


def cosines(config, table):
    """Return {pair: cosine} of the pairs that the page prints."""
    return {name: table.cosine(*map(spelled, words)) for name, words in config["pairs"].items()}


def bare(token):
    """Return a token as it is compared with lists of words."""
    return token.strip().lower()


def neighbour_rows(config, table, count):
    """Return rows (word, rank, neighbour, cosine, hit): a hit stands in the word's family.

    The word itself in another spelling (a capital, no space before it) is no hit.
    """
    rows = []
    for word, family in config["neighbours"].items():
        hits = set(config["families"][family]) - {word}
        for rank, (token, cosine) in enumerate(table.nearest(spelled(word), count), 1):
            rows.append((word, rank, token, round(cosine, 4), bare(token) in hits))
    return rows


def centre_accuracy(points, kinds):
    """Return the share of points (n, d) nearest to the centre of their own kind.

    The centre of a point's own kind is taken without it (leave one out).
    """
    kinds, right = np.asarray(kinds), 0
    for i, (point, kind) in enumerate(zip(points, kinds, strict=True)):
        others = np.arange(len(kinds)) != i
        distance = {
            name: np.linalg.norm(point - points[others & (kinds == name)].mean(axis=0))
            for name in sorted(set(kinds[others]))
        }
        right += min(distance, key=distance.get) == kind
    return right / len(kinds)


def nearest_kept(points, cosines):
    """Return of how many rows the nearest other by cosine is also nearest in the plane."""
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    alike = np.array(cosines)
    np.fill_diagonal(alike, -np.inf)
    return int((apart.argmin(axis=1) == alike.argmax(axis=1)).sum())


def kind_gap(table, words, chosen=None):
    """Return (mean cosine within kinds, mean between kinds) of words {token: kind}.

    `chosen`: within this kind, and between it and all others.
    """
    tokens, kinds = list(words), np.array(list(words.values()))
    found = table.cosines(tokens)
    first, second = np.triu_indices(len(tokens), 1)
    pairs, a, b = found[first, second], kinds[first], kinds[second]
    within, between = a == b, a != b
    if chosen:
        within, between = within & (a == chosen), between & ((a == chosen) | (b == chosen))
    return float(pairs[within].mean()), float(pairs[between].mean())


def kind_row(config, table):
    """Return what tells the kinds of words apart in a table, by name."""
    words = shown_words(config, table)
    points, kept = table.map(list(words))
    within, between = kind_gap(table, words)
    unit = table.unit(list(words))
    return {
        "words": len(words),
        "plane": round(centre_accuracy(points, list(words.values())), 3),
        "all_dimensions": round(centre_accuracy(unit, list(words.values())), 3),
        "share_of_spread": round(kept, 3),
        "within": round(within, 3),
        "between": round(between, 3),
        "nearest_kept": nearest_kept(points, table.cosines(list(words))),
        "mean_cosine": round(table.mean_cosine(), 4),
    }


def truths(config, moments, rows, kinds, missing):
    """Return {statement: (holds, numbers)} of document 003.

    `moments`: {step: table} of the run that is looked at; `rows`: neighbours of its last table;
    `kinds`: {step: kind_row}; `missing`: words of the map that are no token.
    """
    first, last = min(moments), max(moments)
    start, end, table = kinds[first], kinds[last], moments[last]
    words = shown_words(config, table)
    found = {
        "map.single_token": (not missing, {"words": end["words"], "split": len(missing)}),
        "map.kinds_separate": (
            end["plane"] >= config["separation"],
            {
                "share nearest to the centre of their kind": end["plane"],
                "at the start": start["plane"],
            },
        ),
        "map.distorts": (
            end["nearest_kept"] < end["words"] and end["share_of_spread"] < 1,
            {
                "words that keep their nearest": f"{end['nearest_kept']} of {end['words']}",
                "share of the spread in the plane": end["share_of_spread"],
            },
        ),
        "training.kinds_without_labels": (
            start["within"] - start["between"] < config["closeness"] / 2
            and end["within"] - end["between"] >= config["closeness"],
            {
                f"within and between kinds at step {step}": f"{row['within']} and {row['between']}"
                for step, row in ((first, start), (last, end))
            },
        ),
    }
    gaps = {kind: kind_gap(table, words, kind) for kind in ("colour", "body")}
    found["kinds.colours_and_organs"] = (
        all(within - between >= config["closeness"] for within, between in gaps.values()),
        {
            f"{kind}, within and with others": f"{within:.3f} and {between:.3f}"
            for kind, (within, between) in gaps.items()
        },
    )
    for word, family in config["neighbours"].items():
        own = [row for row in rows if row[0] == word]
        hits = sum(row[4] for row in own)
        found[f"neighbours.{family}"] = (
            hits > config["share"] * len(own),
            {"hits": f"{hits} of {len(own)}", "nearest": ", ".join(bare(row[2]) for row in own)},
        )
    return found


def context_rows(config, model, tokenizer):
    """Return rows (layer, cosine) of the states of one word in two sentences.

    Layer 0 is the row of the table with the position added, the word standing at the same place.
    """
    import torch

    senses = config["senses"]
    states = []
    for sentence in (senses["river"], senses["money"]):
        ids = tokenizer.encode(f" {sentence}").ids
        place = ids.index(tokenizer.token_to_id("Ġ" + senses["word"]))
        with torch.no_grad():
            layers = model.states(torch.tensor([ids[: model.places.num_embeddings]]))
        states.append((place, [layer[0, place].double().numpy() for layer in layers]))
    (place, river), (other, money) = states
    cosines = map(cosine_similarity, river, money)
    return [(layer, six_digits(c)) for layer, c in enumerate(cosines)], place == other
