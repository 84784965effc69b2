"""Figures of the report: one style for light and dark pages, byte-equal SVG."""

import io
from contextlib import contextmanager

import matplotlib.pyplot as plt
import numpy as np

from embedding_ledger.claims import EVIDENCE, VERDICTS
from embedding_ledger.files import write_text
from embedding_ledger.palette import BLUE, INK, ORANGE, RULE, VERDICT_COLOURS, dark_rules

plt.switch_backend("svg")

STYLE = {
    "svg.hashsalt": "embedding-ledger",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 9,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": RULE,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.transparent": True,
    "figure.constrained_layout.use": True,
}


@contextmanager
def figure(path, width=7.0, height=3.5, **subplots):
    """Give (figure, axes) to draw on; save them to `path` as SVG without date when done.

    The paper stays transparent, and the shades of `palette` follow the theme of the reader.
    """
    with plt.rc_context(STYLE):
        drawn, axes = plt.subplots(figsize=(width, height), **subplots)
        try:
            yield drawn, axes
            svg = io.StringIO()
            drawn.savefig(svg, format="svg", metadata={"Date": None})
            # matplotlib writes one style element; ours follows it
            write_text(path, svg.getvalue().replace("</style>", f"{dark_rules()}</style>", 1))
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
                colour = VERDICT_COLOURS[verdict]
                axes.barh(evidence, counts, left=left, color=colour, edgecolor=INK, label=verdict)
            left += counts
        axes.invert_yaxis()
        axes.set_xlabel("claims")
        axes.grid(axis="y", visible=False)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.2), ncols=4)


def position_clocks(path, table):
    """Draw the columns of a table of positions, shape (positions, width), a row a pair."""
    pairs = table.shape[1] // 2
    with figure(path, height=0.75 * pairs, nrows=pairs, sharex=True, squeeze=False) as (
        drawn,
        grid,
    ):
        axes = grid[:, 0]
        for pair, axis in enumerate(axes):
            axis.plot(table[:, 2 * pair], color=BLUE, label="sine")
            axis.plot(table[:, 2 * pair + 1], color=ORANGE, linestyle="--", label="cosine")
            axis.set_ylabel(f"pair {pair + 1}", rotation=0, ha="right", va="center")
            axis.set_yticks([-1, 1])
        handles, labels = axes[0].get_legend_handles_labels()
        drawn.legend(handles, labels, loc="outside upper right", ncols=2)
        axes[-1].set_xlabel("position")


def dot_curve(path, curve, listed):
    """Draw dot product against offset: a curve (n, 2) and the points that the page lists (m, 2)."""
    with figure(path) as (_, axes):
        axes.plot(curve[:, 0], curve[:, 1], color=BLUE, label="every offset")
        axes.plot(listed[:, 0], listed[:, 1], "o", color=ORANGE, label="offsets of the page")
        axes.set_xlabel("offset between two positions")
        axes.set_ylabel("dot product")
        axes.legend()
