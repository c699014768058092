"""A spider whose pages and overrides are in a setting."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy import Request
from scrapy.http import Response
from testing.requesting import RequestingSpider


class OverriddenSpider(RequestingSpider):
    """The setting ``OVERRIDDEN_PAGES`` lists names, paths and ``request.meta["boilernet"]``."""

    name = "overridden"

    def requests(self) -> Iterator[Request]:
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
