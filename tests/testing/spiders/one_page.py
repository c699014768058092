"""A spider that yields one item of one page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from scrapy import Request, Spider
from scrapy.http import Response


class OnePageSpider(Spider):
    """The page is /article."""

    name = "one_page"
    site: str

    async def start(self) -> AsyncIterator[Request]:
        """Scrapy 2.13 and later."""
        yield Request(self.site + "/article")

    def start_requests(self) -> Iterator[Request]:
        """Scrapy before 2.13."""
        yield Request(self.site + "/article")

    def parse(self, response: Response, **kwargs: object) -> Iterator[dict[str, str]]:
        """Yield an item with the page's URL."""
        yield {"url": response.url}
