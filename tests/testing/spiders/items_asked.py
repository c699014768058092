"""Pages that are labeled on request, and items made of another page than their callback's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, ClassVar

from scrapy import Request
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from testing.item_crawls import ItemSpider, number_of, page_of

from scrapy_boilernet import fill_item


class OneItem(ItemSpider):
    """Yields one dict of each page."""

    metas: ClassVar[tuple[Any, ...]] = (None,)
    """``request.meta["boilernet"]``, in turns; None: not set."""
    method: ClassVar[str] = "GET"

    def request(self, number: int) -> Request:
        meta = self.metas[number % len(self.metas)]
        found = {} if meta is None else {"boilernet": meta}
        return Request(self.url(f"{self.name}-{number}"), method=self.method, meta=found)

    def items(self, page: str) -> Iterator[Any]:
        yield {"page": page}


class RequestedSpider(OneItem):
    name = "requested"
    shows = '`BOILERNET_LABEL = "requested"`; every third request asks with True, one with a dict'
    expects = {"labeled": 4, "unlabeled": 2}
    metas = (True, {"favor": "recall"}, None)
    custom_settings = {"BOILERNET_LABEL": "requested"}


class RequestedProcessSpider(RequestedSpider):
    name = "requested_process"
    custom_settings = {"BOILERNET_LABEL": "requested", "BOILERNET_MODE": "process"}


class RequestedDeferredSpider(RequestedSpider):
    name = "requested_deferred"
    expects = {"stored": 4, "unlabeled": 2}
    custom_settings = {"BOILERNET_LABEL": "requested", "BOILERNET_MODE": "deferred"}


class NothingRequestedSpider(OneItem):
    name = "nothing_requested"
    shows = "the same, and no request asks"
    expects = {"unlabeled": 6}
    custom_settings = {"BOILERNET_LABEL": "requested"}


class PatternsSpider(OneItem):
    name = "patterns"
    shows = "`BOILERNET_LABEL_URLS` has every second page; one in six asks, one in six forbids"
    expects = {"labeled": 3, "unlabeled": 3}
    metas = (None, False, None, None, True, None)
    custom_settings = {"BOILERNET_LABEL_URLS": [r"[13579]$"]}


class ForbiddenSpider(OneItem):
    name = "forbidden"
    shows = "every second request has `False`"
    expects = {"labeled": 3, "unlabeled": 3}
    metas = (None, False)


class HeadSpider(OneItem):
    name = "head"
    shows = "HEAD requests"
    expects = {"unlabeled": 6}
    method = "HEAD"


class InlineSpider(OneItem):
    """Downloads a second page in the callback of the first."""

    name = "inline"
    shows = "the callback downloads another page, and yields an item of its own"
    expects = {"labeled": 6}
    inner_meta: ClassVar[dict[str, Any]] = {}

    async def parse(  # type: ignore[override]
        self, response: Response, **kwargs: Any
    ) -> AsyncIterator[Any]:
        page = page_of(response)
        inner = await self.download(Request(self.url(f"inner-{page}"), meta=self.inner_meta))
        for item in self.made_of(response, inner):
            yield self.counted(item)

    def made_of(self, response: Response, inner: Response) -> Iterator[Any]:
        """Yield the items of the two pages."""
        yield {"page": page_of(response)}

    async def download(self, request: Request) -> Response:
        """Fetch a page with the method of the installed Scrapy."""
        engine = self.crawler.engine
        assert engine
        if hasattr(engine, "download_async"):
            return await engine.download_async(request)
        return await maybe_deferred_to_future(engine.download(request))


class InlineFilledSpider(InlineSpider):
    name = "inline_filled"
    shows = "it yields one item of its own and one of the other page, with `fill_item`"
    expects = {"labeled": 12}

    def made_of(self, response: Response, inner: Response) -> Iterator[Any]:
        yield fill_item({"page": page_of(inner)}, inner)
        yield {"page": page_of(response)}


class InlineFilledProcessSpider(InlineFilledSpider):
    name = "inline_filled_process"
    custom_settings = {"BOILERNET_MODE": "process"}


class InlineForbiddenSpider(InlineFilledSpider):
    name = "inline_forbidden"
    shows = "the same, and the other page is not labeled"
    expects = {"labeled": 6, "unlabeled": 6}
    inner_meta = {"boilernet": False}


class CarriedSpider(OneItem):
    """Carries each item on to a second page, whose callback yields it."""

    name = "carried"
    shows = (
        "the item is filled with `fill_item`, travels on in `cb_kwargs`, and a second page's "
        "callback yields it beside one of its own"
    )
    expects = {"labeled": 12}

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        item = self.carried(response)
        second = self.url(f"second-{page_of(response)}")
        yield Request(second, self.parse_second, cb_kwargs={"item": item})

    def carried(self, response: Response) -> Any:
        """Return the item that travels on."""
        return fill_item({"page": page_of(response)}, response)

    def parse_second(self, response: Response, item: Any) -> Iterator[Any]:
        """Yield the item of the first page, and one of this."""
        yield self.counted(item)
        yield self.counted({"page": page_of(response)})


class CarriedKeptSpider(CarriedSpider):
    name = "carried_overwrite"
    shows = "the same with `BOILERNET_OVERWRITE`"
    custom_settings = {"BOILERNET_OVERWRITE": True}


class CarriedCopySpider(CarriedSpider):
    name = "carried_copied"
    shows = (
        "the same, but every second item is copied after `fill_item`: the copy has the values "
        "of its own page, and keeps them"
    )
    expects = {"labeled": 9, "kept": 3, "fields/kept": 9}

    def carried(self, response: Response) -> Any:
        item = super().carried(response)
        return dict(item) if number_of(page_of(response)) % 2 else item
