"""The preview renderer: each part of Quarto's language it knows, and each fault it reports."""

import pytest
from lxml import html

from embedding_ledger.preview import PreviewError, render
from embedding_ledger.sitecheck import check_site

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
NBSP = "\N{NO-BREAK SPACE}"


@pytest.fixture
def build(tmp_path):
    """Return a function that writes a project, builds it and parses one page."""

    def build(
        body="",
        page="index.qmd",
        front="title: Home",
        config="project:\n  type: website\n",
        **files,
    ):
        project = tmp_path / "project"
        files = {
            "_quarto.yml": config,
            page: f"---\n{front}\n---\n\n{body}\n",
            **files.pop("files", {}),
        }
        for name, text in files.items():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_text(text, encoding="utf-8")
        render(project, tmp_path / "site")
        return html.parse(tmp_path / "site" / page.replace(".qmd", ".html")).getroot()

    return build


def faults(build, *args, **kwargs):
    with pytest.raises(PreviewError) as error:
        build(*args, **kwargs)
    return error.value.faults


def text(element):
    return " ".join(element.text_content().replace(NBSP, " ").split())


def one(root, path):
    (found,) = root.xpath(path)
    return found


# Page shell


def test_shell_has_language_viewport_title_and_skip_link(build):
    page = build("Hello.", front="title: Home & <away>")
    assert page.get("lang") == "en"
    assert "width=device-width" in one(page, "//meta[@name='viewport']/@content")
    assert one(page, "//title").text == one(page, "//h1").text == "Home & <away>"
    target = one(page, "//a[@class='skip-link']/@href")
    assert one(page, f"//*[@id='{target[1:]}']").tag == "main"
    assert not page.xpath("//script")


def test_subtitle_and_description_are_shown(build):
    page = build(front="title: T\nsubtitle: Sub\ndescription: Des")
    assert one(page, "//main//p[@class='subtitle']").text == "Sub"
    assert one(page, "//main//p[@class='description']").text == "Des"
    assert one(page, "//meta[@name='description']/@content") == "Des"


def test_empty_page_without_extras(build):
    page = build()
    assert not page.xpath("//nav | //footer | //p")


CONFIG = """
project:
  type: website
website:
  title: The site
  page-footer: The end & more
  navbar:
    left:
      - index.qmd
      - {href: sub/page.qmd, text: Second}
      - text: More
        menu:
          - other.qmd
          - {href: "https://example.org/", text: Outside}
format:
  html:
    css: assets/own.css
"""
SITE = {
    "other.qmd": "---\ntitle: Other\n---\n",
    "index.qmd": "---\ntitle: Start\n---\n",
    "assets/own.css": "p { color: red }",
}


def test_navigation_from_a_sub_folder(build):
    page = build(page="sub/page.qmd", config=CONFIG, files=SITE)
    nav = one(page, "//nav[@aria-label='Site']")
    assert [(a.text, a.get("href"), a.get("aria-current")) for a in nav.iter("a")] == [
        ("Start", "../index.html", None),
        ("Second", "page.html", "page"),
        ("Other", "../other.html", None),
        ("Outside", "https://example.org/", None),
    ]
    assert one(nav, ".//details/summary").text == "More"
    assert one(page, "//a[@class='site-title']").get("href") == "../index.html"
    assert one(page, "//title").text == "Home – The site"
    assert one(page, "//footer").text == "The end & more"


def test_own_stylesheet_follows_the_shell(build, tmp_path):
    page = build(page="sub/page.qmd", config=CONFIG, files=SITE)
    expected = ["../site_libs/preview.css", "../assets/own.css"]
    assert page.xpath("//link[@rel='stylesheet']/@href") == expected
    assert (tmp_path / "site/assets/own.css").read_text() == SITE["assets/own.css"]


def test_navigation_to_a_missing_page_is_reported_once(build):
    config = "website: {navbar: {left: [gone.qmd]}}"
    files = {"other.qmd": "---\ntitle: Other\n---\n"}
    assert faults(build, config=config, files=files) == [
        "_quarto.yml: link to missing file gone.qmd"
    ]


def test_contents_need_more_than_two_sections(build):
    assert not build("## A\n\n## B\n").xpath("//nav")
    page = build("## A\n\n## B *b*\n\n### Not listed\n\n## C {#sec-c}\n")
    links = one(page, "//nav[@aria-label='On this page']").iter("a")
    assert [(a.get("href"), a.text) for a in links] == [
        ("#a", "A"),
        ("#b-b", "B b"),
        ("#sec-c", "C"),
    ]


