"""Extract the published facts: as they are, by model, by paper, and what follows from several."""

from dataclasses import astuple

from embedding_ledger import published
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    facts = published.read_published(inputs.published)
    write_csv(outputs.facts, published.COLUMNS, [astuple(fact) for fact in facts])
    for table, path in (("models", outputs.models), ("papers", outputs.papers)):
        columns, rows = published.wide(published.by_item(facts, table))
        write_csv(path, (table.removesuffix("s"), *columns), rows)
    write_values(outputs.values, published.values(facts))
    write_truths(outputs.truths, published.truths(facts))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("published",),
        outputs=("facts", "models", "papers", "values", "truths"),
    )
