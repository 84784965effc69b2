"""Figures of document 003's small language model: words over training, and its loss."""

import numpy as np

from embedding_ledger.figures import figure
from embedding_ledger.palette import BLUE, GREEN, GREY, ORANGE, PURPLE

KINDS = {
    "number": (BLUE, "o"),
    "colour": (ORANGE, "s"),
    "body": (GREEN, "^"),
    "person": (PURPLE, "D"),
    "biology_zh": (GREY, "*"),
}


def micro_map(path, rows, accuracy):
    """Draw the words of every kind, a panel a moment: rows (step, word, kind, x, y).

    `accuracy`: {step: share of words nearest to the centre of their kind}. English words of the
    last panel are named; Chinese ones have no letters in the font.
    """
    moments = sorted({row[0] for row in rows})
    lines = -(-len(moments) // 3)
    with figure(path, width=8, height=2.8 * lines, nrows=lines, ncols=3, squeeze=False) as (
        drawn,
        axes,
    ):
        for axis in axes.flat[len(moments) :]:
            axis.set_visible(False)
        for axis, step in zip(axes.flat, moments, strict=False):
            for kind, (colour, mark) in KINDS.items():
                points = [row[3:] for row in rows if row[0] == step and row[2] == kind]
                x, y = zip(*points, strict=True)
                axis.scatter(x, y, s=16, color=colour, marker=mark, label=kind)
            axis.set_title(f"{step} steps: {accuracy[step]:.0%} by their kind")
            axis.set_xlim(-1.2, 1.2)
            axis.set_ylim(-1.2, 1.2)
            axis.set_xticks([])
            axis.set_yticks([])
        for step, word, _, x, y in rows:
            if step == moments[-1] and word.isascii():
                axis.annotate(word, (x, y), (2, 2), textcoords="offset points", fontsize=5)
        handles, _ = axes.flat[0].get_legend_handles_labels()
        names = [kind.replace("biology_zh", "biology in Chinese") for kind in KINDS]
        drawn.legend(handles, names, loc="outside lower center", ncols=5)


def micro_neighbours(path, hits):
    """Draw the share of hits among the neighbours of each word: {label: rows (step, share)}."""
    styles = zip((BLUE, GREEN, GREY), ("o-", "^--", "*:"), strict=True)
    with figure(path) as (_, axes):
        for (label, rows), (colour, style) in zip(hits.items(), styles, strict=False):
            axes.plot(*np.array(rows).T, style, color=colour, label=label)
        axes.set_xlabel("steps")
        axes.set_ylabel("share of hits")
        axes.set_ylim(-0.03, 1.03)
        axes.legend()


def micro_curves(path, runs, gains):
    """Draw held-out loss of the runs, and what the model of bytes gains from its context.

    `runs`: {name: rows (million tokens, loss)}; `gains`: rows (steps, short, longer).
    """
    with figure(path, width=8, height=3.4, ncols=2) as (_, (left, right)):
        for (name, rows), colour in zip(runs.items(), (BLUE, ORANGE, GREEN, PURPLE), strict=False):
            left.plot(*np.array(rows).T, "o-", color=colour, markersize=3, label=name)
        left.set_xlabel("million tokens seen")
        left.set_ylabel("held-out loss (nats a token)")
        left.legend()
        steps, short, longer = np.array(gains).T
        right.plot(steps, short, "o-", color=BLUE, markersize=3, label="short context")
        right.plot(steps, longer, "s--", color=ORANGE, markersize=3, label="longer context")
        right.set_xlabel("steps of the model of bytes")
        right.set_ylabel("gain (nats a byte)")
        right.legend()
