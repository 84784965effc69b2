"""The results of a run as one archive: CSV files and an RO-Crate that says who made each.

No text of a corpus and no vectors are among them, only what was measured.
"""

import zipfile
from pathlib import Path

from rocrate.model import ContextEntity, File
from rocrate.rocrate import ROCrate

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import replacing
from embedding_ledger.manifest import sidecar_faults

FORMATS = {".csv": "text/csv", ".json": "application/json"}
MIDNIGHT = (1980, 1, 1, 0, 0, 0)  # the first that a zip can hold; the same for every file
METADATA = "ro-crate-metadata.json"


def describe(files, records, results, citation):
    """Return the RO-Crate metadata (JSON-LD) of some files under the folder `results`.

    `records`: the sidecars, which give SHA-256 and maker of each; `citation`: the parsed
    CITATION.cff, None in a repository without one. Raises LedgerError for a file that no sidecar
    knows, or that is not as it was made.
    """
    makers = {file: record for record in records for file in record["outputs"]}
    crate = ROCrate(version="1.2")
    about = "Measured values, verdicts and counts of one run; no texts or vectors of others."
    if citation:
        crate.name = f"Results of {citation['title']} {citation['version']}"
        crate.description = f"{citation['abstract'].strip()} {about}"
        crate.datePublished = citation["date-released"]  # of the program: a run has no date
        crate.license = f"https://spdx.org/licenses/{citation['license']}"
    else:
        crate.name, crate.description = "Results of a run", about
    faults, made = [], {}
    for file in sorted(map(str, files)):
        record = makers.get(file)
        if record is None:
            faults.append(f"{file}: no sidecar knows it; run the pipeline again")
            continue
        digest = record["outputs"][file]
        if changed := sidecar_faults({**record, "inputs": {}, "outputs": {file: digest}}):
            faults += changed
            continue
        path = Path(file)
        about = {
            "name": path.relative_to(results).as_posix(),
            "encodingFormat": FORMATS[path.suffix],
            "contentSize": str(path.stat().st_size),
            "sha256": digest,
        }
        entity = crate.add(File(crate, file, about["name"], properties=about))
        made.setdefault((record["rule"], record["script"]), []).append(entity)
    if faults:
        raise LedgerError(faults)
    for (rule, script), entities in sorted(made.items()):
        code = {"@type": "SoftwareSourceCode", "name": script, "programmingLanguage": "Python"}
        instrument = crate.add(ContextEntity(crate, f"#{script}", properties=code))
        action = {"@type": "CreateAction", "name": f"rule {rule}"}
        entity = crate.add(ContextEntity(crate, f"#{rule}", properties=action))
        entity["instrument"], entity["result"] = instrument, entities
        crate.root_dataset.append_to("mentions", entity)
    return crate.metadata.generate()


def pack(archive, files, results, metadata):
    """Write some files under the folder `results` and the metadata (text) as a zip.

    The same files give the same bytes, whenever and wherever they are packed.
    """
    contents = {
        Path(file).relative_to(results).as_posix(): Path(file).read_bytes() for file in files
    }
    contents[METADATA] = metadata.encode()
    with replacing(archive) as temporary, zipfile.ZipFile(temporary, "w") as packed:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, MIDNIGHT)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, contents[name])
