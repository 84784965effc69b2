"""Sinusoidal positions against a loop over the published formula, torch and trigonometry."""

import itertools
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from embedding_ledger.positions import (
    dot_terms,
    rotations,
    settings,
    shift,
    sinusoidal,
    truths,
    wavelengths,
    wavenumbers,
)

CONFIG = {
    "width": 16,
    "rows": 64,
    "long_rows": 512,
    "starts": [10, 30, 300],
    "offsets": [0, 1, 2, 4, 8, 16, 32],
    "rotation": {"position": 7, "offset": 5},
}
widths = st.integers(1, 40).map(lambda pairs: 2 * pairs)


def entry(position, column, width, base=10000.0):
    """Vaswani et al. 2017, section 3.5, in plain Python."""
    angle = position / base ** ((column - column % 2) / width)
    return math.cos(angle) if column % 2 else math.sin(angle)


@pytest.mark.parametrize(("rows", "width", "base"), [(20, 6, 1e4), (64, 16, 1e4), (9, 10, 50.0)])
def test_table_against_the_formula(rows, width, base):
    expected = [[entry(p, c, width, base) for c in range(width)] for p in range(rows)]
    table = sinusoidal(rows, width, base)
    assert table.shape == (rows, width)
    np.testing.assert_allclose(table, expected, rtol=0, atol=1e-12)


def test_table_against_torch():
    """The usual PyTorch code of the positional encoding, in double precision."""
    position = torch.arange(512, dtype=torch.float64).unsqueeze(1)
    step = torch.exp(torch.arange(0, 768, 2, dtype=torch.float64) * (-math.log(10000.0) / 768))
    expected = torch.zeros(512, 768, dtype=torch.float64)
    expected[:, 0::2], expected[:, 1::2] = torch.sin(position * step), torch.cos(position * step)
    np.testing.assert_allclose(sinusoidal(512, 768), expected.numpy(), rtol=0, atol=1e-11)


@given(widths, st.integers(0, 400), st.integers(0, 100))
def test_shift_is_the_row_further_on(width, position, offset):
    table = sinusoidal(position + offset + 1, width)
    np.testing.assert_allclose(shift(table[[position]], offset)[0], table[-1], atol=1e-10)
    back = shift(table[[position + offset]], -offset)[0]
    np.testing.assert_allclose(back, table[position], atol=1e-10)


