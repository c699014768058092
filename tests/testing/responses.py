"""Sends a response through the downloader middleware, without a crawl."""

from __future__ import annotations

import asyncio
from typing import Any

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from scrapy_boilernet.crawl.runtime import Runtime
from scrapy_boilernet.downloadermiddlewares import BoilerNetDownloaderMiddleware

URL = "http://example.com/page"
HTML = b"<p>One</p><p>Two</p><p>Three</p>"


def response_of(
    body: bytes = HTML,
    content_type: str | None = "text/html; charset=utf-8",
    kind: type[Response] = HtmlResponse,
    **options: Any,
) -> Response:
    headers = {"Content-Type": content_type} if content_type is not None else {}
    return kind(options.pop("url", URL), body=body, headers=headers, **options)


def process(
    runtime: Runtime,
    response: Response | None = None,
    meta: dict[str, Any] | None = None,
    method: str = "GET",
) -> Request:
    """Process the response, check that it is returned itself, and return the request."""
    response = response or response_of()
    request = Request(response.url, meta=meta, method=method)
    middleware = BoilerNetDownloaderMiddleware(runtime)
    assert asyncio.run(middleware.process_response(request, response)) is response
    return request
