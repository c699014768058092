"""Spiders whose errbacks and ``start()`` yield items that equal those of a page."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import scrapy
from itemadapter import ItemAdapter
from scrapy import Field, Item, Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from twisted.internet.defer import Deferred


class DictItem(dict[str, Any]):
    """A dict that knows where it comes from; its values do not show it."""

    _origin: str

    def __copy__(self) -> DictItem:
        new = DictItem(self)
        new._origin = self._origin
        return new


@dataclass
class DataclassItem:
    kind: str
    main_text: str = ""


class ScrapyItem(Item):
    kind, main_text = Field(), Field()


class HoldsAll:
    """Holds items until as many have come as the crawl has."""

    def __init__(self, items: int) -> None:
        self.items = items
        self.waiting: list[Any] = []

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> HoldsAll:
        return cls(crawler.settings.getint("STRANGERS_ITEMS"))

    async def process_item(self, item: Any, spider: Any = None) -> Any:
        if len(self.waiting) == self.items - 1:
            for each in self.waiting:
                each.callback(None) if isinstance(each, Deferred) else each.set_result(None)
            return item
        try:
            place: Any = asyncio.get_running_loop().create_future()
        except RuntimeError:  # a reactor that is not asyncio's
            place = Deferred()
        self.waiting.append(place)
        await place
        return item


class Copies:
    def process_item(self, item: Any, spider: Any = None) -> Any:
        return copy.copy(item)


class Counts:
    """The last pipeline: counts items by their origin, and whether they have a text."""

    def __init__(self, stats: Any) -> None:
        self.stats = stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Counts:
        return cls(crawler.stats)

    def process_item(self, item: Any, spider: Any = None) -> Any:
        has = "text" if ItemAdapter(item).get("main_text") else "nothing"
        self.stats.inc_value(f"origin/{item._origin}/{has}")
        return item


class Ignores:
    """Ignores a labeled page, so that its errback is called."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        if request.url.endswith("/several"):
            raise IgnoreRequest
        return response


class Strangers(Spider):
    """A case."""

    site: str
    name = "errback"
    path = ""
    kind: ClassVar[Any] = DictItem
    starts = 0
    custom_settings: ClassVar[dict[str, Any]] = {"ITEM_PIPELINES": {HoldsAll: 10, Counts: 900}}

    async def start(self) -> AsyncIterator[Any]:
        """Scrapy 2.13 and later."""
        for _ in range(self.starts):
            yield self.item("start")
        for request in self.start_requests():
            yield request

    def start_requests(self) -> Iterator[Request]:
        """Scrapy before 2.13."""
        yield Request(f"{self.site}/article")
        if not self.starts:
            url = f"{self.site}{self.path}" if self.path else "http://127.0.0.1:1/"
            yield Request(url, errback=self.failed)

    def item(self, origin: str, kind: str = "page") -> Any:
        item = self.kind(kind=kind)
        item._origin = origin
        return item

    def parse(self, response: Response, **kwargs: object) -> Iterator[Any]:
        yield self.item("page")

    def failed(self, failure: Any) -> Iterator[Any]:
        yield self.item("errback")


class OtherValues(Strangers):
    def failed(self, failure: Any) -> Iterator[Any]:
        yield self.item("errback", kind="failed")


def case(name: str, *before: type, base: type = Strangers, **attributes: Any) -> type[Spider]:
    pipelines = {each: 10 + n for n, each in enumerate(before)}
    settings = {
        "ITEM_PIPELINES": {**pipelines, Counts: 900},
        "DOWNLOADER_MIDDLEWARES": {Ignores: 500},
    }
    return type("Case", (base,), {"name": name, "custom_settings": settings, **attributes})


ErrbackDataclass = case("errback dataclass", HoldsAll, kind=DataclassItem)
ErrbackScrapy = case("errback item", HoldsAll, kind=ScrapyItem)
ErrbackStatus = case("errback status", HoldsAll, path="/missing")
ErrbackIgnored = case("errback ignored", HoldsAll, path="/several")
ErrbackCopied = case("errback copied", HoldsAll, Copies)
CopiedErrback = case("copied errback", Copies, HoldsAll)
ErrbackOther = case("errback other values", HoldsAll, Copies, base=OtherValues)
ErrbackFirst = case("errback, no pipeline before")
if scrapy.version_info >= (2, 13):  # in older versions, start_requests() yields no items
    Start = case("start", HoldsAll, starts=1)
    StartDataclass = case("start dataclass", HoldsAll, starts=1, kind=DataclassItem)
    StartCopied = case("start copied", HoldsAll, Copies, starts=1)
    StartFirst = case("start, no pipeline before", starts=1)
