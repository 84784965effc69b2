"""Figures: the same bytes every time, and the marks that the data ask for."""

import math
import os
import re
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from lxml import etree
from matplotlib.colors import to_rgb

from embedding_ledger import figures
from embedding_ledger.claims import EVIDENCE, VERDICTS
from embedding_ledger.palette import ON_VERDICT, PAPER, SHADES, VERDICT_COLOURS, contrast

NONE = dict.fromkeys(VERDICTS, 0)
SUMMARY = {
    "evidence": dict.fromkeys(EVIDENCE, NONE)
    | {
        "computed": NONE | {"reproduced": 30, "differs": 2},
        "given": NONE | {"reproduced": 4, "not run": 7},
    }
}
TABLE = np.array([[f(p * w) for w in (1, 0.1) for f in (math.sin, math.cos)] for p in range(20)])
CURVE = np.array([[offset, math.cos(offset)] for offset in range(20)])
DRAW = {
    "scoreboard": lambda path: figures.scoreboard(path, SUMMARY),
    "position_clocks": lambda path: figures.position_clocks(path, TABLE),
    "dot_curve": lambda path: figures.dot_curve(path, CURVE, CURVE[:3]),
}


@pytest.mark.parametrize("name", DRAW)
def test_two_calls_give_the_same_bytes(tmp_path, name):
    paths = [tmp_path / f"{n}.svg" for n in range(2)]
    for path in paths:
        DRAW[name](path)
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert b"date>" not in first
    assert b"<text" not in first  # letters as outlines look the same on every machine
    assert etree.fromstring(first).tag.endswith("svg")
    assert not plt.get_fignums()
    assert sorted(tmp_path.iterdir()) == paths


def test_another_process_gives_the_same_bytes(tmp_path):
    """With another hash seed and another day."""
    here, there = tmp_path / "here.svg", tmp_path / "there.svg"
    figures.scoreboard(here, SUMMARY)
    code = f"from embedding_ledger import figures; figures.scoreboard({str(there)!r}, {SUMMARY!r})"
    changes = {"PYTHONHASHSEED": "7", "SOURCE_DATE_EPOCH": "86400"}
    subprocess.run([sys.executable, "-c", code], env={**os.environ, **changes}, check=True)
    assert here.read_bytes() == there.read_bytes()


@pytest.fixture
def drawn(monkeypatch, tmp_path):
    """Return a function that draws and gives back the axes, kept from being closed."""

    def draw(name):
        with monkeypatch.context() as patch:
            patch.setattr(plt, "close", lambda figure: None)
            DRAW[name](tmp_path / "a.svg")
        return plt.gcf().axes

    yield draw
    plt.close("all")


def test_bars_are_the_counts(drawn):
    (axes,) = drawn("scoreboard")
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["computed", "given"]  # kinds of evidence without claims have no bar
    bars = {}
    for container in axes.containers:
        for name, bar in zip(names, container, strict=True):
            bars[name, container.get_label()] = (bar.get_x(), bar.get_width())
            assert bar.get_facecolor()[:3] == to_rgb(VERDICT_COLOURS[container.get_label()])
    assert bars == {
        ("computed", "reproduced"): (0, 30),
        ("computed", "differs"): (30, 2),
        ("computed", "not run"): (32, 0),
        ("given", "reproduced"): (0, 4),
        ("given", "differs"): (4, 0),
        ("given", "not run"): (4, 7),
    }


def test_every_pair_has_its_columns(drawn):
    axes = drawn("position_clocks")
    assert [axis.get_ylabel() for axis in axes] == ["pair 1", "pair 2"]
    for pair, axis in enumerate(axes):
        lines = {line.get_label(): line.get_ydata() for line in axis.lines}
        np.testing.assert_array_equal(lines["sine"], TABLE[:, 2 * pair])
        np.testing.assert_array_equal(lines["cosine"], TABLE[:, 2 * pair + 1])


def test_listed_points_lie_on_their_curve(drawn):
    (axes,) = drawn("dot_curve")
    curve, points = (line.get_xydata() for line in axes.lines)
    np.testing.assert_array_equal(curve, CURVE)
    np.testing.assert_array_equal(points, CURVE[:3])


def test_one_pair(tmp_path):
    figures.position_clocks(tmp_path / "a.svg", TABLE[:, :2])


def test_failed_drawing_leaves_nothing(tmp_path):
    with pytest.raises(ZeroDivisionError), figures.figure(tmp_path / "a.svg"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []
    assert not plt.get_fignums()


def test_style_stays_inside(tmp_path):
    before = dict(plt.rcParams)
    figures.dot_curve(tmp_path / "a.svg", CURVE, CURVE[:3])
    assert dict(plt.rcParams) == before


def test_every_verdict_has_a_colour_of_its_own():
    assert VERDICT_COLOURS.keys() == VERDICTS.keys()
    assert len(set(VERDICT_COLOURS.values())) == len(VERDICTS)


def test_contrast():
    """The two ends of WCAG's scale, and the grey that is known to be just enough for text."""
    assert contrast("#000000", "#ffffff") == contrast("#ffffff", "#000000") == 21
    assert contrast("#123456", "#123456") == 1
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("name", SHADES.keys() - {"rule"})
def test_shades_stand_out_on_light_and_dark_paper(name):
    least = 7 if name == "ink" else 3
    assert all(contrast(*pair) >= least for pair in zip(SHADES[name], PAPER, strict=True))


@pytest.mark.parametrize("verdict", VERDICT_COLOURS)
def test_text_on_a_verdict_is_readable(verdict):
    assert contrast(VERDICT_COLOURS[verdict], ON_VERDICT) >= 4.5


def test_pages_use_the_same_colours(project):
    css = (project / "report/assets/ledger.css").read_text(encoding="utf-8")
    found = dict(re.findall(r"^  --([\w-]+): ([^;]+);$", css, re.MULTILINE))
    shades = {name: f"light-dark({light}, {dark})" for name, (light, dark) in SHADES.items()}
    verdicts = {name.replace(" ", "-"): colour for name, colour in VERDICT_COLOURS.items()}
    assert found == shades | verdicts | {"on-verdict": ON_VERDICT}


@pytest.mark.parametrize("name", DRAW)
def test_every_colour_of_a_figure_has_a_shade_for_dark_paper(tmp_path, name):
    DRAW[name](tmp_path / "a.svg")
    style, *rest = etree.parse(tmp_path / "a.svg").findall(".//{*}style")
    assert "prefers-color-scheme: dark" in style.text and not rest
    styles = etree.parse(tmp_path / "a.svg").xpath("//@style")
    drawn = {found for text in styles for found in re.findall(r"(?:fill|stroke): #\w+", text)}
    fixed = {f"fill: {colour}" for colour in VERDICT_COLOURS.values()}
    assert drawn - fixed and all(f'"{found}"' in style.text for found in drawn - fixed)
