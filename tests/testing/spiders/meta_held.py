"""Spiders whose items hold the meta of their response, with the result in it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any, ClassVar

from itemadapter import ItemAdapter
from scrapy import Field, Item, Request
from scrapy.http import Response
from testing.requesting import RequestingSpider

PATHS = ("/article", "/several", "/image")
"""The last is no page, so that it has no result."""


class MetaItem(Item):
    """An item that declares what it holds."""

    path, holds, meta, shown = Field(), Field(), Field(), Field()
    main_text, boilernet_page = Field(), Field()


class WritesJson:
    """The pipeline of Scrapy's documentation, which writes JSON itself."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        json.dumps(ItemAdapter(item).asdict())
        return item


class MetaSpider(RequestingSpider):
    """Yields an item for each way to keep a meta."""

    name = "meta"
    custom_settings: ClassVar[dict[str, Any]] = {"ITEM_PIPELINES": {WritesJson: 900}}

    def requests(self) -> Iterator[Request]:
        for path in PATHS:
            yield Request(self.site + path, cb_kwargs={"path": path})

    def parse(self, response: Response, path: str) -> Iterator[Any]:
        meta = response.meta
        result = meta.get("boilernet_result")
        held = {
            "itself": meta, "copy": dict(meta), "deep copy": copy.deepcopy(meta),
            "nested": {"request": {"meta": [meta]}}, "merged": {**meta, "more": 1},
            "values": list(meta.values()), "result": result, "results": [result, result],
            "tuple": (result,), "text": f"{meta}",
        }  # fmt: skip
        for holds, value in held.items():
            shown = max(len(repr(value)), len(str(value)), len(f"{value}"))
            yield {"path": path, "holds": holds, "meta": value, "shown": shown}
        yield MetaItem(path=path, holds="item", meta=copy.copy(meta), shown=len(repr(meta)))


class MetaProcessSpider(MetaSpider):
    """The same with a worker process, which sends results of another class."""

    name = "meta_process"
    custom_settings: ClassVar[dict[str, Any]] = {"BOILERNET_MODE": "process"}


class MetaDeferredSpider(MetaSpider):
    """The same where pages are stored."""

    name = "meta_deferred"
    custom_settings: ClassVar[dict[str, Any]] = {"BOILERNET_MODE": "deferred"}
