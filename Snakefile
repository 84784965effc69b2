# Embedding Ledger: regenerate the numbers of five course documents and check them.
# `snakemake --cores all` makes the checked report; docs/architecture.md is the map of the house.
from snakemake.utils import min_version

min_version("9.27")


configfile: "config/config.yaml"


# Used with `--sdm apptainer` only; the environment of every rule is requirements.lock.
container: "docker://python:3.11-slim-bookworm"


include: "workflow/common.smk"


for rule_file in map(experiment_file, config["experiments"]):

    include: rule_file


include: "workflow/rules/check.smk"


if HAS_REPORT:

    include: "workflow/rules/report.smk"


rule all:
    default_target: True
    input:
        site=[results("site"), results("site_check.json")] if HAS_REPORT else [],
        # named here, so that one that was deleted is made again although the site is there
        made=[*ARTEFACTS, *SIDECARS, *rules.check_claims.output, *FIGURES],
