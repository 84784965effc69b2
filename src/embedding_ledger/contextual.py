"""Words in their sentences: the layers of GPT-2 and of a BERT, run from their published weights.

Only the forward pass, as Radford et al. 2019 (GPT-2: layer norm first, causal) and Devlin et al.
2019 (BERT: layer norm last, both directions) have it; the tests hold it to torch's own layers.
States are arrays (n, d) of n tokens: before the first layer, then after each.
"""

import re
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from tokenizers import BertWordPieceTokenizer
from torch.nn import functional as F

from embedding_ledger import gpt2_tokenizer
from embedding_ledger.errors import LedgerError
from embedding_ledger.safetensors import open_safetensors
from embedding_ledger.sources import PREFIX

END = "<|endoftext|>"  # what GPT-2 saw between two texts


def attention(query, key, value, heads, causal):
    """Return multi-head attention of (n, d) queries, keys and values, shape (n, d)."""
    n, d = query.shape
    split = (x.view(n, heads, d // heads).transpose(0, 1) for x in (query, key, value))
    return F.scaled_dot_product_attention(*split, is_causal=causal).transpose(0, 1).reshape(n, d)


class _Model:
    """Tensors of a checkpoint by name, and the number of layers that its names tell of."""

    LAYER = re.compile("")

    def __init__(self, path, heads, prefix=""):
        self.file, self.heads, self.prefix = open_safetensors(path), heads, prefix
        found = [match for name in self.file.entries if (match := self.LAYER.search(name))]
        if not found:
            raise LedgerError(f"{path}: no layers in it")
        self.layers = 1 + max(int(match[1]) for match in found)

    def tensor(self, name):
        array = self.file.array(self.file.name(name, self.prefix))
        return torch.from_numpy(np.array(array, dtype=np.float32))

    def norm(self, x, name):
        return F.layer_norm(
            x,
            x.shape[-1:],
            self.tensor(f"{name}.weight"),
            self.tensor(f"{name}.bias"),
            self.EPSILON,
        )

    def dense(self, x, name):
        return F.linear(x, self.tensor(f"{name}.weight"), self.tensor(f"{name}.bias"))

    @torch.inference_mode()
    def states(self, ids, start=None):
        """Return the states of a sequence of ids: layers + 1 arrays of shape (n, d).

        `start`: what enters the first layer, by default what the model makes of the ids.
        """
        found = [self.start(ids) if start is None else start]
        for layer in range(self.layers):
            found.append(self.layer(found[-1], layer))
        return found


class Gpt2(_Model):
    """GPT-2 from its checkpoint."""

    LAYER = re.compile(r"(?:^|\.)h\.(\d+)\.ln_1\.weight$")
    EPSILON = 1e-5

    def __init__(self, path, heads):
        super().__init__(path, heads, PREFIX)
        self.tokenizer = gpt2_tokenizer.load()

    @cached_property
    def table(self):
        return self.tensor("wte.weight")

    @cached_property
    def positions(self):
        return self.tensor("wpe.weight")

    def ids(self, text):
        return self.tokenizer.encode(text).ids

    @property
    def end(self):
        """The id of the token between two texts."""
        return self.tokenizer.token_to_id(END)

    def start(self, ids):
        """Return token rows plus position rows, what enters the first layer."""
        return self.table[ids] + self.positions[: len(ids)]

    def projected(self, x, name):
        """Multiply with a weight that this checkpoint stores as (in, out)."""
        return x @ self.tensor(f"{name}.weight") + self.tensor(f"{name}.bias")

    def layer(self, x, layer):
        name = f"h.{layer}"
        parts = self.projected(self.norm(x, f"{name}.ln_1"), f"{name}.attn.c_attn").chunk(3, -1)
        x = x + self.projected(attention(*parts, self.heads, True), f"{name}.attn.c_proj")
        inner = self.projected(self.norm(x, f"{name}.ln_2"), f"{name}.mlp.c_fc")
        return x + self.projected(F.gelu(inner, approximate="tanh"), f"{name}.mlp.c_proj")

    @torch.inference_mode()
    def scores(self, ids, start=None):
        """Return the scores (n, V) of every next token, from the same table as the input."""
        return self.norm(self.states(ids, start)[-1], "ln_f") @ self.table.T

    @torch.inference_mode()
    def loss(self, ids, start=None):
        """Return the mean negative log-likelihood (nats) of each token after the first."""
        scores = self.scores(ids, start)[:-1]
        return float(F.cross_entropy(scores.double(), torch.tensor(ids[1:])))

    def next_shares(self, ids):
        """Return the probability of every next token after `ids`, shape (V,)."""
        return torch.softmax(self.scores(ids)[-1].double(), -1).numpy()


class Bert(_Model):
    """A BERT encoder from its checkpoint; `files`: the weights and the WordPiece vocabulary."""

    LAYER = re.compile(r"^encoder\.layer\.(\d+)\.attention\.self\.query\.weight$")
    EPSILON = 1e-12

    def __init__(self, path, heads, vocabulary):
        super().__init__(path, heads)
        self.tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)

    def ids(self, text):
        return self.tokenizer.encode(text).ids

    def start(self, ids):
        names = ("word_embeddings", "position_embeddings", "token_type_embeddings")
        words, positions, kinds = (self.tensor(f"embeddings.{name}.weight") for name in names)
        return self.norm(words[ids] + positions[: len(ids)] + kinds[0], "embeddings.LayerNorm")

    def layer(self, x, layer):
        name = f"encoder.layer.{layer}"
        parts = [self.dense(x, f"{name}.attention.self.{p}") for p in ("query", "key", "value")]
        seen = self.dense(attention(*parts, self.heads, False), f"{name}.attention.output.dense")
        x = self.norm(x + seen, f"{name}.attention.output.LayerNorm")
        inner = F.gelu(self.dense(x, f"{name}.intermediate.dense"))
        return self.norm(x + self.dense(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")


def open_model(kind, files, heads):
    """Return the model in located files (`kind`: gpt2 or bert)."""
    path = Path(files[0])
    return Gpt2(path, heads) if kind == "gpt2" else Bert(path, heads, files[1])


def word_place(model, text, word):
    """Return the place of the only token of a text that spells `word`; raise LedgerError else."""
    tokens = model.tokenizer.encode(text).tokens
    places = [i for i, token in enumerate(tokens) if token.lstrip("Ġ") == word]
    if len(places) != 1:
        raise LedgerError(f"{text!r} holds {len(places)} tokens {word!r}, one is needed")
    return places[0]


def word_states(model, text, word):
    """Return the states (layers + 1, d) of a word in a text."""
    ids, place = model.ids(text), word_place(model, text, word)
    return np.array([state[place].double().numpy() for state in model.states(ids)])
