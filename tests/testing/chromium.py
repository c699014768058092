"""Chromium with the extension, driven by Selenium. Without it, this module cannot be imported."""

from __future__ import annotations

import json
from typing import Any

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import Labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.lab.annotations.browser import Chromium as Browser

from .agreement import Agreement, Read, agreement
from .extension import DIST, Node


class Chromium(Browser):
    """The package's browser, with methods for tests."""

    def find(self, css: str) -> Any:
        """Return an element of the page."""
        self.driver.switch_to.window(self.page_tab)
        return self.driver.find_element("css selector", css)

    def annotate(self, **request: Any) -> Any:
        """Return the extension's answer to a request of the panel."""
        message = json.dumps({"type": "annotate", "tab": self.tab(), "request": request})
        return self.own(f"chrome.runtime.sendMessage({message})")

    def saved(self) -> list[Any]:
        """Return the annotations that are on the disk."""
        return list(self._in_database("readonly", "get('annotations').getAll()"))

    def forget(self) -> None:
        """Delete all annotations."""
        self._in_database("readwrite", "(get('pages').clear(), get('annotations').clear())")

    def _in_database(self, mode: str, action: str) -> Any:
        """Return the result of a request; [] if the extension has no database yet."""
        return self.own(
            f"""(async () => {{
              const bases = await indexedDB.databases();
              if (!bases.some(({{ name }}) => name === "boilernet")) return [];
              const opened = indexedDB.open("boilernet");
              await new Promise((done) => opened.onsuccess = done);
              const transaction = opened.result.transaction(["annotations", "pages"], "{mode}");
              const get = (name) => transaction.objectStore(name);
              const request = {action};
              await new Promise((done) => transaction.oncomplete = done);
              opened.result.close();
              return request.result;
            }})()"""
        )

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


def read_dom(browser: Browser, url: str) -> dict[str, Any]:
    """Return the page, its markup and the milliseconds that reading took, from the DOM of a page
    whose scripts do not run: ``{"page": ..., "markup": ..., "ms": ...}``.
    """
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(url)
    source = (DIST / "dom.js").read_text(encoding="utf-8")

    def evaluate(expression: str) -> Any:
        found = browser.command("Runtime.evaluate", expression=expression, returnByValue=True)
        return found["result"].get("value")

    browser.wait(lambda: evaluate("document.readyState") == "complete")
    return dict(json.loads(evaluate(f"{source};readPage()")))


def dom_agreement(
    browser: Browser, url: str, body: bytes, node: Node, labeler: Labeler
) -> Agreement:
    """Return how far the package and the extension agree on the page served at ``url``."""
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
