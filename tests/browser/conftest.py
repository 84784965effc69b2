"""One Chromium for all tests of the built pages."""

import os
import shutil
from pathlib import Path

import pytest
from selenium import webdriver

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
AXE = Path(__file__).with_name("node_modules") / "axe-core" / "axe.min.js"


def absent(told):
    """Skip where a tool is absent; in CI it never may be."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{told}, and CI is true")
    pytest.skip(told)


@pytest.fixture(scope="session")
def site(request):
    """The folder of the built site that `--results` names."""
    return Path(request.config.getoption("--results")).resolve() / "site"


@pytest.fixture(scope="session")
def browser():
    """Chromium, with a log of its console and of its requests."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        absent("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    opened.set_script_timeout(120)  # axe-core takes its time on a busy machine
    yield opened
    opened.quit()


@pytest.fixture
def screen(browser):
    """Return a function that sets the width of the screen in pixels and the theme."""

    def screen(width, theme="light"):
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
        )
        # without motion, nothing moves away from the mouse
        wanted = {"prefers-color-scheme": theme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wanted.items()]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    yield screen
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core, which `npm ci` in this folder installs."""
    if not AXE.is_file():
        absent("axe-core is not installed (npm ci in tests/browser)")
    return AXE.read_text(encoding="utf-8")
