"""Figures of the report: one style, byte-equal SVG."""

from contextlib import contextmanager

import matplotlib.pyplot as plt
import numpy as np

from embedding_ledger.claims import EVIDENCE, VERDICTS
from embedding_ledger.files import replacing

plt.switch_backend("svg")

# Okabe and Ito's colour-blind safe palette, one colour a verdict
COLOURS = {
    "reproduced": "#009E73",
    "consistent": "#56B4E9",
    "not pinned": "#E69F00",
    "differs": "#D55E00",
    "contradicted": "#CC79A7",
    "not run": "#999999",
    "not checkable": "#CCCCCC",
}
STYLE = {
    "svg.hashsalt": "embedding-ledger",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "figure.constrained_layout.use": True,
}


@contextmanager
def figure(path, width=7.0, height=3.5, **subplots):
    """Give (figure, axes) to draw on; save them to `path` as SVG without date when done."""
    with plt.rc_context(STYLE):
        drawn, axes = plt.subplots(figsize=(width, height), **subplots)
        try:
            yield drawn, axes
            with replacing(path) as temporary:
                drawn.savefig(temporary, format="svg", metadata={"Date": None})
        finally:
            plt.close(drawn)


def scoreboard(path, summary):
    """Draw the counts of verdicts, one bar a kind of evidence."""
    evidence = [name for name in EVIDENCE if sum(summary["evidence"][name].values())]
    with figure(path, height=0.8 + 0.5 * len(evidence)) as (_, axes):
        left = np.zeros(len(evidence))
        for verdict in VERDICTS:
            counts = np.array([summary["evidence"][name][verdict] for name in evidence])
            if counts.any():
                axes.barh(evidence, counts, left=left, color=COLOURS[verdict], label=verdict)
            left += counts
        axes.invert_yaxis()
        axes.set_xlabel("claims")
        axes.grid(axis="y", visible=False)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.2), ncols=4, frameon=False)


def position_clocks(path, table):
    """Draw the columns of a table of positions, shape (positions, width), a row a pair."""
    pairs = table.shape[1] // 2
    with figure(path, height=0.75 * pairs, nrows=pairs, sharex=True, squeeze=False) as (_, grid):
        axes = grid[:, 0]
        for pair, axis in enumerate(axes):
            axis.plot(table[:, 2 * pair], color="#0072B2", label="sine")
            axis.plot(table[:, 2 * pair + 1], color="#D55E00", linestyle="--", label="cosine")
            axis.set_ylabel(f"pair {pair + 1}", rotation=0, ha="right", va="center")
            axis.set_yticks([-1, 1])
        axes[0].legend(loc="upper right", ncols=2, frameon=False, bbox_to_anchor=(1, 1.6))
        axes[-1].set_xlabel("position")


def dot_curve(path, curve, listed):
    """Draw dot product against offset: a curve (n, 2) and the points that the page lists (m, 2)."""
    with figure(path) as (_, axes):
        axes.plot(curve[:, 0], curve[:, 1], color="#0072B2", label="every offset")
        axes.plot(listed[:, 0], listed[:, 1], "o", color="#D55E00", label="offsets of the page")
        axes.set_xlabel("offset between two positions")
        axes.set_ylabel("dot product")
        axes.legend(frameon=False)
