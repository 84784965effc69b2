"""Tokenize the texts of the documents as GPT-2 does."""

from embedding_ledger import gpt2_tokenizer
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    c = config["tokenizer"]
    tokenizer = gpt2_tokenizer.load()
    rows = gpt2_tokenizer.token_rows(tokenizer, gpt2_tokenizer.all_texts(c))
    write_csv(outputs.tokens, ("text", "index", "id", "token"), rows)
    write_values(outputs.values, gpt2_tokenizer.values(tokenizer, c))
    write_truths(outputs.truths, gpt2_tokenizer.truths(tokenizer, c))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("tokens", "values", "truths"),
        sections=("tokenizer",),
    )
