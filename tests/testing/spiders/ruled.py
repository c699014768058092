"""A spider over the sites of :mod:`testing.ruled_sites`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy import Request
from scrapy.http import Response
from testing.requesting import RequestingSpider
from testing.ruled_sites import RULED


class RuledSpider(RequestingSpider):
    """An item per page."""

    name = "ruled"

    def requests(self) -> Iterator[Request]:
        for path in RULED:
            yield Request(f"{self.site}{path}")

    def parse(self, response: Response) -> Iterator[Any]:
        """Yield the item of the page."""
        yield {"path": response.url.removeprefix(self.site)}
