"""Gather the report's Quarto project: sources, tables of claims, figures and downloads."""

import re
import shutil

from embedding_ledger import charts, method_pages, pages, site, table_pages
from embedding_ledger.badge import badge
from embedding_ledger.files import read_csv, read_text, write_csv, write_text
from embedding_ledger.jobs import run_script
from embedding_ledger.manifest import read_sidecar
from embedding_ledger.sweep import published
from embedding_ledger.trained_vectors import updates_after
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
MICRO = {
    "parts": {
        "part": "Part",
        "package": "Package",
        "version": "Version",
        "language": "Language",
        "licence": "Licence",
        "tokens": "Tokens",
        "repeats": "Repeats",
    },
    "runs": {
        "run": "Run",
        "seed": "Seed",
        "repeated": "Repeats",
        "tokens": "Tokens seen",
        "held_out_loss": "Held-out loss",
        "three_four": "three, four",
        "red_blue": "red, blue",
        "he_she": "he, she",
        "red_heart": "red, heart",
    },
    "cosines": {
        "quantity": "Pair",
        "value": "Main run",
        "value_low": "Lowest run",
        "value_high": "Highest run",
        "centred": "Main run, centred",
        "counts": "From counts",
    },
    "kinds": {
        "table": "Table",
        "step": "Step",
        "plane": "Right kind in the plane",
        "all_dimensions": "In all dimensions",
        "share_of_spread": "Spread kept",
        "within": "Mean cosine within",
        "between": "Between",
        "nearest_kept": "Nearest kept",
        "mean_cosine": "All pairs",
    },
    "neighbours": {"table": "Table", "word": "Word", "nearest": "Nearest first; hits in brackets"},
}
ROLES = {"subject": "blue", "verb": "vermilion", "object": "green", "ending": "purple"}
KINDS = {
    "number": "blue",
    "colour": "vermilion",
    "body": "green",
    "person": "purple",
    "biology_zh": "grey",
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


def bigram_tables(inputs):
    """Return the tables of the page on the toy language, by name."""
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


def listed(rows):
    """Return one row a table and word, with its neighbours in one cell."""
    cells = {}
    for row in rows:
        word = row["neighbour"].strip()
        told = f"[{word}]" if row["hit"] == "true" else word
        cells.setdefault((row["table"], row["word"]), []).append(told)
    return [
        {"table": table, "word": word, "nearest": ", ".join(found)}
        for (table, word), found in cells.items()
    ]


def micro_tables(inputs):
    """Return what document 003's page includes: its part on the model, or why there is none."""
    (model,) = read_csv(inputs.absent)[1]
    if model["here"] != "true":
        return {"micro": f"Not trained here: {model['reason']}.\n"}
    found = {path.stem: read_csv(path)[1] for path in inputs.micro}
    found["neighbours"] = listed(found["neighbours"])
    shown = {
        f"micro-{name}": pages.artefact_table(columns, found[name])
        for name, columns in MICRO.items()
    }
    trained = [row for row in found["kinds"] if row["table"] == "trained"]
    told = {
        row[
            "step"
        ]: f"{float(row['plane']):.0%} of the words are nearest to the centre of their kind."
        for row in trained
    }
    moments = charts.map_chart(found["map"], "step", "kind", "word", KINDS, told)
    shown["chart-micro"] = charts.frame("map", "Words of five kinds over training", moments)
    part = inputs.index.parent / "_micro.md"  # pages of one's own may do without
    return {**({"micro": read_text(part)} if part.exists() else {}), **shown}


def published_tables(inputs, questions):
    """Return what pages include about the published tables, by name."""
    _, rows = read_csv(inputs.claims)
    words = [text.strip() for text in questions["listed"]]
    return table_pages.page_tables(inputs.sources, inputs.claims.parent, rows, words)


def tables(inputs, questions, settings):
    """Return what pages include of the experiments that are part of this run, by name."""
    return {
        **(bigram_tables(inputs) | bigram_charts(inputs, settings) if inputs.spread else {}),
        **(word2vec_tables(inputs) if inputs.corpus else {}),
        **(micro_tables(inputs) if inputs.absent else {}),
        **(published_tables(inputs, questions) if inputs.sources else {}),
    }


def as_published(run, settings):
    """Return whether a run of the sweep has the learning rate that the page gives for its width."""
    return run["width"].isdigit() and float(run["learning_rate"]) == float(
        published(settings, int(run["width"]))["learning_rate"]
    )


def bigram_charts(inputs, settings):
    """Return the interactive charts of document 004's model, by name."""
    runs = [row for path in inputs.runs for row in read_csv(path)[1]]
    runs = [run for run in runs if as_published(run, settings)]
    chart = charts.run_chart(read_csv(inputs.spread)[1], runs)
    _, rows = read_csv(inputs.map)
    means = {row["updates"]: row for row in read_csv(inputs.families)[1]}
    told = {
        steps: "Mean cosine within a role {within}, between roles {between}.".format(**row)
        for steps in {row["steps"] for row in rows}
        if (row := means.get(str(updates_after(int(steps)))))
    }
    moments = charts.map_chart(rows, "steps", "role", "token", ROLES, told)
    return {
        "chart-runs": charts.frame("runs", "Every run behind a range", chart),
        "chart-vectors": charts.frame("map", "Words of the four roles over training", moments),
    }


def method_tables(inputs, rows, tables):
    """Return the tables of the pages on method by name, and the files {name: (columns, rows)}."""
    results = inputs.claims.parent
    records = [read_sidecar(path) for path in inputs.sidecars]
    times = method_pages.timings(results / "benchmarks", {path.stem for path in inputs.sidecars})
    parts = [path for path in inputs.micro or [] if path.stem == "parts"]
    sources, corpus, parts = (
        [row for path in filter(None, paths) for row in read_csv(path)[1]]
        for paths in ([inputs.sources], [inputs.corpus], parts)
    )
    shown = {
        "comparisons": method_pages.comparisons(rows),
        "rule-graph": method_pages.rule_graph(records, results),
        "environment": method_pages.environment(read_text(inputs.lock)),
        "licences": method_pages.licences(tables, sources, parts, corpus),
        "timings": method_pages.timing_table(times[1]),
    }
    return shown, {"provenance": method_pages.provenance(records, results), "timings": times}


def main(inputs, outputs, config):
    _, rows = read_csv(inputs.claims)
    method, files = method_tables(inputs, rows, config["tables"])
    pages.gather(
        pages=outputs.pages,
        report=inputs.index.parent,
        assets=inputs.assets,
        results=inputs.claims.parent,
        rows=rows,
        summary=read_summary(inputs.summary),
        figures=inputs.figures,
        artefacts=[inputs.claims, inputs.summary, *inputs.artefacts],
        scripts=inputs.scripts,
        terms=read_csv(inputs.terms)[1] if inputs.terms else [],
        renderer=site.NAMES[site.choose(config["report"]["renderer"])],
        tables=tables(inputs, config["questions"], config["settings"]["bigram"]) | method,
        explorer=inputs.explorer or [],
    )
    for name, (columns, lines) in files.items():
        write_csv(outputs.pages / f"data/{name}.csv", columns, lines)
    shutil.copy(inputs.archive, outputs.pages / "data")
    write_text(outputs.pages / "badge.svg", badge(read_summary(inputs.summary)))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=(
            "index",
            "assets*",
            "claims",
            "summary",
            "figures*",
            "artefacts*",
            "scripts*",
            "terms?",
            "candidates?",
            "spread?",
            "runs*?",
            "map?",
            "families?",
            "widths?",
            "statuses?",
            "structure?",
            "corpus?",
            "neighbours?",
            "word_cosines?",
            "analogies?",
            "absent?",
            "micro*?",
            "sources?",
            "explorer*?",
            "sidecars*",
            "archive",
            "lock",
        ),
        outputs=("pages",),
        sections=("report", "questions", "settings", "tables"),
    )