def test_contents_can_be_switched_off(build):
    assert not build("## A\n\n## B\n\n## C\n", front="title: T\ntoc: false").xpath("//nav")


def test_contents_leave_out_tabs_and_callouts(build):
    tabs = "::: {.panel-tabset}\n## A\n\n## B\n:::\n\n::: {.callout-tip}\n## C\n:::\n\n## D\n"
    page = build(tabs)
    assert not page.xpath("//nav")
    assert [text(h2) for h2 in page.iter("h2")] == ["A", "B", "D"]


# Includes and variables


def test_include_is_relative_to_the_page_or_the_project(build):
    page = build(
        "{{< include ../_generated/deep/a.md >}}\n\n{{< include /_generated/b.md >}}\n",
        page="sub/page.qmd",
        files={
            "_generated/deep/a.md": "From *a*.\n\n{{< include ../_generated/c.md >}}",
            "_generated/b.md": '```{=html}\n<div class="b"><p>From b.</p></div>\n```\n',
            "_generated/c.md": "From c.",
        },
    )
    paragraphs = page.xpath("//div[@class='page-body']//p")
    assert [text(p) for p in paragraphs] == ["From a.", "From c.", "From b."]
    assert paragraphs[2].getparent().get("class") == "b"


def test_missing_includes_name_page_line_and_file(build):
    body = "Line 5.\n{{< include _gone.md >}}\n\n{{< include _a.md >}}"
    assert faults(build, body, files={"_a.md": "\n{{< include _b.md >}}"}) == [
        "index.qmd > _a.md:2: missing include _b.md",
        "index.qmd:6: missing include _gone.md",
    ]


def test_include_of_itself(build):
    assert faults(build, "{{< include _a.md >}}", files={"_a.md": "{{< include _a.md >}}"}) == [
        "index.qmd > _a.md:1: _a.md includes itself"
    ]


VARIABLES = {"_variables.yml": "n: 0.10\na:\n  b: nested\n"}


def test_variables_everywhere(build):
    page = build(
        "{{< var n >}} and **{{< var a.b >}}**\n\n{{< include _i.md >}}",
        front='title: "T {{< var n >}}"',
        files={**VARIABLES, "_i.md": "In {{<var a.b>}}"},
    )
    assert one(page, "//h1").text == "T 0.10"
    assert [text(p) for p in page.iter("p")] == ["0.10 and nested", "In nested"]
    assert one(page, "//strong").text == "nested"


def test_escaped_shortcode_stays(build):
    page = build("`{{{< var gone >}}}`")
    assert one(page, "//code").text == "{{< var gone >}}"


def test_unknown_variables_are_listed_together(build):
    files = {**VARIABLES, "other.qmd": "---\ntitle: O\n---\n{{< var z >}}"}
    assert faults(build, "{{< var x >}} {{< var a >}} {{< var a.c >}}", files=files) == [
        "index.qmd: unknown variable a",
        "index.qmd: unknown variable a.c",
        "index.qmd: unknown variable x",
        "other.qmd: unknown variable z",
    ]


def test_other_shortcodes_are_faults(build):
    assert faults(build, "See {{< meta title >}} and {{< include _x.md >}}.") == [
        "index.qmd: unsupported shortcode {{< include _x.md >}}",
        "index.qmd: unsupported shortcode {{< meta title >}}",
    ]


# Callouts


@pytest.mark.parametrize("kind", ["note", "tip", "warning", "important", "caution"])
def test_callout_with_its_default_title(build, kind):
    box = one(build(f"::: {{.callout-{kind}}}\nBody.\n:::"), "//div[contains(@class, 'callout ')]")
    assert box.get("class") == f"callout callout-{kind}"
    assert [(e.tag, text(e)) for e in box] == [("p", kind.capitalize()), ("p", "Body.")]


@pytest.mark.parametrize(
    "source",
    ['::: {.callout-note title="A b"}\nBody.\n:::', "::: {.callout-note}\n## A *b*\n\nBody.\n:::"],
)
def test_callout_title(build, source):
    box = one(build(source), "//div[contains(@class, 'callout ')]")
    assert [(e.tag, text(e)) for e in box] == [("p", "A b"), ("p", "Body.")]
    assert box[0].get("class") == "callout-title"
    assert box.get("title") is None


