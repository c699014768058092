"""Chromium with the extension, driven by Selenium. Without it, this module cannot be imported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Self

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.labelers.base import Labeler
from scrapy_boilernet.labeling import label_page

from .agreement import Agreement, Read, agreement
from .extension import CHROMEDRIVER, CHROMIUM, DIST, Node

_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",  # root has none
    "--window-size=1000,900",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
_SECONDS = 30


class Chromium:
    """A browser; ``extension``: a folder to load, in which case a tab shows its page of options."""

    def __init__(self, extension: Path | None = None) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = str(CHROMIUM)
        for argument in _ARGUMENTS:
            options.add_argument(argument)
        if extension:
            options.add_argument(f"--load-extension={extension}")
            options.add_argument("--disable-features=DisableLoadExtensionCommandLineSwitch")
        self.driver = webdriver.Chrome(options=options, service=Service(str(CHROMEDRIVER)))
        self.driver.set_script_timeout(_SECONDS)
        self.page_tab = self.driver.current_window_handle
        self.own_tab = ""
        self.id = ""
        if extension:
            self.id = self.wait(self._extension_id)
            self.driver.switch_to.new_window("tab")
            self.own_tab = self.driver.current_window_handle
            self.driver.get(self.address("options.html"))
            self.driver.switch_to.window(self.page_tab)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.driver.quit()

    def wait(self, found: Any) -> Any:
        """Return what ``found`` returns, once that is true."""
        return WebDriverWait(self.driver, _SECONDS, 0.05).until(lambda _: found())

    def _extension_id(self) -> str:
        targets = self.driver.execute_cdp_cmd("Target.getTargets", {})["targetInfos"]
        urls = (target["url"] for target in targets)
        return next((url.split("/")[2] for url in urls if url.startswith("chrome-extension:")), "")

    def address(self, name: str) -> str:
        """Return the address of one of the extension's own pages."""
        return f"chrome-extension://{self.id}/{name}"

    def open(self, url: str) -> None:
        """Open a page in the tab of pages."""
        self.driver.switch_to.window(self.page_tab)
        self.driver.get(url)

    def run(self, script: str, *arguments: Any) -> Any:
        """Return what a script in the page returns; it sees what the page's own scripts see."""
        self.driver.switch_to.window(self.page_tab)
        return self.driver.execute_script(script, *arguments)

    def own(self, expression: str) -> Any:
        """Return what an expression, perhaps a promise, is in the extension's page of options."""
        self.driver.switch_to.window(self.own_tab)
        script = (
            "const done = arguments[0];"
            f"(async () => {expression})().then(done, (error) => done({{error: error.message}}));"
        )
        result = self.driver.execute_async_script(script)
        self.driver.switch_to.window(self.page_tab)
        return result

    def tab(self) -> int:
        """Return the number that the extension knows the tab of pages by."""
        url = json.dumps("http://127.0.0.1/*")
        return int(self.own(f"(await chrome.tabs.query({{url: {url}}}))[0].id"))

    def ask_page(self, what: str) -> Any:
        """Return what the extension's side of the page answers."""
        return self.own(f"chrome.tabs.sendMessage({self.tab()}, {{type: {json.dumps(what)}}})")

    def toggle(self) -> Any:
        """Do what the toolbar button does; return the summary."""
        return self.own(f"chrome.runtime.sendMessage({{type: 'toggle', tab: {self.tab()}}})")

    def painted(self) -> dict[str, list[str]]:
        """Return the painted texts by kind, in document order, as the page's scripts see them."""
        found = self.run(
            """
            return Object.fromEntries([...CSS.highlights].map(([name, ranges]) => [
              name.replace("boilernet-", ""),
              [...ranges].map((range) => range.startContainer.data),
            ]));
            """
        )
        return dict(found)


def read_dom(browser: Chromium, url: str) -> dict[str, Any]:
    """Return the page, its markup and the milliseconds that reading took, from the DOM of a page
    whose scripts do not run: ``{"page": ..., "markup": ..., "ms": ...}``.
    """
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.open(url)
    source = (DIST / "dom.js").read_text(encoding="utf-8")

    def evaluate(expression: str) -> Any:
        wanted = {"expression": expression, "returnByValue": True}
        return browser.driver.execute_cdp_cmd("Runtime.evaluate", wanted)["result"].get("value")

    browser.wait(lambda: evaluate("document.readyState") == "complete")
    return dict(json.loads(evaluate(f"{source};readPage()")))


def dom_agreement(
    browser: Chromium, url: str, body: bytes, node: Node, labeler: Labeler
) -> Agreement:
    """Return how alike the package and the extension read and label what is served at ``url``."""
    read = blockify(body, url, encoding="utf-8")
    dom = read_dom(browser, url)["page"]
    probabilities = node.ask("probabilities", page=dom)
    labels = node.ask("decide", page=dom, probabilities=probabilities, options={})["labels"]
    own = zip(read.blocks, label_page(read, labeler).labels, strict=True)
    others = zip(dom["blocks"], labels, strict=True)
    return agreement(
        [Read(block.text, block.tags, label) for block, label in own],
        [Read(block["text"], tuple(block["tags"]), label) for block, label in others],
    )
