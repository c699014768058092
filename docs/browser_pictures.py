"""Takes the pictures of the extension for the guides, in Chromium with its build for tests.

python docs/browser_pictures.py docs/browser
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from selenium.webdriver import ActionChains

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from scrapy_boilernet.annotations.testbed import Extension, Testbed  # noqa: E402
from scrapy_boilernet.annotations.testbed_report import report  # noqa: E402
from scrapy_boilernet.labelers.extension_file import write_extension_file  # noqa: E402
from scrapy_boilernet.labelers.registry import load_labeler  # noqa: E402
from tests.testing.chromium import Chromium  # noqa: E402
from tests.testing.extension import DIST, Pages  # noqa: E402
from tests.testing.museum import museum_page  # noqa: E402
from tests.testing.sidecars import sidecar, write_sidecar  # noqa: E402

SITE = ROOT / "example_project" / "site"
LOOKS = """<style>
body{max-width:60rem;margin:0 auto;padding:0 1.5rem;font:17px/1.55 Georgia,serif}
header ul,nav ul,nav ol,.top-bar,.navbar ul,.linklist,.breadcrumbs{display:flex;flex-wrap:wrap;
gap:.3rem 1.2rem;list-style:none;padding:0;font-size:.85em}
.cookie,.consent,.skip,.screen-reader-text{display:none !important}
</style></head>"""
"""The example's pages have little style of their own."""
DARK = LOOKS.replace("</style>", "body{background:#16181b;color:#dfe3e6}a{color:#8ab4f8}</style>")
PAINTED = {
    "light": ("news-bridge", LOOKS),
    "dark": ("blog-clock", DARK),
    "right-to-left": ("article-ar", LOOKS),
    "forum": ("forum-hub-gear", LOOKS),
}


def main() -> None:
    """Take and write the pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with Chromium(DIST / "test-chromium") as browser, Pages() as site:
        for name, (page, style) in PAINTED.items():
            html = (SITE / f"{page}.html").read_text(encoding="utf-8")
            browser.open(site.put("/a", html.replace("</head>", style, 1)))
            browser.toggle()
            browser.driver.save_screenshot(str(folder / f"{name}.png"))
        browser.open(site.put("/docs", (SITE / "docs-queue.html").read_bytes()))
        browser.toggle()
        _own(browser, f"reader.html?tab={browser.tab()}", folder / "reader.png", (1000, 900))
        _own(browser, "options.html", folder / "options.png", (760, 720))
        _panel(browser, folder / "panel.png")
        _annotate(browser, site, folder)
    _testbed(folder / "testbed.png")


def _own(browser: Chromium, page: str, file: Path, size: tuple[int, int]) -> None:
    """Take a picture of one of the extension's own pages."""
    driver: Any = browser.driver
    tab = driver.current_window_handle
    driver.switch_to.new_window("tab")
    driver.get(browser.address(page))
    browser.wait(lambda: driver.execute_script("return document.body.innerText.length > 40"))
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.save_screenshot(str(file))
    driver.close()
    driver.switch_to.window(tab)


def _annotate(browser: Chromium, site: Pages, folder: Path) -> None:
    """Take pictures of a page that is corrected, and of the panel beside it."""
    html = (SITE / "news-bridge.html").read_text(encoding="utf-8")
    browser.open(site.put("/a", html.replace("</head>", LOOKS, 1)))
    browser.annotate(do="start", annotator="Ann")
    rows = browser.annotate(do="rows")
    kept = [i for i, row in enumerate(rows) if row["kind"] == "main"]
    browser.annotate(do="label", kind="title", blocks=kept[:1])
    browser.annotate(do="label", kind="main", blocks=kept[1:2])
    browser.annotate(do="label", kind="boilerplate", blocks=kept[3:4])
    text = browser.find("main p:nth-of-type(3)")
    ActionChains(browser.driver).move_to_element(text).perform()
    browser.wait(lambda: browser.annotate(do="state")["chosen"])
    browser.driver.save_screenshot(str(folder / "annotate.png"))
    _own(browser, f"panel.html?tab={browser.tab()}", folder / "annotate-panel.png", (360, 760))


def _testbed(file: Path) -> None:
    """Take a picture of the test bed's report on three pages of a made-up site."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(3):
            html = museum_page(number).encode()
            url = f"https://museum.example/object/{number}"
            document = sidecar(html, _said, url=url, title=f"Object {number + 101}")
            write_sidecar(folder / "in", f"page{number}", html, document)
        extension = Extension(DIST / "test-chromium", write_extension_file("default", folder))
        labelers = [load_labeler("default")]
        testbed = Testbed(labelers, frozenset({"main"}), extension, share=0.2)
        page = folder / "report.html"
        page.write_text(report(list(testbed.run([folder / "in"]))), encoding="utf-8")
        with Chromium() as browser:
            browser.open(page.as_uri())
            browser.driver.save_screenshot(str(file))


def _said(text: str) -> tuple[str, str]:
    appeals = ("The museum lives", "Our friends", "The shop", "Town museum, Harbour")
    is_long = len(text) > 60 and not text.startswith(appeals)
    return ("main" if is_long else "boilerplate"), "human"


def _panel(browser: Chromium, file: Path) -> None:
    """Take a picture of the panel, which asks for the tab that is shown."""
    driver: Any = browser.driver
    tab = browser.tab()
    driver.switch_to.new_window("tab")
    own = f"chrome.tabs.query = async () => [{{id: {tab}}}];"
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": own})
    driver.get(browser.address("popup.html"))
    browser.wait(lambda: driver.execute_script("return document.querySelectorAll('li').length"))
    driver.find_element("css selector", "body.popup").screenshot(str(file))
    driver.close()
    driver.switch_to.window(browser.page_tab)


if __name__ == "__main__":
    main()
