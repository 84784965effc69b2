"""Ask one table every question of document 001."""

from embedding_ledger import sources
from embedding_ledger import table_questions as q
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import log, run_script


def main(inputs, outputs, config):
    name = outputs.values.parent.name
    entry = config["tables"][name]
    checksum, _ = sources.verify(name, entry, inputs.files)
    table = sources.open_table(name, entry, inputs.files, checksum)
    asked = q.Asked(table, config["questions"], config["settings"]["families"])
    write_csv(outputs.rows, ("word", "id", "index", "value"), q.row_rows(asked))
    write_csv(outputs.cosines, ("a", "b", "cosine"), q.cosine_rows(asked))
    write_csv(
        outputs.neighbours,
        ("word", "rank", "neighbour", "cosine", "listed"),
        q.neighbour_rows(asked),
    )
    write_csv(outputs.listed, ("word", "index", "token", "cosine"), q.listed_rows(asked))
    write_csv(outputs.map, ("token", "family", "x", "y"), q.map_rows(asked))
    write_csv(outputs.families, ("family", "other", "cosine"), q.family_rows(asked))
    write_csv(
        outputs.analogies,
        ("a", "b", "c", "d", "place_of_d", "first", "cosine_of_first"),
        q.analogy_rows(asked),
    )
    write_csv(
        outputs.spread,
        ("quantity", "value", "value_low", "value_high", "lists"),
        q.spread_rows(asked),
    )
    write_values(outputs.values, q.values(asked, sources.parameters(entry, inputs.files)))
    write_truths(outputs.truths, q.truths(asked))
    absent = sorted(set(asked.absent))
    pieces = [" ".join(table.pieces(table.token(text))) for text in absent]
    rows = [(text.strip(), cut) for text, cut in zip(absent, pieces, strict=True)]
    write_csv(outputs.absent, ("text", "pieces"), rows)
    if absent:
        log.info("no token for %s", ", ".join(map(repr, absent)))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("files*",),
        outputs=(
            "rows",
            "cosines",
            "neighbours",
            "listed",
            "map",
            "families",
            "analogies",
            "spread",
            "values",
            "truths",
            "absent",
        ),
        sections=("tables", "questions", "settings"),
    )
