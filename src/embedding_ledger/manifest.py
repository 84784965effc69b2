"""Sidecars: what each job read and wrote, by SHA-256, so that an edited artefact is named."""

import hashlib
import json
import re
from pathlib import Path, PurePosixPath

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import parse_json, read_text, sha256, write_json

RECORDED = {"rule", "script", "config", "inputs", "outputs"}


def fingerprint(value):
    """Return the SHA-256 of a configuration value, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def config_fingerprints(sections, above=""):
    """Return the hash of every setting in some sections, {"positions.width": hash}.

    Setting by setting, as a rule may be given a part of a section only.
    """
    found = {}
    for key, value in sections.items():
        if isinstance(value, dict):
            found |= config_fingerprints(value, f"{above}{key}.")
        else:
            found[f"{above}{key}"] = fingerprint(value)
    return found


def write_sidecar(path, rule, script, inputs, outputs, config=None):
    """Record what a job read and wrote in a JSON sidecar.

    `inputs` and `outputs`: files, recorded by their hashes (scripts, modules and the lock are
    among the inputs of every rule); `config`: the sections of the configuration that it was given.
    """
    record = {
        "rule": rule,
        "script": script,
        "config": config_fingerprints(config or {}),
        "inputs": {Path(file).as_posix(): sha256(file) for file in sorted(map(str, inputs))},
        "outputs": {Path(file).as_posix(): sha256(file) for file in sorted(map(str, outputs))},
    }
    write_json(path, record)


def read_sidecar(path):
    """Read a sidecar; raise LedgerError when it is absent or not what write_sidecar writes."""
    record = parse_json(path, read_text(path))
    faults = _shape_faults(record)
    if faults:
        remedy = "delete it and run the pipeline again"
        raise LedgerError([f"{path}: not a sidecar: {fault}; {remedy}" for fault in faults])
    return record


def _shape_faults(record):
    """List what keeps a parsed JSON value from being a sidecar."""
    if not isinstance(record, dict) or set(record) != RECORDED:
        return [f"expected the keys {', '.join(sorted(RECORDED))}"]
    faults = [
        f"'{name}' is {record[name]!r}, expected a text"
        for name in ("rule", "script")
        if not isinstance(record[name], str)
    ]
    for name in ("config", "inputs", "outputs"):
        if not isinstance(record[name], dict):
            faults.append(f"'{name}' is {record[name]!r}, expected an object")
            continue
        faults += [
            f"'{name}.{key}' is {value!r}, expected a SHA-256"
            for key, value in record[name].items()
            if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{64}", value)
        ]
    if not faults:
        paths = map(PurePosixPath, record["outputs"])
        faults += [
            f"output {str(path)!r} leaves the project"
            for path in paths
            if path.is_absolute() or ".." in path.parts
        ]
    return faults


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


def config_faults(record, current):
    """List the outputs of a sidecar when its job was given another configuration.

    `current`: the configuration as config_fingerprints gives it.
    """
    moved = sorted(key for key, hash in record["config"].items() if current.get(key) != hash)
    told = f"made with another configuration ({', '.join(moved)}); run the pipeline again"
    return [f"{output}: {told}" for output in record["outputs"] if moved]


def verify(sidecars, config):
    """Check every sidecar against files and configuration; return them by output file.

    Raises LedgerError naming each file that was changed and each result of another configuration.
    """
    hashes, faults, makers, current = {}, [], {}, config_fingerprints(config)
    for path in sorted(map(str, sidecars)):
        record = read_sidecar(path)
        faults += sidecar_faults(record, hashes) + config_faults(record, current)
        makers |= dict.fromkeys(record["outputs"], record)
    if faults:
        raise LedgerError(sorted(set(faults)))
    return makers
