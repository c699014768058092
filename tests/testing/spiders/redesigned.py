"""A spider over a site whose pages turn into the empty shell of an app during the crawl.

The settings ``GOOD_PAGES`` and ``BAD_PAGES`` say how many pages there are of each.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response


class RedesignedSpider(Spider):
    """One page after the other."""

    name = "redesigned"
    site: str

    async def start(self) -> AsyncIterator[Request]:
        """Scrapy 2.13 and later."""
        yield self.request(0)

    def start_requests(self) -> Iterator[Request]:
        """Scrapy before 2.13."""
        yield self.request(0)

    def request(self, number: int) -> Request:
        path = "/news" if number < self.settings.getint("GOOD_PAGES") else "/app"
        return Request(f"{self.site}{path}?{number}", cb_kwargs={"number": number})

    def parse(self, response: Response, number: int = 0) -> Iterator[Any]:
        yield {"path": response.url.removeprefix(self.site)}
        if number + 1 < self.settings.getint("GOOD_PAGES") + self.settings.getint("BAD_PAGES"):
            yield self.request(number + 1)
