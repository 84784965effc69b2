"""Does a model see the order of words? A small one, trained with and without positions."""

import numpy as np
import torch

TESTED = 2_000  # windows that a trained model is tried on


def windows(config, count, generator):
    """Draw windows of word ids, all words of one window different: (count, window)."""
    noise = torch.rand((count, config["vocabulary"]), generator=generator)
    return noise.argsort(dim=1)[:, : config["window"]]


class FirstWord(torch.nn.Module):
    """Tells the first word of a window by one attention layer and the mean of what it returns.

    With `positions` a learned row a place is added to the words' rows; without, nothing in the
    model knows a place.
    """

    def __init__(self, config, positions):
        super().__init__()
        width = config["width"]
        self.words = torch.nn.Embedding(config["vocabulary"], width)
        self.places = torch.nn.Embedding(config["window"], width) if positions else None
        for table in filter(None, (self.words, self.places)):
            torch.nn.init.normal_(table.weight, std=config["init_scale"])
        self.attention = torch.nn.MultiheadAttention(width, 1, batch_first=True)
        self.scores = torch.nn.Linear(width, config["vocabulary"])

    def forward(self, ids):
        """Return scores (batch, vocabulary) for the first word of windows (batch, window)."""
        x = self.words(ids)
        if self.places is not None:
            x = x + self.places.weight
        return self.scores(self.attention(x, x, x, need_weights=False)[0].mean(dim=1))


def shared_part(model):
    """Return how much of the position rows lies in the space that the word rows span, 0 to 1.

    Both sets of rows are centred first: their means say nothing of word or place.
    """
    words, places = (
        table.weight.detach().double().numpy() for table in (model.words, model.places)
    )
    words, places = words - words.mean(axis=0), places - places.mean(axis=0)
    _, lengths, directions = np.linalg.svd(words, full_matrices=False)
    directions = directions[lengths > 1e-9 * lengths[0]]
    return float(((places @ directions.T) ** 2).sum() / (places**2).sum())


def train(config, seed, positions):
    """Train one model; return (accuracy on fresh windows, shared part before, and after).

    The shared parts are None without positions.
    """
    torch.manual_seed(seed)
    model = FirstWord(config, positions)
    before = shared_part(model) if positions else None
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=config["learning_rate"])
    for _ in range(config["steps"]):
        ids = windows(config, config["batch"], generator)
        loss = torch.nn.functional.cross_entropy(model(ids), ids[:, 0])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        ids = windows(config, TESTED, generator)
        accuracy = (model(ids).argmax(dim=1) == ids[:, 0]).double().mean().item()
    return accuracy, before, shared_part(model) if positions else None


def model_rows(config):
    """Return rows (positions, seed, accuracy, shared_before, shared_after) of all trainings."""
    rows = []
    for positions in (False, True):
        for seed in config["seeds"]:
            accuracy, *shared = train(config, seed, positions)
            told = [None if part is None else round(part, 3) for part in shared]
            rows.append((positions, seed, round(accuracy, 3), *told))
    return rows


def truths(config, rows):
    """Return {statement: (holds, numbers)} of the models in `rows`, see model_rows."""
    blind, seeing = ([row[2] for row in rows if row[0] is kind] for kind in (False, True))
    chance = 1 / config["window"]
    shared = [row[3:] for row in rows if row[0]]
    return {
        "order.invisible_without_positions": (
            max(blind) < chance + 0.05 and min(seeing) > 0.95,
            {
                "best without positions": max(blind),
                "chance": f"{chance:.3f}",
                "worst with positions": min(seeing),
            },
        ),
        "sum.parts_move_apart": (
            all(after < before for before, after in shared),
            {f"model {i}": f"{before} to {after}" for i, (before, after) in enumerate(shared)},
        ),
    }
