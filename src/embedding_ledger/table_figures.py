"""Figures of the published tables: the maps of 63 words, and a word's states layer by layer."""

from embedding_ledger.figures import figure
from embedding_ledger.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VIOLET, YELLOW

FAMILY_COLOURS = {
    "countries": BLUE,
    "cities": SKY,
    "animals": GREEN,
    "days": ORANGE,
    "numbers": PURPLE,
    "food": YELLOW,
    "feelings": VIOLET,
    "jobs": GREY,
}
PAIR_STYLES = {"river-river": (BLUE, "-"), "money-money": (GREEN, "--")}
PAIR_STYLES |= {"river-money": (ORANGE, "-")}


def _nothing(axis, told):
    axis.text(0.5, 0.5, told, ha="center", va="center", transform=axis.transAxes)
    axis.set_axis_off()


def table_maps(path, maps):
    """Draw {title: rows (family, x, y)}, a panel a table."""
    with figure(
        path, width=4 * max(1, len(maps)), height=4.4, ncols=max(1, len(maps)), squeeze=False
    ) as (
        drawn,
        axes,
    ):
        if not maps:
            _nothing(axes[0, 0], "no table on this machine")
        for axis, (title, rows) in zip(axes[0], maps.items(), strict=False):
            for family, colour in FAMILY_COLOURS.items():
                points = [row[1:] for row in rows if row[0] == family]
                if points:
                    axis.scatter(*zip(*points, strict=True), s=16, color=colour, label=family)
            axis.set_title(title)
            axis.set_xticks([])
            axis.set_yticks([])
        handles, labels = axes[0, 0].get_legend_handles_labels()
        if handles:
            drawn.legend(handles, labels, loc="outside lower center", ncols=4)


def word_in_sentences(path, models):
    """Draw {title: rows (layer, pairs, cosine)}: mean cosine of a word's states, layer by layer."""
    with figure(path, width=5 * max(1, len(models)), ncols=max(1, len(models)), squeeze=False) as (
        _,
        axes,
    ):
        if not models:
            _nothing(axes[0, 0], "no model on this machine")
        for axis, (title, rows) in zip(axes[0], models.items(), strict=False):
            for pairs, (colour, line) in PAIR_STYLES.items():
                points = [(layer, cosine) for layer, name, cosine in rows if name == pairs]
                axis.plot(*zip(*points, strict=True), line, color=colour, label=pairs)
            axis.set_title(title)
            axis.set_xlabel("layer")
            axis.set_ylabel("mean cosine")
            axis.legend()
