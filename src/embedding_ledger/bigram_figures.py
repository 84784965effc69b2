"""Figures of document 004's bigram model: losses over widths, and its vectors."""

import numpy as np

from embedding_ledger.figures import figure
from embedding_ledger.palette import BLUE, GREEN, GREY, ORANGE, PURPLE

ROLE_COLOURS = {"subject": BLUE, "verb": ORANGE, "object": GREEN, "ending": PURPLE}


def loss_by_width(path, losses):
    """Draw held-out loss against width: rows (width, stated, measured, low, high), in nats.

    The range is that over starts, corpora and grammars. A second axis leaves width 1 out.
    """
    width, stated, measured, low, high = np.array(losses).T
    with figure(path, height=3.6, ncols=2) as (_, axes):
        for axis, first in zip(axes, (0, 1), strict=True):
            place = np.arange(len(width))[first:]
            axis.vlines(place, low[first:], high[first:], color=BLUE, alpha=0.3, linewidth=7)
            axis.plot(place, measured[first:], "o", color=BLUE, label="default run")
            axis.plot(place, stated[first:], "x", color=ORANGE, label="page")
            axis.set_xticks(place, [f"{n:.0f}" for n in width[first:]])
            axis.set_xlabel("numbers a token")
            axis.grid(axis="x", visible=False)
        axes[0].set_ylabel("held-out loss (nats)")
        axes[0].legend()


def vector_map(path, rows):
    """Draw the flattened words of the four roles, a panel a moment: (steps, role, x, y)."""
    moments = sorted({row[0] for row in rows})
    lines = -(-len(moments) // 4)
    with figure(path, width=8, height=2.2 * lines, nrows=lines, ncols=4, squeeze=False) as (
        drawn,
        axes,
    ):
        for axis in axes.flat[len(moments) :]:
            axis.set_visible(False)
        for axis, steps in zip(axes.flat, moments, strict=False):
            for role, colour in ROLE_COLOURS.items():
                points = [row[2:] for row in rows if row[0] == steps and row[1] == role]
                axis.scatter(*zip(*points, strict=True), s=14, color=colour, label=role)
            axis.set_title(f"{steps} steps")
            axis.set_xlim(-1.15, 1.15)
            axis.set_ylim(-1.15, 1.15)
            axis.set_xticks([])
            axis.set_yticks([])
        handles, labels = axes.flat[0].get_legend_handles_labels()
        drawn.legend(handles, labels, loc="outside lower center", ncols=4)


def cosine_heat_map(path, cosines, words, borders):
    """Draw the cosine of every pair of words (n, n); `borders`: places where a role ends."""
    with figure(path, width=7.2, height=6.4) as (drawn, axes):
        mesh = axes.pcolormesh(cosines, cmap="RdBu_r", vmin=-1, vmax=1)
        for border in borders:
            axes.axhline(border, color="black", linewidth=0.8)
            axes.axvline(border, color="black", linewidth=0.8)
        places = np.arange(len(words)) + 0.5
        axes.set_xticks(places, words, rotation=90, fontsize=7)
        axes.set_yticks(places, words, fontsize=7)
        axes.invert_yaxis()
        axes.set_aspect("equal")
        axes.grid(visible=False)
        drawn.colorbar(mesh, ax=axes, label="cosine")


def formation(path, pair, families):
    """Draw cosines over training.

    `pair`: rows (updates, cosine) of cat and dog; `families`: rows (updates, mean within a role,
    mean between roles). A second axis looks close at what happens near one.
    """
    pair, families = np.array(pair), np.array(families)
    with figure(path, width=8, height=3.6, ncols=2) as (_, axes):
        for axis in axes:
            axis.plot(*pair.T, color=BLUE, label="cat and dog")
            axis.plot(families[:, 0], families[:, 1], "--", color=GREEN, label="mean within a role")
            axis.plot(families[:, 0], families[:, 2], ":", color=GREY, label="mean between roles")
            axis.set_xscale("symlog", linthresh=1)
            axis.set_xlabel("updates")
        axes[0].set_ylabel("cosine")
        axes[0].set_xlim(0, pair[-1, 0])
        axes[0].legend(loc="center right")
        axes[1].set_xlim(10, pair[-1, 0])
        axes[1].set_ylim(0.95, 1.002)
