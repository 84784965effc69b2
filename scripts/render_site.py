"""Build the site from the gathered pages, once every result is known to be as it was made."""

from embedding_ledger import manifest, site
from embedding_ledger.jobs import EVERYTHING, log, run_script


def main(inputs, outputs, config):
    manifest.verify(inputs.sidecars, config)
    renderer = site.choose(config["report"]["renderer"])
    log.info("building with %s", site.NAMES[renderer])
    site.render(inputs.pages, outputs.site, renderer)


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("pages", "sidecars*"),
        outputs=("site",),
        sections=EVERYTHING,
    )
