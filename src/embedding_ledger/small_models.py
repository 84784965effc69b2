"""Small language models of a real text: tied or untied tables, and what bytes teach first.

Both read a fixed number of tokens before the next one (Bengio et al. 2003): their rows side by
side, one hidden layer, scores for every token.
"""

from itertools import pairwise

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from embedding_ledger.artefacts import six_digits

UNKNOWN = "<unknown>"


class WindowModel(nn.Module):
    """Predicts a token from the `window` tokens before it.

    Tied, the rows that are read are the rows that are scored against: one parameter (V, width).
    """

    def __init__(self, vocabulary, window, width, hidden, tied=False):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.inner = nn.Sequential(
            nn.Linear(window * width, hidden), nn.Tanh(), nn.Linear(hidden, width)
        )
        self.head = nn.Linear(width, vocabulary, bias=False)
        nn.init.normal_(self.embed.weight, std=width**-0.5)
        nn.init.normal_(self.head.weight, std=width**-0.5)
        if tied:
            self.head.weight = self.embed.weight

    def forward(self, ids):
        """Return scores (n, V) of the tokens after the windows `ids` (n, window)."""
        return self.head(self.inner(self.embed(ids).flatten(1)))


def windows(stream, window):
    """Return (inputs (n, window), targets (n,)) of a stream of ids."""
    rows = stream.unfold(0, window + 1, 1)
    return rows[:, :-1], rows[:, -1]


def word_ids(sentences, size):
    """Return (ids of a text, vocabulary): the `size` - 1 most frequent words, one for all others.

    Ties go by letter.
    """
    words = [word for sentence in sentences for word in sentence]
    found, counts = np.unique(words, return_counts=True)
    kept = found[np.lexsort((found, -counts))][: size - 1]
    ids = {word: number for number, word in enumerate([UNKNOWN, *kept.tolist()])}
    return torch.tensor([ids.get(word, 0) for word in words]), list(ids)


def losses_of(model, inputs, targets, batch=4096):
    """Return the mean loss in nats a token."""
    with torch.no_grad():
        total = sum(
            functional.cross_entropy(model(x), y, reduction="sum").double().item()
            for x, y in zip(inputs.split(batch), targets.split(batch), strict=True)
        )
    return total / len(targets)


