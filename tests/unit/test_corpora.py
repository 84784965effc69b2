"""Texts for word2vec: what is read, and what is refused by name."""

import gzip

import pytest

from embedding_ledger import corpora
from embedding_ledger.errors import LedgerError


def test_a_text_becomes_lines_of_words(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("The cat, 2 dogs -- Ärger!\n\nalone\nit's here\n", encoding="utf-8")
    about = corpora.write_corpus(str(text), tmp_path / "corpus.txt")
    assert (tmp_path / "corpus.txt").read_text(encoding="utf-8") == (
        "the cat dogs ärger\nit s here\n"
    )
    assert about["words"] == 7
    assert about["sentences"] == 2
    assert about["source"] == "text.txt"


def test_a_zipped_text_is_the_same_text(tmp_path):
    plain, zipped = tmp_path / "text.txt", tmp_path / "text.gz"
    plain.write_text("one two three\nfour five\n", encoding="utf-8")
    zipped.write_bytes(gzip.compress(plain.read_bytes()))
    both = [corpora.write_corpus(str(p), tmp_path / "corpus.txt") for p in (plain, zipped)]
    assert both[0]["sha256"] == both[1]["sha256"]


def test_a_line_without_end_comes_in_pieces(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("word other " * 1_500, encoding="utf-8")
    about = corpora.write_corpus(str(text), tmp_path / "corpus.txt")
    assert (about["sentences"], about["words"]) == (3, 3_000)


def test_every_nth_sentence(tmp_path):
    written = tmp_path / "corpus.txt"
    written.write_text("a b\nc d\ne f\ng h\n", encoding="utf-8")
    assert list(corpora.read_share(written, 3)) == [["a", "b"], ["g", "h"]]


def test_the_dictionary_reads_definitions_and_examples(tmp_path):
    file = tmp_path / "words_K.json"
    file.write_text(
        '{"kell": {"pos": [{"definitions": [{"text": "A kiln.", "examples": ["Cut to it."]}]}]}}',
        encoding="utf-8",
    )
    assert list(corpora.gcide_sentences([file])) == [["kell", "a", "kiln"], ["cut", "to", "it"]]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "no such file"),
        (b"", "the file is empty"),
        (b"abc\0def\n", "line 1 is binary"),
        (b"\xff\xfe\x01", "not UTF-8 text after line 0"),
        (b"word\n\n7 7 7\n", "no line of two words"),
        (b"\x1f\x8bnot gzip", "cannot be read"),
        (gzip.compress(b"some text here\n" * 99, mtime=0)[:40], "cannot be read"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path, content, told):
    path = tmp_path / "text.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(LedgerError, match=told):
        corpora.write_corpus(str(path), tmp_path / "corpus.txt")
    assert not (tmp_path / "corpus.txt").exists()


def test_a_directory_is_refused(tmp_path):
    with pytest.raises(LedgerError, match="a directory, expected a plain-text file"):
        corpora.write_corpus(str(tmp_path), tmp_path / "corpus.txt")


def test_a_missing_dictionary_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(corpora, "GCIDE", "no-such-package-here")
    with pytest.raises(LedgerError, match="no-such-package-here is not installed"):
        corpora.write_corpus("gcide", tmp_path / "corpus.txt")
