"""The questions of document 001 on a planted checkpoint of GPT-2's layout: closed forms."""

import csv
import itertools

import numpy as np
import planted
import pytest

from embedding_ledger import gpt2_tokenizer, sources
from embedding_ledger import layer_questions as lq
from embedding_ledger import table_questions as q
from embedding_ledger.config import load
from embedding_ledger.contextual import Gpt2
from embedding_ledger.errors import LedgerError
from embedding_ledger.tables import EmbeddingTable

WITHIN, BETWEEN = planted.LEAN + planted.KIN, planted.LEAN


@pytest.fixture(scope="module")
def config(project):
    return load([project / "config/config.yaml"])


@pytest.fixture(scope="module")
def ids():
    tokenizer = gpt2_tokenizer.load()

    def single(text):
        (found,) = tokenizer.encode(text).ids
        return found

    return single


@pytest.fixture(scope="module")
def checkpoint(config, ids, tmp_path_factory):
    path = tmp_path_factory.mktemp("gpt2") / "model.safetensors"
    tensors = planted.gpt2_tensors(config["questions"], ids)
    yield planted.write_checkpoint(path, planted.shapes(), tensors)
    path.unlink()


def ask(config, path):
    entry = {"kind": "gpt2", "path": str(path), "accept_unverified": True}
    located = sources.locate("gpt2", entry)
    table = sources.open_table("gpt2", entry, located.files)
    return q.Asked(table, config["questions"], config["settings"]["families"])


@pytest.fixture(scope="module")
def asked(config, checkpoint):
    return ask(config, checkpoint)


@pytest.fixture(scope="module")
def values(asked):
    return q.values(asked)


@pytest.fixture(scope="module")
def truths(asked):
    return q.truths(asked)


def test_every_word_of_the_questions_is_a_token(asked, truths):
    assert asked.absent == []
    assert len(asked.words) == 63


def test_a_word_of_several_pieces_is_told(asked):
    with pytest.raises(LedgerError, match="'queen' is several pieces: 'que', 'en'"):
        asked.table.id("queen")


def test_weights_are_memory_mapped(asked):
    assert isinstance(asked.table.vectors, np.memmap)


def test_parameters_of_the_layout(checkpoint):
    assert sources.parameters({"kind": "gpt2"}, [checkpoint]) == 124_439_808


def test_rows_and_cosines(asked, config, ids):
    unit = planted.specials(config["questions"])
    rows = {(word, index): (i, value) for word, i, index, value in q.row_rows(asked)}
    length = np.linalg.norm(asked.table.vectors[ids(" Paris")])
    for index in range(6):
        assert rows["Paris", index][0] == 6342
        assert rows["Paris", index][1] == pytest.approx(unit[" Paris"][index] * length, abs=1e-6)
    cosines = {(a, b): value for a, b, value in q.cosine_rows(asked)}
    assert cosines["Paris", "France"] == pytest.approx(BETWEEN, abs=1e-6)
    assert cosines["Monday", "Tuesday"] == pytest.approx(WITHIN, abs=1e-6)
    assert cosines["king", "queen"] == pytest.approx(BETWEEN, abs=1e-6)


