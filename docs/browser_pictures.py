"""Takes the pictures of ``docs/browser.md``, in Chromium with the extension built for tests.

python docs/browser_pictures.py docs/browser
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.testing.chromium import Chromium  # noqa: E402
from tests.testing.extension import DIST, Pages  # noqa: E402

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
