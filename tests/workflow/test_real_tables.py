"""Published tables in the pipeline: planted weights of GPT-2, a user's own table, faults."""

import csv
import json
import shutil

import numpy as np
import planted
import pytest
from copies import QUICK

from embedding_ledger import gpt2_tokenizer
from embedding_ledger.config import load


@pytest.fixture
def checkpoint(project, tmp_path):
    """GPT-2's layout with planted geometry, and a configuration that names it."""
    tokenizer = gpt2_tokenizer.load()
    path = tmp_path / "planted.safetensors"
    questions = load([project / "config/config.yaml"])["questions"]
    tensors = planted.gpt2_tensors(questions, lambda text: tokenizer.encode(text).ids[0])
    yield planted.write_checkpoint(path, planted.shapes(), tensors, "transformer.")
    path.unlink(missing_ok=True)


def name_table(copy, **entry):
    """Write a configuration with a table and return Snakemake's arguments for it."""
    copy.path("config/own.yaml").write_text(json.dumps({"tables": entry}))
    return (*QUICK, "config/own.yaml")


def verdicts(copy):
    with copy.path("build/quick/claims.csv").open(encoding="utf-8", newline="") as stream:
        return {row["id"]: row for row in csv.DictReader(stream)}


def test_without_weights_the_claims_say_what_is_missing(copy):
    rows = [
        r for r in verdicts(copy).values() if r["artefact"].split("/")[:2] == ["tables", "gpt2"]
    ]
    assert len(rows) > 70
    for row in rows:
        assert row["verdict"] == "not run"
        assert "model.safetensors" in row["reason"]
        assert "fetch_gpt2" in row["reason"]
        assert "tables.gpt2.path" in row["reason"]
    status, told = copy.run("check", *QUICK)
    assert status == 0, told
    assert told.count("claims are not run: the weights of GPT-2") == 1


def test_planted_weights_turn_into_verdicts(copy, checkpoint):
    """The whole pipeline on a checkpoint of the true layout, and nothing to do after it."""
    files = name_table(copy, gpt2={"path": str(checkpoint), "accept_unverified": True})
    status, told = copy.run(*files)
    assert status == 0, told
    rows = {i: r for i, r in verdicts(copy).items() if "/gpt2/" in r["artefact"]}
    assert len(rows) == 88
    assert all(row["verdict"] != "not run" for row in rows.values())
    assert all(row["reason"].startswith("unverified weights") for row in rows.values())
    measured = {i: row["measured"] for i, row in rows.items()}
    assert float(measured["d1.cos.paris_france"]) == pytest.approx(0.2, abs=1e-6)
    assert float(measured["d1.cos.monday_tuesday"]) == pytest.approx(0.5, abs=1e-6)
    assert float(measured["d1.map.same_family"]) == pytest.approx(0.5, abs=1e-6)
    assert measured["d1.lookup.row6342"] == "6342"
    token, cosine = measured["d1.nn.doctor.1"].split(";")
    assert (token, float(cosine)) == ("_doctors", pytest.approx(0.92, abs=1e-6))
    assert rows["d1.nn.doctor.1"]["verdict"] == "differs"
    assert rows["d1.nn.monday.set"]["verdict"] == "reproduced"
    assert rows["d1.layers.change_all"]["verdict"] == "differs"
    status, told = copy.run(*files)
    assert status == 0
    assert "Nothing to be done" in told
    status, told = copy.run("check", *files)
    assert status != 0  # planted numbers are not GPT-2's
    assert "d1.cos.paris_france: differs, expected reproduced" in told
    page = copy.path("build/quick/site/document-001.html").read_text(encoding="utf-8")
    assert "unverified weights" in page


def test_other_weights_are_refused(copy, checkpoint):
    files = name_table(copy, gpt2={"path": str(checkpoint)})
    status, told = copy.run(*files)
    assert status != 0
    assert "the published file 548105171" in told
    assert "Traceback" not in told


def test_own_table_by_five_lines(copy, tmp_path):
    """A word2vec text, named as the README says."""
    vectors = np.random.default_rng(3).standard_normal((4, 3)).round(3)
    words = ("cat", "dog", "bread", "milk")
    lines = [" ".join([w, *map(str, v)]) for w, v in zip(words, vectors.tolist(), strict=True)]
    path = tmp_path / "own.txt"
    path.write_text("4 3\n" + "\n".join(lines) + "\n")
    files = name_table(copy, mine={"kind": "word2vec", "path": str(path), "case": False})
    status, told = copy.run(*files)
    assert status == 0, told
    with copy.path("build/quick/tables/mine/values.csv").open(newline="") as stream:
        values = {row["quantity"]: row["value"] for row in csv.DictReader(stream)}
    assert values["rows"] == "4"
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    expected = ((unit @ unit.T).sum() - 4) / 12
    assert float(values["mean_cosine"]) == pytest.approx(expected, abs=1e-5)
    assert ">mine<" in copy.path("build/quick/site/document-001.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"kind": "word2vec", "path": "nowhere.txt"}, "table mine: nowhere.txt: no such file"),
        ({"kind": "pickle", "path": "x"}, "'tables.mine.kind' is 'pickle'; allowed: one of gpt2"),
        ({"kind": "npy", "path": "x"}, "table mine: kind npy needs tokens"),
        ({"kind": "npy", "pth": "x"}, "unknown key 'tables.mine.pth' (did you mean 'path'?)"),
    ],
)
def test_tables_that_are_not_in_order(copy, entry, told):
    status, output = copy.run(*name_table(copy, mine=entry), "--dry-run")
    assert status != 0
    assert told in output
    assert "Traceback" not in output


def test_absent_packages_cost_only_their_columns(copy):
    gone = {name: {"package": f"absent_{name}"} for name in ("minilm", "glove")}
    files = name_table(copy, **gone)
    shutil.rmtree(copy.path("build/quick/tables"), ignore_errors=True)
    status, told = copy.run(*files)
    assert status == 0, told
    status, told = copy.run("check", *files)
    assert status == 0, told


def test_the_network_can_be_forbidden(copy):
    copy.edit("config/config.yaml", "network: true", "network: false")
    status, told = copy.run("fetch_gpt2", *QUICK)
    assert status != 0
    assert "fetch.network is false" in told
