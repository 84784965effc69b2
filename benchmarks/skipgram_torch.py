"""word2vec: gensim, or a plain torch skip-gram

Skip-gram with negative sampling on the same share of the text: same epochs, window, negatives,
width, thinning of frequent words. torch takes batches of 1,024 pairs with sparse Adam, as
tutorials do; gensim takes pair after pair. The loss is that of held-out pairs with five negatives
each, 4.16 nats (6 ln 2) for a model that has learned nothing.
"""

import text
from harness import measured

AXIS = "words"
SIZES = (20_000, 60_000, 200_000)
QUICK = (20_000,)
OURS = "gensim"
BATCH, RATE, HELD_OUT, PAIRS = 1_024, 0.01, 20, 20_000


def _split(words):
    """Return (lines to train on, lines held out: every twentieth), each a list of words."""
    lines = text.share(words).read_text(encoding="utf-8").splitlines()
    held = [line.split() for line in lines[::HELD_OUT]]
    kept = [line.split() for number, line in enumerate(lines) if number % HELD_OUT]
    return kept, held


def pairs_of(lines, rng, window):
    """Return (centers, contexts) of lines of ids; a center draws how far it looks, 1 to window."""
    import numpy as np

    ids = np.concatenate(lines)
    line = np.repeat(np.arange(len(lines)), list(map(len, lines)))
    reach = rng.integers(1, window + 1, len(ids))
    centers, contexts = [], []
    for step in range(1, window + 1):
        same = line[step:] == line[:-step]
        left, right = ids[:-step][same], ids[step:][same]
        from_left, from_right = reach[:-step][same] >= step, reach[step:][same] >= step
        centers += [left[from_left], right[from_right]]
        contexts += [right[from_left], left[from_right]]
    return np.concatenate(centers), np.concatenate(contexts)


def held_out_loss(row_of, counts, centers, contexts, held, settings):
    """Return the mean loss of held-out pairs, in nats; both tables have shape (V, d).

    `row_of`: word -> row; `counts` (V,): how often each occurs in training.
    """
    import numpy as np

    rng = np.random.default_rng(0)
    lines = [np.array([row_of[w] for w in words if w in row_of], int) for words in held]
    first, second = pairs_of([line for line in lines if len(line) > 1], rng, settings["window"])
    chosen = rng.permutation(len(first))[:PAIRS]
    first, second = first[chosen], second[chosen]
    shares = counts**0.75 / (counts**0.75).sum()
    others = rng.choice(len(counts), size=(len(first), settings["negatives"]), p=shares)
    right = (centers[first] * contexts[second]).sum(axis=1)
    wrong = np.einsum("nd,nkd->nk", centers[first], contexts[others])
    return float((np.logaddexp(0, -right) + np.logaddexp(0, wrong).sum(axis=1)).mean())


def gensim(words):
    import gensim.models  # noqa: F401  here, so that loading it is not timed
    import numpy as np

    from embedding_ledger import word2vec

    kept, held = _split(words)
    settings = text.settings()
    path = text.SCRATCH / f"kept-{words}.txt"
    path.write_text("".join(" ".join(line) + "\n" for line in kept), encoding="utf-8")
    told, (model, _) = measured(word2vec.fit, path, settings, 0)
    row_of = model.wv.key_to_index
    counts = np.array([model.wv.get_vecattr(word, "count") for word in row_of], float)
    loss = held_out_loss(row_of, counts, model.wv.vectors, model.syn1neg, held, settings)
    return {**told, "held_out_loss": loss}


def fit_torch(kept, settings, seed=0):
    """Train in batches; return (word -> row, counts, centers, contexts)."""
    from collections import Counter

    import numpy as np
    import torch

    found = Counter(word for line in kept for word in line)
    words = [word for word, count in found.most_common() if count >= settings["min_count"]]
    row_of = {word: row for row, word in enumerate(words)}
    counts = np.array([found[word] for word in words], float)
    lines = [np.array([row_of[word] for word in line if word in row_of], int) for line in kept]
    often = counts / counts.sum() / settings["sample"]
    keep = np.minimum(1, 1 / np.sqrt(often) + 1 / often)
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    dim = settings["dim"]
    centers = torch.nn.Embedding(len(words), dim, sparse=True)
    contexts = torch.nn.Embedding(len(words), dim, sparse=True)
    torch.nn.init.uniform_(centers.weight, -0.5 / dim, 0.5 / dim)
    torch.nn.init.zeros_(contexts.weight)
    optimiser = torch.optim.SparseAdam([*centers.parameters(), *contexts.parameters()], lr=RATE)
    cumulative = np.cumsum(counts**0.75)
    logsigmoid = torch.nn.functional.logsigmoid
    for _ in range(settings["epochs"]):
        thinned = [line[rng.random(len(line)) < keep[line]] for line in lines]
        first, second = pairs_of([line for line in thinned if len(line)], rng, settings["window"])
        order = rng.permutation(len(first))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            drawn = rng.random((len(rows), settings["negatives"])) * cumulative[-1]
            others = torch.from_numpy(np.searchsorted(cumulative, drawn))
            center = centers(torch.from_numpy(first[rows]))
            right = (center * contexts(torch.from_numpy(second[rows]))).sum(dim=1)
            wrong = torch.bmm(contexts(others), center[:, :, None])[:, :, 0]
            loss = -(logsigmoid(right) + logsigmoid(-wrong).sum(dim=1)).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    return row_of, counts, centers.weight.detach().numpy(), contexts.weight.detach().numpy()


def torch(words):
    import torch  # noqa: F401  here, so that loading it is not timed

    kept, held = _split(words)
    settings = text.settings()
    told, (row_of, *fitted) = measured(fit_torch, kept, settings)
    return {**told, "held_out_loss": held_out_loss(row_of, *fitted, held, settings)}


SIDES = {OURS: gensim, "torch": torch}
