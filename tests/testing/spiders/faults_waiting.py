"""A spider that reports through a FIFO when its crawl has begun to close."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from scrapy import Request
from testing.spiders.faults import FaultsSpider


class WaitingSpider(FaultsSpider):
    name = "faults_waiting"

    def requests(self) -> Iterator[Request]:
        threading.Thread(target=self.report_closing).start()
        yield from super().requests()

    def report_closing(self) -> None:
        """Write into the FIFO ``closing`` once Scrapy has taken the first signal."""
        pause = threading.Event()
        while self.crawler.crawling:
            pause.wait(0.01)
        (self.folder / "closing").write_text("closing\n")
