"""Pack the CSV files of a run, its verdicts and an RO-Crate of them into one archive."""

import json

import yaml

from embedding_ledger.files import read_text
from embedding_ledger.jobs import log, run_script
from embedding_ledger.manifest import read_sidecar
from embedding_ledger.pack import describe, pack


def main(inputs, outputs, config):
    files = [*inputs.artefacts, inputs.claims, inputs.summary]
    results = inputs.claims.parent
    records = [read_sidecar(path) for path in inputs.sidecars]
    cited = inputs.citation  # of the repository that is run, where it has one
    citation = yaml.load(read_text(cited), Loader=yaml.BaseLoader) if cited else None
    metadata = describe(files, records, results, citation)
    text = json.dumps(metadata, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    pack(outputs.archive, files, results, text)
    log.info("%d files packed", len(files))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("artefacts*", "claims", "summary", "sidecars*", "citation?"),
        outputs=("archive",),
    )
