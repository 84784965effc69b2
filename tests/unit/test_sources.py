"""Finding, verifying and opening tables of every kind, and what is said when one is wrong."""

import json
import pickle

import numpy as np
import planted
import pytest

from embedding_ledger import fetch, sources
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import sha256
from embedding_ledger.tables import EmbeddingTable

TOKENS = ("alpha", "beta", "gamma delta")
VECTORS = np.array([[1, 0], [0.5, 0.5], [-1, 2]], np.float32)


def opened(entry):
    located = sources.locate("mine", entry)
    checksum, _ = sources.verify("mine", entry, located.files)
    return sources.open_table("mine", entry, located.files, checksum)


def word2vec_text(path, head="3 2\n"):
    lines = [" ".join([t, *map(str, v)]) for t, v in zip(TOKENS, VECTORS.tolist(), strict=True)]
    path.write_text(head + "\n".join(lines) + "\n")
    return path


def word2vec_binary(path, newline=b"\n"):
    rows = zip(("alpha", "beta", "gamma_delta"), VECTORS, strict=True)
    body = b"".join(t.encode() + b" " + v.tobytes() + newline for t, v in rows)
    path.write_bytes(b"3 2\n" + body)
    return path


@pytest.mark.parametrize("head", ["3 2\n", ""])
def test_word2vec_text(tmp_path, head):
    path = word2vec_text(tmp_path / "v.txt", head)
    table = opened({"kind": "word2vec", "path": str(path)})
    assert table.tokens == TOKENS
    np.testing.assert_array_equal(table.vectors, VECTORS)
    assert table.checksum == sha256(path)


@pytest.mark.parametrize("newline", [b"\n", b""])
def test_word2vec_binary(tmp_path, newline):
    table = opened({"kind": "word2vec", "path": str(word2vec_binary(tmp_path / "v.bin", newline))})
    assert table.tokens == ("alpha", "beta", "gamma_delta")
    np.testing.assert_array_equal(table.vectors, VECTORS)


@pytest.mark.parametrize("suffix", [".txt", ".json", ".list.json", ".parquet"])
@pytest.mark.parametrize("kind", ["npy", "safetensors"])
def test_vectors_with_a_token_file(tmp_path, kind, suffix):
    tokens = tmp_path / f"tokens{suffix}"
    if suffix == ".txt":
        tokens.write_text("\n".join(TOKENS) + "\n")
    elif suffix == ".parquet":
        pa = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pa.table({"index": TOKENS}), tokens)
    elif suffix == ".json":
        tokens.write_text(json.dumps({t: i for i, t in reversed(list(enumerate(TOKENS)))}))
    else:
        tokens.write_text(json.dumps(TOKENS))
    path = tmp_path / f"vectors.{kind}"
    if kind == "npy":
        np.save(path, VECTORS)
    else:
        planted.write_checkpoint(path, {"t": VECTORS.shape}, {"t": VECTORS})
    entry = {"kind": kind, "path": str(path), "tokens": str(tokens), "tensor": "t", "case": False}
    table = opened(entry)
    assert table.tokens == TOKENS
    assert table.token(" Alpha") == "alpha"
    np.testing.assert_array_equal(table.vectors, VECTORS)


def test_saved(tmp_path):
    EmbeddingTable("own", TOKENS, VECTORS, case=False).save(tmp_path / "t")
    table = opened({"kind": "saved", "path": str(tmp_path / "t")})
    assert (table.tokens, table.case) == (TOKENS, False)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2 2\na 1 2\n", "tells of 2 rows, it has 1"),
        ("1 2\na 1\n", "v.txt:2: a token and 2 numbers are needed"),
        ("1 2\na 1 x\n", "v.txt:2: a token and 2 numbers are needed"),
        ("a\n", "v.txt:1: no vector"),
        ("2 1\na 1\na 2\n", "token 'a' occurs more than once"),
        ("2 1\na 1\nb nan\n", "the vector of 'b' is not finite"),
    ],
)
def test_word2vec_texts_that_are_wrong(tmp_path, text, told):
    (tmp_path / "v.txt").write_text(text)
    with pytest.raises(LedgerError, match=told):
        opened({"kind": "word2vec", "path": str(tmp_path / "v.txt")})


@pytest.mark.parametrize("cut", range(1, 30, 4))
def test_word2vec_binary_cut_short(tmp_path, cut):
    path = word2vec_binary(tmp_path / "v.bin", b"")
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(LedgerError, match=r"cut short|do not fit|first line"):
        opened({"kind": "word2vec", "path": str(path)})


