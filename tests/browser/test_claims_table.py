"""Front page, table of claims and authors' page, driven in Chromium as a reader would."""

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

pytestmark = pytest.mark.browser
PAGES = ["index", "claims", "authors", *(f"document-00{n}" for n in range(5))]


@pytest.mark.parametrize("page", PAGES)
def test_page_fits_a_phone_and_logs_nothing(browser, screen, site, page):
    browser.get_log("browser")
    screen(360)
    browser.get(f"file://{site}/{page}.html")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
    assert browser.get_log("browser") == []


def test_an_open_story_fits_a_phone(browser, screen, site):
    screen(360)
    for claim in ("d4.cos.recap", "d1.code.output", "d2.dims.tradeoff"):
        browser.get(f"file://{site}/claims.html#{claim}")
        story = story_of(browser, claim)
        assert story.rect["x"] >= 0 and story.rect["x"] + story.rect["width"] <= 360
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 360


def desktop(browser):
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.set_window_size(1280, 900)


def story_of(browser, claim):
    """The open story of a claim; fails when it is closed or out of sight."""
    story = browser.find_element(By.CSS_SELECTOR, f".story[id='{claim}']")
    assert story.is_displayed()
    return story


def in_sight(browser, element):
    top, bottom = browser.execute_script(
        "const box = arguments[0].getBoundingClientRect(); return [box.top, box.bottom]", element
    )
    return bottom > 0 and top < browser.execute_script("return innerHeight")


def shown_rows(browser):
    return browser.find_elements(By.CSS_SELECTOR, "table.all-claims tbody tr:not([hidden])")


def choose(browser, name, value):
    label = f"//form[@role='search']//label[starts-with(., '{name}')]"
    Select(browser.find_element(By.XPATH, f"{label}//select")).select_by_value(value)


def told_count(browser):
    return browser.find_element(By.CSS_SELECTOR, "[role=status]").text


def test_reader_finds_a_claim_on_its_page_and_follows_it(browser, site):
    desktop(browser)
    browser.get(f"file://{site}/document-004.html#d4.dot.1.start10")
    row = browser.find_element(By.CSS_SELECTOR, "tr:target")
    assert "7.485" in row.text
    assert "reproduced" in row.text
    row.find_element(By.TAG_NAME, "a").click()
    assert browser.current_url.endswith("claims.html#d4.dot.1.start10")
    assert "make number ID=d4.dot.1.start10" in story_of(browser, "d4.dot.1.start10").text


@pytest.mark.parametrize("scripts", [True, False])
def test_an_address_opens_its_story(browser, site, scripts):
    desktop(browser)
    browser.get("about:blank")
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
    try:
        browser.get(f"file://{site}/claims.html#d4.width.3.val_loss")
        story = story_of(browser, "d4.width.3.val_loss")
        assert story.find_element(By.CSS_SELECTOR, "svg.plot").get_attribute("aria-label")
        assert len(browser.find_elements(By.CSS_SELECTOR, "details[open]")) == 1
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert in_sight(browser, story)


def test_an_address_wins_over_a_filter(browser, site):
    desktop(browser)
    browser.get(f"file://{site}/claims.html?document=000#d4.dot.starts")
    assert in_sight(browser, story_of(browser, "d4.dot.starts"))
    assert len(shown_rows(browser)) > 500


def test_a_story_by_mouse_and_by_keyboard(browser, site):
    desktop(browser)
    browser.get(f"file://{site}/claims.html?words=d4.dot.starts")
    (row,) = shown_rows(browser)
    summary = row.find_element(By.TAG_NAME, "summary")
    story = row.find_element(By.CLASS_NAME, "story")
    assert not story.is_displayed()
    summary.click()
    assert story.is_displayed()
    assert browser.current_url.endswith("?words=d4.dot.starts#d4.dot.starts")
    summary.send_keys(Keys.ENTER)
    assert not story.is_displayed()
    browser.find_element(By.CSS_SELECTOR, ".filters input[type=search]").click()
    for _ in range(40):  # tabs from the search to the claim
        browser.switch_to.active_element.send_keys(Keys.TAB)
        if browser.switch_to.active_element == summary:
            break
    browser.switch_to.active_element.send_keys(Keys.SPACE)
    assert story.is_displayed()
    links = story.find_elements(By.TAG_NAME, "a")
    assert any(link.get_attribute("href").endswith("values.csv") for link in links)
    assert browser.get_log("browser") == []


