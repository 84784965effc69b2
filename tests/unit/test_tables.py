"""Embedding tables: their questions against other ways to the same answer, and their faults."""

import itertools

import numpy as np
import pytest
from scipy.spatial.distance import cosine as cosine_distance

from embedding_ledger.errors import LedgerError
from embedding_ledger.tables import EmbeddingTable, load_table, principal_components

TOKENS = tuple("abcdefghij")


@pytest.fixture
def table():
    vectors = np.random.default_rng(4).standard_normal((len(TOKENS), 5))
    return EmbeddingTable("letters", TOKENS, vectors, source="drawn", licence="none")


def with_rows(**rows):
    """A table of width two from its rows."""
    return EmbeddingTable("small", tuple(rows), np.array(list(rows.values()), dtype=float))


def test_cosines_against_scipy(table):
    found = table.cosines(TOKENS)
    for (i, a), (j, b) in itertools.product(enumerate(TOKENS), repeat=2):
        expected = 1 - cosine_distance(table.vectors[i], table.vectors[j])
        assert found[i, j] == pytest.approx(expected, abs=1e-12)
        assert table.cosine(a, b) == pytest.approx(expected, abs=1e-12)


def test_nearest_against_a_plain_loop(table):
    for token in TOKENS:
        others = [(other, table.cosine(token, other)) for other in TOKENS if other != token]
        others.sort(key=lambda item: -item[1])
        found = table.nearest(token, 4)
        assert [name for name, _ in found] == [name for name, _ in others[:4]]
        np.testing.assert_allclose([c for _, c in found], [c for _, c in others[:4]], atol=1e-12)


def test_nearest_breaks_ties_by_row_and_leaves_out_zero_rows():
    tied = with_rows(x=[1, 0], zero=[0, 0], far=[-1, 0], p=[0, 2], q=[0, 1], same=[3, 0])
    assert tied.nearest("x", 9) == [("same", 1.0), ("p", 0.0), ("q", 0.0), ("far", -1.0)]
    assert tied.nearest("x", 2) == [("same", 1.0), ("p", 0.0)]


def test_lengths_and_units(table):
    np.testing.assert_allclose(table.lengths, [np.sqrt(v @ v) for v in table.vectors])
    np.testing.assert_allclose(np.linalg.norm(table.unit(TOKENS), axis=1), 1)


@pytest.mark.parametrize("centred", [True, False])
def test_principal_components_against_eigenvectors(table, centred):
    rows = table.vectors
    moved = rows - rows.mean(axis=0) if centred else rows
    spreads, directions = np.linalg.eigh(moved.T @ moved)
    expected = moved @ directions[:, [-1, -2]]
    found, share = principal_components(rows, centred)
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-12)
    assert share == pytest.approx(spreads[-2:].sum() / spreads.sum())
    farthest = np.abs(found).argmax(axis=0)
    assert (found[farthest, [0, 1]] > 0).all()


def test_map_is_of_unit_vectors(table):
    longer = EmbeddingTable("longer", TOKENS, table.vectors * np.arange(1, 11)[:, None])
    np.testing.assert_allclose(longer.map(TOKENS)[0], table.map(TOKENS)[0], atol=1e-12)


def test_family_means_by_loops(table):
    families = {"first": ("a", "b", "c"), "second": ("d", "e"), "third": ("f",)}
    label = {token: name for name, members in families.items() for token in members}
    within, between = [], []
    for a, b in itertools.combinations(label, 2):
        (within if label[a] == label[b] else between).append(table.cosine(a, b))
    found = table.family_means(families)
    assert found == pytest.approx((np.mean(within), np.mean(between)), abs=1e-12)


def test_saved_table_comes_back(table, tmp_path):
    table.save(tmp_path / "t")
    again = load_table(tmp_path / "t")
    assert (again.name, again.tokens, again.source, again.licence) == (
        "letters",
        TOKENS,
        "drawn",
        "none",
    )
    np.testing.assert_array_equal(again.vectors, table.vectors)
    first = [(tmp_path / "t" / name).read_bytes() for name in ("vectors.npy", "table.json")]
    table.save(tmp_path / "u")
    assert first == [(tmp_path / "u" / name).read_bytes() for name in ("vectors.npy", "table.json")]


def test_unknown_token_is_named_with_near_ones():
    small = with_rows(chased=[1, 0], watched=[0, 1])
    with pytest.raises(LedgerError, match="table small: no token 'chase'; near: 'chased'"):
        small.id("chase")
    with pytest.raises(LedgerError, match=r"no token 'zzz'$"):
        small.cosine("zzz", "chased")


