"""A spider over many pages; the variable ``MISDEED`` says what it does to the plugin's workers."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from scrapy import Request
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from testing.requesting import RequestingSpider

from scrapy_boilernet.crawl.runtime import Runtime
from scrapy_boilernet.extractor.labeled import LabeledPage

PAGES = 24
MISDEED = os.environ.get("MISDEED", "")

if MISDEED == "interrupt":
    os.setpgrp()  # so that Ctrl-C reaches this crawl and its workers only


class ManyPagesSpider(RequestingSpider):
    """Yields an item per page: numbered pages, one without a declared encoding, a big one."""

    name = "many"
    seen = 0

    def requests(self) -> Iterator[Request]:
        yield Request(f"{self.site}/undeclared")
        for number in range(PAGES):
            yield Request(f"{self.site}/numbered?{number}")
        yield Request(f"{self.site}/big")

    def parse(self, response: Response, **kwargs: object) -> Iterator[dict[str, Any]]:
        self.seen += 1
        if self.seen == PAGES // 3:
            self.misbehave()
        result = response.meta.get("boilernet_result")
        yield {
            "path": response.url.removeprefix(self.site),
            "labeled": isinstance(result, LabeledPage),
            "text": result.text if result else None,
            "blocks": len(result.page.blocks) if result else None,
            "key": response.meta.get("boilernet_page"),
        }

    def misbehave(self) -> None:
        if MISDEED == "kill":
            for pid in Runtime.of(self.crawler).mode.pids:  # type: ignore[attr-defined]
                with suppress(ProcessLookupError):  # it may have been killed before
                    os.kill(pid, signal.SIGKILL)
        elif MISDEED == "interrupt":
            os.killpg(0, signal.SIGINT)
        elif MISDEED == "close":
            raise CloseSpider("enough")

    def closed(self, reason: str) -> None:
        heavy = {"torch", "onnxruntime"} & set(sys.modules)
        self.crawler.stats.set_value("loaded", sorted(heavy))
