"""Sidecars: what each job read and wrote, by SHA-256, so that an edited artefact is named."""

import json
from pathlib import Path

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import read_text, sha256, write_json


def write_sidecar(path, rule, script, inputs, outputs):
    """Record the hashes of a job's input and output files (paths) in a JSON sidecar."""
    record = {
        "rule": rule,
        "script": script,
        "inputs": {Path(file).as_posix(): sha256(file) for file in sorted(map(str, inputs))},
        "outputs": {Path(file).as_posix(): sha256(file) for file in sorted(map(str, outputs))},
    }
    write_json(path, record)


def read_sidecar(path):
    """Read a sidecar; raise LedgerError when it is absent or no JSON."""
    try:
        record = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise LedgerError(f"{path}:{error.lineno}: not JSON ({error.msg})") from None
    if not isinstance(record, dict) or set(record) != {"rule", "script", "inputs", "outputs"}:
        raise LedgerError(f"{path}: not a sidecar; delete it and run the pipeline again")
    return record


def sidecar_faults(record, hashes=None):
    """List the files of one sidecar that are no longer what the job saw.

    `hashes` caches path -> sha256 over several sidecars.
    """
    hashes = {} if hashes is None else hashes
    rule, faults = record["rule"], []
    for role, told in (("outputs", "made"), ("inputs", "read")):
        for file, recorded in record[role].items():
            if not Path(file).exists():
                faults.append(f"{file}: gone, though rule {rule} {told} it; run the pipeline again")
                continue
            if file not in hashes:
                hashes[file] = sha256(file)
            if hashes[file] != recorded:
                remedy = "delete it and run the pipeline again"
                if role == "inputs":
                    remedy = "run the pipeline again"
                faults.append(f"{file}: changed after rule {rule} {told} it; {remedy}")
    return faults


def verify(sidecars):
    """Check every sidecar; return them by output file. Raise LedgerError naming changed files."""
    hashes, faults, makers = {}, [], {}
    for path in sorted(map(str, sidecars)):
        record = read_sidecar(path)
        faults += sidecar_faults(record, hashes)
        makers |= dict.fromkeys(record["outputs"], record)
    if faults:
        raise LedgerError(sorted(set(faults)))
    return makers
