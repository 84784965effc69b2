"""Ask the trained tables of the small language model what document 003 says of its own."""

import numpy as np
from tokenizers import Tokenizer

from embedding_ledger import cooccurrence, micro_tokens
from embedding_ledger import micro_questions as q
from embedding_ledger.artefacts import six_digits, write_truths, write_values
from embedding_ledger.files import read_csv, write_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.micro_training import load_model
from embedding_ledger.tables import EmbeddingTable


def seen_blocks(tokens, parts, context, every):
    """Return the training part of the stream as rows (blocks, context + 1)."""
    ranges = {
        row["part"]: tuple(int(row[name]) for name in ("first", "tokens", "repeats"))
        for row in parts
    }
    training, _ = micro_tokens.split_blocks(ranges, context, every)
    return tokens[training[:, None] + np.arange(context + 1)]


def main(inputs, outputs, config):
    micro, settings = config["micro"], config["settings"]["micro"]
    tokenizer = Tokenizer.from_file(str(inputs.tokenizer))
    texts = micro_tokens.token_texts(tokenizer)
    parts = read_csv(inputs.parts)[1]
    licence = "; ".join(sorted({row["licence"] for row in parts}))
    source = "; ".join(sorted({f"{row['package']} {row['version']}" for row in parts}))

    def table(name, vectors):
        about = {"source": f"trained here on {source}", "licence": f"of the texts: {licence}"}
        return EmbeddingTable(name=name, tokens=texts, vectors=vectors, **about)

    runs = {}
    for path in inputs.tables:
        name = path.parent.name
        steps = micro["runs"][name]["moments"]
        runs[name] = {
            step: table(f"micro {name}, step {step}", vectors)
            for step, vectors in zip(steps, np.load(path, mmap_mode="r"), strict=True)
        }
    moments = runs["main"]
    last = max(moments)
    trained = moments[last]
    trained.save(outputs.vectors.parent)
    counts = cooccurrence.pair_counts(
        seen_blocks(
            np.load(inputs.tokens, mmap_mode="r"),
            parts,
            micro["model"]["context"],
            micro["held_out_every"],
        ),
        settings["vocabulary"],
        micro["window"],
    )
    counted = table("counts", cooccurrence.vectors(counts, settings["width"]))
    tables = {q.TRAINED: trained, q.CENTRED: trained.centred(), q.COUNTS: counted}

    columns = ("step", "tokens", "training_loss", "held_out_loss")
    finals = {run: tables_of[max(tables_of)] for run, tables_of in runs.items()}
    found = {run: q.cosines(micro, one) for run, one in finals.items()}
    curves = {path.parent.name: read_csv(path)[1] for path in inputs.curves}
    run_rows = []
    for run, cosines in found.items():
        ending = curves[run][-1]
        about = (micro["runs"][run]["seed"], micro["runs"][run]["repeated"])
        told = [round(cosine, 4) for cosine in cosines.values()]
        run_rows.append((run, *about, ending["step"], ending["tokens"], ending[columns[3]], *told))
    write_csv(
        outputs.runs,
        ("run", "seed", "repeated", "steps", "tokens", "held_out_loss", *micro["pairs"]),
        run_rows,
    )
    write_csv(
        outputs.cosines,
        ("quantity", "value", "value_low", "value_high", q.CENTRED, q.COUNTS),
        [
            (
                pair,
                *(
                    round(x, 4)
                    for x in (
                        found["main"][pair],
                        min(cosines[pair] for cosines in found.values()),
                        max(cosines[pair] for cosines in found.values()),
                        q.cosines(micro, tables[q.CENTRED])[pair],
                        q.cosines(micro, counted)[pair],
                    )
                ),
            )
            for pair in micro["pairs"]
        ],
    )
    rows = {
        name: q.neighbour_rows(micro, one, settings["neighbours"]) for name, one in tables.items()
    }
    write_csv(
        outputs.neighbours,
        ("table", "word", "rank", "neighbour", "cosine", "hit"),
        [(name, *row) for name, found_rows in rows.items() for row in found_rows],
    )
    over_time = {
        step: q.neighbour_rows(micro, one, settings["neighbours"]) for step, one in moments.items()
    }
    write_csv(
        outputs.neighbours_over_time,
        ("step", "word", "rank", "neighbour", "cosine", "hit"),
        [(step, *row) for step, found_rows in over_time.items() for row in found_rows],
    )
    kinds = {step: q.kind_row(micro, one) for step, one in moments.items()}
    others = {name: q.kind_row(micro, tables[name]) for name in (q.CENTRED, q.COUNTS)}
    write_csv(
        outputs.kinds,
        ("table", "step", *kinds[last]),
        [(q.TRAINED, step, *row.values()) for step, row in kinds.items()]
        + [(name, last, *row.values()) for name, row in others.items()],
    )
    write_csv(
        outputs.map,
        ("step", "word", "kind", "x", "y"),
        [
            (step, q.bare(token), kind, six_digits(x), six_digits(y))
            for step, one in moments.items()
            for (token, kind), (x, y) in zip(
                q.shown_words(micro, one).items(),
                one.map(list(q.shown_words(micro, one)))[0],
                strict=True,
            )
        ],
    )
    write_csv(
        outputs.drift,
        ("step", "tokens", "quantity", "value"),
        [
            (step, row["tokens"], name, value)
            for (step, one), row in zip(moments.items(), curves["main"], strict=True)
            for name, value in (
                *((pair, round(cosine, 4)) for pair, cosine in q.cosines(micro, one).items()),
                ("within kinds", kinds[step]["within"]),
                ("between kinds", kinds[step]["between"]),
            )
        ],
    )
    with np.load(inputs.weights) as weights:
        shape = {**micro["model"], "width": settings["width"]}
        model = load_model(weights, settings["vocabulary"], shape)
    layers, same_place = q.context_rows(micro, model, tokenizer)
    write_csv(outputs.context, ("layer", "cosine"), layers)
    write_values(
        outputs.values,
        {
            "mean_cosine.trained": kinds[last]["mean_cosine"],
            "mean_cosine.centred": others[q.CENTRED]["mean_cosine"],
            "mean_cosine.counts": others[q.COUNTS]["mean_cosine"],
            "held_out_loss": curves["main"][-1]["held_out_loss"],
            "tokens": curves["main"][-1]["tokens"],
        },
    )
    told = q.truths(micro, moments, rows[q.TRAINED], kinds, q.missing_words(micro, trained))
    told["context.layers_move_a_word"] = (
        same_place and layers[0][1] > 0.999 and layers[-1][1] < 0.9,
        {f"cosine after layer {layer}": cosine for layer, cosine in layers},
    )
    write_truths(outputs.truths, told)


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("tokens", "parts", "tokenizer", "weights", "tables*", "curves*"),
        outputs=(
            "vectors",
            "about",
            "runs",
            "cosines",
            "neighbours",
            "neighbours_over_time",
            "kinds",
            "map",
            "drift",
            "context",
            "values",
            "truths",
        ),
        sections=("micro", "settings"),
    )
