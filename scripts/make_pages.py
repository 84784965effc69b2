"""Gather the report's Quarto project: sources, tables of claims, figures and downloads."""

import re

from embedding_ledger import pages, site
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
CORPUS = {"quantity": "Corpus", "value": "What it is"}
NEIGHBOURS = {"word": "Word", "near": "Nearest, by cosine (first seed)"}
WORD_COSINES = {"a": "Word", "b": "Word ", "value": "Cosine", "range": "Over seeds"}
ANALOGIES = {
    "seed": "Seed",
    "question": "Question",
    "first": "Nearest",
    "answer": "Answer",
    "rank": "Its rank",
    "rank_with_query": "With the question's words",
    "rank_alone": "Without arithmetic",
}
TRUTHS = {"statement": "Statement", "holds": "Holds", "numbers": "Decided from"}
SHOWN = re.compile(
    r"cosine\..*|width\.(1\.(train|val)_mean|\w+\.(train|val)_loss)|three_above_full\..*"
)


def word2vec_tables(inputs):
    """Return the tables of document 002's page on a real text, by name."""
    _, near = read_csv(inputs.neighbours)
    listed = {}
    for row in near:
        if row["seed"] == near[0]["seed"]:
            listed.setdefault(row["word"], []).append(f"{row['neighbour']} {row['cosine']}")
    _, cosines = read_csv(inputs.word_cosines)
    for row in cosines:
        ends = f"{row['value_low']} to {row['value_high']}"
        row["range"] = ends if row["value"] else "not in the vocabulary"
    _, analogies = read_csv(inputs.analogies)
    question = [analogies[0][name] for name in "abc"] if analogies else None
    famous = [row for row in analogies if [row[name] for name in "abc"] == question]
    for row in famous:
        row["question"] = f"{row['c']} - {row['a']} + {row['b']}"
    lines = [{"word": word, "near": ", ".join(found)} for word, found in listed.items()]
    return {
        "corpus": pages.artefact_table(CORPUS, read_csv(inputs.corpus)[1]),
        "neighbours": pages.artefact_table(NEIGHBOURS, lines),
        "word-cosines": pages.artefact_table(WORD_COSINES, cosines),
        "analogies": pages.artefact_table(ANALOGIES, famous),
    }


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
        **word2vec_tables(inputs),
    }


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
        tables=tables(inputs),
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
            "corpus",
            "neighbours",
            "word_cosines",
            "analogies",
        ),
        outputs=("pages",),
        sections=("report",),
    )
