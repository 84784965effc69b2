"""Train the small language model once: weights, its table at several moments, its loss."""

import numpy as np
import torch

from embedding_ledger import micro_tokens
from embedding_ledger.files import read_csv, replacing, sha256, write_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.micro_training import train, weights


def main(inputs, outputs, config):
    micro, settings = config["micro"], config["settings"]["micro"]
    torch.set_num_threads(micro["threads"])
    run = micro["runs"][outputs.weights.parent.name]
    tokens = np.load(inputs.tokens, mmap_mode="r")
    parts = {
        row["part"]: tuple(int(row[name]) for name in ("first", "tokens", "repeats"))
        for row in read_csv(inputs.parts)[1]
    }
    if not run["repeated"]:
        parts = {name: (first, count, 1) for name, (first, count, _) in parts.items()}
    shape = {**micro["model"], "width": settings["width"]}
    blocks = micro_tokens.split_blocks(parts, shape["context"], micro["held_out_every"])
    made = train(
        tokens,
        blocks,
        settings["vocabulary"],
        shape,
        {**micro["training"], **run},
        run["seed"],
        outputs.weights.parent / "resume.pt",
        mark=sha256(inputs.tokens),
    )
    with replacing(outputs.tables) as temporary, temporary.open("wb") as stream:
        np.save(stream, made.tables, allow_pickle=False)
    with replacing(outputs.weights) as temporary, temporary.open("wb") as stream:
        np.savez(stream, **weights(made.model))
    columns = ("step", "tokens", "training_loss", "held_out_loss")
    write_csv(
        outputs.curve,
        columns,
        [(*row[:2], *(None if x is None else round(x, 4) for x in row[2:])) for row in made.curve],
    )


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("tokens", "parts"),
        outputs=("weights", "tables", "curve"),
        sections=("micro", "settings"),
    )