@pytest.mark.parametrize(("collapse", "is_open"), [("true", False), ("false", True)])
def test_collapsed_callout(build, collapse, is_open):
    page = build(f'::: {{.callout-tip collapse="{collapse}"}}\n## Head\n\nBody.\n:::')
    box = one(page, "//details")
    assert [(e.tag, text(e)) for e in box] == [("summary", "Head"), ("p", "Body.")]
    assert (box.get("open") is not None) is is_open
    assert not page.xpath("//@data-collapse | //h2")


# Figures, tables, equations, references

NUMBERED = """
See @fig-b, @tbl-t, @eq-e and @sec-s.

![First](a.svg){#fig-a}

![Second *one*](a.svg){#fig-b fig-alt="What is seen"}

| x | y |
|---|--:|
| 1 | 2 |

: Values {#tbl-t}

$$ a^2 $$ {#eq-e}

## The section {#sec-s}
"""


def test_references_and_captions(build):
    page = build(NUMBERED, files={"a.svg": SVG})
    assert [(a.get("href"), text(a)) for a in page.xpath("//a[@class='xref']")] == [
        ("#fig-b", "Figure 2"),
        ("#tbl-t", "Table 1"),
        ("#eq-e", "Equation 1"),
        ("#sec-s", "Section The section"),
    ]
    assert text(page.xpath("//p")[0]) == (
        "See Figure 2, Table 1, Equation 1 and Section The section."
    )
    assert [(f.getparent().get("id"), text(f)) for f in page.iter("figcaption")] == [
        ("fig-a", "Figure 1: First"),
        ("fig-b", "Figure 2: Second one"),
        ("tbl-t", "Table 1: Values"),
    ]
    assert not page.xpath("//figcaption[@aria-hidden]")
    equation = one(page, "//*[@id='eq-e']")
    assert [e.tag for e in equation] == ["math", "span"]
    assert equation[1].text == "(1)"
    assert "{#eq" not in text(page)


def test_fig_alt_becomes_alt(build):
    images = build(NUMBERED, files={"a.svg": SVG}).xpath("//img")
    assert [image.get("alt") for image in images] == ["First", "What is seen"]
    assert not any("data-fig-alt" in image.attrib for image in images)


def test_numbers_start_again_on_each_page(build, tmp_path):
    other = f"---\ntitle: O\n---\n{NUMBERED}"
    build(NUMBERED, files={"a.svg": SVG, "other.qmd": other})
    page = html.parse(tmp_path / "site/other.html").getroot()
    assert text(page.xpath("//figcaption")[0]) == "Figure 1: First"


@pytest.mark.parametrize("reference", ["@fig-x", "@sec-x", "[see @tbl-x]"])
def test_unknown_reference(build, reference):
    assert faults(build, f"As {reference} says.") == [f"index.qmd: unknown reference {reference}"]


def test_section_reference_to_a_heading_that_opens_a_div(build):
    page = build("See @sec-x.\n\n::: {.wide}\n## In a div {#sec-x}\n:::\n")
    assert text(one(page, "//a[@class='xref']")) == "Section In a div"
    assert len(page.xpath("//*[@id='sec-x']")) == 1


def test_tables_scroll_in_a_box_of_their_own(build):
    raw = "```{=html}\n<table><caption>Raw</caption><tr><td>1</td></tr></table>\n```\n"
    page = build(f"| x |\n|---|\n| {'long ' * 60} |\n\n{raw}\nAfter.")
    boxes = page.xpath("//table/parent::div[@class='table-scroll'][@tabindex='0']")
    assert [box.get("aria-label") for box in boxes] == ["Table", "Raw"]
    assert text(one(boxes[1], "./parent::figure/figcaption")) == "Raw"
    assert not page.xpath("//col")
    assert text(page.xpath("//p")[-1]) == "After."


def test_general_markdown(build):
    page = build("Note[^1] $x$.\n\n[^1]: The note.\n\n```python\nx = 1\n```\n")
    assert one(page, "//section[@role='doc-endnotes']//li/p").text == "The note."
    assert one(page, "//pre/code").text == "x = 1"
    assert len(page.xpath("//math")) == 1