def test_neighbours_and_the_lists_of_the_page(asked):
    found = {(word, rank): (near, c) for word, rank, near, c, _ in q.neighbour_rows(asked)}
    assert found["doctor", 1] == ("_doctors", pytest.approx(planted.STEP, abs=1e-6))
    assert found["doctor", 2] == ("_physician", pytest.approx(planted.STEP - 0.02, abs=1e-6))
    assert found["doctor", 3] == ("doctor", pytest.approx(planted.STEP - 0.04, abs=1e-6))
    assert {found["Monday", rank][0] for rank in range(1, 7)} == {
        f"_{day}" for day in ["Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    }
    listed = [(token, c) for word, _, token, c in q.listed_rows(asked) if word == "doctor"]
    assert [token for token, _ in listed][:3] == ["_doctors", "_physician", "doctor"]
    assert [c for _, c in listed] == pytest.approx([0.92 - 0.02 * i for i in range(6)], abs=1e-6)


def test_families_spread_and_map(asked, values):
    assert values["families.within"] == pytest.approx(WITHIN, abs=1e-6)
    assert values["families.between"] == pytest.approx(BETWEEN, abs=1e-6)
    assert values["silhouette.full"] == pytest.approx(1 - (1 - WITHIN) / (1 - BETWEEN), abs=1e-4)
    # seven families of eight: their contrasts vary by 0.5 + 8 KIN, the largest there is
    sizes = np.array([8] * 7 + [7])
    n, kin = sizes.sum(), (sizes * (sizes - 1)).sum()
    sum_of_cosines = n + kin * WITHIN + (n * (n - 1) - kin) * BETWEEN
    share = 2 * (1 - WITHIN + 8 * planted.KIN) / (n - sum_of_cosines / n)
    assert values["map.share_percent"] == pytest.approx(100 * share, abs=1e-3)
    for quantity, value, low, high, _ in q.spread_rows(asked):
        assert low == pytest.approx(high, abs=1e-4), quantity
        assert value == pytest.approx(values[quantity], abs=1e-4)


def test_common_direction(asked, values):
    table = np.asarray(asked.table.vectors, dtype=float)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    rng = np.random.default_rng(1)
    a, b = rng.integers(len(unit), size=(2, 200_000))
    pairs = (unit[a] * unit[b]).sum(axis=1)[a != b]
    assert values["mean_cosine"] == pytest.approx(pairs.mean(), abs=5 * pairs.std() / 400)
    assert values["leaning.positive_rows"] == planted.ROWS
    assert abs(values["mean_cosine.centred"]) < 0.001


def test_truths_of_the_planted_table(truths, values):
    expected = {
        "common_direction.all_lean": True,
        "days.nearest_six": True,
        "spellings.near": True,
        "king_queen.near": False,
        "opposites.near": True,
        "families.same_above_different": True,
        "properties.spread": False,  # a planted family is one coordinate
    }
    assert {name: truths[name][0] for name in expected} == expected
    assert values["lookup.row"] == 6342


def test_a_float16_copy_gives_the_same_printed_digits(asked, config, ids, tmp_path):
    layout = {"wte.weight": (planted.ROWS, planted.WIDTH), "wpe.weight": (4, planted.WIDTH)}
    tensors = {"wte.weight": planted.token_table(config["questions"], ids)}
    path = tmp_path / "half.safetensors"
    planted.write_checkpoint(path, layout, tensors, "transformer.", "F16")
    half = ask(config, path)
    path.unlink()
    for full, other in (
        (a, b)
        for f in (q.cosine_rows, q.listed_rows)
        for a, b in zip(f(asked), f(half), strict=True)
    ):
        assert full[:-1] == other[:-1]
        assert f"{full[-1]:.3f}" == f"{other[-1]:.3f}"


def test_layers_of_the_planted_checkpoint(config, checkpoint):
    model = Gpt2(checkpoint, 12)
    ids = model.ids("The capital of France is")
    states = model.states(ids)
    assert model.layers == 12
    np.testing.assert_array_equal(states[11], states[0])
    expected = states[0].clone()
    expected[:, 0] += planted.PUSH
    np.testing.assert_allclose(states[12], expected, atol=1e-6)
    np.testing.assert_array_equal(states[0], model.table[ids] + model.positions[: len(ids)])
    assert model.scores(ids).shape == (5, planted.ROWS)
    families = {"days": [" Monday", " Tuesday"], "food": [" bread", " milk"]}
    truths = lq.truths(model, config["contextual"], families)
    assert truths["layers.change_all"][0] is False  # eleven layers change nothing
    assert set(truths) == {
        "layers.change_all",
        "bank.final_differs",
        "bank.diverges",
        "followers.days_alike",
        "followers.words_likely",
        "use.similar_rows_similar_use",
        "positions.added",
        "tied.scores_all_rows",
        "sum.linear_probe",
    }


def test_silhouette_by_hand():
    points = np.array([[0.0], [1.0], [4.0], [6.0], [20.0]])
    labels = ["a", "a", "b", "b", "c"]
    # (b - a) / max(a, b): 4/5, 3/4, (3.5 - 2)/3.5, (5.5 - 2)/5.5, and 0 for the single one
    expected = np.mean([0.8, 0.75, 1.5 / 3.5, 3.5 / 5.5, 0])
    assert q.silhouette(q.distances(points), labels) == pytest.approx(expected)


def test_a_table_that_lacks_words_is_asked_the_rest(config):
    rng = np.random.default_rng(0)
    words = ("cat", "dog", "horse", "bread", "milk", "king")
    table = EmbeddingTable("few", words, rng.standard_normal((6, 5)), case=False)
    asked = q.Asked(table, config["questions"], config["settings"]["families"])
    assert set(asked.families) == {"animals", "food"}
    assert q.values(asked)["families.tokens"] == 5
    assert q.cosine_rows(asked) == []
    assert " Paris" in asked.absent
    assert "days.nearest_six" not in q.truths(asked)


def test_analogy_leaves_its_own_words_out():
    words = ("man", "king", "woman", "queen", "prince")
    rows = np.array([[1, 0, 0], [1, 0, 1], [0, 1, 0], [0, 1, 1.1], [1, 0.1, 1]], dtype=float)
    table = EmbeddingTable("royal", words, rows)
    questions = {"families": {}, "analogies": [words[:4]], "near": 3}
    (row,) = q.analogy_rows(q.Asked(table, questions, {}))
    assert row[4:6] == (1, "queen")


def test_addresses_of_gpt2_claims_name_what_is_measured(project, values, truths):
    """Statements and quantities that claims address must be made, weights or not."""
    made = {*truths, *values, *q.SPREAD_NAMES}
    with (project / "claims/001.csv").open(encoding="utf-8", newline="") as stream:
        rows = [r for r in csv.DictReader(stream) if r["artefact"].startswith("tables/gpt2/")]
    assert len(rows) > 70
    for row in rows:
        if row["artefact"].split("/")[-1] in ("truths.csv", "values.csv", "spread.csv"):
            assert row["row"].split("=")[1] in made, row["id"]


def test_overlaps_are_by_pairs(asked):
    cosines = {(a, b): c for a, b, c in q.family_rows(asked)}
    for a, b in itertools.product(asked.families, repeat=2):
        assert cosines[a, b] == pytest.approx(WITHIN if a == b else BETWEEN, abs=1e-6)
