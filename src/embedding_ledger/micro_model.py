"""A small decoder-only transformer whose token table also scores the output (document 003)."""

import torch
from torch.nn import functional


class Block(torch.nn.Module):
    """Attention and a feed-forward layer, each added to what comes in, normalised before."""

    def __init__(self, width, heads, hidden):
        super().__init__()
        self.heads = heads
        self.before_attention = torch.nn.LayerNorm(width)
        self.queries_keys_values = torch.nn.Linear(width, 3 * width)
        self.attended = torch.nn.Linear(width, width)
        self.before_feeding = torch.nn.LayerNorm(width)
        self.up = torch.nn.Linear(width, hidden)
        self.down = torch.nn.Linear(hidden, width)

    def forward(self, x):
        """Return states (batch, places, width) of the same shape as `x`."""
        batch, places, width = x.shape
        parts = self.queries_keys_values(self.before_attention(x)).split(width, dim=2)
        heads = (p.view(batch, places, self.heads, -1).transpose(1, 2) for p in parts)
        seen = functional.scaled_dot_product_attention(*heads, is_causal=True)
        x = x + self.attended(seen.transpose(1, 2).reshape(batch, places, width))
        return x + self.down(functional.gelu(self.up(self.before_feeding(x))))


class LanguageModel(torch.nn.Module):
    """Predicts the next token; the table (vocabulary, width) is both first layer and scores.

    A bias a token takes up how frequent it is, which the rows would otherwise have to say by a
    direction that all of them share. `shape`: width, layers, heads, hidden, context. The rows start
    as normal draws of deviation `init_scale`.
    """

    def __init__(self, vocabulary, shape):
        super().__init__()
        width, scale = shape["width"], shape["init_scale"]
        self.table = torch.nn.Embedding(vocabulary, width)
        self.places = torch.nn.Embedding(shape["context"], width)
        self.blocks = torch.nn.ModuleList(
            Block(width, shape["heads"], shape["hidden"]) for _ in range(shape["layers"])
        )
        self.final = torch.nn.LayerNorm(width)
        self.bias = torch.nn.Parameter(torch.zeros(vocabulary))
        for table in (self.table, self.places):
            torch.nn.init.normal_(table.weight, std=scale)

    def states(self, ids):
        """Return the states of ids (batch, places) after the table and after every block.

        Each is (batch, places, width); the first is the rows with the positions added.
        """
        found = [self.table(ids) + self.places.weight[: ids.shape[1]]]
        for block in self.blocks:
            found.append(block(found[-1]))
        return found

    def forward(self, ids):
        """Return the last states (batch * places, width), ready to be compared with the table."""
        return self.final(self.states(ids)[-1]).flatten(0, 1)


def full_loss(model, hidden, targets):
    """Return -log of the softmax probability over the whole vocabulary, shape of `targets`."""
    scores = hidden @ model.table.weight.T + model.bias
    return functional.cross_entropy(scores, targets, reduction="none")


def sampled_loss(model, hidden, targets, negatives, log_expected):
    """Return the mean loss among the right token and negatives shared by all places.

    `negatives`: ids (K,), drawn with repetition; `log_expected`: (vocabulary,), log of how often
    each token is expected among them. Weighing each by one over that makes their sum, together
    with the right token, an unbiased estimate of the sum over the whole vocabulary (importance
    sampling; Jean et al. 2015, On Using Very Large Target Vocabulary).
    """
    table = model.table.weight
    wrong = hidden @ table[negatives].T + (model.bias[negatives] - log_expected[negatives])
    wrong = wrong.masked_fill(targets[:, None] == negatives, -torch.inf)
    right = (hidden * table[targets]).sum(dim=1) + model.bias[targets]
    return (torch.logaddexp(right, wrong.logsumexp(dim=1)) - right).mean()
