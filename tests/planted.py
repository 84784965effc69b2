"""A checkpoint of GPT-2's true layout with planted geometry, for tests: closed forms for every row.

Every word of the pools is LEAN of the common direction, KIN of its family's and the rest of its
own, in squares; so two words have cosine LEAN + KIN within a family and LEAN between. A token that
a list names besides has cosine STEP - 0.02 i with its word. All other tokens lie in coordinates of
their own, apart from the common direction. The layers are zero, but for a bias in the last one.
"""

import json

import numpy as np

LEAN, KIN = 0.2, 0.3
STEP = 0.92
COMMON, FIRST_OTHER = 300, 301
ROWS, WIDTH, CONTEXT, LAYERS = 50257, 768, 1024, 12
PUSH = 3.0  # of the bias of the last layer, in coordinate 0


def specials(questions):
    """Return {text: unit vector (WIDTH,)} of all words that the questions name."""
    axes = iter(np.eye(WIDTH)[:COMMON])
    common, found = np.eye(WIDTH)[COMMON], {}
    for words in questions["families"].values():
        family = next(axes)
        for word in words:
            own = np.sqrt(1 - LEAN - KIN) * next(axes)
            found[word] = np.sqrt(LEAN) * common + np.sqrt(KIN) * family + own
    for word, neighbours in questions["listed"].items():
        for index, text in enumerate(neighbours):
            if text not in found:
                cosine = STEP - 0.02 * index
                found[text] = cosine * found[word] + np.sqrt(1 - cosine**2) * next(axes)
    for text in (" king", " queen", " banana", " bank"):
        if text not in found:
            found[text] = np.sqrt(LEAN) * common + np.sqrt(1 - LEAN) * next(axes)
    return found


def token_table(questions, ids):
    """Return wte (ROWS, WIDTH) as float32; `ids` maps a text to its token's id."""
    rng = np.random.default_rng(5)
    table = np.zeros((ROWS, WIDTH), np.float32)
    others = WIDTH - FIRST_OTHER
    table[:, FIRST_OTHER:] = rng.standard_normal((ROWS, others), np.float32) / np.sqrt(others)
    table[:, COMMON] = 0.5
    for place, (text, vector) in enumerate(specials(questions).items()):
        table[ids(text)] = vector * (1 + place % 3)  # lengths play no part in a cosine
    return table


def shapes(rows=ROWS, width=WIDTH, context=CONTEXT, layers=LAYERS):
    """Return {name: shape} of every tensor of the checkpoint, masks included."""
    found = {"wte.weight": (rows, width), "wpe.weight": (context, width)}
    for layer in range(layers):
        name, inner = f"h.{layer}", 4 * width
        found |= {
            f"{name}.ln_1.weight": (width,),
            f"{name}.ln_1.bias": (width,),
            f"{name}.attn.bias": (1, 1, context, context),
            f"{name}.attn.c_attn.weight": (width, 3 * width),
            f"{name}.attn.c_attn.bias": (3 * width,),
            f"{name}.attn.c_proj.weight": (width, width),
            f"{name}.attn.c_proj.bias": (width,),
            f"{name}.ln_2.weight": (width,),
            f"{name}.ln_2.bias": (width,),
            f"{name}.mlp.c_fc.weight": (width, inner),
            f"{name}.mlp.c_fc.bias": (inner,),
            f"{name}.mlp.c_proj.weight": (inner, width),
            f"{name}.mlp.c_proj.bias": (width,),
        }
    return found | {"ln_f.weight": (width,), "ln_f.bias": (width,)}


def write_checkpoint(path, layout, tensors, prefix="", kind="F32"):
    """Write a safetensors file of `layout` {name: shape}; what `tensors` leaves out is zero.

    Zeros are holes in the file: they take no room on the disk.
    """
    size = {"F32": 4, "F16": 2}[kind]
    header, end = {}, 0
    for name, shape in layout.items():
        length = int(np.prod(shape)) * size
        entry = {"dtype": kind, "shape": list(shape), "data_offsets": [end, end + length]}
        header[prefix + name], end = entry, end + length
    text = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    with path.open("wb") as stream:
        stream.write(len(text).to_bytes(8, "little") + text)
        start = stream.tell()
        stream.truncate(start + end)
        for name, values in tensors.items():
            assert values.shape == layout[name], name
            stream.seek(start + header[prefix + name]["data_offsets"][0])
            values = np.ascontiguousarray(values, {"F32": "<f4", "F16": "<f2"}[kind])
            stream.write(values.data)
    return path


def gpt2_tensors(questions, ids):
    """Return the tensors of the planted GPT-2 that are not zero."""
    push = np.zeros(WIDTH)
    push[0] = PUSH
    positions = np.random.default_rng(6).standard_normal((CONTEXT, WIDTH)) / 100
    return {
        "wte.weight": token_table(questions, ids),
        "wpe.weight": positions,
        "ln_f.weight": np.ones(WIDTH),
        f"h.{LAYERS - 1}.mlp.c_proj.bias": push,
    }
