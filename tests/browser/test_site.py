"""The built pages, opened in Chromium as a reader would."""

import shutil
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.browser
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="module")
def browser():
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield opened
    opened.quit()


@pytest.fixture(scope="module")
def site(request):
    return Path(request.config.getoption("--results")).resolve() / "site"


PAGES = ["index", "claims", "authors", "method", *(f"document-00{n}" for n in range(5))]


@pytest.mark.parametrize("page", PAGES)
def test_page_fits_a_phone_and_logs_nothing(browser, site, page):
    browser.set_window_size(520, 900)  # the smallest window; the frame below is a phone's width
    browser.get(f"file://{site}/{page}.html")
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True},
    )
    width = browser.execute_script("return document.documentElement.scrollWidth")
    assert width <= 360
    assert browser.get_log("browser") == []
    loaded = browser.execute_script(
        "return Array.from(document.images).every(i => i.complete && i.naturalWidth > 0)"
    )
    assert loaded


def test_reader_finds_a_claim_by_its_address(browser, site):
    browser.get(f"file://{site}/document-004.html#d4.dot.1.start10")
    row = browser.find_element(By.CSS_SELECTOR, "tr:target")
    assert "7.485" in row.text
    assert "reproduced" in row.text


def test_reader_walks_from_the_front_page_to_a_document(browser, site):
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.set_window_size(1280, 900)
    browser.get(f"file://{site}/index.html")
    link = browser.find_element(By.CSS_SELECTOR, "nav a[href='document-004.html']")
    browser.get(link.get_attribute("href"))
    assert "Document 004" in browser.find_element(By.TAG_NAME, "h1").text


def test_reader_filters_and_sorts_the_claims(browser, site):
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.get(f"file://{site}/claims.html?document=004")
    table = browser.find_element(By.CSS_SELECTOR, "table.all-claims")

    def shown():
        rows = table.find_elements(By.CSS_SELECTOR, "tbody tr:not([hidden])")
        return [row.get_attribute("data-document") + " " + row.text for row in rows]

    assert shown() and all(text.startswith("004") for text in shown())
    search = browser.find_element(By.CSS_SELECTOR, ".filters input[type=search]")
    search.send_keys("7.485 start")
    found = shown()
    assert len(found) == 2 and all("7.485" in text for text in found)
    assert browser.find_element(By.CSS_SELECTOR, "[role=status]").text.startswith("2 of ")
    search.send_keys(Keys.CONTROL, "a")
    search.send_keys(Keys.DELETE)
    head = table.find_element(By.CSS_SELECTOR, "thead th:nth-child(5)")
    head.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    assert head.get_attribute("aria-sort") == "ascending"
    verdicts = [v.text for v in table.find_elements(By.CSS_SELECTOR, "tr:not([hidden]) .verdict")]
    assert verdicts == sorted(verdicts) and len(set(verdicts)) > 1
