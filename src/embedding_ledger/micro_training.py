"""Training of the small language model: fixed steps, the same bytes however often interrupted.

Every step draws from generators of its own, seeded by the run's seed and the number of the step,
so the place in the data and the random state are the step; a checkpoint holds it, the weights, the
optimizer and what was recorded. It is written beside the outputs, not as one: Snakemake deletes
the outputs of a failed job.
"""

import hashlib
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import replacing
from embedding_ledger.jobs import log
from embedding_ledger.micro_model import LanguageModel, full_loss, sampled_loss

SAID_EVERY = 25  # steps between two lines of progress


@dataclass
class Run:
    """A trained model and what was recorded on the way.

    tables  (moments, vocabulary, width) the table after so many steps
    curve   rows (step, tokens seen, training loss, held-out loss), nats; training losses are
            means since the row before, of the loss that is trained (sampled, if so)
    places  (moments, context) held-out loss by the number of tokens seen before, less one
    """

    model: LanguageModel
    tables: np.ndarray
    curve: list
    places: np.ndarray


def fingerprint(*values):
    """Return a digest of settings and arrays: a checkpoint of another run is not taken up."""
    digest = hashlib.sha256()
    for value in values:
        if isinstance(value, np.ndarray):
            digest.update(np.ascontiguousarray(value).tobytes())
        else:
            digest.update(json.dumps(value, sort_keys=True).encode())
    return digest.hexdigest()


def order_of_blocks(seed, blocks, epoch):
    """Return the blocks (first places) in the order of one pass over the data."""
    return np.random.default_rng([seed, 1, epoch]).permutation(blocks)


def batch_at(step, seed, blocks, batch):
    """Return the first places of the blocks of a step, shape (batch,)."""
    per_pass = len(blocks) // batch
    if not per_pass:
        raise LedgerError(f"the corpus is too small: {len(blocks)} blocks, a batch takes {batch}")
    epoch, place = divmod(step, per_pass)
    return order_of_blocks(seed, blocks, epoch)[place * batch : (place + 1) * batch]


def rows_at(tokens, starts, length):
    """Return tokens (len(starts), length + 1) from the given places on."""
    places = starts[:, None] + np.arange(length + 1)
    return torch.from_numpy(tokens[places].astype(np.int64))


def rate(step, settings):
    """Return the learning rate of a step: a linear rise, then half a cosine down to a tenth."""
    rise, steps = settings["warmup"], settings["steps"]
    if step < rise:
        return settings["learning_rate"] * (step + 1) / rise
    along = (step - rise) / max(1, steps - rise)
    return settings["learning_rate"] * (0.55 + 0.45 * math.cos(math.pi * along))


def draw_negatives(step, seed, cumulative, count):
    """Draw `count` token ids of a step with repetition; `cumulative`: distribution (vocabulary,)"""
    drawn = np.random.default_rng([seed, 2, step]).random(count)
    return torch.from_numpy(np.searchsorted(cumulative, drawn))


def negative_distribution(tokens, vocabulary, power):
    """Return probabilities of tokens as negatives: their counts, plus one, to a power."""
    weights = (np.bincount(tokens, minlength=vocabulary) + 1.0) ** power
    return weights / weights.sum()


@torch.no_grad()
def held_out(model, tokens, blocks, context, batch):
    """Return the exact loss on held-out blocks by place, shape (context,), nats a token."""
    total = np.zeros(context)
    for first in range(0, len(blocks), batch):
        rows = rows_at(tokens, blocks[first : first + batch], context)
        losses = full_loss(model, model(rows[:, :-1]), rows[:, 1:].flatten())
        total += losses.view(-1, context).double().sum(dim=0).numpy()
    return total / len(blocks)


def _save(path, state):
    with replacing(path) as temporary:
        torch.save(state, temporary)


def _resume(path, mark):
    """Return the state of a checkpoint of this very run, or None."""
    if not Path(path).is_file():
        return None
    try:
        state = torch.load(path, weights_only=True)  # tensors and numbers, nothing that runs
    except Exception as error:
        log.warning("%s cannot be read (%s); starting anew", path, error)
        return None
    if state["mark"] != mark:
        log.info("%s is of other settings; starting anew", path)
        return None
    return state


