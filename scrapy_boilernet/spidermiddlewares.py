"""The spider middleware: ties every yielded item to the page that it came from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http import Response

from scrapy_boilernet.downloadermiddlewares import forget, found_in
from scrapy_boilernet.items import State, Tied
from scrapy_boilernet.runtime import Runtime

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

META_FILLED = "_boilernet_filled"


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
            self._pass_on(response.request, output)
            return
        result, config = found_in(meta)
        filled = _filled(response.request, output) if response.request else None
        tied = Tied(state=filled) if filled else Tied(result, config)
        self.runtime.ties.tie(output, tied, response)

    def _pass_on(self, source: Request | None, request: Request) -> None:
        """Note in the request which items that travel with it are filled.

        By the names under which they travel, since a request may go through a queue on disk.
        """
        filled = {}
        for kind, values in _travelling(request).items():
            for name, value in values.items():
                state = self.runtime.ties.state_of(value)
                if state is None and source is not None:  # it has come from a queue already
                    state = _filled(source, value)
                if state:
                    filled[f"{kind} {name}"] = state
        if filled:
            request.meta[META_FILLED] = filled
        else:
            request.meta.pop(META_FILLED, None)


def _travelling(request: Request) -> dict[str, Mapping[str, Any]]:
    return {"cb_kwargs": request.cb_kwargs, "meta": request.meta}


def _filled(request: Request, item: Any) -> State | None:
    """What became of an item that has travelled with the request; None for another item."""
    noted = request.meta.get(META_FILLED)
    if isinstance(noted, Mapping):
        for kind, values in _travelling(request).items():
            for name, value in values.items():
                if value is item and f"{kind} {name}" in noted:
                    state: State = noted[f"{kind} {name}"]
                    return state
    return None