def descend(model, inputs, targets, config, seed):
    """Train by Adam; yield the number of steps done, after every `config["looks"]` of them."""
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=config["learning_rate"])
    for step in range(1, config["steps"] + 1):
        chosen = torch.randint(len(targets), (config["batch"],), generator=generator)
        loss = functional.cross_entropy(model(inputs[chosen]), targets[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % config["looks"] == 0:
            yield step


def geometry_agreement(model, rows):
    """Return the correlation of cosines between input rows with those between output rows."""
    tables = [model.embed.weight, model.head.weight]
    cosines = []
    for table in tables:
        unit = functional.normalize(table.detach()[:rows].double())
        first, second = torch.triu_indices(rows, rows, 1)
        cosines.append((unit @ unit.T)[first, second].numpy())
    return float(np.corrcoef(*cosines)[0, 1])


def tying_rows(sentences, config):
    """Train tied and untied models on the same text; return rows of TYING_COLUMNS.

    A run ends when its held-out loss has not fallen for `patience` looks.
    """
    stream, words = word_ids(sentences, config["vocabulary"])
    border = int(len(stream) * config["train_share"])
    train, held = (windows(part, config["window"]) for part in (stream[:border], stream[border:]))
    rows = []
    for width in config["widths"]:
        for seed in config["seeds"]:
            for tied in (True, False):
                torch.manual_seed(seed)
                shape = (len(words), config["window"], width, config["hidden"])
                model, best = WindowModel(*shape, tied), (np.inf, 0)
                count = sum(parameter.numel() for parameter in model.parameters())
                for step in descend(model, *train, config, seed):
                    loss = losses_of(model, *held)
                    agreement = geometry_agreement(model, config["compared_rows"])
                    told = (round(loss, 3), round(float(np.exp(loss)), 1), round(agreement, 3))
                    rows.append((width, seed, tied, count, step, *told))
                    best = min(best, (loss, step))
                    if step >= best[1] + config["patience"] * config["looks"]:
                        break
    return rows


TYING_COLUMNS = ("width", "seed", "tied", "parameters", "step", "loss", "perplexity", "agreement")


def tying_truths(rows):
    """Return the truth that tied models often reach the lower perplexity, with one geometry only.

    Each run counts with its lowest held-out perplexity; often: in more than half of the pairs of
    runs that differ in nothing but the tie. One geometry: untied, the cosines of the rows that
    are read and of those that are scored against hardly correlate.
    """
    best, last = {}, {}
    for width, seed, tied, _, _, loss, perplexity, agreement in rows:
        run = (width, seed, tied)
        best[run] = min((loss, perplexity), best.get(run, (np.inf, np.inf)))
        last[run] = agreement
    pairs = list(dict.fromkeys((width, seed) for width, seed, _ in best))
    lower = [best[*pair, True] < best[*pair, False] for pair in pairs]
    apart = max(last[*pair, False] for pair in pairs)
    shown = {
        f"width {width}, seed {seed}": f"tied {best[width, seed, True][1]}, "
        f"untied {best[width, seed, False][1]}"
        for width, seed in pairs
    }
    return {
        "tying.often_lower_perplexity_one_geometry": (
            2 * sum(lower) > len(pairs) and apart < 0.9,
            {
                "pairs of runs": len(pairs),
                "tied lower in": sum(lower),
                **shown,
                "largest correlation of cosines between the two tables, untied": apart,
            },
        )
    }


UNITS = ("byte pairs", "byte triples", "words", "word pairs")


def units_of(text):
    """Return {unit: set of those that a text (bytes) holds}, see UNITS."""
    words = text.split()
    return {
        "byte pairs": {text[i : i + 2] for i in range(len(text) - 1)},
        "byte triples": {text[i : i + 3] for i in range(len(text) - 2)},
        "words": set(words),
        "word pairs": set(pairwise(words)),
    }


def attested(text, known):
    """Return the share of each unit's occurrences in a text that `known` holds, in UNITS' order."""
    words = text.split()
    occurrences = {
        "byte pairs": [text[i : i + 2] for i in range(len(text) - 1)],
        "byte triples": [text[i : i + 3] for i in range(len(text) - 2)],
        # the first and the last word of a sample may be cut
        "words": words[1:-1],
        "word pairs": list(pairwise(words[1:-1])),
    }
    return [
        sum(item in known[unit] for item in occurrences[unit]) / max(1, len(occurrences[unit]))
        for unit in UNITS
    ]


def sample(model, start, length, generator):
    """Let a model write: `start` (n, window) ids, returns the n texts of `length` bytes each."""
    ids = start.clone()
    with torch.no_grad():
        for _ in range(length):
            chances = model(ids[:, -start.shape[1] :]).softmax(dim=1)
            drawn = torch.multinomial(chances, 1, generator=generator)
            ids = torch.cat([ids, drawn], dim=1)
    return [bytes(row) for row in ids[:, start.shape[1] :].tolist()]


def byte_rows(sentences, config):
    """Train a byte model and let it write on the way; return rows of BYTE_COLUMNS.

    The last row, step `text`, is held-out text read by the same measure.
    """
    lines = [" ".join(sentence) for sentence in sentences]
    text = "\n".join(lines).encode("utf-8")
    border = int(len(text) * config["train_share"])
    known, held = units_of(text[:border]), text[border:]
    stream = torch.tensor(list(text[:border]))
    inputs, targets = windows(stream, config["window"])
    tried = windows(torch.tensor(list(held))[: config["held_bytes"]], config["window"])
    torch.manual_seed(config["seed"])
    model = WindowModel(256, config["window"], config["width"], config["hidden"])
    generator = torch.Generator().manual_seed(config["seed"])
    starts = torch.randint(len(targets), (config["samples"],), generator=generator)

    def row(step):
        written = sample(model, inputs[starts], config["length"], generator)
        shares = np.mean([attested(piece, known) for piece in written], axis=0)
        return (step, round(losses_of(model, *tried), 3), *(round(float(x), 3) for x in shares))

    rows = [row(0)]
    rows += [row(step) for step in descend(model, inputs, targets, config, config["seed"])]
    length = config["length"]
    pieces = [held[i * length : (i + 1) * length] for i in range(config["samples"])]
    shares = np.mean([attested(piece, known) for piece in pieces], axis=0)
    return [*rows, ("text", None, *(round(float(x), 3) for x in shares))]


BYTE_COLUMNS = ("step", "loss", *(unit.replace(" ", "_") for unit in UNITS))


def byte_truths(rows):
    """Return the truth that byte patterns come before words, and words before pairs of words.

    A unit counts as picked up at the first step that goes nine tenths of the way from what the
    untrained model writes to what the text has; None: not within the run.
    """
    *trained, text = rows
    first = []
    for column in range(2, len(BYTE_COLUMNS)):
        start, goal = trained[0][column], text[column]
        reached = [row[0] for row in trained if row[column] >= start + 0.9 * (goal - start)]
        first.append(reached[0] if reached else None)
    order = [np.inf if step is None else step for step in first]
    told = {u: "not within the run" if s is None else s for u, s in zip(UNITS, first, strict=True)}
    holds = order[0] <= order[1] < order[2] and order[1] < order[3] and order[2] <= order[3]
    share = {f"share of {u} at the end": trained[-1][2 + n] for n, u in enumerate(UNITS)}
    return {
        "bytes.patterns_before_words": (
            bool(holds),
            {
                **{f"step of {unit}": step for unit, step in told.items()},
                **share,
                "start loss": six_digits(trained[0][1]),
                "end loss": six_digits(trained[-1][1]),
            },
        )
    }
