"""Builds the report's Quarto website with pandoc alone, for machines without Quarto.

Only a part of Quarto's language is known here; anything else is a fault, never a page that says
something different from Quarto's. Pandoc makes HTML of the Markdown, and callouts, numbers,
cross references and links are then worked out on the parsed HTML.
"""

import posixpath
import re
import tempfile
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import pypandoc
import yaml
from jinja2 import Environment
from lxml import html
from lxml.html.builder import E
from markupsafe import Markup

from embedding_ledger.errors import LedgerError

PANDOC = ["--mathml", "--wrap=none", "--syntax-highlighting=none", "--fail-if-warnings"]
PANDOC += ["--columns=9999"]  # a longer table line would fix the widths of the columns
FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
INCLUDE = re.compile(r"\s*\{\{<\s*include\s+(\S+)\s*>\}\}\s*")
ESCAPED_OR_SHORTCODE = re.compile(r"\{(\{\{<.*?>\}\})\}|\{\{<\s*(\w+)\s*(.*?)\s*>\}\}")
EQUATION_ID = re.compile(r"\s*\{#(eq-[\w-]+)\}")
NUMBERED = (("fig", "figure", "Figure"), ("tbl", "table", "Table"), ("eq", "span", "Equation"))
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
CALLOUTS = ("note", "tip", "warning", "important", "caution")


class PreviewError(LedgerError, ValueError):
    """Faults of the sources, sorted in `faults`."""


def render(project, site):
    """Build the website in folder `project` into the folder `site`, replacing all of it.

    The new site is made beside `site` and takes its place only when it is whole.
    Raises PreviewError with every fault found; `site` is then left as it was.
    """
    project, site = Path(project).resolve(), Path(site).resolve()
    if project.is_relative_to(site):
        raise PreviewError("the site would replace the project it is built from")
    contents = _build(project, site)
    site.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=site.parent, prefix=f".{site.name}.") as scratch:
        new = Path(scratch, "new")
        for name, content in contents.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(content)
        if site.exists():
            site.rename(Path(scratch, "old"))
        new.rename(site)


def _build(project, site):
    """Return the site as {name: content}."""
    sources = _Sources(project, site)
    here = Path(__file__)
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        here.with_suffix(".html").read_text(encoding="utf-8")
    )
    contents = {"site_libs/preview.css": here.with_suffix(".css").read_bytes()}
    for page in sources.pages.values():
        body = _page_body(page, sources.faults)
        body.rewrite_links(lambda link, page=page: sources.link(link, page, page.name))
        text = template.render(
            page=page,
            website=sources.config.get("website", {}),
            stylesheets=_listed(sources.config.get("format", {}).get("html", {}).get("css")),
            toc=_contents(body) if page.meta.get("toc", True) else [],
            body=Markup(html.tostring(body, encoding="unicode")),
            sources=sources,
        )
        contents[_html_name(page.name)] = f"{text}\n".encode()
    if sources.faults:
        raise PreviewError(sorted(set(sources.faults)))
    return contents | {name: (project / name).read_bytes() for name in sources.files}


