"""Spiders that count the labeled pages alive while their items go through."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

from scrapy import Request
from scrapy.http import Response
from testing.requesting import RequestingSpider

from scrapy_boilernet.extractor.labeled import LabeledPage

LOOKS = 10
"""How often pages are counted during a crawl, at even intervals."""


class Changing:
    """Replaces an item by one with another value, which no earlier item has."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        return {"page": item["page"].upper()}


class Off(RequestingSpider):
    """One item of each page; the plugin's pipeline is switched off. Any version can run it."""

    name = "off"
    custom_settings: Any = {
        "ITEM_PIPELINES": {"scrapy_boilernet.pipelines.BoilerNetPipeline": None}
    }

    def requests(self) -> Iterator[Request]:
        """Request all pages."""
        self.items = 0
        self.alive: list[int] = []
        self.without_response: list[int] = []
        for number in range(self.settings.getint("ITEMS_PAGES")):
            yield Request(f"{self.site}/numbered?{self.name}-{number}")

    def parse(self, response: Response, **kwargs: object) -> Iterator[dict[str, str]]:
        """Yield the page's item."""
        self.items += 1
        if self.items % max(self.settings.getint("ITEMS_PAGES") // LOOKS, 1) == 0:
            pages, responses = alive(self.name)
            self.alive.append(len(pages))
            self.without_response.append(len(pages - responses))
        yield {"page": response.url.partition("?")[2]}

    def closed(self, reason: str) -> None:
        """Put the counts into the stats."""
        self.crawler.stats.set_value("held/along", self.alive)
        self.crawler.stats.set_value("held/without_response", self.without_response)


class Replaced(Off):
    """An earlier pipeline replaces every item."""

    name = "replaced"
    custom_settings: Any = {"ITEM_PIPELINES": {Changing: 10}}


def alive(spider: str) -> tuple[set[str], set[str]]:
    """Return the URLs of the spider's labeled pages that are alive, and of its responses."""
    gc.collect()
    objects = gc.get_objects()
    pages = {each.page.url or "" for each in objects if isinstance(each, LabeledPage)}
    responses = {each.url for each in objects if isinstance(each, Response)}
    return {url for url in pages if f"?{spider}-" in url}, responses
