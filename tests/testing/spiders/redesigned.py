"""A spider over a site whose pages turn into the empty shell of an app during the crawl.

The settings ``GOOD_PAGES`` and ``BAD_PAGES`` say how many pages there are of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy import Request
from scrapy.http import Response
from testing.requesting import RequestingSpider


class RedesignedSpider(RequestingSpider):
    """One page after the other."""

    name = "redesigned"

    def requests(self) -> Iterator[Request]:
        yield self.request(0)

    def request(self, number: int) -> Request:
        path = "/news" if number < self.settings.getint("GOOD_PAGES") else "/app"
        return Request(f"{self.site}{path}?{number}", cb_kwargs={"number": number})

    def parse(self, response: Response, number: int = 0) -> Iterator[Any]:
        yield {"path": response.url.removeprefix(self.site)}
        if number + 1 < self.settings.getint("GOOD_PAGES") + self.settings.getint("BAD_PAGES"):
            yield self.request(number + 1)
