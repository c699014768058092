"""A spider that yields one item of one page."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy import Request
from scrapy.http import Response
from testing.requesting import RequestingSpider


class OnePageSpider(RequestingSpider):
    """The page is /article."""

    name = "one_page"

    def requests(self) -> Iterator[Request]:
        yield Request(self.site + "/article")

    def parse(self, response: Response, **kwargs: object) -> Iterator[dict[str, str]]:
        """Yield an item with the page's URL."""
        yield {"url": response.url}
