"""Published facts: every fault is named with its line, and each statement can fail."""

import csv
from dataclasses import astuple, replace
from itertools import groupby

import pytest

from embedding_ledger import inputs, parameters, published
from embedding_ledger.config import load
from embedding_ledger.errors import LedgerError
from embedding_ledger.published import COLUMNS, read_published

GOOD = {
    "key": "models.a.width",
    "value": "8",
    "unit": "numbers a token",
    "title": "A",
    "address": "https://example.org/a",
    "date": "2020",
    "note": "",
}
# what is changed in a good fact, and the one fault
FAULTS = [
    ({"value": " "}, "column 'value': empty"),
    ({"title": ""}, "column 'title': empty"),
    ({"address": ""}, "column 'address': empty"),
    ({"date": ""}, "column 'date': empty"),
    ({"key": "models.width"}, "column 'key': 'models.width' is not like models.gpt2.width"),
    ({"key": "models.A.width"}, "column 'key': 'models.A.width' is not like models.gpt2.width"),
    ({"value": "1;2"}, "column 'value': '1;2' is a list; give each item a row"),
    (
        {"address": "http://example.org"},
        "column 'address': 'http://example.org' does not start with https://",
    ),
    ({"date": "20"}, "column 'date': '20' is not like 2017, 2017-06 or 2017-06-12"),
    ({"date": "2020-13"}, "column 'date': '2020-13' is not like 2017, 2017-06 or 2017-06-12"),
    (
        {"date": "2019-02-29"},
        "column 'date': '2019-02-29' is not like 2017, 2017-06 or 2017-06-12",
    ),
]


def write(path, rows, columns=COLUMNS):
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, restval="", extrasaction="ignore")
        writer.writeheader()
        writer.writerows({**GOOD, **row} for row in rows)
    return path


def faults_of(path):
    with pytest.raises(LedgerError) as caught:
        read_published(path)
    return caught.value.faults


@pytest.fixture(scope="module")
def facts(project):
    return read_published(project / "sources" / "published.csv")


@pytest.mark.parametrize("date", ["2020", "2020-02", "2020-02-29"])
def test_good_fact_is_read(tmp_path, date):
    (fact,) = read_published(write(tmp_path / "p.csv", [{"date": date}]))
    assert astuple(fact) == tuple({**GOOD, "date": date}.values())


@pytest.mark.parametrize(("change", "fault"), FAULTS)
def test_fault_is_named_with_its_line(tmp_path, change, fault):
    change = {"key": "models.b.width", **change}
    if "A" in change["key"] or change["key"].count(".") < 2:
        path, line = write(tmp_path / "p.csv", [change]), 2  # alone, so that order plays no part
    else:
        path, line = write(tmp_path / "p.csv", [{}, change]), 3
    assert faults_of(path) == [f"{path}:{line}: {fault}"]


def test_order_and_duplicates(tmp_path):
    keys = ["models.b.width", "models.a.width", "models.a.width", "models.c.width"]
    path = write(tmp_path / "p.csv", [{"key": key} for key in keys])
    assert faults_of(path) == [
        f"{path}:3: column 'key': 'models.a.width' sorts before 'models.b.width'",
        f"{path}:4: column 'key': 'models.a.width' stands in line 3 already",
    ]


def test_every_fault_at_once(tmp_path):
    faulty = [{"key": f"models.a{n:02}.width", **c} for n, (c, _) in enumerate(FAULTS)]
    path = write(tmp_path / "p.csv", faulty)
    faults = faults_of(path)
    assert {fault.split(": ")[0] for fault in faults} >= {
        f"{path}:{line}" for line in range(2, 2 + len(FAULTS))
    }
    for _, fault in FAULTS:
        assert any(fault in found for found in faults)


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ([*COLUMNS, "adress"], ["unknown column 'adress'"]),
        ([c for c in COLUMNS if c != "date"], ["missing column 'date'"]),
        ([*COLUMNS, "date"], ["column 'date' occurs 2 times"]),
        (
            ["adress" if c == "address" else c for c in COLUMNS],
            ["unknown column 'adress'", "missing column 'address'"],
        ),
    ],
)
def test_columns(tmp_path, columns, found):
    path = write(tmp_path / "p.csv", [{}], columns)
    told = [*found, f"the columns are {', '.join(COLUMNS)}"]
    assert faults_of(path) == [f"{path}:1: {fault}" for fault in told]


def test_every_fact_says_how_it_was_looked_up(facts):
    assert all(fact.note for fact in facts)


def test_facts_of_an_item_share_their_date(facts):
    for item, group in groupby(facts, key=lambda fact: fact.place[:2]):
        assert len({fact.date for fact in group}) == 1, item


