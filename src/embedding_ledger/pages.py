"""Gather the Quarto project of the report: sources, generated tables, variables, downloads.

The pages compute nothing: they show cells of artefacts and verdicts. Everything that comes from
data is escaped here, once.
"""

import re
import shutil
from pathlib import Path

import yaml
from markupsafe import Markup

from embedding_ledger.claims import EVIDENCE, VERDICTS
from embedding_ledger.files import write_text

_EMPTY = Markup("")


def _slug(text):
    return text.replace(" ", "-")


def _markdown(text):
    """Escape what Markdown would read as markup."""
    return re.sub(r"([\\`*_<>\[\]$~^@|#])", r"\\\1", text)


def badge(verdict):
    """Return a verdict as a coloured label."""
    return Markup('<span class="verdict {}">{}</span>').format(_slug(verdict), verdict)


def _printed(text):
    """Shorten a list of measured digits for reading; the CSV download keeps all of them."""
    return "; ".join(_short(item) for item in text.split(";")) if text else ""


def _short(item):
    try:
        number = float(item)
    except ValueError:
        return item
    if number.is_integer():
        return f"{number:.0f}"
    return item if len(item) <= 8 else f"{number:.6g}"


def _stated(row):
    """Return the stated value with its unit, item by item where both are lists."""
    items, units = row["stated"].split(";"), row["unit"].split(";")
    if len(items) == len(units):
        return "; ".join(" ".join(filter(None, pair)) for pair in zip(items, units, strict=True))
    return f"{'; '.join(items)} {'; '.join(units)}".strip()


def _measured(row):
    """Return the measured value, with its range where the claim has one."""
    shown = Markup("{}").format(_printed(row["measured"]))
    if row["spread_low"]:
        span = f"{_printed(row['spread_low'])} to {_printed(row['spread_high'])}"
        shown += Markup(' <span class="range">{}</span>').format(span)
    return shown


def _source(row):
    """Return links to the artefact and to the site's own copy of the script."""
    if not row["script"]:
        return _EMPTY
    script = Path(row["script"]).name
    # the name may break at its slash, nowhere else
    shown = Markup("/<wbr>").join(row["artefact"].split("/"))
    return Markup('<a href="data/{}">{}</a> <a href="scripts/{}.txt">{}</a>').format(
        row["artefact"], shown, script, script
    )


def claim_row(row):
    """Return one claim as a table row with an anchor of its own."""
    # white space between cells keeps their words apart where the table is read as text
    return Markup(
        '<tr id="{id}"><td class="claim">{statement} <a class="id" href="#{id}">{id}</a></td> '
        '<td data-label="stated">{stated}</td> <td data-label="measured">{measured}</td> '
        '<td>{badge} <span class="evidence">{evidence}</span></td> '
        '<td class="reason">{reason}</td> <td class="source">{source}</td></tr>\n'
    ).format(
        id=row["id"],
        statement=row["statement"],
        stated=_stated(row),
        measured=_measured(row),
        badge=badge(row["verdict"]),
        evidence=row["evidence"],
        reason=row["reason"],
        source=_source(row),
    )


_CLAIM_HEAD = Markup(
    '<div class="scroll"><table class="claims">\n<thead><tr><th scope="col">Claim</th> '
    '<th scope="col">Stated</th> <th scope="col">Measured</th> <th scope="col">Verdict</th> '
    '<th scope="col">Reason, or the numbers behind it</th> '
    '<th scope="col">Cell and script</th></tr></thead>\n<tbody>\n'
)
_TABLE_END = Markup("</tbody>\n</table></div>\n")


def raw_block(html):
    """Wrap HTML so that Quarto and pandoc pass it through."""
    longest = max(map(len, re.findall("`+", html)), default=0)
    fence = "`" * max(3, longest + 1)  # no line of the HTML may close the block
    return f"{fence}{{=html}}\n{html}{fence}\n"


def claim_sections(rows):
    """Return the claims of one document as Markdown: a heading and a table a section."""
    parts = []
    for section in dict.fromkeys(row["section"] for row in rows):
        body = _EMPTY.join(claim_row(row) for row in rows if row["section"] == section)
        table = raw_block(_CLAIM_HEAD + body + _TABLE_END)
        parts.append(f"## {_markdown(section)}\n\n{table}")
    return "\n".join(parts)


