"""Figures of word2vec, on thirteen sentences and on a real text, and of the small models."""

import numpy as np

from embedding_ledger.figures import figure
from embedding_ledger.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, YELLOW

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW, GREY)
KINDS = {"cat": BLUE, "dog": BLUE, "car": ORANGE, "eats": SKY, "chases": SKY} | {
    "drives": YELLOW,
    "needs": YELLOW,
}


def skipgram_loss(path, losses, floor, fits):
    """Draw loss a pair over epochs and the lowest losses by width.

    `losses`: rows (epoch, mean, low, high); `fits`: rows (dim, loss); `floor` in nats.
    """
    epoch, mean, low, high = np.array(losses).T
    dims, least = np.array(fits).T
    with figure(path, width=8, height=3.6, ncols=2, sharey=True) as (_, axes):
        axes[0].fill_between(epoch, low, high, color=BLUE, alpha=0.25)
        axes[0].plot(epoch, mean, color=BLUE, label="mean and range over seeds")
        axes[0].set_xscale("symlog", linthresh=1)
        axes[0].set_xlim(0, epoch[-1])
        axes[0].set_xlabel("epochs")
        axes[0].set_ylabel("loss a pair (nats)")
        axes[1].plot(dims, least, "o", color=ORANGE, label="best fit found")
        axes[1].set_xticks(dims, [f"{dim:.0f}" for dim in dims])
        axes[1].set_xlabel("numbers a word")
        for axis in axes:
            axis.axhline(floor, color=GREY, linestyle="--", label="entropy of the pairs")
            axis.legend()


def skipgram_map(path, points, paths):
    """Draw where words end over seeds, and how they got there in one.

    `points`: rows (word, x, y, first) of all seeds, turned onto the first one; `paths`: {word:
    places (epochs, 2)}. Subjects and verbs in colour, objects in grey.
    """
    with figure(path, width=8, height=4.2, ncols=2) as (_, axes):
        for word, x, y, first in points:
            colour = KINDS.get(word, GREY)
            axes[1].plot(x, y, "o", color=colour, markersize=6 if first else 2.5, alpha=0.5)
        for word, places in paths.items():
            colour = KINDS.get(word, GREY)
            axes[0].plot(*places.T, color=colour, linewidth=1, alpha=0.8)
            axes[0].plot(*places[-1], "o", color=colour, markersize=4)
        for word, x, y, first in points:
            if first and word in KINDS:
                # cat and dog end in one spot: one name above it, one below
                offset = (5, -12) if word == "dog" else (5, 4)
                for axis, place in zip(axes, (paths[word][-1], (x, y)), strict=True):
                    axis.annotate(word, place, xytext=offset, textcoords="offset points")
        for axis, told in zip(
            axes, ("from start to end, one seed", "ends of all seeds"), strict=True
        ):
            axis.set_title(told)
            axis.set_aspect("equal", adjustable="datalim")


def sentence_sets(path, shares):
    """Draw in how many runs statements hold: rows (label, own_start, own_end, start, end), 0 to 1.

    own: the sentences of the configuration; the others: random sets that fit the page's text.
    """
    labels = [row[0] for row in shares]
    place = np.arange(len(labels))
    columns = np.array([row[1:] for row in shares]).T
    with figure(path, width=8, height=0.6 + 0.5 * len(labels)) as (_, axes):
        looks = ((GREY, "x"), (BLUE, "o"), (GREY, "+"), (ORANGE, "s"))
        names = (
            "our sentences, at the start",
            "our sentences, trained",
            "random sentences, at the start",
            "random sentences, trained",
        )
        for values, (colour, mark), name in zip(columns, looks, names, strict=True):
            axes.plot(values, place, mark, color=colour, label=name)
        axes.set_yticks(place, labels)
        axes.invert_yaxis()
        axes.set_xlim(-0.02, 1.02)
        axes.set_xlabel("share of runs in which it holds")
        axes.legend(loc="lower center", bbox_to_anchor=(0.3, 1), ncols=2)


