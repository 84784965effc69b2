"""Data of the interactive charts: what is drawn is what was measured."""

import json

import pytest
from lxml import html

from embedding_ledger.charts import frame, map_chart, run_chart

SPREAD = [
    {"quantity": name, "value": value, "value_low": "1", "value_high": "3", "runs": "4", "used": n}
    for name, value, n in (
        ("width.2.train_mean", "2", "2"),
        ("width.2.val_mean", "2", "2"),
        ("cosine.cat.dog", "2", "1"),
        ("width.1.val_mean", "", "0"),
        ("recap", "2", "4"),
    )
]
RUNS = [
    {
        "grammar": "F1",
        "varied": "seed",
        "width": "2",
        "val_mean": "1.5",
        "train_mean": "",
        "cosine.cat.dog": "",
    },
    {
        "grammar": "F2",
        "varied": "corpus",
        "width": "2",
        "val_mean": "2.5",
        "train_mean": "",
        "cosine.cat.dog": "",
    },
    {
        "grammar": "F1",
        "varied": "seed",
        "width": "8",
        "val_mean": "9",
        "train_mean": "",
        "cosine.cat.dog": "0.5",
    },
    {
        "grammar": "F1",
        "varied": "seed",
        "width": "2",
        "val_mean": "",
        "train_mean": "",
        "cosine.cat.dog": "",
    },
]


def test_runs_of_each_quantity():
    loss, other, cosine = run_chart(SPREAD, RUNS)["quantities"]
    assert loss == {
        "label": "Held-out loss, width 2",
        "default": 2,
        "range": [1, 3],
        "left_out": 2,
        "runs": [["F1", "seed", 1.5], ["F2", "corpus", 2.5]],
    }
    assert (other["label"], other["runs"]) == ("Training loss, width 2", [])
    assert (cosine["label"], cosine["runs"]) == ("Cosine of cat and dog", [["F1", "seed", 0.5]])


def test_moments_of_a_map():
    rows = [
        {"step": step, "word": word, "kind": "number", "x": "0.5", "y": "-1"}
        for step in ("0", "10")
        for word in ("two", "six")
    ]
    chart = map_chart(rows, "step", "kind", "word", {"number": "blue"}, {"10": "Apart."})
    assert [(m["step"], m["told"], len(m["points"])) for m in chart["moments"]] == [
        (0, "", 2),
        (10, "Apart.", 2),
    ]
    assert chart["moments"][1]["points"][0] == ["two", "number", 0.5, -1]


def test_unknown_shade():
    with pytest.raises(ValueError, match="no shades of the palette: pink"):
        map_chart([], "step", "kind", "word", {"number": "pink"}, {})


def test_frame_is_hidden_and_its_data_cannot_end_the_script():
    data = {"told": "</script><b>", "word": "细胞"}
    block = frame("map", 'A "title"', data).split("\n", 1)[1].rsplit("\n", 2)[0]
    (box, script) = html.fragments_fromstring(block)
    assert box.get("hidden") is not None and box.get("data-title") == 'A "title"'
    assert json.loads(box.find("script").text) == data
    assert script.get("src") == "assets/charts.js"
