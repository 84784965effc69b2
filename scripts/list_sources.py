"""List the published tables: which are here, and whether they are the known ones."""

from embedding_ledger import sources
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import log, run_script


def main(inputs, outputs, config):
    rows = []
    for name, entry in config["tables"].items():
        located = sources.locate(name, entry, config["fetch"]["folder"])
        checksum, verified = "", False
        if located.files:
            checksum, verified = sources.verify(name, entry, located.files)
        here = bool(located.files)
        about = (name, sources.title(name, entry), entry.get("provides", ""), here)
        rows.append((*about, verified, checksum, located.reason))
        log.info("%s: %s", name, "here" if here else located.reason)
    columns = ("table", "title", "provides", "here", "verified", "sha256", "reason")
    write_csv(outputs.sources, columns, rows)


if __name__ == "__main__":
    run_script(main, globals().get("snakemake"), outputs=("sources",), sections=("tables", "fetch"))
