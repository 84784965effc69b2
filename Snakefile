# Embedding Ledger: regenerate the numbers of five course documents and check them.
# `snakemake --cores all` makes the checked report; docs/architecture.md is the map of the house.
from snakemake.utils import min_version

min_version("9.27")


configfile: "config/config.yaml"


# Used with `--sdm apptainer` only; the environment of every rule is requirements.lock.
container: "docker://python:3.11-slim-bookworm"


include: "workflow/common.smk"
include: "workflow/rules/positions.smk"
include: "workflow/rules/arithmetic.smk"
include: "workflow/rules/mechanics.smk"
include: "workflow/rules/parameters.smk"
include: "workflow/rules/bigram.smk"
include: "workflow/rules/word2vec.smk"
include: "workflow/rules/attention.smk"
include: "workflow/rules/tokenizer.smk"
include: "workflow/rules/published.smk"
include: "workflow/rules/real_tables.smk"
include: "workflow/rules/inputs.smk"
include: "workflow/rules/micro.smk"
include: "workflow/rules/check.smk"
include: "workflow/rules/report.smk"


rule all:
    default_target: True
    input:
        site=rules.render_site.output.site,
        checked=rules.check_site.output.problems,
        # named here, so that one that was deleted is made again although the site is there
        made=[*ARTEFACTS, *SIDECARS, *rules.check_claims.output, *rules.draw_figures.output],
