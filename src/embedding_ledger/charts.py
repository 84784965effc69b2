"""What assets/charts.js needs to draw: every run behind a range, and maps over training.

A chart is a hidden frame with its data as JSON. The script shows it; without scripts the static
figure beside it and the tables of the page tell the same.
"""

import json
import re
from itertools import groupby

from markupsafe import Markup

from embedding_ledger.pages import raw_block
from embedding_ledger.palette import SHADES

MEAN_LOSS = re.compile(r"width\.(\w+)\.(train|val)_mean")
LOSSES = {"val": "Held-out loss", "train": "Training loss"}
VARIED = {"seed": "another start", "corpus": "another corpus"}


def frame(kind, title, data):
    """Return a hidden frame as Markdown: `kind` names its drawing in charts.js."""
    # a tag inside the data would end the script, or keep it from ending
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return raw_block(
        Markup(
            '<div class="chart" data-chart="{}" data-title="{}" hidden>\n'
            '<script type="application/json">{}</script>\n</div>\n'
            '<script src="assets/charts.js" defer></script>\n'
        ).format(kind, title, Markup(text))
    )


def _label(quantity):
    """Return what a quantity of spread.csv is called, its column in the runs and its width."""
    if loss := MEAN_LOSS.fullmatch(quantity):
        width, part = loss.groups()
        return f"{LOSSES[part]}, width {width}", f"{part}_mean", width
    if quantity.startswith("cosine."):
        return f"Cosine of {' and '.join(quantity.split('.')[1:])}", quantity, None
    return None


def run_chart(spread, runs):
    """Return every run behind the ranges of losses and cosines, a quantity an entry.

    `spread`: rows of bigram/spread.csv; `runs`: rows of bigram/runs/*.csv, those of the settings
    that the ranges are made from.
    """
    found = []
    for row in spread:
        if not ((named := _label(row["quantity"])) and row["value"]):
            continue
        label, column, width = named
        listed = [
            [run["grammar"], run["varied"], float(run[column])]
            for run in runs
            if run[column] and width in (None, run["width"])
        ]
        found.append(
            {
                "label": label,
                "default": float(row["value"]),
                "range": [float(row["value_low"]), float(row["value_high"])],
                "left_out": int(row["runs"]) - int(row["used"]),
                "runs": listed,
            }
        )
    # held-out losses first; the order of the artefact otherwise
    found.sort(key=lambda quantity: not quantity["label"].startswith(LOSSES["val"]))
    return {"varied": VARIED, "quantities": found}


def map_chart(rows, step, kind, word, colours, told):
    """Return the maps of words over training, a moment an entry.

    `rows`: rows of an artefact in order of time with columns x and y; `step`, `kind`, `word`: the
    names of its other columns; `colours`: {kind: shade of palette}; `told`: {step: what to say}.
    """
    if unknown := set(colours.values()) - SHADES.keys():
        raise ValueError(f"no shades of the palette: {', '.join(sorted(unknown))}")
    moments = [
        {
            "step": int(name),
            "told": told.get(name, ""),
            "points": [[r[word], r[kind], float(r["x"]), float(r["y"])] for r in members],
        }
        for name, members in groupby(rows, key=lambda row: row[step])
    ]
    return {"colours": colours, "moments": moments}
