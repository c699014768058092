"""The spider middleware: ties every yielded item to the page that it came from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.http import Response

from scrapy_boilernet.crawl.items import State, Tied
from scrapy_boilernet.crawl.responses import NOTES, forget, note_of
from scrapy_boilernet.crawl.runtime import Runtime, chain_of

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
        middleware = cls(Runtime.of(crawler))
        middleware.runtime.ties_items = True
        crawler.signals.connect(middleware.look_last, signal=signals.spider_opened)
        return middleware

    def look_last(self, sender: Any) -> None:
        """Let Scrapy call this middleware last, after any that replaces items."""
        chain: Any = chain_of(sender, "scraper.spidermw", "process_spider_output") or ()
        both = (self.process_spider_output, self.process_spider_output_async)
        for place, methods in enumerate(chain):
            if methods in (both, both[1]):  # a pair in Scrapy before 2.16
                chain[place] = None  # Scrapy's mark of a middleware that has no such method
                chain.append(methods)
                return

    def process_spider_input(self, response: Response, spider: Any = None) -> None:
        """Note what is known of the response, even if its request is downloaded once more."""
        note = note_of(response)
        if note is not None:
            NOTES[response] = note

    def process_spider_output(
        self, response: Response | None, result: Iterable[Any], spider: Any = None
    ) -> Iterator[Any]:
        """Yield the items and requests of the callback, or of an errback without a response."""
        for output in result:
            self._tie(response, output)
            yield output

    async def process_spider_output_async(
        self, response: Response | None, result: AsyncIterator[Any], spider: Any = None
    ) -> AsyncIterator[Any]:
        """Yield the items and requests of the asynchronous callback."""
        async for output in result:
            self._tie(response, output)
            yield output

    def _tie(self, response: Response | None, output: Any) -> None:
        request = response.request if response is not None else None
        note = note_of(response)
        if isinstance(output, Request):
            if output is not request:  # meta=response.meta copies the result of this page
                forget(output)
            elif note is not None:
                note.yielded = True
            self._pass_on(request, output)
        elif output is not None and response is not None:
            filled = _filled(request, output) if request else None
            known = Tied(note.outcome, note.config) if note else Tied()
            self.runtime.ties.tie(output, Tied(state=filled) if filled else known, response)

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
