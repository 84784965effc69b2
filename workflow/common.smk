"""The validated configuration and a few path helpers, for every file of rules."""

import os
import re
from pathlib import Path

from snakemake.exceptions import WorkflowError

from embedding_ledger.claims import read_claims
from embedding_ledger.config import DEFAULT, ROOT, merge, read_yaml, validate
from embedding_ledger.corpus import mixture_faults, why_untrained
from embedding_ledger.errors import LedgerError
from embedding_ledger.grammar import parse_grammars
from embedding_ledger.imports import PACKAGE, module_files
from embedding_ledger.sources import locate
from embedding_ledger.toy_language import default_grammar

# Arithmetic on one thread wherever a library looks, so that no result hangs on the machine.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# Imported as a module by another repository: what its configuration leaves out stands as here.
if Path(workflow.basedir).resolve() != ROOT:
    config.update(merge(read_yaml(ROOT / DEFAULT), config))

try:
    validate(config, workflow.configfiles)
    parse_grammars(config["toy_language"]["grammars"])
    default_grammar(config["toy_language"])
    mixture_faults(config["micro"])
    read_claims(config["claims"])
    # where the files of each published table are on this machine
    LOCATED = {
        name: locate(name, entry, config["fetch"]["folder"])
        for name, entry in config["tables"].items()
    }
except LedgerError as error:
    raise WorkflowError("\n".join(["The input is not in order:", *error.faults]))

RESULTS = config["results"]
TABLES = [name for name, located in LOCATED.items() if located.files]
LAYERED = [name for name in config["contextual"]["models"] if name in TABLES]
# Each experiment adds its own: artefacts that claims may address, sidecars of their makers, lists of
# what is optional and whether it is here.
ARTEFACTS, SIDECARS, SOURCES = [], [], []
# And what it gives the report: figures, named inputs of the pages, sidecars that no claim waits for.
FIGURES, PAGE_INPUTS, PAGE_SIDECARS = [], {}, []
# The pages stand in the folder of the run; a repository that imports this one may have none.
HAS_REPORT = Path("report").is_dir()


def here(path):
    """Return the path of a file of this project, from wherever it is run."""
    return os.path.relpath(ROOT / path)


def experiment_file(name):
    """Return the file of rules of an experiment: one of workflow/rules, or the path that is given."""
    file = Path(name) if name.endswith(".smk") else ROOT / f"workflow/rules/{name}.smk"
    if not file.is_file():
        raise WorkflowError(f"'experiments' of the configuration: {file}: No such file")
    return str(file.resolve())


def results(path):
    """Return a path in the results folder."""
    return f"{RESULTS}/{path}"


def manifest(rule):
    """Return the path of a rule's sidecar."""
    return results(f"manifest/{rule}.json")


def code(rule):
    """Return script, modules and lock: an edit of one reruns, and a sidecar records, what uses it."""
    script = Path("scripts") / f"{rule}.py"
    script = script if script.is_file() else ROOT / script
    files = [script, *module_files(script), ROOT / "requirements.lock"]
    return [os.path.relpath(file) for file in files]


def experiment(rule, **artefacts):
    """Register the artefacts of a measuring rule; return them with its sidecar, as its output."""
    made = {name: results(path) for name, path in artefacts.items()}
    ARTEFACTS.extend(made.values())
    SIDECARS.append(manifest(rule))
    return {**made, "manifest": manifest(rule)}


def table_files(wildcards):
    """Return the files of one published table, wherever they are on this machine."""
    return list(map(str, LOCATED[wildcards.table].files))


# Why document 003's small language model cannot be trained here, empty when it can.
MICRO_ABSENT = why_untrained(config["micro"])
HAS_MICRO = not MICRO_ABSENT


def micro_experiment(rule, **artefacts):
    """Register artefacts as experiment() does, where the model can be trained here at all."""
    if HAS_MICRO:
        return experiment(rule, **artefacts)
    return {name: results(path) for name, path in artefacts.items()} | {"manifest": manifest(rule)}
