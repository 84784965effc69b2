"""The site check: each fault planted is found, and what looks like one is left alone."""

import pytest

from embedding_ledger.sitecheck import check_site

CLEAN = "<h1>Page</h1><h2 id='a'>A</h2><p>Text <a href='#a'>a</a>.</p>"


@pytest.fixture
def check(tmp_path):
    """Return a function that writes a one page site, and other files, and checks it."""

    def check(body=CLEAN, head="<title>T</title>", **files):
        site = tmp_path / "site"
        pages = {
            "index.html": f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
        }
        for name, text in {**pages, **files.get("files", {})}.items():
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_text(text, encoding="utf-8")
        (tmp_path / "outside.html").write_text(CLEAN)
        return check_site(site)

    return check


OTHER = {"sub/other.html": "<title>O</title><h1 id='top-é'>O</h1><a href='../index.html#a'>up</a>"}


def test_clean_site(check):
    body = (
        f"{CLEAN}<p><a name='n'></a><a href='#n'>n</a> <a href='sub/other.html#top-%C3%A9'>o</a>"
        "<a href='sub/other.html?q=1'>q</a> <a href='/f.csv'>f</a> <a href='sub/'>s</a>"
        "<a href='https://example.org/#x'>e</a> <a href='mailto:a@fig-b.c'>m</a> <a href=''>t</a>"
        "<img src='f.svg' alt='F'><img src='f.svg' alt='' role='presentation'>"
        "<img src='data:image/png;base64,AA' alt='' aria-hidden='true'></p>"
    )
    head = (
        "<title>T</title><link rel='canonical' href='https://example.org/'>"
        "<link rel='stylesheet' href='s.css'><script src='s.js'></script>"
    )
    css = "p { background: url(f.svg) url('data:image/svg+xml;utf8,http://www.w3.org/') }"
    files = {
        **OTHER,
        "sub/index.html": "<title>S</title><h1>S</h1>",
        "f.csv": "",
        "f.svg": "",
        "s.css": css,
        "s.js": "",
        "site_libs/part.html": "?@fig-x",
    }
    assert check(body, head, files=files) == []


def test_site_without_pages(tmp_path):
    assert check_site(tmp_path) == ["index.html: the site has no page"]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<strong>?@fig-x</strong>", "unresolved cross reference ?@fig-x"),
        ("<p>See @tbl-y.</p>", "unresolved cross reference @tbl-y"),
        (
            "<a href='#a' class='quarto-unresolved-ref'>sec-x</a>",
            "unresolved cross reference sec-x",
        ),
        ("<p>Of ?var:a.b claims</p>", "unresolved variable ?var:a.b"),
        ("<p>Of ?meta:title</p>", "unresolved variable ?meta:title"),
        ("<p>{{&lt; include x.md &gt;}}</p>", "raw shortcode {{< include x.md >}}"),
        ("<p>Text<a href='no.html'>n</a></p>", "link to missing file no.html"),
        ("<p><a href='../outside.html'>n</a></p>", "link to missing file ../outside.html"),
        ("<p><a href='sub/'>n</a></p>", "link to missing file sub/"),
        ("<p><img src='no.svg' alt='N'></p>", "link to missing file no.svg"),
        ("<p><a href='#no'>n</a></p>", "link to missing anchor #no"),
        ("<p><a href='sub/other.html#no'>n</a></p>", "link to missing anchor sub/other.html#no"),
        ("<p><img src='f.svg'></p>", "image without alt f.svg"),
        ("<p><img src='f.svg' alt=' '></p>", "image without alt f.svg"),
        ("<p id='a'>twice</p>", "duplicate id a"),
        (
            "<script src='https://example.org/x.js'></script>",
            "external script https://example.org/x.js",
        ),
        ("<img src='//example.org/x.png' alt='X'>", "external img //example.org/x.png"),
        (
            "<svg><image href='https://example.org/x.png'></image></svg>",
            "external image https://example.org/x.png",
        ),
        (
            "<p style='background: url(http://example.org/x.png)'>x</p>",
            "external address in a style http://example.org/x.png",
        ),
    ],
)
def test_planted_fault_in_the_body(check, body, fault):
    assert check(CLEAN + body, files={**OTHER, "f.svg": ""}) == [f"index.html: {fault}"]


@pytest.mark.parametrize("value", ["nan", "NaN", "None", "inf", "-inf"])
def test_cell_that_is_no_number(check, value):
    table = f"<table><tr><td><b> {value} </b></td></tr></table>"
    assert check(CLEAN + table) == [f"index.html: table cell {value}"]


@pytest.mark.parametrize("cell", ["<code>None</code>", "None given", "0", ""])
def test_cell_that_is_fine(check, cell):
    assert check(f"{CLEAN}<table><tr><td>{cell}</td></tr></table>") == []


@pytest.mark.parametrize("tag", ["code", "pre", "script", "style"])
def test_code_may_show_anything(check, tag):
    assert check(f"{CLEAN}<{tag}>?@fig-x ?var:a {{{{&lt; x</{tag}>") == []


def test_text_in_the_title_is_checked(check):
    assert check(head="<title>Of ?var:n</title>") == ["index.html: unresolved variable ?var:n"]


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("<link rel='stylesheet' href='https://e.org/a.css'>", "https://e.org/a.css"),
        ("<link rel='preload' as='font' href='https://e.org/a.woff2'>", "https://e.org/a.woff2"),
        ("<link href='https://e.org/a.css'>", "https://e.org/a.css"),
    ],
)
def test_external_link_element(check, link, address):
    assert check(head=f"<title>T</title>{link}") == [f"index.html: external link {address}"]


@pytest.mark.parametrize(
    "css",
    ['@import"https://e.org/font.css";', "@font-face { src: url( 'https://e.org/font.css' ) }"],
)
def test_request_from_a_stylesheet(check, css):
    head = "<title>T</title><link rel='stylesheet' href='site_libs/s.css'>"
    assert check(head=head, files={"site_libs/s.css": css}) == [
        "index.html: external address in a style https://e.org/font.css"
    ]


@pytest.mark.parametrize("head", ["", "<title> </title>"])
def test_page_without_title(check, head):
    assert check(head=head) == ["index.html: no title"]


@pytest.mark.parametrize("body", ["<p>x</p>", "<h1> </h1>"])
def test_page_without_heading(check, body):
    assert check(body) == ["index.html: no h1"]


def test_ids_of_quartos_navigation_may_repeat(check):
    ids = ("quarto-search", "navbarCollapse", "menu1", "nav-menu-more", "tippy-1")
    assert check(CLEAN + "".join(f"<i id='{name}'></i><i id='{name}'></i>" for name in ids)) == []


def test_faults_are_sorted_and_name_their_page(check):
    assert check(f"{CLEAN}?@fig-b ?@fig-a", files={"a/b.html": "", "a.html": "<h1>x</h1>"}) == [
        "a.html: no title",
        "a/b.html: no h1",
        "a/b.html: no title",
        "index.html: unresolved cross reference ?@fig-a",
        "index.html: unresolved cross reference ?@fig-b",
    ]