@pytest.mark.parametrize(
    ("body", "reason"), [("::: {.a}\nx", "unclosed"), (r"$\nothing{x}$", "Could not convert TeX")]
)
def test_warnings_of_pandoc_are_faults(build, body, reason):
    (fault,) = faults(build, body)
    assert fault.startswith("index.qmd: pandoc: [WARNING]")
    assert reason in fault


# Links and files


def test_links_between_pages_and_to_files(build, tmp_path):
    page = build(
        "[a](../index.qmd#x) [b](/index.qmd) [c](#here) [d](https://example.org/a.qmd)\n"
        "[e](e%20%23f.csv)\n\n![s](../s.svg)",
        page="sub/page.qmd",
        files={"index.qmd": "---\ntitle: I\n---\n", "sub/e #f.csv": "1", "s.svg": SVG},
    )
    assert page.xpath("//main//a/@href") == [
        "../index.html#x",
        "../index.html",
        "#here",
        "https://example.org/a.qmd",
        "e%20%23f.csv",
    ]
    assert one(page, "//img/@src") == "../s.svg"
    assert (tmp_path / "site/sub/e #f.csv").read_text() == "1"
    assert (tmp_path / "site/s.svg").read_text() == SVG


def test_links_to_missing_files(build):
    body = "[a](gone.qmd) ![b](gone.svg)\n\n```{=html}\n<img src='raw.png' alt='r'>\n```\n"
    assert faults(build, body) == [
        f"index.qmd: link to missing file {name}" for name in ("gone.qmd", "gone.svg", "raw.png")
    ]


def test_resources_and_only_they_are_copied(build, tmp_path):
    build(
        config="project:\n  resources:\n    - data/*.csv\n    - figures/\n",
        files={
            "data/a.csv": "a",
            "data/a.txt": "t",
            "figures/deep/f.svg": SVG,
            "figures/.hidden": "",
            "_part.qmd": "not a page",
            "_drafts/p.qmd": "not a page",
        },
    )
    site = tmp_path / "site"
    assert sorted(p.relative_to(site).as_posix() for p in site.rglob("*") if p.is_file()) == [
        "data/a.csv",
        "figures/deep/f.svg",
        "index.html",
        "site_libs/preview.css",
    ]


# The build as a whole


def test_new_site_replaces_the_old_one(build, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site/old.html").write_text("old")
    build("New.")
    assert not (tmp_path / "site/old.html").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["project", "site"]


def test_failed_build_leaves_the_old_site(build, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site/old.html").write_text("old")
    faults(build, "@fig-x")
    assert [p.name for p in (tmp_path / "site").iterdir()] == ["old.html"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["project", "site"]


def test_site_inside_the_project_is_not_built_into_itself(build, tmp_path):
    build("Once.", config="project:\n  resources: ['**/*.html']\n")
    project = tmp_path / "project"
    for _ in range(2):
        render(project, project / "_site")
    assert sorted(p.name for p in (project / "_site").iterdir()) == ["index.html", "site_libs"]


def test_output_is_the_same_each_time(build, tmp_path):
    def contents():
        build(
            NUMBERED,
            config=CONFIG,
            files=SITE
            | {
                "sub/page.qmd": "---\ntitle: P\n---\n",
                "a.svg": SVG,
                "index.qmd": f"---\ntitle: S\n---\n{NUMBERED}",
            },
        )
        return {p: p.read_bytes() for p in (tmp_path / "site").rglob("*") if p.is_file()}

    first = contents()
    assert contents() == first
    assert not any(str(tmp_path).encode() in content for content in first.values())
    assert check_site(tmp_path / "site") == []


def test_the_project_cannot_be_overwritten(build, tmp_path):
    build()
    with pytest.raises(PreviewError, match="replace the project"):
        render(tmp_path / "project", tmp_path)
    assert (tmp_path / "project/index.qmd").exists()


def test_faults_of_the_sources_themselves(build, tmp_path):
    assert faults(build, front="subtitle: S") == ["index.qmd: no title in the front matter"]
    assert faults(build, front="title: [")[0].startswith("index.qmd: not valid YAML: ")
    assert faults(build, config="a: [")[0].startswith("_quarto.yml: not valid YAML: ")
    with pytest.raises(PreviewError, match=r"_quarto\.yml: missing"):
        render(tmp_path / "nowhere", tmp_path / "site")
