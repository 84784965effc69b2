"""Ask the trained word2vec tables for neighbours, cosines, families and analogies."""

from embedding_ledger import word2vec as w
from embedding_ledger.artefacts import write_truths
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.tables import load_table


def main(inputs, outputs, config):
    tables = {path.parent.name: load_table(path.parent) for path in inputs.vectors}
    asked, families = config["word2vec"]["asked"], config["word2vec"]["families"]
    write_csv(
        outputs.neighbours,
        ("seed", "word", "rank", "neighbour", "cosine"),
        w.neighbour_rows(tables, asked["neighbours"]["words"], asked["neighbours"]["shown"]),
    )
    write_csv(
        outputs.cosines,
        ("a", "b", "value", "value_low", "value_high"),
        w.cosine_rows(tables, asked["pairs"]),
    )
    analogies = w.analogy_rows(tables, asked["famous"], asked["couples"])
    ranks = ("first", "rank", "rank_with_query", "rank_alone")
    write_csv(outputs.analogies, ("seed", "a", "b", "c", "answer", *ranks), analogies)
    write_csv(
        outputs.families,
        ("seed", "within", "between", "words", "nearest_in_family"),
        w.family_rows(tables, families),
    )
    first = next(iter(tables.values()))
    write_csv(outputs.map, ("word", "family", "x", "y"), w.map_rows(first, families))
    write_truths(outputs.truths, w.truths(analogies, asked["famous"]))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("vectors*",),
        outputs=("neighbours", "cosines", "analogies", "families", "map", "truths"),
        sections=("word2vec",),
    )