_ALL_HEADS = ("Claim", "Document", "Stated", "Measured", "Verdict", "Evidence")


def all_claims(rows):
    """Return every claim in one table that assets/claims.js can filter and sort."""
    heads = _EMPTY.join(Markup('<th scope="col">{}</th> ').format(head) for head in _ALL_HEADS)
    line = Markup(
        '<tr data-document="{document}" data-verdict="{verdict}" data-evidence="{evidence}" '
        'data-group="{group}"><td class="claim">{statement} '
        '<a class="id" href="document-{document}.html#{id}">{id}</a></td> <td>{document}</td> '
        '<td data-label="stated">{stated}</td> <td data-label="measured">{measured}</td> '
        "<td>{badge}</td> <td>{evidence}</td></tr>\n"
    )
    body = _EMPTY.join(
        line.format(
            **{n: row[n] for n in ("id", "document", "group", "verdict", "evidence", "statement")},
            stated=_stated(row),
            measured=_measured(row),
            badge=badge(row["verdict"]),
        )
        for row in rows
    )
    table = Markup(
        '<div class="scroll"><table class="claims all-claims">\n<thead><tr>{}</tr></thead>\n'
    )
    script = Markup('<script src="assets/claims.js" defer></script>\n')
    return raw_block(table.format(heads) + Markup("<tbody>\n") + body + _TABLE_END + script)


_QUESTIONED = ("contradicted", "differs", "not pinned")
_CORRECTION_HEAD = Markup(
    '<div class="scroll"><table class="claims">\n<thead><tr><th scope="col">Claim</th> '
    '<th scope="col">Stated</th> <th scope="col">Measured</th> <th scope="col">Verdict</th> '
    '<th scope="col">Suggestion and evidence</th></tr></thead>\n<tbody>\n'
)


def _correction_row(row):
    told = [Markup("<p>{}</p>").format(text) for text in (row["correction"], row["reason"]) if text]
    return Markup(
        '<tr><td class="claim">{statement} <a class="id" href="document-{document}.html#{id}">{id}'
        '</a></td> <td data-label="stated">{stated}</td> '
        '<td data-label="measured">{measured}</td> <td>{badge}</td> '
        '<td class="correction">{told}</td></tr>\n'
    ).format(
        **{name: row[name] for name in ("statement", "document", "id")},
        stated=_stated(row),
        measured=_measured(row),
        badge=badge(row["verdict"]),
        told=_EMPTY.join(told),
    )


def corrections(rows):
    """Return what the authors may want to change as Markdown: a heading and a table a document."""
    parts = []
    for document in sorted({row["document"] for row in rows}):
        chosen = [
            row
            for row in rows
            if row["document"] == document and (row["correction"] or row["verdict"] in _QUESTIONED)
        ]
        body = _EMPTY.join(map(_correction_row, chosen))
        table = raw_block(_CORRECTION_HEAD + body + _TABLE_END) if chosen else "Nothing.\n"
        parts.append(f"## Document {document}\n\n{table}")
    return "\n".join(parts)


def artefact_table(columns, rows):
    """Return columns {name: heading} of an artefact's rows as an HTML table."""
    heads = [Markup('<th scope="col">{}</th>').format(told) for told in columns.values()]
    lines = [
        Markup(" ").join(Markup("<td>{}</td>").format(_printed(row[name])) for name in columns)
        for row in rows
    ]
    table = Markup('<div class="scroll"><table class="counts">\n<thead><tr>{}</tr></thead>\n')
    body = _EMPTY.join(Markup("<tr>{}</tr>\n").format(line) for line in lines)
    return raw_block(
        table.format(Markup(" ").join(heads)) + Markup("<tbody>\n") + body + _TABLE_END
    )


