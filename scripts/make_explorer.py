"""Write the explorer's data of one table."""

from embedding_ledger import explorer, sources
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import write_text
from embedding_ledger.jobs import run_script
from embedding_ledger.table_questions import Asked


def main(inputs, outputs, config):
    name = outputs.data.stem
    entry = config["tables"][name]
    checksum, _ = sources.verify(name, entry, inputs.files)
    table = sources.open_table(name, entry, inputs.files, checksum)
    asked = Asked(table, config["questions"], config["settings"]["families"])
    text = explorer.script_text(
        name, explorer.explorer_data(asked, config["questions"]["common_words"])
    )
    if len(text) > explorer.LIMIT:
        told = f"{len(text)} bytes of explorer data, at most {explorer.LIMIT}"
        raise LedgerError(f"table {name}: {told}; lower questions.common_words")
    write_text(outputs.data, text)


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("files*",),
        outputs=("data",),
        sections=("tables", "questions", "settings"),
    )
