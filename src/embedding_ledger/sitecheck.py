"""Checks a built site, whoever built it: every page is parsed and every fault is named."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import etree, html

UNRESOLVED = (
    ("unresolved cross reference", re.compile(r"\?@\S*|(?<![\w?])@(?:fig|tbl|sec|eq)-[\w-]+")),
    ("unresolved variable", re.compile(r"\?(?:var|meta):\S*")),
    ("raw shortcode", re.compile(r"\{\{<.*")),
)
NOT_NUMBERS = {"nan", "NaN", "None", "inf", "-inf"}
# Quarto's own navigation repeats these
QUARTO_IDS = ("quarto-", "navbar", "menu", "nav-menu-", "tippy")
# every other kind of link element makes the browser fetch something
PASSIVE_RELATIONS = {"alternate", "author", "canonical", "help", "license", "next", "prev"}
CSS_REQUEST = re.compile(r"""(?:url\(|@import)\s*["']?\s*((?:https?:)?//[^\s"')]+)""")
TEXT = (
    "//body//text()[not(ancestor::script or ancestor::style or ancestor::template"
    " or ancestor::code or ancestor::pre)] | //title/text()"
)


def check_site(site):
    """Return every fault of the HTML pages below the folder `site`, sorted; none is good.

    Each is `page.html: fault`. Quarto's libraries in `site_libs` are no pages.
    """
    site = Path(site).resolve()
    pages = {
        path: _parse(path)
        for path in site.rglob("*.html")
        if path.relative_to(site).parts[0] != "site_libs"
    }
    if not pages:
        return ["index.html: the site has no page"]
    anchors = {path: set(page.xpath("//@id | //a/@name")) for path, page in pages.items()}
    return sorted(
        {
            f"{path.relative_to(site).as_posix()}: {fault}"
            for path, page in pages.items()
            for fault in [
                *_structure_faults(page),
                *_text_faults(page),
                *_image_faults(page),
                *_request_faults(page, path, site),
                *_link_faults(page, path, site, anchors),
            ]
        }
    )


def _parse(path):
    """Return the document; an empty file is an empty page."""
    text = path.read_text("utf-8").strip() or "<html></html>"
    # as bytes: lxml refuses text that has an encoding declaration
    return html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8"))


def _structure_faults(page):
    if not page.xpath("normalize-space(//head/title)"):
        yield "no title"
    if not any(h1.text_content().strip() for h1 in page.iter("h1")):
        yield "no h1"
    ids = [i for i in page.xpath("//@id") if not i.startswith(QUARTO_IDS)]
    for name in {i for i in ids if ids.count(i) > 1}:
        yield f"duplicate id {name}"


def _text_faults(page):
    for text in page.xpath(TEXT):
        for fault, pattern in UNRESOLVED:
            for match in pattern.finditer(text):
                yield f"{fault} {match[0].strip()}"
    for reference in page.find_class("quarto-unresolved-ref"):
        yield f"unresolved cross reference {reference.text_content().strip()}"
    for cell in page.iter("td"):
        text = "".join(cell.xpath(".//text()[not(ancestor::code or ancestor::pre)]")).strip()
        if text in NOT_NUMBERS:
            yield f"table cell {text}"


def _image_faults(page):
    for image in page.iter("img"):
        decorative = image.get("role") == "presentation" or image.get("aria-hidden") == "true"
        alt = image.get("alt")
        if alt is None or not (alt.strip() or decorative):
            yield f"image without alt {image.get('src', '')}"


def _links(page):
    """Yield (element, URL) for whatever a page links to or loads."""
    for element in page.iter(etree.Element):
        for attribute in ("href", "src", "poster", "data"):
            if (url := element.get(attribute)) is not None and element.tag != "base":
                yield element, url.strip()


def _is_external(url):
    return bool(url.netloc) or url.scheme in ("http", "https", "ftp")


def _is_passive(element):
    """Whether a browser leaves the address alone until a reader follows it."""
    relations = set(element.get("rel", "").lower().split())
    return element.tag in ("a", "area") or (
        element.tag == "link" and bool(relations) and relations <= PASSIVE_RELATIONS
    )


def _request_faults(page, path, site):
    styles = page.xpath("//style/text() | //@style")
    for element, url in _links(page):
        parts = urlsplit(url)
        if _is_external(parts):
            if not _is_passive(element):
                yield f"external {element.tag} {url}"
        elif element.tag == "link" and parts.path.endswith(".css"):
            file = _target(parts.path, path, site)
            styles += [file.read_text("utf-8")] if file.is_file() else []
    for style in styles:
        for address in CSS_REQUEST.findall(style):
            yield f"external address in a style {address}"


def _target(url_path, page, site):
    """Return the file that a local address on `page` means."""
    name = unquote(url_path)
    file = (site / name.lstrip("/") if name.startswith("/") else page.parent / name).resolve()
    return file / "index.html" if file.is_dir() else file


def _link_faults(page, path, site, anchors):
    for _, url in _links(page):
        parts = urlsplit(url)
        if _is_external(parts) or parts.scheme:
            continue
        file = _target(parts.path, path, site) if parts.path else path
        fragment = unquote(parts.fragment)
        if not (file.is_file() and file.is_relative_to(site)):
            yield f"link to missing file {url}"
        elif fragment not in ("", "top") and file in anchors and fragment not in anchors[file]:
            yield f"link to missing anchor {url}"
