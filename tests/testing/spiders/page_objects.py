"""Spiders whose callbacks ask scrapy-poet for the main text and for what is made from it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, ClassVar

import attrs
from scrapy import Request
from scrapy.http import Response
from scrapy_poet import DummyResponse
from testing.requesting import RequestingSpider
from web_poet import ItemPage, field
from zyte_common_items import Article, PageContent

from scrapy_boilernet.page_objects import LabeledPage, MainText
from scrapy_boilernet.settings.config import META_RESULT


@attrs.define
class TextPage(ItemPage[dict]):
    """A page object of one input."""

    main: MainText

    @field
    def text(self) -> str:
        return self.main.text


class _PathsSpider(RequestingSpider):
    asks: ClassVar[dict[str, str]] = {"/article": "text"}
    """By path the callback of the page."""
    meta: ClassVar[dict[str, Any]] = {}

    def requests(self) -> Iterator[Request]:
        for path, name in self.asks.items():
            callback: Callable[..., Any] = getattr(self, f"parse_{name}")
            yield Request(
                self.site + path, callback, errback=self.failed, meta={**self.meta},
                cb_kwargs={"path": path}, dont_filter=True,
            )  # fmt: skip

    def failed(self, failure: Any) -> Iterator[dict[str, str]]:
        yield {
            "path": failure.request.cb_kwargs["path"],
            "error": type(failure.value).__name__,
            "message": str(failure.value),
        }

    def parse_plain(self, response: Response, path: str) -> Iterator[dict[str, Any]]:
        yield {"path": path, "labeled": META_RESULT in response.meta}

    def parse_text(self, response: Response, path: str, text: MainText) -> Iterator[dict[str, Any]]:
        yield {
            "path": path,
            **vars(text),
            "html": response.meta[META_RESULT].html,
        }

    def parse_dummy(
        self, response: DummyResponse, path: str, text: MainText
    ) -> Iterator[dict[str, Any]]:
        yield {"path": path, "text": text.text}

    def parse_all(
        self, response: Response, path: str, text: MainText, page: LabeledPage,
        content: PageContent, article: Article,
    ) -> Iterator[dict[str, Any]]:  # fmt: skip
        same = response.meta.get(META_RESULT)
        yield {
            "path": path,
            "shared": page is same or page == same,
            "text": text.text,
            "page": [page.text, page.markdown, page.html, page.metadata and page.metadata.title],
            "content": [content.url, content.headline, content.itemMain],
            "article": [article.url, article.headline, article.articleBody],
            "body": article.articleBodyHtml,
        }

    async def parse_object(
        self, response: Response, path: str, page: TextPage
    ) -> AsyncIterator[dict[str, Any]]:
        yield {"path": path, **(await page.to_item())}


class AskingSpider(_PathsSpider):
    name = "asking"
    asks = {
        "/article": "all", "/redirect": "text", "/several": "object", "/long": "dummy",
        "/gzip": "plain", "/missing": "text", "/json": "text", "/huge": "text",
    }  # fmt: skip


class RequestedSpider(_PathsSpider):
    name = "requested"
    custom_settings = {"BOILERNET_LABEL": "requested"}
    asks = {"/article": "text", "/several": "plain"}


class OffSpider(_PathsSpider):
    name = "off"
    custom_settings = {"BOILERNET_ENABLED": False}
    asks = {"/article": "text", "/several": "plain"}


class WrongOrderSpider(_PathsSpider):
    name = "wrong_order"
    custom_settings = {
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy_boilernet.downloadermiddlewares.BoilerNetDownloaderMiddleware": 500,
            "scrapy_poet.InjectionMiddleware": 543,
        }
    }


class LeftAloneSpider(_PathsSpider):
    name = "left_alone"
    meta = {"boilernet": False}
