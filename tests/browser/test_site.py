"""The built pages, opened in Chromium as a reader would."""

import csv

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

pytestmark = pytest.mark.browser


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
