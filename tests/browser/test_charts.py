"""The interactive charts, by keyboard and by mouse: they show what was measured."""

import csv

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

pytestmark = pytest.mark.browser


@pytest.fixture
def chart(browser, screen, site):
    """Return a function that opens a page and gives its first chart."""

    def chart(page):
        screen(1280)
        browser.get(f"file://{site}/{page}.html")
        return browser.find_element(By.CSS_SELECTOR, ".chart")

    return chart


def table(site, name):
    with (site / f"data/{name}").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_every_run_behind_a_range_by_keyboard(chart, site):
    frame = chart("reconstruction")
    chooser = frame.find_element(By.TAG_NAME, "select")
    told = frame.find_element(By.CSS_SELECTOR, "[role=status]")
    ranges = {row["quantity"]: row for row in table(site, "bigram/spread.csv") if row["value"]}
    for option in Select(chooser).options:
        label = option.text
        part, _, width = label.partition(", width ")
        name = f"cosine.{part.removeprefix('Cosine of ').replace(' and ', '.')}"
        if width:
            name = f"width.{width}.{'val' if part == 'Held-out loss' else 'train'}_mean"
        dots = frame.find_elements(By.TAG_NAME, "circle")
        assert told.text.startswith(f"{label}: {len(dots)} runs from ")
        assert str(len(dots)) == ranges.pop(name)["used"]
        chooser.send_keys(Keys.ARROW_DOWN)
    assert not [name for name in ranges if name.startswith("cosine.") or name.endswith("_mean")]


def test_every_run_behind_a_range_by_mouse(chart, browser):
    frame = chart("reconstruction")
    first = frame.find_element(By.CSS_SELECTOR, "[role=status]").text
    Select(frame.find_element(By.TAG_NAME, "select")).select_by_visible_text(
        "Cosine of red and small"
    )
    assert frame.find_element(By.CSS_SELECTOR, "[role=status]").text != first
    titles = [dot.get_attribute("textContent") for dot in frame.find_elements(By.TAG_NAME, "title")]
    assert titles and all(title.startswith("F") and ": " in title for title in titles)


@pytest.mark.parametrize(
    ("page", "artefact", "step", "word"),
    [
        ("document-004", "bigram/map.csv", "steps", "token"),
        ("document-003", "micro/map.csv", "step", "word"),
    ],
)
def test_map_over_training(chart, browser, site, page, artefact, step, word):
    if not (site / "data" / artefact).exists():
        pytest.skip("the small language model was not trained here")
    frame = chart(page)
    rows = table(site, artefact)
    moments = list(dict.fromkeys(row[step] for row in rows))
    slider = frame.find_element(By.CSS_SELECTOR, "input[type=range]")
    told = frame.find_element(By.CSS_SELECTOR, "[role=status]")
    dots = frame.find_elements(By.CSS_SELECTOR, ".chart-map g")
    places = {dot.get_attribute("style") for dot in dots}
    for moment in moments:
        assert told.text.startswith(f"After {moment} steps. ")
        assert slider.get_attribute("aria-valuetext") == f"{moment} steps"
        slider.send_keys(Keys.ARROW_RIGHT)
    assert {dot.get_attribute("style") for dot in dots} != places
    words = [dot.find_element(By.TAG_NAME, "text").text for dot in dots]
    assert words == [row[word] for row in rows if row[step] == moments[-1]]
    # by mouse: a press in the middle of the slider, and a word that is pointed at
    ActionChains(browser).move_to_element(slider).click().perform()
    assert slider.get_property("value") in {str(len(moments) // 2), str((len(moments) - 1) // 2)}
    slider.send_keys(Keys.HOME)
    ActionChains(browser).move_to_element(dots[-1].find_element(By.TAG_NAME, "circle")).perform()
    assert frame.find_element(By.CLASS_NAME, "chart-named").text.split(",")[0] in words


def test_without_scripts_the_figures_stay(browser, site):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(f"file://{site}/document-004.html")
        assert not browser.find_element(By.CSS_SELECTOR, ".chart").is_displayed()
        assert browser.find_element(By.CSS_SELECTOR, "#fig-map img").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