def test_zero_length_has_no_cosine():
    small = with_rows(one=[1, 0], zero=[0, 0])
    for ask in (lambda: small.cosine("one", "zero"), lambda: small.nearest("zero", 1)):
        with pytest.raises(LedgerError, match="'zero' has length zero"):
            ask()


@pytest.mark.parametrize(
    ("tokens", "shape", "message"),
    [
        (("a", "b"), (3, 2), r"2 tokens for vectors of shape \(3, 2\)"),
        (("a", "b"), (2,), "2 tokens for vectors of shape"),
        (("a", "b", "a"), (3, 2), "token 'a' occurs more than once"),
    ],
)
def test_tables_that_do_not_fit(tokens, shape, message):
    with pytest.raises(LedgerError, match=f"table bad: {message}"):
        EmbeddingTable("bad", tokens, np.ones(shape))


@pytest.mark.parametrize("shape", [(1, 5), (5, 1)])
def test_a_map_needs_two_directions(shape):
    with pytest.raises(LedgerError, match="a map needs two rows"):
        principal_components(np.ones(shape))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("block", [1, 7, 1000])
def test_neighbours_of_all_rows_against_one_product(kind, block):
    rng = np.random.default_rng(8)
    vectors = rng.standard_normal((300, 6)).astype(kind)
    vectors[17] = 0
    vectors[40:43] = vectors[40] * np.array([[1], [2], [3]])  # one direction: ties
    table = EmbeddingTable("many", tuple(map(str, range(300))), vectors)
    exact = vectors.astype(float)
    lengths = np.linalg.norm(exact, axis=1)
    lengths[17] = np.inf
    cosines = exact @ exact.T / np.outer(lengths, lengths)
    found = list(table.nearest_rows(range(300), 5, block))
    assert found[17] == []
    assert [row for row, _ in found[40]][:2] == [41, 42]
    for row in (r for r in range(300) if r != 17):
        others = [(-cosines[row, other], other) for other in range(300) if other not in (row, 17)]
        expected = [(other, -c) for c, other in sorted(others)[:5]]
        np.testing.assert_allclose([c for _, c in found[row]], [c for _, c in expected], atol=1e-7)
        if row not in range(40, 43):
            near = [other for other, _ in expected if other not in range(40, 43)]
            assert [other for other, _ in found[row] if other not in range(40, 43)] == near


def test_common_direction_by_loops(table):
    pairs = list(itertools.combinations(TOKENS, 2))
    assert table.mean_cosine() == pytest.approx(np.mean([table.cosine(*pair) for pair in pairs]))
    unit = table.unit(TOKENS)
    expected = [1 - cosine_distance(row, unit.mean(axis=0)) for row in unit]
    np.testing.assert_allclose(table.leanings(), expected, atol=1e-12)
    centred = table.centred()
    np.testing.assert_allclose(centred.vectors.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(
        centred.vectors[0] - centred.vectors[1], table.vectors[0] - table.vectors[1]
    )


def test_mean_cosine_leaves_zero_rows_out():
    small = with_rows(a=[1, 0], zero=[0, 0], b=[0, 2], c=[3, 0])
    assert small.mean_cosine() == pytest.approx(1 / 3)
    assert np.isnan(small.leanings()[1])


def test_texts_become_tokens_as_the_table_spells_them():
    vectors = np.ones((1, 2))
    gpt2 = EmbeddingTable("a", ("Ġx",), vectors, space="Ġ")
    assert [gpt2.token(text) for text in (" Paris", "Paris")] == ["ĠParis", "Paris"]
    assert gpt2.printed("ĠParis") == "_Paris"
    lower = EmbeddingTable("b", ("x",), vectors, case=False)
    assert [lower.token(text) for text in (" Paris", "Paris")] == ["paris", "paris"]
    assert lower.printed("a_b") == "a_b"


@pytest.mark.parametrize("k", [1, 2, 17, 100, 399, 400, 500])
def test_nearest_to_is_the_head_of_the_whole_sort(k):
    """Many ties and rows of length zero: entries are -1, 0 or 1, the direction an axis."""
    vectors = np.random.default_rng(0).integers(-1, 2, (400, 3)).astype(np.float32)
    table = EmbeddingTable("ties", tuple(map(str, range(400))), vectors)
    some = np.flatnonzero(table.lengths)
    cosines = vectors[some, 0] / table.lengths[some]
    order = sorted(range(len(some)), key=lambda place: -cosines[place])[:k]
    expected = [(str(some[place]), cosines[place]) for place in order]
    found = table.nearest_to(np.array([1.0, 0, 0]), k)
    assert [token for token, _ in found] == [token for token, _ in expected]
    np.testing.assert_allclose([c for _, c in found], [c for _, c in expected], atol=1e-15)
