"""The spider middleware: ties every yielded item to the page that it came from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http import Response

from scrapy_boilernet.downloadermiddlewares import forget, outcome_in
from scrapy_boilernet.items import State, Tied
from scrapy_boilernet.runtime import Runtime

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

META_FILLED = "_boilernet_filled"


class BoilerNetSpiderMiddleware:
    """Ties items to their pages, since an item pipeline does not get the response.

    It compares no URLs, so it also works for POST pages, redirects and items without a URL.
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
        """Yield the items and requests of the callback."""
        for output in result:
            self._tie(response, output)
            yield output

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any], spider: Any = None
    ) -> AsyncIterator[Any]:
        """Yield the items and requests of the asynchronous callback."""
        async for output in result:
            self._tie(response, output)
            yield output

    def _tie(self, response: Response, output: Any) -> None:
        if output is None:
            return
        meta = response.request.meta if response.request else {}
        if isinstance(output, Request):
            if output.meta is not meta:  # meta=response.meta copies the result of this page
                forget(output)
            self._pass_on(response.request, output)
            return
        result, config = outcome_in(meta)
        filled = _filled(response.request, output) if response.request else None
        tied = Tied(state=filled) if filled else Tied(result, config)
        self.runtime.ties.tie(output, tied, response)

    def _pass_on(self, source: Request | None, request: Request) -> None:
        """Note in the request which items in its ``cb_kwargs`` and ``meta`` are filled.

        They are noted by name, since a request may go through a queue on disk.
        """
        filled = {}
        for kind, values in _carried(request).items():
            for name, value in values.items():
                state = self.runtime.ties.state_of(value)
                if state is None and source is not None:  # the source may have carried it
                    state = _filled(source, value)
                if state:
                    filled[f"{kind} {name}"] = state
        if filled:
            request.meta[META_FILLED] = filled
        else:
            request.meta.pop(META_FILLED, None)


def _carried(request: Request) -> dict[str, Mapping[str, Any]]:
    return {"cb_kwargs": request.cb_kwargs, "meta": request.meta}


def _filled(request: Request, item: Any) -> State | None:
    """Return the state of a filled item that the request carried; None for any other item."""
    filled = request.meta.get(META_FILLED)
    if isinstance(filled, Mapping):
        for kind, values in _carried(request).items():
            for name, value in values.items():
                if value is item and f"{kind} {name}" in filled:
                    state: State = filled[f"{kind} {name}"]
                    return state
    return None