def test_counts_of_the_front_page_lead_to_these_claims(browser, site):
    desktop(browser)
    browser.get(f"file://{site}/index.html")
    strip = browser.find_elements(By.CSS_SELECTOR, ".strip a")
    counts = [(link.text.split()[0], link.get_attribute("href")) for link in strip]
    assert len(counts) > 3
    for count, address in counts:
        browser.get(address)
        assert told_count(browser).startswith(f"{count} of ")
        assert str(len(shown_rows(browser))) == count


def test_findings_lead_to_their_stories(browser, site):
    desktop(browser)
    browser.get(f"file://{site}/index.html")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".findings > li")) == 5
    links = browser.find_elements(By.CSS_SELECTOR, ".findings .rests-on a, .answer a")
    addresses = [link.get_attribute("href") for link in links]
    claims = [address.partition("#")[2] for address in addresses if "#" in address]
    assert "d1.cos.paris_france" in claims and "d4.dot.starts" in claims
    for claim in claims:
        browser.get(f"file://{site}/claims.html#{claim}")
        assert in_sight(browser, story_of(browser, claim))
    (several,) = [address for address in addresses if "#" not in address]
    browser.get(several)
    assert told_count(browser).startswith("14 of ")


def test_reader_filters_the_claims(browser, site):
    desktop(browser)
    browser.get(f"file://{site}/claims.html?document=004")
    documents = {row.get_attribute("data-document") for row in shown_rows(browser)}
    assert documents == {"004"}
    choose(browser, "verdict", "not pinned")
    choose(browser, "evidence", "trained")
    choose(browser, "group", "width-sweep")
    rows = shown_rows(browser)
    assert rows and told_count(browser).startswith(f"{len(rows)} of ")
    for row in rows:
        assert row.get_attribute("data-verdict") == "not pinned"
        assert row.get_attribute("data-group") == "width-sweep"
    shared = browser.current_url
    browser.get("about:blank")
    browser.get(shared)
    assert len(shown_rows(browser)) == len(rows)
    browser.find_element(By.XPATH, "//button[text()='Show all']").click()
    assert "?" not in browser.current_url
    search = browser.switch_to.active_element
    search.send_keys("7.485 start")
    found = [row.text for row in shown_rows(browser)]
    assert len(found) == 2 and all("7.485" in text for text in found)
    assert told_count(browser).startswith("2 of ")
    search.send_keys("zzzz")
    assert shown_rows(browser) == []
    assert told_count(browser).startswith("0 of ")
    for control in browser.find_elements(By.CSS_SELECTOR, ".filters :is(select, input)"):
        assert control.accessible_name
    assert browser.get_log("browser") == []


def test_reader_sorts_the_claims(browser, site):
    desktop(browser)

    def column(number):
        return [row.find_elements(By.TAG_NAME, "td")[number].text for row in shown_rows(browser)]

    browser.get(f"file://{site}/claims.html?document=004")
    heads = browser.find_elements(By.CSS_SELECTOR, "table.all-claims thead th")
    heads[4].find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    assert [head.get_attribute("aria-sort") for head in heads].count(None) == len(heads) - 1
    assert heads[4].get_attribute("aria-sort") == "ascending"
    assert column(4) == sorted(column(4)) and len(set(column(4))) > 1
    browser.find_element(By.CSS_SELECTOR, ".filters input[type=search]").send_keys("offset= start=")
    heads[3].find_element(By.TAG_NAME, "button").click()
    values = [float(text) for text in column(3)]
    assert values == sorted(values) and len(values) > 10
    heads[3].find_element(By.TAG_NAME, "button").click()
    assert heads[3].get_attribute("aria-sort") == "descending"
    assert [float(text) for text in column(3)] == values[::-1]
    shared = browser.current_url
    browser.get("about:blank")
    browser.get(shared)
    assert [float(text) for text in column(3)] == values[::-1]
    assert browser.get_log("browser") == []


def test_a_suggestion_leads_to_its_evidence(browser, site):
    desktop(browser)
    browser.get(f"file://{site}/authors.html#d4.dot.starts")
    item = browser.find_element(By.CSS_SELECTOR, "li:target")
    assert "contradicted" in item.text
    item.find_element(By.CSS_SELECTOR, "a").click()
    assert in_sight(browser, story_of(browser, "d4.dot.starts"))


def test_the_page_of_all_claims_is_light(browser, site):
    browser.get(f"file://{site}/claims.html")
    loaded = browser.execute_script(
        "return Array.from(document.querySelectorAll('link[href], script[src], img[src]'),"
        " (element) => element.href || element.src)"
    )
    files = [site / "claims.html", *(Path(name.removeprefix("file://")) for name in loaded)]
    assert sum(file.stat().st_size for file in files) < 3_000_000
    assert {file.name for file in files} >= {"claims.js", "ledger.css"}