@given(widths, st.integers(-50, 50), st.integers(-50, 50))
def test_rotations_are_rotations(width, first, second):
    turns = rotations(first, width)
    assert turns.shape == (width // 2, 2, 2)
    for i, matrix in enumerate(turns):
        angle = first * 10000 ** (-2 * i / width)
        expected = [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
        np.testing.assert_allclose(matrix, expected, atol=1e-11)
    np.testing.assert_allclose(np.linalg.det(turns), 1)
    together = rotations(first + second, width)
    np.testing.assert_allclose(turns @ rotations(second, width), together, atol=1e-11)


@given(widths, st.integers(0, 300), st.integers(0, 60))
def test_dot_product_is_a_sum_of_cosines(width, start, offset):
    table = sinusoidal(start + offset + 1, width)
    expected = sum(math.cos(offset * 10000 ** (-2 * i / width)) for i in range(width // 2))
    assert table[start] @ table[start + offset] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("width", [2, 16, 768])
def test_wavelengths(width):
    lengths = wavelengths(width)
    expected = [2 * math.pi * 10000 ** (2 * i / width) for i in range(width // 2)]
    np.testing.assert_allclose(lengths, expected, rtol=1e-12)
    # after a wavelength the pair is back where it was
    angles = lengths * wavenumbers(width)
    np.testing.assert_allclose(np.cos(angles), 1)
    np.testing.assert_allclose(np.sin(angles), 0, atol=1e-12)


@pytest.mark.parametrize("width", [0, -2, 1, 15, 767])
@pytest.mark.parametrize("function", [wavenumbers, wavelengths, lambda w: sinusoidal(3, w)])
def test_odd_widths_are_refused(width, function):
    with pytest.raises(ValueError, match=f"width {width} is not a positive even number"):
        function(width)


def test_settings():
    assert settings(CONFIG) == {
        "base": 10000,
        "table_shape": [64, 16],
        "columns": 16,
        "starts": [10, 30],  # 30 + 32 is row 62 of 64; 300 + 32 needs the longer table
        "rotation_example": [5, 7, 16, 12],
        "fastest_pair": 1,
        "slowest_pair": 8,
    }


@pytest.mark.parametrize(("rows", "starts"), [(62, [10]), (63, [10, 30]), (332, [10, 30])])
def test_starts_must_reach_their_last_offset_in_the_table(rows, starts):
    assert settings({**CONFIG, "rows": rows})["starts"] == starts


def dot_curve(offsets):
    angles = [10000 ** (-2 * i / 16) for i in range(8)]
    return [sum(math.cos(offset * angle) for angle in angles) for offset in range(offsets)]


def independent_truths():
    """Decide the statements again with loops over the formula."""
    table = [[entry(p, c, 16) for c in range(16)] for p in range(64)]
    curve = dot_curve(64)
    listed = [curve[offset] for offset in CONFIG["offsets"]]
    falls = [[b < a for a, b in itertools.pairwise(c)] for c in (listed, curve)]
    distances = [math.dist(a, b) for i, a in enumerate(table) for b in table[:i]]
    return {
        "first_position.alternates": table[0] == [0, 1] * 8,
        "positions.distinct": min(distances) > 1e-3,
        "dot_product.falls_over_listed_offsets": all(falls[0]),
        "dot_product.falls_over_all_offsets": all(falls[1]),
        "dot_product.differs_between_offsets": all(
            abs(a - b) > 1e-4 for a, b in itertools.combinations(curve, 2)
        ),
    }


def test_truths():
    found = truths(CONFIG)
    expected = independent_truths()
    assert {name: bool(found[name][0]) for name in expected} == expected
    # what trigonometry proves, whatever the settings
    proven = {
        *("entries.follow_formula", "pairs.slow_down", "rotation.example", "rotation.everywhere"),
        *("dot_product.depends_on_offset_only", "dot_product.columns_identical", "table.extends"),
        *("pair.shift_is_linear_sine_alone_is_not", "neighbours.linked_unlike_random_rows"),
    }
    assert {name for name in proven if not found[name][0]} == set()
    assert found.keys() == expected.keys() | proven


def test_first_rise():
    curve = dot_curve(64)
    rise = next(i for i in range(63) if curve[i + 1] > curve[i])
    numbers = truths(CONFIG)["dot_product.falls_over_all_offsets"][1]
    assert numbers["first rise after offset"] == rise == 3


def test_truths_can_fail(monkeypatch):
    """With a wrong table (cosines half as long), the statements about rotation are false."""
    wrong = sinusoidal(512, 16)
    wrong[:, 1::2] /= 2
    monkeypatch.setattr(
        "embedding_ledger.positions.sinusoidal", lambda rows, width, base=1e4: wrong[:rows]
    )
    false = {name for name, (holds, _) in truths(CONFIG).items() if not holds}
    assert {
        *("entries.follow_formula", "first_position.alternates", "rotation.example"),
        *("rotation.everywhere", "dot_product.depends_on_offset_only"),
    } <= false


@given(widths, st.integers(0, 20), st.integers(0, 20))
def test_terms_of_a_dot_product(width, start, offset):
    table = sinusoidal(41, width)
    terms = dot_terms(table, start, offset)
    assert terms.sum() == pytest.approx(table[start] @ table[start + offset])
    angles = [offset / 10000.0 ** (2 * pair / width) for pair in range(width // 2)]
    assert terms == pytest.approx([math.cos(angle) for angle in angles])
