"""Gather the Quarto project of the report: sources, generated tables, variables, downloads.

The pages compute nothing: they show cells of artefacts and verdicts. Everything that comes from
data is escaped here, once.
"""

import re
import shutil
from collections import Counter
from pathlib import Path

import yaml
from markupsafe import Markup

from embedding_ledger.claims import EVIDENCE, VERDICTS
from embedding_ledger.files import write_text
from embedding_ledger.findings import answer, as_html, current, read_findings, tell
from embedding_ledger.stories import (
    EMPTY,
    badge,
    claim_link,
    filter_link,
    measured,
    printed,
    slug,
    stated,
    story,
)
from embedding_ledger.suggestions import document_suggestions
from embedding_ledger.verdicts import parse_row


def _markdown(text):
    """Escape what Markdown would read as markup."""
    return re.sub(r"([\\`*_<>\[\]$~^@|#])", r"\\\1", text)


def claim_row(row):
    """Return one claim as a row of its document's page; its story is on the page of all claims."""
    # white space between cells keeps their words apart where the table is read as text
    return Markup(
        '<tr id="{id}"><td class="claim">{link}</td> '
        '<td data-label="stated">{stated}</td> <td data-label="measured">{measured}</td> '
        '<td>{badge} <span class="evidence">{evidence}</span></td> '
        '<td class="reason">{reason}</td></tr>\n'
    ).format(
        id=row["id"],
        link=claim_link(row["id"], row["statement"]),
        stated=stated(row),
        measured=measured(row),
        badge=badge(row["verdict"]),
        evidence=row["evidence"],
        reason=row["reason"],
    )


