"""Spiders whose items are dataclasses: one declares the field of the stored page, one does not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response


@dataclass
class Article:
    url: str
    main_text: str | None = None
    block_labels: list[dict[str, Any]] | None = None


@dataclass
class StoredArticle(Article):
    boilernet_page: str | None = None


class WithoutSpider(Spider):
    """An item of /article and one of /copy."""

    name = "without"
    site: str
    item_class = Article

    async def start(self) -> AsyncIterator[Request]:
        """Scrapy 2.13 and later."""
        for request in self.start_requests():
            yield request

    def start_requests(self) -> Iterator[Request]:
        """Scrapy before 2.13."""
        for path in ("article", "copy"):
            yield Request(f"{self.site}/{path}")

    def parse(self, response: Response, **kwargs: object) -> Iterator[Article]:
        yield self.item_class(response.url)


class WithSpider(WithoutSpider):
    name = "with"
    item_class = StoredArticle
