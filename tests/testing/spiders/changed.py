"""Spiders whose own downloader middleware changes, replaces or retries what was labeled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse
from testing.requesting import RequestingSpider

COMPONENTS = {
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy_boilernet.downloadermiddlewares.BoilerNetDownloaderMiddleware": 544
    },
    "SPIDER_MIDDLEWARES": {"scrapy_boilernet.spidermiddlewares.BoilerNetSpiderMiddleware": 10},
    "ITEM_PIPELINES": {"scrapy_boilernet.pipelines.BoilerNetPipeline": 50},
}
HTML = "text/html; charset=utf-8"


def page(*lines: str) -> str:
    return f"<html><body><main>{''.join(f'<p>{line}</p>' for line in lines)}</main></body></html>"


class Changes:
    """Returns another body, as a middleware does that renders or cleans pages."""

    body = page("Changed", "The text after the change.")
    charset = "utf-8"

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        headers = {"Content-Type": f"text/html; charset={self.charset}"}
        return response.replace(body=self.body.encode(self.charset), headers=headers)


class ChangesLater(Changes):
    """Has asynchronous code."""

    async def process_response(  # type: ignore[override]
        self, request: Request, response: Response, spider: Any = None
    ) -> Any:
        return super().process_response(request, response)


class ChangesPolish(Changes):
    body = page("Zażółć gęślą jaźń", "Tekst po zmianie.")
    charset = "iso-8859-2"


class ChangesJapanese(Changes):
    body = page("変更後の本文です。", "潮だまりは夜に温かくなる。")
    charset = "shift_jis"


class ChangesArabic(Changes):
    body = page("النص بعد التغيير", "نص جديد.")


class ChangesNothing:
    """Returns an equal response, which needs no second labeling."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        return response.replace()


class ChangesBack(Changes):
    """Changes nothing that labels depend on."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        return response.replace(flags=["cleaned"], headers={**response.headers, "X-Seen": "1"})


class MakesHtml(Changes):
    """Makes a page of what the server calls plain text."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        headers = {"Content-Type": HTML}
        return HtmlResponse(response.url, body=self.body, encoding="utf-8", headers=headers)


class MakesText:
    """Makes plain text of a page."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        return TextResponse(response.url, body=b"plain", headers={"Content-Type": "text/plain"})


class Declares(Changes):
    """Changes the class and the header alone, in place where it can."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        response.headers["Content-Type"] = "text/plain"
        return response


class Repairs(Changes):
    """Makes a page of one that the server does not have."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        return response.replace(status=200, body=self.body.encode(), cls=HtmlResponse)


class OtherRequest(Changes):
    """Returns a response with a request of its own, as a browser that followed a redirect does."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        own = request.replace(url=f"{request.url}?own")
        return response.replace(url=own.url, request=own, body=self.body.encode())


class Renders(Changes):
    """Downloads nothing itself, as a browser does."""

    def process_request(self, request: Request, spider: Any = None) -> Any:
        return HtmlResponse(request.url, body=page("Raw"), encoding="utf-8", request=request)


class RetriesOnce:
    """Downloads each page twice."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        if request.meta.get("again"):
            return response
        return request.replace(dont_filter=True, meta={**request.meta, "again": True})


class Below(RequestingSpider):
    """A case: its middleware has the order 543, as a new project's has."""

    name = "543"
    path = "/article"
    custom_settings: ClassVar[dict[str, Any]] = {"DOWNLOADER_MIDDLEWARES": {Changes: 543}}

    def requests(self) -> Iterator[Request]:
        yield Request(self.site + self.path)

    def parse(self, response: Response, **kwargs: object) -> Iterator[dict[str, Any]]:
        result = response.meta.get("boilernet_result")
        yield {"name": self.name, "in_callback": result.text if result else None}


def case(
    name: str, order: int, middleware: type, path: str = "/article", **settings: Any
) -> type[Below]:
    listed = {**settings.pop("DOWNLOADER_MIDDLEWARES", {}), middleware: order}
    settings["DOWNLOADER_MIDDLEWARES"] = listed
    return type("Case", (Below,), {"name": name, "path": path, "custom_settings": settings})


Lowest = case("1", 1, Changes)
Negative = case("-5000", -5000, Changes)
Above = case("545", 545, Changes)
Later = case("async", 100, ChangesLater)
Polish = case("pl", 543, ChangesPolish)
Japanese = case("ja", 543, ChangesJapanese)
Arabic = case("ar", 543, ChangesArabic)
Same = case("same", 543, ChangesNothing)
Flags = case("flags", 543, ChangesBack)
Html = case("html", 543, MakesHtml, "/plain")
Text = case("text", 543, MakesText)
Header = case("header", 543, Declares)
Missing = case("missing", 40, Repairs, "/missing")
Own = case("own request", 543, OtherRequest)
Browser = case("renders", 543, Renders)
Twice = case("retries", 543, RetriesOnce)
Listed = case("listed", 543, Changes, ADDONS={}, **COMPONENTS)
Process = case("process", 543, Changes, BOILERNET_MODE="process")
