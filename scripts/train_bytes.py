"""Train a small model of bytes and see which patterns it learns first."""

import numpy as np
import torch
from tokenizers import Tokenizer

from embedding_ledger import byte_patterns, micro_tokens
from embedding_ledger.artefacts import write_truths
from embedding_ledger.files import read_csv, sha256, write_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.micro_training import train


def main(inputs, outputs, config):
    micro = config["micro"]
    settings = micro["bytes"]
    torch.set_num_threads(micro["threads"])
    rows = {row["part"]: row for row in read_csv(inputs.parts)[1]}
    parts = {
        name: (int(rows[name]["first"]), int(rows[name]["tokens"])) for name in settings["parts"]
    }
    text = byte_patterns.bytes_of(
        Tokenizer.from_file(str(inputs.tokenizer)),
        np.load(inputs.tokens, mmap_mode="r"),
        parts,
        settings["tokens"],
    )
    shape = {**settings["model"], "width": settings["width"]}
    blocks = micro_tokens.split_blocks(
        {"all": (0, len(text), 1)}, shape["context"], micro["held_out_every"]
    )
    run = {name: settings[name] for name in ("steps", "moments")}
    made = train(
        text,
        blocks,
        256,
        shape,
        {**settings["training"], **run},
        settings["seed"],
        outputs.curve.parent / "bytes_resume.pt",
        mark=sha256(inputs.tokens),
    )
    steps = [row[0] for row in made.curve]
    near, far = byte_patterns.gains(made.places, settings["short"])
    write_csv(
        outputs.curve,
        ("step", "held_out_loss", "gain_of_short_context", "gain_of_longer_context"),
        [
            (row[0], *(round(float(x), 4) for x in (row[3], a, b)))
            for row, a, b in zip(made.curve, near, far, strict=True)
        ],
    )
    write_truths(outputs.truths, byte_patterns.truths(steps, made.places, settings["short"]))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("tokens", "parts", "tokenizer"),
        outputs=("curve", "truths"),
        sections=("micro",),
    )
