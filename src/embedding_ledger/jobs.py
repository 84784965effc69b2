"""What every script of a rule shares: its files, its log, its sidecar, and a command line.

A script is a docstring, a `main(inputs, outputs, config)` and one call of `run_script`. Under
Snakemake the files come from the rule; run alone, from arguments of the same names.
"""

import argparse
import logging
import sys
import time
from pathlib import Path
from types import SimpleNamespace

from threadpoolctl import threadpool_limits

from embedding_ledger.config import DEFAULT, load_over_default
from embedding_ledger.errors import LedgerError
from embedding_ledger.manifest import write_sidecar

log = logging.getLogger("embedding_ledger")
EVERYTHING = "all of the configuration"


def _start_logging(name, file=None):
    """Send progress to stderr and, under Snakemake, to the rule's log file."""
    handlers = [logging.StreamHandler(sys.stderr)]
    if file:
        handlers.append(logging.FileHandler(file, mode="w", encoding="utf-8"))
    logging.basicConfig(level=logging.INFO, format=f"{name}: %(message)s", handlers=handlers)


def _arguments(main, script, inputs, outputs, sections):
    """Read the files of a script from its command line."""
    told = sys.modules[main.__module__].__doc__
    parser = argparse.ArgumentParser(prog=script.name, description=told)
    for names, told in ((inputs, "input file"), (outputs, "output file")):
        for name in names:
            many = "*" in name
            option = f"--{name.rstrip('*?').replace('_', '-')}"
            nargs = {"nargs": "+"} if many else {}
            needed = not name.endswith("?")
            parser.add_argument(option, type=Path, required=needed, help=told, **nargs)
    if sections:
        keys = "all of it" if sections == EVERYTHING else f"keys {', '.join(sections)}"
        told = f"configuration ({keys}); default {DEFAULT}"
        parser.add_argument("--config", nargs="+", default=[DEFAULT], metavar="FILE", help=told)
    given = parser.parse_args()
    config = load_over_default(given.config) if sections else {}
    files = (_named(given, inputs), _named(given, outputs))
    return *files, config if sections == EVERYTHING else {name: config[name] for name in sections}


def _named(files, names):
    """Pick the declared names from a rule's or parser's files.

    A starred name is a list. One that ends in a question mark and is not given is None.
    """
    picked = {}
    for name in names:
        plain = name.rstrip("*?")
        value = getattr(files, plain, None) if name.endswith("?") else getattr(files, plain)
        if value is not None and "*" in name:
            paths = [value] if isinstance(value, str) else value
            picked[plain] = [Path(path) for path in paths]
        else:
            picked[plain] = Path(value) if value is not None else None
    return SimpleNamespace(**picked)


def _mark(file):
    """Return time of last change and size of a file, which tell that it was written meanwhile."""
    try:
        about = Path(file).stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


def _refuse_changes(marks, rule):
    """Raise LedgerError naming every input that is no longer as it was marked."""
    told = f"changed while rule {rule} was reading it; run the pipeline again"
    changed = [f"{file}: {told}" for file, mark in marks.items() if _mark(file) != mark]
    if changed:
        raise LedgerError(changed)


def _run_rule(main, snakemake, inputs, outputs, sections):
    """Run `main` on the files of a Snakemake job and write its sidecar, if the rule has one."""
    everything = sections == EVERYTHING
    config = snakemake.params.config if everything else {n: snakemake.params[n] for n in sections}
    before = {file: _mark(file) for file in snakemake.input}
    with threadpool_limits(snakemake.threads):
        main(_named(snakemake.input, inputs), _named(snakemake.output, outputs), config)
    _refuse_changes(before, snakemake.rule)
    sidecar = snakemake.output.get("manifest")
    if sidecar:
        made = [file for file in snakemake.output if file != sidecar]
        script = snakemake.input.code[0]
        given = {} if everything else config  # a check reads all of it but depends on none
        write_sidecar(sidecar, snakemake.rule, script, list(snakemake.input), made, given)
    _refuse_changes(before, snakemake.rule)  # nor while they were hashed


def run_script(main, snakemake=None, *, inputs=(), outputs=(), sections=()):
    """Run a script's `main(inputs, outputs, config)` under Snakemake or from the command line.

    `inputs`, `outputs`: names of files, starred when the name holds a list of files, with a
    question mark when the file may be absent.
    `sections`: keys of the configuration that `main` gets (as `params` under Snakemake), or
    EVERYTHING (there as the one param `config`).
    A LedgerError prints its faults without a traceback and exits with status 1.
    """
    script = Path(sys.argv[0])
    rule = snakemake.rule if snakemake else script.stem
    log_file = snakemake.log[0] if snakemake and snakemake.log else None
    started = time.monotonic()
    if snakemake:
        _start_logging(rule, log_file)
    try:
        if snakemake:
            _run_rule(main, snakemake, inputs, outputs, sections)
        else:
            arguments = _arguments(main, script, inputs, outputs, sections)
            _start_logging(rule)
            with threadpool_limits(1):
                main(*arguments)
    except LedgerError as error:
        for fault in error.faults:
            log.error("%s", fault)
        sys.exit(1)
    except Exception:
        log.exception("failed")
        sys.exit(1)
    log.info("done in %.1f s", time.monotonic() - started)