def word_map(path, rows):
    """Draw words of a table on the two directions in which they vary most: (word, family, x, y)."""
    names = list(dict.fromkeys(row[1] for row in rows))
    with figure(path, width=8, height=5.6) as (_, axes):
        for word, family, x, y in rows:
            colour = COLOURS[names.index(family) % len(COLOURS)]
            axes.plot(x, y, "o", color=colour, markersize=4)
            axes.annotate(word, (x, y), xytext=(4, 2), textcoords="offset points", fontsize=8)
        for name in names:
            axes.plot([], [], "o", color=COLOURS[names.index(name) % len(COLOURS)], label=name)
        axes.legend(loc="upper center", ncols=4, bbox_to_anchor=(0.5, 1.14))
        axes.set_xticks([])
        axes.set_yticks([])


def repeats(path, overlaps, shown):
    """Draw how many nearest words two tables share: `overlaps`: {label: counts, one a word}."""
    with figure(path, height=3.2) as (_, axes):
        width = 0.8 / len(overlaps)
        for number, (label, counts) in enumerate(overlaps.items()):
            heights = np.bincount(counts, minlength=shown + 1)
            place = np.arange(shown + 1) + (number - (len(overlaps) - 1) / 2) * width
            axes.bar(place, heights, width, color=COLOURS[number], label=label)
        axes.set_xticks(range(shown + 1))
        axes.set_xlabel(f"of the {shown} nearest words, shared with the first table")
        axes.set_ylabel("words")
        axes.legend()


def widths(path, rows):
    """Draw the trade-off of width: rows (start, dim, rare, frequent, share in family)."""
    with figure(path, width=8, height=3.4, ncols=2) as (_, axes):
        for start, colour, told in (
            ("1/d", BLUE, "starts of 1/d"),
            ("fixed", ORANGE, "of one scale"),
        ):
            chosen = np.array([row[1:] for row in rows if row[0] == start])
            axes[0].plot(chosen[:, 0], chosen[:, 3], "o-", color=colour, label=told)
            axes[1].plot(chosen[:, 0], chosen[:, 1], "o-", color=colour, label=f"rare, {told}")
            axes[1].plot(chosen[:, 0], chosen[:, 2], "x:", color=colour, label=f"frequent, {told}")
        axes[0].set_ylabel("nearest word in its family")
        axes[1].set_ylabel("cosine with own start")
        for axis in axes:
            axis.set_xscale("log")
            axis.set_xlabel("numbers a word")
            axis.set_ylim(0, 1.02)
            axis.legend()


def tying(path, runs):
    """Draw held-out perplexity over training: {(width, tied): rows (step, perplexity)}."""
    names = sorted({width for width, _ in runs})
    with figure(path, width=8, height=3.2, ncols=len(names), sharey=True, squeeze=False) as (
        _,
        grid,
    ):
        for axis, width in zip(grid[0], names, strict=True):
            for tied, colour in ((True, BLUE), (False, ORANGE)):
                steps, perplexity = np.array(runs[width, tied]).T
                style = "-" if tied else "--"
                axis.plot(
                    steps, perplexity, style, color=colour, label="tied" if tied else "untied"
                )
            axis.set_title(f"width {width}")
            axis.set_xlabel("steps")
        grid[0][0].set_ylabel("held-out perplexity")
        grid[0][0].legend()


def byte_patterns(path, columns, text):
    """Draw what a byte model writes over training.

    `columns`: {unit: rows (step, share attested)}; `text`: {unit: share in held-out text}.
    """
    with figure(path, height=3.6) as (_, axes):
        for (unit, rows), colour in zip(columns.items(), COLOURS, strict=False):
            axes.plot(*np.array(rows).T, color=colour, label=unit)
            axes.axhline(text[unit], color=colour, linestyle=":", linewidth=1)
        axes.set_xlabel("steps")
        axes.set_ylabel("share that the text holds")
        axes.legend(loc="center right")