def train(tokens, blocks, vocabulary, shape, settings, seed, checkpoint, mark=""):
    """Train one model; return a Run.

    tokens      (n,) token ids, memory-mapped or not
    blocks      (training, held-out) first places of blocks, see micro_tokens.split_blocks
    settings    steps, batch, learning_rate, warmup, weight_decay, clip, negatives (0: the whole
                vocabulary is scored), negative_power, bias_from_counts (the bias starts at log
                frequencies, else at zero), moments (steps at which the table is kept and the
                held-out loss taken), save_every, held_out_blocks
    checkpoint  file for resuming; kept while the run is not done, then removed
    mark        of the data; a checkpoint that has another is not taken up

    Raises LedgerError when the loss is no finite number.
    """
    training, held = blocks
    held = held[:: max(1, len(held) // settings["held_out_blocks"])]
    context, batch, steps = shape["context"], settings["batch"], settings["steps"]
    moments = [moment for moment in settings["moments"] if moment <= steps]
    batch_at(0, seed, training, batch)  # too small a corpus is told before anything else
    mark = fingerprint(mark, shape, settings, seed, vocabulary)
    torch.manual_seed(seed)
    model = LanguageModel(vocabulary, shape)
    if settings["bias_from_counts"]:
        chances = negative_distribution(tokens, vocabulary, 1)
        model.bias.data = torch.from_numpy(np.log(chances)).float()
    optimizer = torch.optim.AdamW(
        model.parameters(),
        lr=settings["learning_rate"],
        betas=(0.9, 0.98),
        weight_decay=settings["weight_decay"],
    )
    count = settings["negatives"]
    if count:
        chances = negative_distribution(tokens, vocabulary, settings["negative_power"])
        log_expected = torch.from_numpy(np.log(count * chances)).float()
        cumulative = np.cumsum(chances)
        cumulative /= cumulative[-1]
    done, recent, tables, places, curve = 0, [], [], [], []
    if state := _resume(checkpoint, mark):
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        done, recent, tables, places, curve = (
            state[name] for name in ("done", "recent", "tables", "places", "curve")
        )
        log.info("resuming after step %d of %d", done, steps)
    began, first = time.monotonic(), done
    while True:
        if done in moments and len(tables) < moments.index(done) + 1:
            tables.append(model.table.weight.detach().clone())
            places.append(torch.from_numpy(held_out(model, tokens, held, context, batch)))
            mean = sum(recent) / len(recent) if recent else None
            curve.append((done, done * batch * context, mean, float(places[-1].mean())))
            log.info("step %d: held-out loss %.3f nats a token", done, curve[-1][3])
            recent = []
        if done == steps:
            break
        rows = rows_at(tokens, batch_at(done, seed, training, batch), context)
        hidden, targets = model(rows[:, :-1]), rows[:, 1:].flatten()
        if count:
            negatives = draw_negatives(done, seed, cumulative, count)
            loss = sampled_loss(model, hidden, targets, negatives, log_expected)
        else:
            loss = full_loss(model, hidden, targets).mean()
        if not torch.isfinite(loss):
            raise LedgerError(
                f"the loss is {loss.item()} at step {done + 1}; lower the learning rate "
                f"({settings['learning_rate']}) or raise the warmup ({settings['warmup']})"
            )
        for group in optimizer.param_groups:
            group["lr"] = rate(done, settings)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings["clip"])
        optimizer.step()
        done += 1
        recent.append(loss.item())
        if done % SAID_EVERY == 0:
            speed = (done - first) / (time.monotonic() - began)
            log.info(
                "step %d of %d, loss %.3f, %.0f tokens/s, %.0f s left",
                *(done, steps, recent[-1], speed * batch * context, (steps - done) / speed),
            )
        if done % settings["save_every"] == 0 and done < steps:
            named = {"done": done, "recent": recent, "tables": tables, "places": places}
            named |= {"curve": curve, "mark": mark, "model": model.state_dict()}
            _save(checkpoint, {**named, "optimizer": optimizer.state_dict()})
    Path(checkpoint).unlink(missing_ok=True)
    return Run(model, torch.stack(tables).numpy(), curve, torch.stack(places).numpy())


def weights(model):
    """Return the weights of a model as arrays, by name."""
    return {name: value.numpy() for name, value in model.state_dict().items()}


def load_model(arrays, vocabulary, shape):
    """Return a model with the weights {name: array} that `weights` gave."""
    model = LanguageModel(vocabulary, shape)
    model.load_state_dict({name: torch.from_numpy(arrays[name]) for name in arrays})
    return model