_CLAIM_HEAD = Markup(
    '<div class="scroll"><table class="claims">\n<thead><tr><th scope="col">Claim</th> '
    '<th scope="col">Stated</th> <th scope="col">Measured</th> <th scope="col">Verdict</th> '
    '<th scope="col">Reason, or the numbers behind it</th></tr></thead>\n<tbody>\n'
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
        body = EMPTY.join(claim_row(row) for row in rows if row["section"] == section)
        table = raw_block(_CLAIM_HEAD + body + _TABLE_END)
        parts.append(f"## {_markdown(section)}\n\n{table}")
    return "\n".join(parts)


_ALL_HEADS = ("Claim", "Document", "Stated", "Measured", "Verdict", "Evidence")
_KEY = Markup(
    '<p class="key"><svg class="plot" viewBox="0 0 320 26" aria-hidden="true">'
    '<path class="axis" d="M0 13H320"/><rect class="stated" x="40" y="3" width="90" height="20"/>'
    '<path class="spread" d="M90 8v10m0 -5H250m0 -5v10"/>'
    '<circle class="measured" cx="190" cy="13" r="4.5"/></svg> '
    "In a story, the box is what rounds to the stated value, the dot what was measured, "
    "and the bar its range where a page leaves data open.</p>\n"
)


def all_claims(rows):
    """Return every claim in one table that assets/claims.js can filter and sort.

    Each row opens to its story, without scripts too.
    """
    heads = EMPTY.join(Markup('<th scope="col">{}</th> ').format(head) for head in _ALL_HEADS)
    line = Markup(
        '<tr data-document="{document}" data-verdict="{verdict}" data-evidence="{evidence}" '
        'data-group="{group}"><td class="claim"><details><summary>{statement}</summary>{story}'
        '</details></td> <td data-label="document">{document}</td> '
        '<td data-label="stated">{stated}</td> <td data-label="measured">{measured}</td> '
        '<td>{badge}</td> <td data-label="evidence">{evidence}</td></tr>\n'
    )
    body = EMPTY.join(
        line.format(
            **{n: row[n] for n in ("document", "group", "verdict", "evidence", "statement")},
            story=story(row),
            stated=stated(row),
            measured=measured(row),
            badge=badge(row["verdict"]),
        )
        for row in rows
    )
    table = Markup(
        '<div class="scroll"><table class="claims all-claims">\n<thead><tr>{}</tr></thead>\n'
    )
    script = Markup('<script src="assets/claims.js" defer></script>\n')
    return raw_block(_KEY + table.format(heads) + Markup("<tbody>\n") + body + _TABLE_END + script)


def verdict_strip(rows, **chosen):
    """Return how many claims came out how as HTML: one bar, and a list of counts below it.

    `chosen`: the filters under which the table of all claims shows these rows.
    """
    counts = Counter(row["verdict"] for row in rows)
    bar = EMPTY.join(
        Markup('<span class="{}" style="flex-grow:{}"></span>').format(slug(name), counts[name])
        for name in VERDICTS
        if counts[name]
    )
    items = EMPTY.join(
        Markup("<li>{}</li>\n").format(
            filter_link(
                Markup('<b>{}</b> <i class="{}"></i>{}').format(counts[name], slug(name), name),
                **chosen,
                verdict=name,
            )
        )
        for name in VERDICTS
        if counts[name]
    )
    return raw_block(
        Markup(
            '<div class="strip"><div class="bar" aria-hidden="true">{}</div>\n<ul>\n{}</ul></div>\n'
        ).format(bar, items)
    )


def judged(row):
    """Return what came of one claim as a paragraph: both sides, verdict, story and command."""
    return raw_block(
        Markup(
            '<p class="rests-on"><span>stated <b>{}</b></span> <span>measured <b>{}</b></span> '
            "<span>{} {}</span> <span><code>make number ID={}</code></span></p>\n"
        ).format(
            stated(row), measured(row), badge(row["verdict"]), claim_link(row["id"]), row["id"]
        )
    )


MADE = "d4.dot.1.start10"  # the number that the front page makes step by step
_TERMS = {"pair": "Pair", "angle": "Angle", "term": "Its cosine", "sum": "Sum so far"}


def made(rows, terms):
    """Return the steps that make one number as Markdown, empty where its claim is not registered.

    `rows`: of claims.csv; `terms`: of positions/dot_terms.csv.
    """
    claim = next((row for row in rows if row["id"] == MADE), None)
    if not claim:
        return ""
    where = parse_row(claim["row"])
    steps = [row for row in terms if all(row[name] == value for name, value in where.items())]
    start, offset = int(where["start"]), int(where["offset"])
    told = (
        f"Document {claim['document']} states {claim['stated']} as the dot product of two "
        f"positions that are {offset} apart. Each pair of columns is the hand of a clock. From "
        f"position {start} to position {start + offset} it turns by an angle (in radians), and "
        "the cosine of that angle is what it adds.\n\n"
    )
    return told + artefact_table(_TERMS, steps) + judged(claim)


def corrections(rows, titles):
    """Return what the authors may want to change as Markdown, a heading a document.

    `titles`: of the documents' pages, by document.
    """
    parts = []
    for document in sorted({row["document"] for row in rows}):
        found = document_suggestions([row for row in rows if row["document"] == document])
        title = titles.get(document, f"Document {document}")
        parts.append(f"## {_markdown(title)}\n\n{raw_block(found)}")
    return "\n".join(parts)


def artefact_table(columns, rows):
    """Return columns {name: heading} of an artefact's rows as an HTML table."""
    heads = [Markup('<th scope="col">{}</th>').format(told) for told in columns.values()]
    lines = [
        Markup(" ").join(Markup("<td>{}</td>").format(printed(row[name])) for name in columns)
        for row in rows
    ]
    table = Markup('<div class="scroll"><table class="counts">\n<thead><tr>{}</tr></thead>\n')
    body = EMPTY.join(Markup("<tr>{}</tr>\n").format(line) for line in lines)
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
    return raw_block(table.format(lines[0], EMPTY.join(lines[1:])) + _TABLE_END)


def document_title(report, document):
    """Return the title in the front matter of a document's page."""
    page = Path(report) / f"document-{document}.qmd"
    return yaml.safe_load(page.read_text(encoding="utf-8").split("---")[1])["title"]


def verdict_list():
    """Return the verdicts and what they mean as an HTML definition list."""
    items = [
        Markup("<dt>{}</dt> <dd>{}</dd>\n").format(badge(n), told) for n, told in VERDICTS.items()
    ]
    return raw_block(Markup('<dl class="verdicts">\n{}</dl>\n').format(EMPTY.join(items)))


def variables(rows, summary):
    """Return the values that pages bring in by name: counts, and each claim's two sides.

    Keys are flat, since some ids are the beginning of others: `measured-d4-dot-1-start10`.
    """
    values = {"claims": summary["claims"]}
    values |= {f"n-{slug(name)}": count for name, count in summary["verdicts"].items()}
    for evidence, counts in summary["evidence"].items():
        values[f"n-reproduced-{slug(evidence)}"] = counts["reproduced"]
    for row in rows:
        key = row["id"].replace(".", "-")
        values[f"stated-{key}"] = _markdown(row["stated"])
        values[f"measured-{key}"] = _markdown(printed(row["measured"])) or "not measured"
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
    terms,
    renderer,
    tables,
    explorer,
):
    """Write the Quarto project into the folder `pages`.

    `report`: folder of the sources; `assets`: style sheets and scripts from elsewhere; `rows`: the
    rows of claims.csv; `artefacts`: files under `results` to offer as downloads; `scripts`: files
    to show; `terms`: rows of positions/dot_terms.csv, if any; `renderer`: who will build it;
    `tables`: {name: Markdown} of what pages include besides; `explorer`: its data files.
    """
    shutil.copytree(report, pages, dirs_exist_ok=True)
    generated = pages / "_generated"
    for document in sorted({row["document"] for row in rows}):
        chosen = [row for row in rows if row["document"] == document]
        write_text(generated / f"claims-{document}.md", claim_sections(chosen))
        strip = verdict_strip(chosen, document=document)
        write_text(generated / f"verdicts-{document}.md", strip)
    titles = {name: document_title(report, name) for name in sorted(summary["documents"])}
    page = Markup('<a href="document-{}.html">{}</a>')
    documents = {name: page.format(name, title) for name, title in titles.items()}
    for document, group in sorted({(row["document"], row["group"]) for row in rows}):
        name = f"verdicts-{document}-{group}"
        chosen = [r for r in rows if (r["document"], r["group"]) == (document, group)]
        write_text(generated / f"{name}.md", verdict_strip(chosen, document=document, group=group))
    sentences = Path(report) / "_findings.yml"  # pages of one's own may do without
    question, findings = read_findings(sentences) if sentences.is_file() else (None, [])
    asked = question and tell(question, rows, results)
    generated_tables = {
        "verdicts-all": verdict_strip(rows),
        "question": raw_block(answer(asked)) if asked else "",
        "made": made(rows, terms),
        "findings": raw_block(as_html(current(findings, rows, results))),
        "by-evidence": count_table(summary, "evidence", {e: e for e in EVIDENCE}, "Evidence"),
        "by-document": count_table(summary, "documents", documents, "Document"),
        "all-claims": all_claims(rows),
    }
    for name, text in {**tables, **generated_tables}.items():
        write_text(generated / f"{name}.md", text)
    write_text(generated / "corrections.md", corrections(rows, titles))
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
