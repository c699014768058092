"""The spider middleware: ties every yielded item to the page that it came from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http import Response

from scrapy_boilernet.config import Config
from scrapy_boilernet.downloadermiddlewares import META_CONFIG, META_PAGE, META_RESULT, forget
from scrapy_boilernet.runtime import Runtime
from scrapy_boilernet.worker import Stored

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class BoilerNetSpiderMiddleware:
    """An item pipeline never sees the response, so this is where item and page are joined.

    Exact for POST pages, redirects and items without a URL: no look-up by address.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerNetSpiderMiddleware:
        """Return the middleware; raises as :meth:`Runtime.of` does."""
        return cls(Runtime.of(crawler))

    def process_spider_output(
        self, response: Response, result: Iterable[Any], spider: Any = None
    ) -> Iterator[Any]:
        """Yield what the callback yields."""
        for output in result:
            self._tie(response, output)
            yield output

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any], spider: Any = None
    ) -> AsyncIterator[Any]:
        """Yield what the asynchronous callback yields."""
        async for output in result:
            self._tie(response, output)
            yield output

    def _tie(self, response: Response, output: Any) -> None:
        if output is None:
            return
        meta = response.request.meta if response.request else {}
        if isinstance(output, Request):
            if output.meta is not meta:  # meta=response.meta: the result is not the next page's
                forget(output)
            return
        result, key, config = (meta.get(name) for name in (META_RESULT, META_PAGE, META_CONFIG))
        if isinstance(config, Config):
            from scrapy_boilernet.labeled import LabeledPage  # loaded by now, with the engine

            if isinstance(result, LabeledPage):
                self.runtime.ties.tie(output, result, config)
            elif isinstance(key, str):
                self.runtime.ties.tie(output, Stored(key), config)