class _Sources:
    """The project: configuration, pages with all text expanded, files needed, faults so far."""

    def __init__(self, project, site):
        self.project, self.site, self.faults = project, site, []
        if not (project / "_quarto.yml").is_file():
            raise PreviewError("_quarto.yml: missing")
        self.config = _parse_yaml((project / "_quarto.yml").read_text("utf-8"), "_quarto.yml")
        file = project / "_variables.yml"
        text = file.read_text("utf-8") if file.is_file() else ""
        # as text a number stays as it is written: 0.10 does not become 0.1
        self.variables = _parse_yaml(text, file.name, as_text=True)
        names = [n for n in self.matching("**/*.qmd") if not re.search(r"(^|/)_", n)]
        self.pages = {name: self.read_page(name) for name in names}
        resources = _listed(self.config.get("project", {}).get("resources"))
        self.files = {name for pattern in resources for name in self.matching(pattern)}

    def matching(self, pattern):
        """Return the names of the files that match a glob; a folder stands for all in it."""
        found = self.project.glob(pattern.strip("/"))
        paths = {p for path in found for p in ([path] if path.is_file() else path.rglob("*"))}
        files = [p for p in paths if p.is_file() and not p.is_relative_to(self.site)]
        names = [p.relative_to(self.project).as_posix() for p in files]
        return sorted(name for name in names if not re.search(r"(^|/)\.", name))

    def read_page(self, name):
        """Return a page's name, front matter (`meta`) and text, includes and variables put in."""
        text, meta = (self.project / name).read_text("utf-8"), {}
        if front := FRONT_MATTER.match(text):
            meta = _parse_yaml(front[1], name)
            # blank lines in its place keep the line numbers of faults right
            text = "\n" * front[0].count("\n") + text[front.end() :]
        for key in ("title", "subtitle", "description"):
            meta[key] = self.with_variables(str(meta.get(key) or ""), name)
        if not meta["title"]:
            self.faults.append(f"{name}: no title in the front matter")
        text = self.with_variables(self.with_includes(text, [name]), name)
        return SimpleNamespace(name=name, meta=meta, text=text)

    def with_includes(self, text, chain):
        """Put in the included files; `chain` is the page and the includes that led here."""
        lines = text.split("\n")
        for i, line in enumerate(lines):
            if not (include := INCLUDE.fullmatch(line)):
                continue
            # as in Quarto, paths in a nested include start from the page, too
            name = _resolve(include[1].strip("\"'"), chain[0])
            place = f"{' > '.join(chain)}:{i + 1}"
            lines[i] = ""
            if name in chain:
                self.faults.append(f"{place}: {name} includes itself")
            elif not (self.project / name).is_file():
                self.faults.append(f"{place}: missing include {name}")
            else:
                included = (self.project / name).read_text("utf-8")
                lines[i] = self.with_includes(included, [*chain, name])
        return "\n".join(lines)

    def with_variables(self, text, page):
        """Put in the variables; any other shortcode is a fault, `{{{< ... >}}}` is the escape."""

        def value(match):
            escaped, shortcode, key = match.groups()
            if escaped:
                return escaped
            if shortcode != "var":
                self.faults.append(f"{page}: unsupported shortcode {match[0]}")
                return ""
            found = self.variables
            for part in key.split("."):
                found = found.get(part) if isinstance(found, dict) else None
            if not isinstance(found, str):
                self.faults.append(f"{page}: unknown variable {key}")
            return str(found)

        return ESCAPED_OR_SHORTCODE.sub(value, text)

    def link(self, link, page, origin="_quarto.yml"):
        """Return a link as `page` must give it, and note the file it needs.

        Links of the configuration start from the project folder, those of a page from the page.
        """
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or not parts.path:
            return link
        target = _resolve(unquote(parts.path), origin)
        if (self.project / target).is_dir():
            target = posixpath.normpath(f"{target}/index.html")
        source = re.sub(r"\.html$", ".qmd", target)
        if source in self.pages:
            target = _html_name(source)
        elif (self.project / target).is_file():
            self.files.add(target)
        else:
            self.faults.append(f"{origin}: link to missing file {unquote(parts.path)}")
        return urlunsplit(parts._replace(path=quote(_relative(target, page.name))))

    def title(self, entry):
        """Return the text of a navigation entry: its own or the title of its page."""
        page = self.pages.get(entry["href"])
        return entry.get("text") or (page.meta["title"] if page else entry["href"])


def _parse_yaml(text, name, as_text=False):
    try:
        return yaml.load(text, Loader=yaml.BaseLoader if as_text else yaml.SafeLoader) or {}
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise PreviewError(f"{name}: not valid YAML: {reason}") from None


def _listed(value):
    """Return a setting that is one item or a list of items as a list."""
    return value if isinstance(value, list) else [value] if value else []


def _html_name(name):
    return name.removesuffix(".qmd") + ".html"


def _resolve(path, page):
    """Return the project name of `path` as `page` gives it; a leading / is the project."""
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(page), path)).lstrip("/")


def _relative(name, page):
    return posixpath.relpath(name, posixpath.dirname(page) or ".")


