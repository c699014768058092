"""Takes the pictures of the extension for the guides, in Chromium with its build for tests.

python docs/browser_pictures.py docs/browser

Needs Pillow, which comes with matplotlib, for the animation.
"""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from selenium.webdriver import ActionChains

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from scrapy_boilernet.extractor.labelers.boilernet.extension_file import write_extension_file  # noqa: E402
from scrapy_boilernet.extractor.labelers.registry import load_labeler  # noqa: E402
from scrapy_boilernet.lab.annotations.testbed import Extension, Testbed  # noqa: E402
from scrapy_boilernet.lab.annotations.testbed_report import report  # noqa: E402
from tests.testing.chromium import Chromium  # noqa: E402
from tests.testing.extension import DIST, Pages  # noqa: E402
from tests.testing.museum import museum_page  # noqa: E402
from tests.testing.sidecars import sidecar, write_sidecar  # noqa: E402

SITE = ROOT / "example_project" / "site"
DOCS = ROOT / "docs"
DARK = """
body, .masthead { background: #16181b; color: #dfe3e6 }
a, .masthead a, .masthead > a:first-child, nav a { color: #9fc3f0 }
.standfirst, address, time, figcaption { color: #b4bcc2 }
.newsletter, .related, .post, article .card { background: #23272b; color: #dfe3e6 }
"""
"""Added to a style, it makes a page dark."""
CAPTION = """
const bar = document.body.appendChild(document.createElement("div"));
bar.textContent = arguments[0];
bar.style = "position:fixed;inset:auto 0 0 0;z-index:9;padding:14px;text-align:center;"
    + "background:#17332a;color:#fff;font:600 24px system-ui,sans-serif";
"""
PAINTED = {"right-to-left": "article-ar", "forum": "forum-hub-gear"}


def main() -> None:
    """Take and write the pictures, each in a light and in a dark look."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for ending in ("", "-dark"):
        with Chromium(DIST / "test-chromium") as browser, Pages() as site:
            _take(browser, site, folder, ending)
        _testbed(folder / f"testbed{ending}.png", ending)


def _take(browser: Chromium, site: Pages, folder: Path, ending: str) -> None:
    """Take the pictures of the extension in one look; ``ending``: of its files' names."""
    for name, page in PAINTED.items():
        browser.open(site.put("/a", _styled(page, "site", ending)))
        browser.toggle()
        browser.driver.save_screenshot(str(folder / f"{name}{ending}.png"))
    if not ending:  # the same picture for both looks
        browser.open(site.put("/a", _styled("blog-clock", "site", "-dark")))
        browser.toggle()
        browser.driver.save_screenshot(str(folder / "dark.png"))
    docs = _styled("docs-queue", "", ending)
    browser.open(site.put("/docs", docs))
    browser.toggle()
    reader = f"reader.html?tab={browser.tab()}"
    _own(browser, reader, folder / f"reader{ending}.png", ending, (1000, 900))
    _own(browser, "options.html", folder / f"options{ending}.png", ending, (760, 720))
    _panel(browser, folder / f"panel{ending}.png", ending)
    _annotate(browser, site, folder, ending)
    _tour(browser, site, folder / f"tour{ending}.gif", ending)


def _styled(page: str, style: str, ending: str) -> str:
    """Return a page of the example site with one of the styles beside this file, or "" for the
    browser's; the pages themselves have little style.
    """
    html = (SITE / f"{page}.html").read_text(encoding="utf-8")
    css = (DOCS / f"{style}.css").read_text(encoding="utf-8") if style else ""
    return html.replace("</head>", f"<style>{css}{DARK if ending else ''}</style></head>", 1)


def _look(browser: Chromium, ending: str) -> None:
    """Ask the page that is shown for its own light or dark look."""
    value = "dark" if ending else "light"
    features = [{"name": "prefers-color-scheme", "value": value}]
    driver: Any = browser.driver
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def _own(
    browser: Chromium,
    page: str,
    file: Path | BytesIO,
    ending: str,
    size: tuple[int, int],
    caption: str = "",
) -> None:
    """Take a picture of one of the extension's own pages."""
    driver: Any = browser.driver
    tab = driver.current_window_handle
    driver.switch_to.new_window("tab")
    _look(browser, ending)
    driver.get(browser.address(page))
    browser.wait(lambda: driver.execute_script("return document.body.innerText.length > 40"))
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    _shoot(browser, file, caption)
    driver.close()
    driver.switch_to.window(tab)


