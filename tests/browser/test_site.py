"""The built pages, opened in Chromium as a reader would."""

import csv

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

pytestmark = pytest.mark.browser


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


@pytest.fixture
def explorer(browser, site):
    """The explorer, opened from disk at a desktop's size; skipped where no table is here."""
    if not any((site / "explorer").glob("*.js")):
        pytest.skip("no published table was on the machine that built the site")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.set_window_size(1280, 900)
    browser.get(f"file://{site}/explorer.html")
    return browser


def neighbours(browser):
    rows = browser.find_elements(By.CSS_SELECTOR, "#explorer-near tr")
    return [tuple(cell.text for cell in row.find_elements(By.TAG_NAME, "td")) for row in rows]


def measured_neighbours(site, table, word):
    with (site / f"data/tables/{table}/neighbours.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["word"] == word]
    return [(row["neighbour"], f"{float(row['cosine']):.3f}") for row in rows]


def test_explorer_by_keyboard(explorer, site):
    """Choose a table and a token without a mouse; what is shown is what was measured."""
    for option in Select(explorer.find_element(By.ID, "explorer-table")).options:
        table = option.get_attribute("value")
        Select(explorer.find_element(By.ID, "explorer-table")).select_by_value(table)
        search = explorer.find_element(By.ID, "explorer-search")
        search.send_keys("Doctor", Keys.ENTER)
        assert explorer.find_element(By.ID, "explorer-token").text.lower().strip("_") == "doctor"
        search.clear()
    assert neighbours(explorer) == measured_neighbours(site, table, "doctor")
    dots = explorer.find_elements(By.CSS_SELECTOR, "#explorer-map circle")
    assert len(dots) >= 63
    explorer.execute_script("arguments[0].focus()", dots[0])
    label = dots[0].get_attribute("aria-label")
    assert explorer.find_element(By.ID, "explorer-told").text == label
    dots[0].send_keys(Keys.ENTER)
    assert explorer.find_element(By.ID, "explorer-token").text == label.split(",")[0]
    assert explorer.get_log("browser") == []


def test_explorer_by_mouse(explorer):
    before = explorer.find_element(By.ID, "explorer-token").text
    explorer.find_elements(By.CSS_SELECTOR, "#explorer-near button")[0].click()
    after = explorer.find_element(By.ID, "explorer-token").text
    assert after != before
    assert len(neighbours(explorer)) == 8
    dot = explorer.find_elements(By.CSS_SELECTOR, "#explorer-map circle")[-2]
    ActionChains(explorer).move_to_element(dot).perform()
    assert explorer.find_element(By.ID, "explorer-told").text == dot.get_attribute("aria-label")
    explorer.find_element(By.ID, "explorer-search").send_keys("zzzz")
    assert "None of the tokens" in explorer.find_element(By.ID, "explorer-matches").text


def test_explorer_without_scripts(browser, site):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(f"file://{site}/explorer.html")
        assert "Scripts are off" in browser.find_element(By.TAG_NAME, "body").text
        assert browser.find_element(By.CSS_SELECTOR, "noscript img, img").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_explorer_data_are_small(site):
    assert sum(path.stat().st_size for path in (site / "explorer").glob("*.js")) < 3_000_000