def count_table(summary, by, labels, head):
    """Return counts of verdicts as an HTML table: verdicts across, the names of `by` down.

    `labels`: {name: what to show in its place, text or Markup}.
    """
    cells = [Markup('<th scope="col">{}</th>').format(head)]
    cells += [Markup('<th scope="col">{}</th>').format(badge(name)) for name in VERDICTS]
    lines = [Markup("<tr>{}</tr>\n").format(Markup(" ").join(cells))]
    for name, shown in labels.items():
        counts = summary[by][name]
        numbers = [Markup('<td class="number">{}</td>').format(counts[v]) for v in VERDICTS]
        label = Markup('<th scope="row">{}</th>').format(shown)
        lines.append(Markup("<tr>{}</tr>\n").format(Markup(" ").join([label, *numbers])))
    table = Markup('<div class="scroll"><table class="counts">\n<thead>{}</thead>\n<tbody>{}')
    return raw_block(table.format(lines[0], _EMPTY.join(lines[1:])) + _TABLE_END)


def document_link(report, document):
    """Return a link to the page of a document, named by the title in its front matter."""
    page = f"document-{document}.qmd"
    front = (Path(report) / page).read_text(encoding="utf-8").split("---")[1]
    return Markup('<a href="document-{}.html">{}</a>').format(
        document, yaml.safe_load(front)["title"]
    )


def verdict_list():
    """Return the verdicts and what they mean as an HTML definition list."""
    items = [
        Markup("<dt>{}</dt> <dd>{}</dd>\n").format(badge(n), told) for n, told in VERDICTS.items()
    ]
    return raw_block(Markup('<dl class="verdicts">\n{}</dl>\n').format(_EMPTY.join(items)))


def variables(rows, summary):
    """Return the values that pages bring in by name: counts, and each claim's two sides.

    Keys are flat, since some ids are the beginning of others: `measured-d4-dot-1-start10`.
    """
    values = {"claims": summary["claims"]}
    values |= {f"n-{_slug(name)}": count for name, count in summary["verdicts"].items()}
    for evidence, counts in summary["evidence"].items():
        values[f"n-reproduced-{_slug(evidence)}"] = counts["reproduced"]
    for row in rows:
        key = row["id"].replace(".", "-")
        values[f"stated-{key}"] = _markdown(row["stated"])
        values[f"measured-{key}"] = _markdown(_printed(row["measured"])) or "not measured"
        values[f"verdict-{key}"] = row["verdict"]
    return values


def gather(
    pages,
    report,
    assets,
    results,
    rows,
    summary,
    figures,
    artefacts,
    scripts,
    renderer,
    tables,
    explorer,
):
    """Write the Quarto project into the folder `pages`.

    `report`: folder of the sources; `assets`: style sheets and scripts from elsewhere; `rows`: the
    rows of claims.csv; `artefacts`: files under `results` to offer as downloads; `scripts`: files
    to show; `renderer`: who will build it; `tables`: {name: Markdown} of what pages include
    besides; `explorer`: its data files.
    """
    shutil.copytree(report, pages, dirs_exist_ok=True)
    generated = pages / "_generated"
    for document in sorted({row["document"] for row in rows}):
        chosen = [row for row in rows if row["document"] == document]
        write_text(generated / f"claims-{document}.md", claim_sections(chosen))
    documents = {name: document_link(report, name) for name in sorted(summary["documents"])}
    generated_tables = {
        "by-evidence": count_table(summary, "evidence", {e: e for e in EVIDENCE}, "Evidence"),
        "by-document": count_table(summary, "documents", documents, "Document"),
        "all-claims": all_claims(rows),
    }
    for name, text in {**tables, **generated_tables}.items():
        write_text(generated / f"{name}.md", text)
    write_text(generated / "corrections.md", corrections(rows))
    write_text(generated / "verdicts.md", verdict_list())
    write_text(generated / "colophon.md", f"::: {{.colophon}}\nBuilt by {renderer}.\n:::\n")
    write_text(pages / "_variables.yml", yaml.safe_dump(variables(rows, summary)))
    copies = [(Path(asset), Path("assets") / Path(asset).name) for asset in assets]
    copies += [(Path(figure), Path("figures") / Path(figure).name) for figure in figures]
    copies += [(Path(a), Path("data") / Path(a).relative_to(results)) for a in artefacts]
    copies += [(Path(e), Path("explorer") / Path(e).name) for e in explorer]
    copies += [(Path(s), Path("scripts") / f"{Path(s).name}.txt") for s in scripts]
    for source, target in copies:
        (pages / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, pages / target)