def _shoot(browser: Chromium, file: Path | BytesIO, caption: str = "") -> None:
    """Take a picture of what is shown, with a caption at its foot."""
    driver: Any = browser.driver
    if caption:
        driver.execute_script(CAPTION, caption)
    png = driver.get_screenshot_as_png()
    if isinstance(file, Path):
        file.write_bytes(png)
    else:
        file.write(png)


def _tour(browser: Chromium, site: Pages, file: Path, ending: str) -> None:
    """Write an animation of the extension's main uses, on one page."""
    frames = [BytesIO() for _ in range(4)]
    address = site.put("/a", _styled("news-bridge", "newspaper", ending))
    browser.open(address)
    _shoot(browser, frames[0], "A page, as your browser shows it")
    browser.open(address)
    browser.toggle()
    size = tuple(browser.driver.execute_script("return [innerWidth, innerHeight]"))
    _own(
        browser, f"reader.html?tab={browser.tab()}", frames[2], ending, size,
        "The reader view: copy it as text or Markdown",
    )  # fmt: skip
    _shoot(browser, frames[1], "One click: what the model keeps is painted")
    _correct(browser, address)
    _shoot(browser, frames[3], "Is a block wrong? Correct it, and teach the model your site")
    first, *others = (
        Image.open(frame).convert("RGB").resize((720, round(720 * size[1] / size[0])))
        for frame in frames
    )
    first, *others = (one.quantize(96, dither=Image.Dither.NONE) for one in (first, *others))
    first.save(file, save_all=True, append_images=others, duration=2500, loop=0, optimize=True)


def _annotate(browser: Chromium, site: Pages, folder: Path, ending: str) -> None:
    """Take pictures of a page that is corrected, and of the panel beside it."""
    _correct(browser, site.put("/a", _styled("news-bridge", "newspaper", ending)))
    browser.driver.save_screenshot(str(folder / f"annotate{ending}.png"))
    panel = f"panel.html?tab={browser.tab()}"
    _own(browser, panel, folder / f"annotate-panel{ending}.png", ending, (360, 760))


def _correct(browser: Chromium, address: str) -> None:
    """Open the page and correct some of its labels."""
    browser.open(address)
    browser.annotate(do="start", annotator="Ann")
    rows = browser.annotate(do="rows")
    headline = next(i for i, row in enumerate(rows) if row["text"].startswith("Swing bridge to"))
    browser.annotate(do="label", kind="title", blocks=[headline])
    browser.annotate(do="label", kind="main", blocks=[headline + 1])
    text = browser.find("main .standfirst")
    ActionChains(browser.driver).move_to_element(text).perform()
    browser.wait(lambda: browser.annotate(do="state")["chosen"])


def _testbed(file: Path, ending: str) -> None:
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
            _look(browser, ending)
            browser.open(page.as_uri())
            browser.driver.save_screenshot(str(file))


def _said(text: str) -> tuple[str, str]:
    appeals = ("The museum lives", "Our friends", "The shop", "Town museum, Harbour")
    is_long = len(text) > 60 and not text.startswith(appeals)
    return ("main" if is_long else "boilerplate"), "human"


def _panel(browser: Chromium, file: Path, ending: str) -> None:
    """Take a picture of the panel, which asks for the tab that is shown."""
    driver: Any = browser.driver
    tab = browser.tab()
    driver.switch_to.new_window("tab")
    _look(browser, ending)
    own = f"chrome.tabs.query = async () => [{{id: {tab}}}];"
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": own})
    driver.get(browser.address("popup.html"))
    browser.wait(lambda: driver.execute_script("return document.querySelectorAll('li').length"))
    driver.find_element("css selector", "body.popup").screenshot(str(file))
    driver.close()
    driver.switch_to.window(browser.page_tab)


if __name__ == "__main__":
    main()
