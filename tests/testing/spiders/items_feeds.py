"""Two spiders whose items must look the same in a feed; one replaces the plugin's types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from scrapy import Request
from testing.item_crawls import ItemSpider


class Plain:
    """Replaces the values that the plugin has written by plain ones."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        return json.loads(json.dumps(item))


class AsItIsSpider(ItemSpider):
    name = "as_it_is"

    def request(self, number: int) -> Request:
        return Request(self.url(f"feeds-{number}"))

    def items(self, page: str) -> Iterator[Any]:
        yield {"page": page}


class PlainSpider(AsItIsSpider):
    name = "plain"
    custom_settings = {"ITEM_PIPELINES": {Plain: 900}}
