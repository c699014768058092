"""A spider whose pages and overrides are in a setting."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from scrapy import Request, Spider
from scrapy.http import Response


class OverriddenSpider(Spider):
    """The setting ``OVERRIDDEN_PAGES`` lists names, paths and ``request.meta["boilernet"]``."""

    name = "overridden"
    site: str

    async def start(self) -> AsyncIterator[Request]:
        """Scrapy 2.13 and later."""
        for request in self.start_requests():
            yield request

    def start_requests(self) -> Iterator[Request]:
        """Scrapy before 2.13."""
        for name, path, override in self.settings["OVERRIDDEN_PAGES"]:
            yield Request(
                self.site + path,
                cb_kwargs={"name": name},
                meta={} if override is None else {"boilernet": override},
                dont_filter=True,
            )

    def parse(self, response: Response, name: str = "") -> Iterator[dict[str, str]]:
        """Yield an item of the page's name."""
        yield {"name": name}
