"""The tokenizer, tokens as text, and blocks."""

import numpy as np
import pytest

from embedding_ledger import micro_tokens as m
from embedding_ledger.errors import LedgerError

LINES = ["the red cat\n", "the blue cat 细胞\n", "a red heart 细胞\n"] * 30


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("".join(LINES), encoding="utf-8")
    return path


def test_tokenizer_restores_text_and_has_the_size_asked_for(text):
    tokenizer = m.train_tokenizer({"all": text}, {"all": 1}, 270, 10**6)
    assert tokenizer.get_vocab_size() == 270
    ids = m.encode(tokenizer, text)
    assert tokenizer.decode(ids.tolist()) == "".join(LINES)
    assert tokenizer.encode(m.spelled("red")).tokens == ["Ġred"]


def test_same_text_gives_the_same_tokenizer(text):
    made = [m.train_tokenizer({"all": text}, {"all": 2}, 270, 10**6).to_str() for _ in range(2)]
    assert made[0] == made[1]


def test_token_texts_are_unlike_and_readable(text):
    tokenizer = m.train_tokenizer({"all": text}, {"all": 1}, 270, 10**6)
    texts = m.token_texts(tokenizer)
    assert len(set(texts)) == 270
    assert {" red", "\n", "<e7>"} <= set(texts)
    assert texts[tokenizer.encode(" red").ids[0]] == " red"


def test_ten_words_are_too_few(tmp_path):
    path = tmp_path / "ten.txt"
    path.write_text("one two three four five six seven eight nine ten\n", encoding="utf-8")
    with pytest.raises(LedgerError, match=r"the corpus is too small: .* tokens came of it"):
        m.train_tokenizer({"all": path}, {"all": 1}, 8192, 10**6)


def test_budget_takes_every_so_many_th_line(text, tmp_path):
    size = text.stat().st_size
    whole = list(m._repeated({"a": text}, {"a": 2}, 2 * size))
    part = list(m._repeated({"a": text}, {"a": 2}, size))
    assert whole == LINES * 2
    assert part == LINES[::2] * 2


def test_blocks_are_held_out_once_and_repeated_in_training():
    training, held = m.split_blocks({"a": (0, 41, 1), "b": (41, 21, 3)}, 10, 2)
    assert held.tolist() == [10, 30, 51]
    assert training.tolist() == [0, 20, 41, 41, 41]
    assert not set(held) & set(training)


def test_no_block_is_a_clear_fault():
    with pytest.raises(LedgerError, match="too small: 0 blocks of 10 tokens"):
        m.split_blocks({"a": (0, 5, 1)}, 10, 2)


def test_empty_file_has_no_tokens(tmp_path, text):
    (tmp_path / "none.txt").write_text("", encoding="utf-8")
    tokenizer = m.train_tokenizer({"all": text}, {"all": 1}, 270, 10**6)
    assert m.encode(tokenizer, tmp_path / "none.txt").dtype == np.uint16
