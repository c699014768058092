"""A spider that yields an item with three values per page, to measure a log and a feed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from scrapy import Request, Spider
from scrapy.http import Response


class SizesSpider(Spider):
    """Fetches ``ITEMS_PATHS``; any version of the plugin can run it."""

    name = "sizes"
    site: str

    async def start(self) -> AsyncIterator[Request]:
        """Scrapy 2.13 and later."""
        for request in self.requests():
            yield request

    def start_requests(self) -> Iterator[Request]:
        """Scrapy before 2.13."""
        yield from self.requests()

    def requests(self) -> Iterator[Request]:
        """Request all pages."""
        for path in self.settings.getlist("ITEMS_PATHS"):
            yield Request(self.site + path)

    def parse(self, response: Response, **kwargs: object) -> Iterator[dict[str, str | None]]:
        """Yield the page's item."""
        yield {
            "url": response.url,
            "title": response.xpath("//title/text()").get(),
            "heading": response.xpath("normalize-space(//h1)").get(),
        }
