"""The explorer's data: what is chosen, and that neighbours and places are those of the table."""

import json

import numpy as np
import pytest

from embedding_ledger.explorer import NEIGHBOURS, explorer_data, script_text
from embedding_ledger.table_questions import Asked
from embedding_ledger.tables import EmbeddingTable

WORDS = ("cat", "dog", "horse", "bread", "milk", "rice", "</script>", "42", "tree", "sun", "sky")
QUESTIONS = {
    "families": {"animals": [" cat", " dog", " horse"], "food": [" bread", " milk", " rice"]},
    "listed": {" cat": [" dog"]},
    "more_words": [" sun", " absent"],
    "spellings": [" cat", "Cat"],
}


@pytest.fixture
def asked():
    vectors = np.random.default_rng(1).standard_normal((len(WORDS), 4))
    table = EmbeddingTable("small", WORDS, vectors, case=False)
    return Asked(table, QUESTIONS, {"animals": 3, "food": 3})


def test_words_of_the_questions_and_common_ones(asked):
    data = explorer_data(asked, 2)
    assert data["names"][:2] == ["cat", "sun"]
    assert set(data["names"][: data["shown"]]) == {*WORDS[:6], "sun"}
    assert set(explorer_data(asked, 99)["names"][:9]) == {*WORDS[:6], "tree", "sun", "sky"}


def test_neighbours_and_places(asked):
    data = explorer_data(asked, 99)
    for i in range(data["shown"]):
        expected = asked.table.nearest(data["names"][i], NEIGHBOURS)
        found = data["near"][i]
        assert [data["names"][n] for n in found[::2]] == [token for token, _ in expected]
        assert found[1::2] == [round(1000 * cosine) for _, cosine in expected]
    places, _ = asked.table.map([word.strip() for word in asked.words])
    for word, place in zip(asked.words, places, strict=True):
        i = data["names"].index(word.strip())
        np.testing.assert_allclose(data["places"][i], place, atol=6e-4)
        assert data["families"][i] in ("animals", "food")


def test_the_script_holds_the_data(asked):
    data = explorer_data(asked, 5)
    first, second = script_text("small", data).splitlines()
    assert first == "window.EMBEDDING_TABLES = window.EMBEDDING_TABLES || {};"
    prefix = 'window.EMBEDDING_TABLES["small"] = '
    assert json.loads(second.removeprefix(prefix).rstrip(";")) == data