def _page_body(page, faults):
    """Return a page's text as an HTML element; links are left as they are."""
    try:
        text = pypandoc.convert_text(page.text, "html5", "markdown", extra_args=PANDOC)
    except RuntimeError as error:  # pandoc's warnings, each one page and a line
        reason = str(error).partition("conversion: ")[2].partition("\nFailing because")[0]
        faults.append(f"{page.name}: pandoc: {reason}")
        text = ""
    body = html.fragment_fromstring(text, create_parent="div")
    body.set("class", "page-body")
    _finish_figures(body)
    _make_callouts(body)
    _mark_equations(body)
    names = _number(body)
    for cite in body.find_class("citation"):
        name = cite.text_content().removeprefix("@")
        if name in names:
            _replace(cite, E.a(names[name], {"href": f"#{name}", "class": "xref"}))
        else:
            faults.append(f"{page.name}: unknown reference {cite.text_content()}")
    _wrap_tables(body)
    return body


def _replace(old, new):
    """Put `new` in the place of `old`; the text that follows stays."""
    new.tail, old.tail = old.tail, None
    old.getparent().replace(old, new)


def _finish_figures(body):
    for image in body.xpath(".//img[@data-fig-alt]"):
        image.set("alt", image.attrib.pop("data-fig-alt"))
    for caption in body.xpath(".//figcaption[@aria-hidden]"):  # pandoc hides what repeats alt
        del caption.attrib["aria-hidden"]


def _make_callouts(body):
    for kind in CALLOUTS:
        for box in body.find_class(f"callout-{kind}"):
            collapse = box.attrib.pop("data-collapse", None)
            # pandoc makes a section of a div that starts with a heading
            box.tag = "details" if collapse else "div"
            box.set("class", f"callout {box.get('class')}")
            if collapse == "false":
                box.set("open", "open")
            title = box.attrib.pop("title", None)
            if not title and len(box) and box[0].tag in HEADINGS:
                heading = box[0]
                heading.attrib.clear()
            else:
                heading = E.p(title or kind.capitalize())
                box.insert(0, heading)
            heading.tag = "summary" if collapse else "p"
            heading.set("class", "callout-title")


def _mark_equations(body):
    for math in body.xpath(".//math[@display='block']"):
        if label := EQUATION_ID.match(math.tail or ""):
            math.tail = math.tail[label.end() :]
            equation = E.span({"id": label[1], "class": "equation"})
            _replace(math, equation)
            equation.append(math)


def _number(body):
    """Number the captions; return {id: text of a reference to it}."""
    names = {}
    for kind, tag, word in NUMBERED:
        for number, item in enumerate(body.xpath(f".//{tag}[starts-with(@id, '{kind}-')]"), 1):
            names[item.get("id")] = name = f"{word}\N{NO-BREAK SPACE}{number}"
            for caption in item.xpath("./figcaption | ./caption"):
                caption.text = f"{name}: {caption.text or ''}"
            if kind == "eq":
                item.append(E.span(f"({number})", {"class": "equation-number"}))
    for heading in body.iter(*HEADINGS):
        if _anchor(heading).startswith("sec-"):
            names[_anchor(heading)] = f"Section {heading.text_content()}"
    return names


def _anchor(heading):
    """Return a heading's id, which pandoc may have moved to a section around it."""
    return heading.get("id") or heading.getparent().get("id") or ""


def _wrap_tables(body):
    """Let each table scroll by itself, below its caption, which a phone can then show whole."""
    for table in body.xpath(".//table[not(ancestor::table)]"):
        caption = table.find("caption")
        # a group, as many landmarks of one name would be none
        box = E.div({"class": "table-scroll", "role": "group", "tabindex": "0"})
        box.set("aria-label", "Table" if caption is None else caption.text_content())
        _replace(table, box)
        box.append(table)
        if caption is not None:
            figure = E.figure({"class": "table-figure"})
            if "id" in table.attrib:
                figure.set("id", table.attrib.pop("id"))
            _replace(box, figure)
            caption.tag = "figcaption"
            figure.extend([caption, box])


def _contents(body):
    """Return (id, text) of the sections of a page that has more than two."""
    sections = body.xpath(".//h2[not(ancestor::*[contains(@class, 'panel-tabset')])]")
    found = [(_anchor(h2), h2.text_content()) for h2 in sections if _anchor(h2)]
    return found if len(found) > 2 else []
