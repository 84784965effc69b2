"""The forward passes against torch's own layers on small checkpoints with random weights."""

import numpy as np
import planted
import pytest
import torch
from torch import nn

from embedding_ledger import contextual
from embedding_ledger.errors import LedgerError

WIDTH, HEADS, LAYERS, ROWS, PLACES = 16, 4, 2, 40, 10
IDS = [3, 7, 7, 1, 39]


def drawn(layout):
    rng = np.random.default_rng(2)
    return {
        name: rng.standard_normal(shape) * 0.3 + (name.endswith("orm.weight") or "ln_" in name)
        for name, shape in layout.items()
    }


def set_weights(layer, values):
    with torch.no_grad():
        for name, value in values.items():
            layer.get_parameter(name).copy_(torch.from_numpy(np.array(value, np.float32)))
    return layer.eval()


@pytest.mark.parametrize("prefix", ["", "transformer."])
def test_gpt2_against_torch(tmp_path, prefix):
    layout = planted.shapes(ROWS, WIDTH, PLACES, LAYERS)
    values = drawn(layout)
    path = planted.write_checkpoint(tmp_path / "m", layout, values, prefix)
    model = contextual.Gpt2(path, HEADS)
    found = model.states(IDS)
    x = torch.from_numpy((values["wte.weight"][IDS] + values["wpe.weight"][: len(IDS)])[None])
    x = x.float()
    np.testing.assert_allclose(found[0], x[0], atol=1e-6)
    mask = nn.Transformer.generate_square_subsequent_mask(len(IDS))
    for n in range(LAYERS):
        layer = nn.TransformerEncoderLayer(
            WIDTH,
            HEADS,
            4 * WIDTH,
            0,
            lambda t: nn.functional.gelu(t, approximate="tanh"),
            1e-5,
            batch_first=True,
            norm_first=True,
        )
        h = {name.removeprefix(f"h.{n}."): v for name, v in values.items() if f"h.{n}." in name}
        set_weights(
            layer,
            {
                "self_attn.in_proj_weight": h["attn.c_attn.weight"].T,
                "self_attn.in_proj_bias": h["attn.c_attn.bias"],
                "self_attn.out_proj.weight": h["attn.c_proj.weight"].T,
                "self_attn.out_proj.bias": h["attn.c_proj.bias"],
                "linear1.weight": h["mlp.c_fc.weight"].T,
                "linear1.bias": h["mlp.c_fc.bias"],
                "linear2.weight": h["mlp.c_proj.weight"].T,
                "linear2.bias": h["mlp.c_proj.bias"],
                "norm1.weight": h["ln_1.weight"],
                "norm1.bias": h["ln_1.bias"],
                "norm2.weight": h["ln_2.weight"],
                "norm2.bias": h["ln_2.bias"],
            },
        )
        with torch.no_grad():
            x = layer(x, mask)
        np.testing.assert_allclose(found[n + 1], x[0], rtol=1e-4, atol=1e-4)
    final = nn.LayerNorm(WIDTH, 1e-5)
    set_weights(final, {"weight": values["ln_f.weight"], "bias": values["ln_f.bias"]})
    with torch.no_grad():
        scores = final(x[0]) @ torch.from_numpy(values["wte.weight"]).float().T
    np.testing.assert_allclose(model.scores(IDS), scores, rtol=1e-3, atol=1e-3)
    expected = nn.functional.cross_entropy(scores[:-1], torch.tensor(IDS[1:]))
    assert model.loss(IDS) == pytest.approx(float(expected), rel=1e-4)
    assert model.next_shares(IDS).sum() == pytest.approx(1)


def bert_layout():
    found = {
        "embeddings.word_embeddings.weight": (ROWS, WIDTH),
        "embeddings.position_embeddings.weight": (PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for n in range(LAYERS):
        name = f"encoder.layer.{n}"
        for part in ("query", "key", "value"):
            found[f"{name}.attention.self.{part}.weight"] = (WIDTH, WIDTH)
            found[f"{name}.attention.self.{part}.bias"] = (WIDTH,)
        for part, shape in (
            ("attention.output", (WIDTH, WIDTH)),
            ("intermediate", (4 * WIDTH, WIDTH)),
            ("output", (WIDTH, 4 * WIDTH)),
        ):
            found[f"{name}.{part}.dense.weight"] = shape
            found[f"{name}.{part}.dense.bias"] = shape[:1]
        for part in ("attention.output", "output"):
            found[f"{name}.{part}.LayerNorm.weight"] = (WIDTH,)
            found[f"{name}.{part}.LayerNorm.bias"] = (WIDTH,)
    return found


WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "river", "bank", "my", "account"]


@pytest.fixture
def bert(tmp_path):
    values = drawn(bert_layout())
    path = planted.write_checkpoint(tmp_path / "b", bert_layout(), values)
    vocabulary = tmp_path / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS) + "\n")
    return contextual.open_model("bert", [path, vocabulary], HEADS), values


def test_bert_against_torch(bert):
    model, values = bert
    found = model.states(IDS)
    start = values["embeddings.word_embeddings.weight"][IDS]
    start = start + values["embeddings.position_embeddings.weight"][: len(IDS)]
    start = start + values["embeddings.token_type_embeddings.weight"][0]
    first = nn.LayerNorm(WIDTH, 1e-12)
    names = ("weight", "bias")
    set_weights(first, {n: values[f"embeddings.LayerNorm.{n}"] for n in names})
    with torch.no_grad():
        x = first(torch.from_numpy(start).float())[None]
    np.testing.assert_allclose(found[0], x[0], rtol=1e-4, atol=1e-5)
    for n in range(LAYERS):
        layer = nn.TransformerEncoderLayer(
            WIDTH, HEADS, 4 * WIDTH, 0, "gelu", 1e-12, batch_first=True
        )
        h = f"encoder.layer.{n}"
        own = [f"{h}.attention.self.{part}" for part in ("query", "key", "value")]
        weights = {
            f"self_attn.in_proj_{kind}": np.concatenate([values[f"{o}.{kind}"] for o in own])
            for kind in names
        }
        for to, source in (
            ("self_attn.out_proj", "attention.output.dense"),
            ("linear1", "intermediate.dense"),
            ("linear2", "output.dense"),
            ("norm1", "attention.output.LayerNorm"),
            ("norm2", "output.LayerNorm"),
        ):
            weights |= {f"{to}.{kind}": values[f"{h}.{source}.{kind}"] for kind in names}
        set_weights(layer, weights)
        with torch.no_grad():
            x = layer(x)
        np.testing.assert_allclose(found[n + 1], x[0], rtol=1e-3, atol=1e-4)


def test_the_word_is_found_once(bert):
    model, _ = bert
    assert contextual.word_place(model, "the river bank", "bank") == 3
    assert contextual.word_states(model, "my bank account", "bank").shape == (LAYERS + 1, WIDTH)
    with pytest.raises(LedgerError, match="holds 2 tokens 'bank'"):
        contextual.word_place(model, "bank bank", "bank")


def test_a_file_without_layers(tmp_path):
    path = planted.write_checkpoint(tmp_path / "x", {"wte.weight": (2, 2)}, {})
    with pytest.raises(LedgerError, match="no layers in it"):
        contextual.Gpt2(path, 1)
