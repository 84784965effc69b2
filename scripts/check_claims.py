"""Decide every claim on the artefacts; write verdicts, counts and a JUnit file.

A verdict never fails this script: only a registry or an artefact that is not in order does.
"""

from dataclasses import fields
from operator import attrgetter

from embedding_ledger import manifest, verdicts
from embedding_ledger.claims import read_claims
from embedding_ledger.files import read_csv, write_csv, write_json, write_text
from embedding_ledger.jobs import EVERYTHING, log, run_script


def main(inputs, outputs, config):
    makers = manifest.verify(inputs.sidecars, config)
    sources = [row for path in inputs.sources for row in read_csv(path)[1]]
    claims = read_claims(inputs.registry)
    decided = verdicts.judge_all(claims, outputs.claims.parent, makers, sources)
    columns = [field.name for field in fields(verdicts.Verdict)]
    write_csv(outputs.claims, columns, map(attrgetter(*columns), decided))
    write_json(outputs.summary, verdicts.summarize(decided))
    write_text(outputs.junit, verdicts.junit(decided))
    log.info("%d claims decided", len(decided))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("registry*", "sidecars*", "sources*"),
        outputs=("claims", "summary", "junit"),
        sections=EVERYTHING,
    )
