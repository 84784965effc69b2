"""The tokenizer of the small language model, and its corpus as tokens in blocks."""

import os

import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from embedding_ledger.errors import LedgerError

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # one thread, whatever the machine has
CHUNK = 2_000  # entries that are encoded at once


def _repeated(texts, repeats, characters):
    """Yield entries of files (a line each) as often as they are repeated, up to a budget."""
    total = sum(path.stat().st_size * repeats[name] for name, path in texts.items())
    step = max(1, -(-total // characters))  # every step-th entry, so that every part is seen
    for name, path in texts.items():
        for _ in range(repeats[name]):
            with path.open(encoding="utf-8") as stream:
                yield from (line for i, line in enumerate(stream) if i % step == 0)


def train_tokenizer(texts, repeats, vocabulary, budget):
    """Train a byte-level byte-pair encoding of `vocabulary` tokens.

    `texts`: {part: file}; `repeats`: {part: how often}; `budget`: bytes of text that are read at
    most. Raises LedgerError when the texts are too poor for that many tokens.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(_repeated(texts, repeats, budget), trainer)
    if tokenizer.get_vocab_size() < vocabulary:
        raise LedgerError(
            f"the corpus is too small: {tokenizer.get_vocab_size()} tokens came of it, "
            f"{vocabulary} are asked for; add text or lower settings.micro.vocabulary"
        )
    return tokenizer


def encode(tokenizer, path):
    """Return the token ids of a file, shape (n,), line by line."""
    found, lines = [], []

    def flush():
        for encoding in tokenizer.encode_batch(lines):
            found.append(np.array(encoding.ids, dtype=np.uint16))
        lines.clear()

    with path.open(encoding="utf-8") as stream:
        for line in stream:
            lines.append(line)
            if len(lines) == CHUNK:
                flush()
    flush()
    return np.concatenate(found) if found else np.empty(0, np.uint16)


def _byte_of():
    """Return the byte that each character of a byte-level token stands for."""
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    other = [byte for byte in range(256) if byte not in kept]
    return {chr(b): b for b in kept} | {chr(256 + i): b for i, b in enumerate(other)}


def token_texts(tokenizer):
    """Return each token as text, in the order of ids; one that is no whole text as its bytes."""
    byte_of, texts = _byte_of(), []
    for row in range(tokenizer.get_vocab_size()):
        raw = bytes(byte_of[c] for c in tokenizer.id_to_token(row))
        try:
            texts.append(raw.decode("utf-8"))
        except UnicodeDecodeError:
            texts.append(f"<{raw.hex(' ')}>")
    return texts


def spelled(word):
    """Return a word as it stands inside a sentence: after a space, unless it is Chinese."""
    return f" {word}" if word.isascii() else word


def split_blocks(parts, length, every):
    """Cut parts {name: (first, tokens, repeats)} of one array of tokens into blocks.

    Every `every`-th block is held out, once; the others are repeated. Returns the first places of
    (training, held-out) blocks, each followed by `length` more tokens.
    """
    training, held = [], []
    for first, tokens, repeats in parts.values():
        starts = np.arange(first, first + tokens - length, length)
        out = np.arange(len(starts)) % every == every - 1
        held.append(starts[out])
        training += [starts[~out]] * repeats
    training, held = np.concatenate(training), np.concatenate(held)
    if not len(training) or not len(held):
        raise LedgerError(
            f"the corpus is too small: {len(training)} blocks of {length} tokens to train on and "
            f"{len(held)} held out"
        )
    return training, held
