"""Cost of training the factored bigram model: pair by pair, or from the table of counts.

Two measurements in one run, printed as one tidy CSV:

literal  Both algorithms on the same corpus, one after the other at every width, at the settings
         of document 004. A full pair-by-pair sweep takes several minutes, so by default a
         few of its steps are timed and scaled to the full number (`how` = extrapolated); with
         --full all of them are run (`how` = measured), for all widths or the ones given. The
         count-matrix runs are always complete. `loss_difference` compares the training losses
         after the steps that both have made.
stream   Counting a corpus that arrives in pieces, from 10^4 tokens up, and training on the
         counts: the first grows with the corpus, the second does not.

    OMP_NUM_THREADS=1 python benchmarks/bigram_literal.py [--full [WIDTH ...]] > table.csv
"""

import argparse
import csv
import resource
import sys
import time

import numpy as np

from embedding_ledger.bigram_training import cross_entropy, initial_factors, train
from embedding_ledger.config import load
from embedding_ledger.grammar import (
    bigram_counts,
    bigram_counts_of_stream,
    corpus,
    slots,
    split,
    vocabulary,
)
from embedding_ledger.sweep import published, training_settings
from embedding_ledger.toy_language import default_grammar

CONFIG = load()
GRAMMAR = default_grammar(CONFIG["toy_language"])
TRAINING = training_settings(CONFIG)
SETTINGS = {width: tuple(published(TRAINING, width).values()) for width in TRAINING["widths"]}
COLUMNS = ("measurement", "width", "tokens", "quantity", "value", "unit", "how")


def literal_descent(stream, E, U, updates, rate):
    """Full-batch gradient descent that handles every pair of the stream as its own example."""
    before, after = stream[:-1], stream[1:]
    example = np.arange(len(after))
    E, U = E.copy(), U.copy()
    for _ in range(updates):
        hidden = E[before]
        error = hidden @ U
        error -= error.max(axis=1, keepdims=True)
        np.exp(error, out=error)
        error /= error.sum(axis=1, keepdims=True)
        error[example, after] -= 1
        error /= len(after)
        step_E = np.zeros_like(E)
        np.add.at(step_E, before, error @ U.T)
        step_U = hidden.T @ error
        E -= rate * step_E
        U -= rate * step_U
    return E, U


def seconds(function, *arguments, **options):
    """Wall time of one call and what it returned."""
    start = time.perf_counter()
    value = function(*arguments, **options)
    return time.perf_counter() - start, value


def literal_rows(sentences, sample, full):
    """Both algorithms at every width; rows of COLUMNS."""
    stream, _ = split(corpus(GRAMMAR, sentences, seed=0))
    V = len(vocabulary(GRAMMAR))
    counting, counts = seconds(bigram_counts, stream, V)
    yield "literal", "", len(stream), "counting", counting, "s", "measured"
    totals = np.zeros(2)
    for width, (steps, rate) in SETTINGS.items():
        start = initial_factors(V, width, 0)
        made = steps + 1 if width in full else sample
        literal_descent(stream, *start, 2, rate)  # warm up
        with np.errstate(all="ignore"):  # small corpora may diverge
            spent, factors = seconds(literal_descent, stream, *start, made, rate)
        literal = spent * (steps + 1) / made
        ours, run = seconds(train, counts, width, [0], steps=steps, learning_rate=rate)
        difference = abs(cross_entropy(*factors, counts) - run.losses[0, made])
        totals += literal, ours
        how = "measured" if width in full else f"extrapolated from {made} steps"
        for quantity, value, unit, origin in (
            ("literal", literal, "s", how),
            ("counts", ours, "s", "measured"),
            ("speedup", literal / ours, "1", how),
            ("loss_difference", difference, "nat", f"after {made} updates"),
            ("status", run.outcomes[0].status, "", "measured"),
        ):
            yield "literal", width, len(stream), quantity, value, unit, origin
    how = "measured" if full >= set(SETTINGS) else "partly extrapolated" if full else "extrapolated"
    yield "literal", "all", len(stream), "literal", totals[0], "s", how
    yield "literal", "all", len(stream), "counts", totals[1], "s", "measured"
    yield "literal", "all", len(stream), "speedup", totals[0] / totals[1], "1", how


def stream_of(tokens, seed=0, sentences=50_000):
    """Pieces of a random stream of exactly `tokens` ids, a block of sentences at a time.

    Same distribution as `corpus`, another order of draws (whole blocks are drawn at once).
    """
    ids = {token: number for number, token in enumerate(vocabulary(GRAMMAR))}
    tables = []
    for slot in slots(GRAMMAR):
        table = np.full((len(slot), max(len(phrase) for phrase, _ in slot)), -1)
        for row, (phrase, _) in zip(table, slot, strict=True):
            row[: len(phrase)] = [ids[token] for token in phrase]
        tables.append((table, [share for _, share in slot]))
    rng = np.random.default_rng(seed)
    while tokens > 0:
        columns = [t[rng.choice(len(t), size=sentences, p=shares)] for t, shares in tables]
        block = np.concatenate(columns, axis=1)
        piece = block[block >= 0][:tokens]
        tokens -= len(piece)
        yield piece


def timed(chunks, clock):
    """Pass the pieces on and add the time spent making them to clock[0]."""
    chunks = iter(chunks)
    while True:
        spent, chunk = seconds(next, chunks, None)
        clock[0] += spent
        if chunk is None:
            return
        yield chunk


def stream_rows(exponents, width):
    """Counting and training time against the length of the corpus; rows of COLUMNS."""
    V = len(vocabulary(GRAMMAR))
    steps, rate = SETTINGS[width]
    for exponent in exponents:
        tokens, drawing = 10**exponent, [0.0]
        total, counts = seconds(bigram_counts_of_stream, timed(stream_of(tokens), drawing), V)
        if counts.sum() != tokens - 1:
            raise AssertionError(f"{counts.sum()} pairs counted in {tokens} tokens")
        training, run = seconds(train, counts, width, [0], steps=steps, learning_rate=rate)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        for quantity, value, unit in (
            ("drawing", drawing[0], "s"),
            ("counting", total - drawing[0], "s"),
            ("training", training, "s"),
            ("final_loss", run.outcomes[0].final_loss, "nat"),
            ("status", run.outcomes[0].status, ""),
            ("peak_memory", memory, "MiB"),
        ):
            yield "stream", width, tokens, quantity, value, unit, "measured"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=int, default=4_000)
    parser.add_argument("--sample", type=int, default=12, help="literal steps to time per width")
    parser.add_argument(
        "--full",
        type=int,
        nargs="*",
        choices=sorted(SETTINGS),
        metavar="WIDTH",
        help="run every literal step: for all widths, or for these",
    )
    parser.add_argument("--exponents", type=int, nargs="*", default=[4, 5, 6, 7, 8])
    parser.add_argument("--stream-width", type=int, default=8, choices=sorted(SETTINGS))
    options = parser.parse_args()
    full = set() if options.full is None else set(options.full or SETTINGS)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    parts = (
        literal_rows(options.sentences, options.sample, full),
        stream_rows(options.exponents, options.stream_width),
    )
    for rows in parts:
        for *head, value, unit, how in rows:
            shown = f"{value:.6g}" if isinstance(value, float) else value
            writer.writerow([*head, shown, unit, how])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
