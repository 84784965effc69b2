"""What document 001 says of the layers: a word in its sentences, and what GPT-2 makes of a row.

`c`: the config key `contextual`. Thresholds were fixed before any weights were looked at.
"""

from itertools import combinations, pairwise, product

import numpy as np

from embedding_ledger.contextual import word_states
from embedding_ledger.superposition import probe_accuracy
from embedding_ledger.table_questions import rounded
from embedding_ledger.vectors import cosine_similarity

SHUFFLES = 199


def _distance(a, b):
    """Return the distance of two vectors as a share of their mean length."""
    away, *lengths = map(np.linalg.norm, (a - b, a, b))
    return 2 * away / sum(lengths)


def sense_rows(model, c):
    """Return rows (layer, pairs, cosine): mean cosine of the word's states, by kind of sentence."""
    river, money = (
        [word_states(model, text, c["word"]) for text in c[sense]] for sense in ("river", "money")
    )
    pairs = {
        "river-river": list(combinations(river, 2)),
        "money-money": list(combinations(money, 2)),
        "river-money": list(product(river, money)),
    }
    return [
        (layer, name, rounded(np.mean([cosine_similarity(a[layer], b[layer]) for a, b in members])))
        for layer in range(model.layers + 1)
        for name, members in pairs.items()
    ]


def change_rows(model, c):
    """Return rows (layer, least, median, largest): how far a layer moves the tokens of the text.

    The length of the change as a share of the length of what enters the layer.
    """
    states = [state.double().numpy() for state in model.states(model.ids(c["text"]))]
    rows = []
    for layer, (before, after) in enumerate(pairwise(states), start=1):
        change = np.linalg.norm(after - before, axis=1) / np.linalg.norm(before, axis=1)
        told = (change.min(), np.median(change), change.max())
        rows.append((layer, *map(rounded, told)))
    return rows


def _reach(model, ids):
    """Return how far another second token moves the last one (share of length), least of layers."""
    other = [ids[0], ids[2], *ids[2:]]
    pairs = zip(model.states(ids)[1:], model.states(other)[1:], strict=True)
    return rounded(min(_distance(a[-1].double().numpy(), b[-1].double().numpy()) for a, b in pairs))


def sense_truths(model, c):
    """Return the truths about one word in two phrases, layer by layer."""
    a, b = (word_states(model, phrase, c["word"]) for phrase in c["phrases"])
    away = [_distance(x, y) for x, y in zip(a, b, strict=True)]
    changes = change_rows(model, c)
    told = {"after layer 1": rounded(away[1], 4)}
    told[f"after layer {model.layers}"] = rounded(away[-1], 4)
    reach = _reach(model, model.ids(c["text"]))
    return {
        "layers.change_all": (
            all(least > 0 and median < 1 for _, least, median, _ in changes) and reach > 0,
            {
                "least change": min(row[1] for row in changes),
                "largest median": max(row[2] for row in changes),
                "largest change": max(row[3] for row in changes),
                "least change of the last token by another word before it": reach,
            },
        ),
        "bank.final_differs": (bool(away[-1] > 0.5), told),
        "bank.diverges": (bool(away[1] > 0 and away[-1] >= 2 * away[1]), told),
    }


def _ranks(model, shares, texts):
    """Return the rank of each text's token, from 1, among the most likely next ones."""
    return [int((shares > shares[model.ids(text)[0]]).sum()) + 1 for text in texts]


def _overlap(p, q):
    """Return one minus the total variation of two distributions: 1 alike, 0 apart."""
    return 1 - np.abs(p - q).sum() / 2


def follower_truths(model, c, families):
    """Return the truths about what follows the words; `families`: {name: texts}."""
    follow = c["followers"]
    first, second = follow["days"]
    shares = {day: model.next_shares(model.ids(follow["prompt"] + day)) for day in follow["days"]}
    words = [text for members in families.values() for text in members]
    labels = [name for name, members in families.items() for _ in members]
    after = {text: model.next_shares([model.end, model.ids(text)[0]]) for text in words}
    pairs = zip(words, labels, strict=True)
    others = [_overlap(after[first], after[word]) for word, name in pairs if name != "days"]
    alike = _overlap(after[first], after[second])
    ranks = {text: _ranks(model, shares[text], follow["words"]) for text in (first, second)}
    rows = model.table[[model.ids(text)[0] for text in words]].double().numpy()
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = rows @ rows.T
    overlaps = np.array([[_overlap(after[a], after[b]) for b in words] for a in words])
    upper = np.triu_indices(len(words), 1)
    rng = np.random.default_rng(0)
    orders = [np.arange(len(words)), *(rng.permutation(len(words)) for _ in range(SHUFFLES))]
    found = [np.corrcoef(cosines[np.ix_(o, o)][upper], overlaps[upper])[0, 1] for o in orders]
    return {
        "followers.days_alike": (
            bool(alike > max(others)),
            {
                f"overlap of{first} and{second}": rounded(alike, 4),
                "largest with a word that is no day": rounded(max(others), 4),
            },
        ),
        "followers.words_likely": (
            all(rank <= follow["most_likely"] for found in ranks.values() for rank in found),
            {f"ranks after{text} of{''.join(follow['words'])}": ranks[text] for text in ranks},
        ),
        "use.similar_rows_similar_use": (
            bool(found[0] > max(found[1:])),
            {
                "correlation of cosines and overlaps": rounded(found[0], 4),
                f"largest of {SHUFFLES} shuffled": rounded(max(found[1:]), 4),
            },
        ),
    }


def gpt2_truths(model, c, families):
    """Return the truths about GPT-2's positions and its output scores."""
    ids = [model.end, *model.ids(c["text"])]
    rows = model.table[ids]
    loss = {
        "sum": model.loss(ids),
        "token rows alone": model.loss(ids, rows),
        "positions in reverse": model.loss(ids, rows + model.positions[: len(ids)].flip(0)),
    }
    scores = model.scores(ids)
    uniform = np.log(len(model.table))
    words = [model.ids(text)[0] for members in families.values() for text in members]
    accuracy = probe_accuracy(
        model.table[words].double().numpy(),
        model.positions[:30].double().numpy(),
        np.random.default_rng(0),
    )
    heads = [name for name in model.file.entries if "lm_head" in name]
    told = {f"loss with {name}": rounded(value, 4) for name, value in loss.items()}
    return {
        "positions.added": (
            loss["sum"] < min(loss["token rows alone"], loss["positions in reverse"]),
            told,
        ),
        "tied.scores_all_rows": (
            scores.shape[1] == len(model.table) and not heads and bool(loss["sum"] < uniform),
            {
                "scores a token": scores.shape[1],
                "output tables of its own": len(heads),
                "loss": rounded(loss["sum"], 4),
                "of a guess without knowledge": rounded(uniform, 4),
            },
        ),
        "sum.linear_probe": (
            min(accuracy) > 0.9,
            {"token read back": rounded(accuracy[0], 4), "place": rounded(accuracy[1], 4)},
        ),
    }


def values(model):
    """Return {quantity: value} of a model's shapes."""
    found = {"layers": model.layers}
    if hasattr(model, "positions"):
        found |= dict(zip(("positions", "width"), model.positions.shape, strict=True))
        found["position_numbers"] = int(np.prod(model.positions.shape))
    return found


def truths(model, c, families):
    """Return {statement: (holds, numbers)} of one model."""
    found = sense_truths(model, c)
    if hasattr(model, "scores"):
        found |= follower_truths(model, c, families) | gpt2_truths(model, c, families)
    return found