def test_configuration_has_the_published_sizes_of_gpt2(facts, project):
    sizes = load([project / "config" / "config.yaml"])["models"]["gpt2"]
    sourced = published.by_item(facts, "models")["gpt2"]
    assert sizes == {name: int(sourced[name]) for name in sizes}
    assert set(sizes) == {"layers", "width", "context_window", "vocabulary"}


@pytest.mark.parametrize("model", ["gpt2", "gpt2_medium", "gpt2_large", "gpt2_xl"])
def test_published_parameters_follow_from_the_sizes(facts, model):
    sourced = published.by_item(facts, "models")[model]
    names = ("layers", "width", "context_window", "vocabulary")
    configuration = parameters.Configuration(**{name: int(sourced[name]) for name in names})
    assert round(parameters.total(configuration) / 1e9, 3) == float(sourced["parameters"])


def test_wide_table_leaves_unsourced_cells_empty():
    found = {"a": {"width": "8", "year": "2020"}, "b": {"year": "2021", "tied": "true"}}
    columns, rows = published.wide(found)
    assert columns == ["tied", "width", "year"]
    assert rows == [["a", "", "8", "2020"], ["b", "true", "", "2021"]]


def test_widths_are_the_extremes_of_models_and_word_vectors(facts):
    narrow = replace(facts[0], key="vectors.tiny.width", value="3")
    wide = replace(facts[0], key="models.huge.width", value="100000")
    assert published.values([*facts, narrow, wide]) == {"widths": [3, 100000]}


def changed(facts, **values):
    """Return the facts with other values; `models__gpt2__width` stands for the dotted key."""
    values = {key.replace("__", "."): value for key, value in values.items()}
    assert set(values) <= {fact.key for fact in facts}
    return [replace(fact, value=values.get(fact.key, fact.value)) for fact in facts]


# a change of the facts that turns each statement over
TURNED = {
    "width.grows_with_size": {"models__gpt2_large__width": "1000"},
    "width.from_64_to_over_10000": {"models__tinystories_1m__width": "65"},
    "width.hundreds_or_thousands": {"models__gpt2__width": "99"},
    "width.large_models_thousands": {"models__llama3_8b__width": "999"},
    "width.large_models_several_thousand": {"models__llama3_8b__width": "2999"},
    "rows.large_models_tens_of_thousands": {
        f"models__{model}__vocabulary": "99999"
        for model in ("gemma_7b", "llama3_8b", "qwen25_7b", "qwen3_235b")
    },
    "tied.not_all": {
        f"models__{model}__tied": "true" for model in ("llama3_8b", "mistral_7b", "qwen25_7b")
    },
    "tied.large_sometimes_separate": {
        f"models__{model}__tied": "true" for model in ("llama3_8b", "mistral_7b", "qwen25_7b")
    },
    "positions.newer_differ_and_read_longer": {"models__mpt_7b__context_window": "1024"},
    "positions.usage": {"models__transformer__positions": "learned"},
    "company.said_by_a_linguist": {"quotations__company__profession": "poet"},
}


@pytest.mark.parametrize("statement", TURNED)
def test_statement_can_turn_over(facts, statement):
    before = published.truths(facts)[statement][0]
    after = published.truths(changed(facts, **TURNED[statement]))[statement][0]
    assert {bool(before), bool(after)} == {True, False}


def test_every_statement_is_turned_over(facts):
    assert set(TURNED) == set(published.truths(facts))


def test_usage_needs_most_recent_models(facts):
    rotary = [
        fact.key for fact in facts if fact.key.endswith(".positions") and fact.value == "rotary"
    ]
    half = {key.replace(".", "__"): "learned" for key in rotary[: len(rotary) // 2 + 1]}
    assert not published.truths(changed(facts, **half))["positions.usage"][0]


def test_families_run_from_small_to_large_in_whatever_order_facts_come(facts):
    shuffled = published.families(published.by_item(facts[::-1], "models"))
    assert shuffled == published.families(published.by_item(facts, "models"))
    assert shuffled["GPT-2"] == [768, 1024, 1280, 1600]


def test_recorded_inputs_are_those_of_the_configuration(project):
    settings = load([project / "config" / "config.yaml"])["settings"]
    settings["bigram"]["narrow"] |= {"learning_rate": 0.5, "steps": 7}
    settings["families"] |= {"days": 5, "jobs": 9}
    settings["micro"]["tied"] = False
    recorded = inputs.values(settings)
    assert recorded["bigram.narrow.training"] == [0.5, 7]
    assert recorded["families.tokens"] == sum(settings["families"].values())
    assert recorded["families.number"] == 8
    assert recorded["families.days"] == 5
    assert recorded["families.other_sizes"] == [8, 9]
    assert recorded["micro.tied"] is False
