"""Spiders whose items are dataclasses: one declares the field of the stored page, one does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scrapy import Request
from scrapy.http import Response
from testing.requesting import RequestingSpider


@dataclass
class Article:
    url: str
    main_text: str | None = None
    block_labels: list[dict[str, Any]] | None = None


@dataclass
class StoredArticle(Article):
    boilernet_page: str | None = None


class WithoutSpider(RequestingSpider):
    """An item of /article and one of /copy."""

    name = "without"
    item_class = Article

    def requests(self) -> Iterator[Request]:
        for path in ("article", "copy"):
            yield Request(f"{self.site}/{path}")

    def parse(self, response: Response, **kwargs: object) -> Iterator[Article]:
        yield self.item_class(response.url)


class WithSpider(WithoutSpider):
    name = "with"
    item_class = StoredArticle
