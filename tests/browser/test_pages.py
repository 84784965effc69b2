"""Every page of the built site: readable by all, on any screen, in both themes, from this host."""

import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.browser
HEAVIEST = 3_000_000  # bytes of a page with all that it loads
RUN_AXE = """
const done = arguments[arguments.length - 1];
const options = {resultTypes: ["violations"], ...arguments[0]};
axe.run(document, options).then(
  found => done(found.violations.map(fault => [fault.impact + ": " + fault.help,
    fault.nodes.slice(0, 5).map(node => node.target.join(" ") + " " + node.failureSummary)])),
  error => done([["axe failed", String(error)]]));
"""


def pytest_generate_tests(metafunc):
    """Run a test that asks for a `page` on every page of the site."""
    if "page" in metafunc.fixturenames:
        site = Path(metafunc.config.getoption("--results"), "site")
        found = sorted(path.stem for path in site.glob("*.html"))
        # without a site the test of the front page says so
        metafunc.parametrize("page", found or ["index"])


def faults(browser, axe, **options):
    """Return what axe-core finds on the open page; `options` are those of axe.run."""
    browser.execute_script(axe)
    return browser.execute_async_script(RUN_AXE, options)


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (1280, "dark"), (360, "light")])
def test_page_is_accessible(browser, screen, site, axe, page, width, theme):
    screen(width, theme)
    browser.get(f"file://{site}/{page}.html")
    # a theme changes colours only
    options = {"runOnly": ["color-contrast"]} if theme == "dark" else {}
    assert faults(browser, axe, **options) == []


def test_axe_finds_what_is_planted(browser, screen, axe, tmp_path):
    screen(1280)
    planted = tmp_path / "planted.html"
    planted.write_text(
        "<html lang=en><title>T</title><main><h1>H</h1><img src=x><input>"
        "<p style='color: #aaa'>pale</p></main>"
    )
    browser.get(planted.as_uri())
    (pale,) = faults(browser, axe, runOnly=["color-contrast"])
    assert pale[0] == "serious: Elements must meet minimum color contrast ratio thresholds"
    found = {told for told, _ in faults(browser, axe)}
    assert {"critical: Images must have alternative text"} <= found
    assert {"critical: Form elements must have labels"} <= found
    browser.get_log("browser")


def test_page_fits_a_phone(browser, screen, site, page):
    screen(360)
    browser.get(f"file://{site}/{page}.html")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360


def requested(browser):
    """Return the addresses that the browser has asked for since the last call."""
    messages = [json.loads(entry["message"]) for entry in browser.get_log("performance")]
    sent = [message["message"] for message in messages]
    return {
        message["params"]["request"]["url"]
        for message in sent
        if message["method"] == "Network.requestWillBeSent"
    }


def test_page_is_light_and_asks_nobody_else(browser, screen, site, page):
    screen(1280)
    requested(browser), browser.get_log("browser")
    browser.get(f"file://{site}/{page}.html")
    browser.execute_script("window.scrollTo(0, document.body.scrollHeight)")
    assert browser.get_log("browser") == []
    addresses = {address for address in requested(browser) if not address.startswith("data:")}
    assert {urlsplit(address).scheme for address in addresses} == {"file"}
    files = {Path(unquote(urlsplit(address).path)) for address in addresses}
    assert site / f"{page}.html" in files
    assert all(file.is_relative_to(site) for file in files)
    assert sum(file.stat().st_size for file in files) < HEAVIEST
    broken = "return Array.from(document.images).filter(i => !i.naturalWidth).map(i => i.src)"
    assert browser.execute_script(broken) == []
