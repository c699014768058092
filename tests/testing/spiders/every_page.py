"""A spider that meets every kind of page and yields every kind of item."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import attrs
import scrapy
from pydantic import BaseModel
from scrapy import Request
from scrapy.http import Response
from testing.requesting import RequestingSpider

from scrapy_boilernet.crawl.runtime import Runtime

Labels = list[dict[str, Any]]


class ScrapyItem(scrapy.Item):
    """Declares all fields of the plugin."""

    name = scrapy.Field()
    main_text = scrapy.Field()
    block_labels = scrapy.Field()
    main_text_confidence = scrapy.Field()


class BareItem(scrapy.Item):
    """Declares none of them."""

    name = scrapy.Field()


@dataclass
class DataclassItem:
    name: str
    main_text: str = ""
    block_labels: Labels = field(default_factory=list)
    main_text_confidence: float | None = None


@attrs.define
class AttrsItem:
    name: str
    main_text: str = ""
    block_labels: Labels = attrs.field(factory=list)
    main_text_confidence: float | None = None


class PydanticItem(BaseModel):
    name: str
    main_text: str = ""
    block_labels: Labels = []
    main_text_confidence: float | None = None


class EveryPageSpider(RequestingSpider):
    """Each item has the name of its request, and no URL.

    The callbacks put what they saw into the stats: ``seen/<name>`` and ``threads/...``.
    """

    name = "every_page"

    def requests(self) -> Iterator[Request]:
        self.watch_threads()
        for name in (
            "article",
            "copy",
            "redirect",
            "gzip",
            "broken",
            "big",
            "huge",
            "empty",
            "zero",
        ):
            yield self.request(name)
        for name in ("plain", "json", "image"):
            yield self.request(name)
        yield self.request("again", "/article")
        for body in ("name=anna", "name=bob"):
            yield self.request("post", "/post", method="POST", body=body)
        yield self.request("several", callback=self.parse_several)
        yield self.request("async", callback=self.parse_async)
        yield self.request("missing", meta={"handle_httpstatus_list": [404]})
        yield self.request("off", "/article?off", meta={"boilernet": False})
        strict = {"threshold": 1, "text_field": "body", "labels_field": None}
        strict["source_field"] = "found_by"
        yield self.request("strict", "/article?strict", meta={"boilernet": strict})
        fallback = {"threshold": 1, "source_field": "found_by"}
        yield self.request("fallback", "/long?1", meta={"boilernet": fallback})
        off = {**fallback, "fallback": False}
        yield self.request("no fallback", "/long?2", meta={"boilernet": off})
        yield self.request("no title", "/article?title", meta={"boilernet": {"title": "drop"}})
        yield self.request("bad key", "/article?key", meta={"boilernet": {"treshold": 0.5}})
        yield self.request("bad type", "/article?type", meta={"boilernet": "no"})
        yield self.request("bare", "/article?bare", callback=self.parse_bare)
        yield self.request("source", "/article?source", callback=self.parse_source)

    def request(self, name: str, path: str = "", **options: Any) -> Request:
        callback = options.pop("callback", self.parse)
        url = self.site + (path or f"/{name}")
        return Request(url, callback, cb_kwargs={"name": name}, dont_filter=True, **options)

    def parse(self, response: Response, name: str = "") -> Iterator[Any]:
        self.note(response, name)
        yield {"name": name}

    def parse_several(self, response: Response, name: str) -> Iterator[Any]:
        self.note(response, name)
        for item_class in (ScrapyItem, DataclassItem, AttrsItem, PydanticItem):
            yield item_class(name=name)

    async def parse_async(self, response: Response, name: str) -> AsyncIterator[Any]:
        self.note(response, name)
        yield {"name": name, "number": 1}
        yield {"name": name, "number": 2}

    def parse_bare(self, response: Response, name: str) -> Iterator[Any]:
        yield BareItem(name=name)
        yield BareItem(name=name)

    def parse_source(self, response: Response, name: str) -> Iterator[Any]:
        yield {"name": name}
        target = "/plain?target"  # its meta is a copy of this page's, result and all
        yield self.request("target", target, meta=response.meta)

    def note(self, response: Response, name: str) -> None:
        """Put into the stats whether the result was there and its XPaths find their elements."""
        result = response.meta.get("boilernet_result")
        seen: dict[str, Any] = {"result": result is not None}
        if result is not None:
            blocks = result.page.blocks[:50]
            found = [response.xpath(block.xpath) for block in blocks]
            texts = [" ".join("".join(f.xpath(".//text()").getall()).split()) for f in found]
            seen["matches"] = [len(elements) for elements in found]
            seen["texts_match"] = texts == [block.text for block in blocks]
        self.crawler.stats.set_value(f"seen/{name}", seen)

    def watch_threads(self) -> None:
        self.threads: set[str] = set()
        self.crawler.stats.set_value("threads/reactor", threading.current_thread().name)
        worker = getattr(Runtime.of(self.crawler).mode, "worker", None)
        if worker is None:  # it is in another process
            return
        label = worker.label

        def watched(*arguments: Any) -> Any:
            self.threads.add(threading.current_thread().name)
            return label(*arguments)

        worker.label = watched

    def closed(self, reason: str) -> None:
        self.crawler.stats.set_value("threads/labeling", sorted(self.threads))
