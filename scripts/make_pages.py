"""Gather the report's Quarto project: sources, tables of claims, figures and downloads."""

import re

from embedding_ledger import pages, site, table_pages
from embedding_ledger.files import read_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.verdicts import read_summary

CANDIDATES = {
    "grammar": "Grammar",
    "words_the_page_does_not_name": "Words the page does not name",
    "ending_probability": "Share with an ending",
    "vocabulary": "Tokens",
    "tokens_per_sentence": "Tokens a sentence",
    "exact_entropy": "Exact entropy",
    "training_entropy": "In the training part",
    "corpus_entropy": "In the corpus",
    "id_cat": "Id of cat",
    "id_dog": "Id of dog",
    "id_4": "Token 4",
}
WIDTHS = {
    "width": "Width",
    "learning_rate": "Learning rate",
    "status": "Ended",
    "train_mean": "Mean loss at the end",
    "low": "Lowest",
    "high": "Highest",
    "last_bits": "Moved by last bits",
    "failed_at": "Failed after updates",
}
STATUSES = {
    "grammar": "Grammar",
    "varied": "Varied",
    "width": "Width",
    "learning_rate": "Learning rate",
    "trained": "Trained",
    "unsettled": "Unsettled",
    "non_finite": "Not finite",
}
SPREAD = {
    "quantity": "Number",
    "value": "Default run",
    "value_low": "Lowest",
    "value_high": "Highest",
    "seed_moves": "Start moves it by",
    "corpus_moves": "Corpus moves it by",
    "grammar_moves": "Grammar moves it by",
    "moved_most_by": "Most of all",
}
TRUTHS = {"statement": "Statement", "holds": "Holds", "numbers": "Decided from"}
SHOWN = re.compile(
    r"cosine\..*|width\.(1\.(train|val)_mean|\w+\.(train|val)_loss)|three_above_full\..*"
)


def tables(inputs):
    """Return the tables of artefacts that pages include, by name."""
    _, spread = read_csv(inputs.spread)
    shown = [row for row in spread if SHOWN.fullmatch(row["quantity"]) and row["value"]]
    shown.sort(key=lambda row: row["quantity"].startswith("cosine"))
    _, widths = read_csv(inputs.widths)
    trained = [row for row in widths if row["learning_rate"]]
    _, statuses = read_csv(inputs.statuses)
    failing = [row for row in statuses if (row["unsettled"], row["non_finite"]) != ("0", "0")]
    return {
        "candidates": pages.artefact_table(CANDIDATES, read_csv(inputs.candidates)[1]),
        "spread": pages.artefact_table(SPREAD, shown),
        "widths": pages.artefact_table(WIDTHS, trained),
        "statuses": pages.artefact_table(STATUSES, failing),
        "structure": pages.artefact_table(TRUTHS, read_csv(inputs.structure)[1]),
    }


def published_tables(inputs, rows, questions):
    """Return what pages include about the published tables, by name."""
    words = [text.strip() for text in questions["listed"]]
    return table_pages.page_tables(inputs.sources, inputs.claims.parent, rows, words)


def main(inputs, outputs, config):
    _, rows = read_csv(inputs.claims)
    pages.gather(
        pages=outputs.pages,
        report=inputs.index.parent,
        results=inputs.claims.parent,
        rows=rows,
        summary=read_summary(inputs.summary),
        figures=inputs.figures,
        artefacts=[inputs.claims, inputs.summary, *inputs.artefacts],
        scripts=inputs.scripts,
        renderer=site.NAMES[site.choose(config["report"]["renderer"])],
        tables=tables(inputs) | published_tables(inputs, rows, config["questions"]),
        explorer=inputs.explorer,
    )


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=(
            "index",
            "claims",
            "summary",
            "figures*",
            "artefacts*",
            "scripts*",
            "candidates",
            "spread",
            "widths",
            "statuses",
            "structure",
            "sources",
            "explorer*",
        ),
        outputs=("pages",),
        sections=("report", "questions"),
    )
