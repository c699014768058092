"""A spider that yields an item with three values per page, to measure a log and a feed."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy import Request
from scrapy.http import Response
from testing.requesting import RequestingSpider


class SizesSpider(RequestingSpider):
    """Fetches ``ITEMS_PATHS``; any version of the plugin can run it."""

    name = "sizes"

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