def test_word2vec_binary_with_more_or_a_wild_head(tmp_path):
    path = word2vec_binary(tmp_path / "v.bin")
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(LedgerError, match="data after its 3 rows"):
        opened({"kind": "word2vec", "path": str(path)})
    path.write_bytes(b"99999999999 300\nab")
    with pytest.raises(LedgerError, match="do not fit in it"):
        opened({"kind": "word2vec", "path": str(path)})


def test_a_pickle_is_never_read(tmp_path):
    path, tokens = tmp_path / "v.npy", tmp_path / "t.txt"
    tokens.write_text("a")
    entry = {"kind": "npy", "path": str(path), "tokens": str(tokens)}
    path.write_bytes(pickle.dumps([1.0]))
    with pytest.raises(LedgerError, match=r"not a plain \.npy array"):
        opened(entry)
    np.save(path, np.array([[{}]], dtype=object))
    with pytest.raises(LedgerError, match=r"not a plain \.npy array"):
        opened(entry)
    np.save(path, np.array([[1, 2]]))
    with pytest.raises(LedgerError, match="floats are needed"):
        opened(entry)


def test_shape_and_tokens_that_disagree(tmp_path):
    path, tokens = tmp_path / "v.npy", tmp_path / "t.txt"
    np.save(path, VECTORS)
    tokens.write_text("a\nb\n")
    with pytest.raises(LedgerError, match=r"2 tokens for vectors of shape \(3, 2\)"):
        opened({"kind": "npy", "path": str(path), "tokens": str(tokens)})


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"kind": "word2vec", "path": "nowhere.txt"}, "table mine: nowhere.txt: no such file"),
        ({"kind": "npy", "path": "x.npy"}, "table mine: kind npy needs tokens"),
        ({"kind": "safetensors", "path": "x", "tokens": "y"}, "kind safetensors needs tensor"),
        ({"kind": "gpt2", "path": "nowhere"}, "table mine: nowhere: no such file"),
    ],
)
def test_entries_that_name_nothing(entry, told):
    with pytest.raises(LedgerError, match=told):
        sources.locate("mine", entry)


def test_absent_tables_say_why():
    absent = sources.locate(
        "x", {"kind": "npy", "package": "no_such_one", "path": "a", "tokens": "b"}
    )
    assert (absent.files, absent.reason[:33]) == ((), "the package no-such-one is not in")
    assert "set tables.x.path" in sources.locate("x", {"kind": "word2vec"}).reason


def test_where_gpt2_is_looked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    downloads, entry = tmp_path / "downloads", {"kind": "gpt2", "path": ""}
    told = sources.locate("gpt2", entry, downloads).reason
    assert "fetch_gpt2" in told
    assert "tables.gpt2.path" in told
    monkeypatch.setattr(sources, "SIZE", 3)
    downloads.mkdir()
    (downloads / "model.safetensors.part").write_bytes(b"abc")
    assert sources.locate("gpt2", entry, downloads).files == ()  # no partial file is taken
    (downloads / fetch.FILE).write_bytes(b"ab")
    assert "has 2 bytes" in sources.locate("gpt2", entry, downloads).reason
    (downloads / fetch.FILE).write_bytes(b"abc")
    assert sources.locate("gpt2", entry, downloads).files == (downloads / fetch.FILE,)
    cached = sources.gpt2_places(entry, downloads)[0]
    assert fetch.REVISION in cached.parts
    cached.parent.mkdir(parents=True)
    cached.write_bytes(b"abc")
    assert sources.locate("gpt2", entry, downloads).files == (cached,)
    own = tmp_path / "own.safetensors"
    own.write_bytes(b"ab")
    with pytest.raises(LedgerError, match="has 2 bytes, the published file 3"):
        sources.locate("gpt2", {**entry, "path": str(own)}, downloads)
    entry = {**entry, "path": str(own), "accept_unverified": True}
    assert sources.locate("gpt2", entry, downloads).files == (own,)


def test_a_flipped_bit_is_caught(tmp_path):
    path = word2vec_text(tmp_path / "v.txt")
    entry = {"kind": "word2vec", "path": str(path), "sha256": sha256(path)}
    assert sources.verify("mine", entry, [path]) == (sha256(path), True)
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(LedgerError, match=r"table mine: .*expected .*accept_unverified: true"):
        sources.verify("mine", entry, [path])
    accepted = sources.verify("mine", {**entry, "accept_unverified": True}, [path])
    assert accepted == (sha256(path), False)


def test_masks_are_no_parameters(tmp_path):
    layout = planted.shapes(rows=7, width=4, context=5, layers=2)
    path = planted.write_checkpoint(tmp_path / "m", layout, {}, "transformer.")
    masks = 2 * 5 * 5
    every = sum(int(np.prod(shape)) for shape in layout.values())
    assert sources.parameters({"kind": "gpt2"}, [path]) == every - masks
    assert sources.parameters({"kind": "npy"}, [path]) is None
