"""Components around the plugin that fail in a crawl: middlewares, pipelines and the spider.

Each fails on a page as the page's fault says.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request
from scrapy.exceptions import DropItem, IgnoreRequest
from scrapy.http import HtmlResponse, Response
from testing.faulty import MADE_TEXT
from testing.loopback import html_page
from testing.spiders.faults import FaultsSpider, Page


def fault_of(request: Request) -> Any:
    """Return the fault of the request's page."""
    return request.cb_kwargs.get("page", {}).get("fault")


def _made(request: Request) -> Response:
    body = html_page("Made", MADE_TEXT).encode()
    return HtmlResponse(request.url, body=body, encoding="utf-8")


def _again(request: Request) -> Request:
    return request.replace(dont_filter=True, meta={**request.meta, "asked": True})


class AskAgain:
    """Requests every page a second time, with the whole meta of the first request."""

    def process_response(self, request: Request, response: Any, spider: Any = None) -> Any:
        return response if request.meta.get("asked") else _again(request)


class _Downloader:
    side: str

    def process_response(self, request: Request, response: Any, spider: Any = None) -> Any:
        fault = fault_of(request)
        if fault == f"{self.side} raises":
            raise ZeroDivisionError
        if fault == f"{self.side} ignores":
            raise IgnoreRequest
        if fault == f"{self.side} response":
            return _made(request)
        if fault == f"{self.side} request" and not request.meta.get("asked"):
            return _again(request)
        return response


class Near(_Downloader):
    """A middleware that gets the response before the plugin."""

    side = "near"

    def process_request(self, request: Request, spider: Any = None) -> Response | None:
        return _made(request) if fault_of(request) == "no download" else None

    def process_exception(
        self, request: Request, exception: Exception, spider: Any = None
    ) -> Response | None:
        return _made(request) if fault_of(request) == "mended" else None


class Far(_Downloader):
    """A middleware that gets the response after the plugin."""

    side = "far"


class _Output:
    """A spider middleware that yields copies of some items."""

    fault: str

    def process_spider_output(self, response: Any, result: Any, spider: Any = None) -> Any:
        for output in result:
            yield self.seen(output)

    async def process_spider_output_async(
        self, response: Any, result: Any, spider: Any = None
    ) -> AsyncIterator[Any]:
        async for output in result:
            yield self.seen(output)

    def seen(self, output: Any) -> Any:
        copies = isinstance(output, dict) and output["fault"] == self.fault
        return dict(output) if copies else output


class CopyBefore(_Output):
    """Nearer to the spider than the plugin."""

    fault = "copied before"

    def process_spider_input(self, response: Any, spider: Any = None) -> None:
        if fault_of(response.request) == "input raises":
            raise ZeroDivisionError

    def process_spider_exception(
        self, response: Any, exception: Exception, spider: Any = None
    ) -> list[Any] | None:
        page = response.request.cb_kwargs["page"]
        if page["fault"] != "rescued":
            return None
        spider = self.crawler.spider
        return [spider.item(page, rescued=True)]

    @classmethod
    def from_crawler(cls, crawler: Any) -> CopyBefore:
        made = cls()
        made.crawler = crawler
        return made

    crawler: Any


class CopyAfter(_Output):
    """Nearer to the engine than the plugin."""

    fault = "copied after"


class Pipeline:
    """Before the plugin's pipeline."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        if item["fault"] == "dropped":
            raise DropItem("dropped")
        if item["fault"] == "pipeline raises":
            raise ZeroDivisionError
        return dict(item) if item["fault"] == "copied in pipeline" else item


class AroundSpider(FaultsSpider):
    """A spider that fails, too."""

    name = "faults"

    def more(self, response: Any, page: Page) -> Iterator[Any]:
        if page.get("fault") in ("callback raises", "rescued"):
            yield self.item(page, second=True)
            raise ZeroDivisionError
        yield from super().more(response, page)
