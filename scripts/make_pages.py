"""Gather the report's Quarto project: sources, tables of claims, figures and downloads."""

from embedding_ledger import pages, site
from embedding_ledger.files import read_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.verdicts import read_summary


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
    )


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("index", "claims", "summary", "figures*", "artefacts*", "scripts*"),
        outputs=("pages",),
        sections=("report",),
    )
