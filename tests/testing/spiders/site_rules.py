"""A spider over the product pages of a shop and the articles of a news site."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy import Request
from scrapy.http import Response
from testing.requesting import RequestingSpider
from testing.ruled_sites import PAGES


class RuledSpider(RequestingSpider):
    """Yields an item per page."""

    name = "ruled"

    def requests(self) -> Iterator[Request]:
        for path in PAGES:
            yield Request(f"{self.site}{path}")

    def parse(self, response: Response, **kwargs: object) -> Iterator[dict[str, Any]]:
        yield {"path": response.url.removeprefix(self.site)}
