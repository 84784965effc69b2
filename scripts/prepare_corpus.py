"""Pick the texts of the mixture, train the tokenizer on them, cut them into tokens."""

import tempfile
from pathlib import Path

import numpy as np

from embedding_ledger import corpus, micro_tokens
from embedding_ledger.files import replacing, write_csv, write_text
from embedding_ledger.jobs import log, run_script


def main(inputs, outputs, config):
    micro, vocabulary = config["micro"], config["settings"]["micro"]["vocabulary"]
    mixture = micro["mixtures"][micro["mixture"]]
    repeats = {name: part.get("repeats", 1) for name, part in mixture.items()}
    outputs.tokens.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=outputs.tokens.parent, prefix=".texts.") as folder:
        sizes = corpus.write_parts(folder, mixture, micro["sources"], micro["topics"])
        log.info("%d characters of text in %d parts", sum(sizes.values()), len(sizes))
        texts = {name: Path(folder) / f"{name}.txt" for name in mixture}
        tokenizer = micro_tokens.train_tokenizer(
            texts, repeats, vocabulary, micro["tokenizer_budget"]
        )
        log.info("tokenizer of %d tokens trained", vocabulary)
        encoded = {name: micro_tokens.encode(tokenizer, texts[name]) for name in mixture}
    rows, first = [], 0
    for name, part in mixture.items():
        source = micro["sources"][part["source"]]
        about = [source[key] for key in ("package", "version", "language", "licence", "sha256")]
        count = len(encoded[name])
        rows.append((name, *about, sizes[name], first, count, repeats[name]))
        first += count
    log.info("%d tokens", first)
    write_text(outputs.tokenizer, tokenizer.to_str(pretty=False) + "\n")
    with replacing(outputs.tokens) as temporary, temporary.open("wb") as stream:
        np.save(stream, np.concatenate(list(encoded.values())), allow_pickle=False)
    columns = ("package", "version", "language", "licence", "sha256", "characters")
    write_csv(outputs.parts, ("part", *columns, "first", "tokens", "repeats"), rows)


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("tokenizer", "tokens", "parts"),
        sections=("micro", "settings"),
    )
