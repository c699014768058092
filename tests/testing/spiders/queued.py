"""A spider whose requests go through a queue on disk, some with the meta of a labeled page."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, ClassVar

from scrapy import Request
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.http import Response
from scrapy.squeues import PickleLifoDiskQueue
from testing.requesting import RequestingSpider

ROUNDS = 2


class Noting(PickleLifoDiskQueue):  # type: ignore[misc]
    """Counts in the stats how many characters of a meta it stores per case."""

    def push(self, request: Request) -> None:
        stored = {
            "meta": request.meta,
            "result in the meta": "boilernet_result" in request.meta,
            "cb_kwargs": request.cb_kwargs,
        }
        for name, value in stored.items():
            key = f"queued/{request.cb_kwargs['case']}/{name}"
            self.spider.crawler.stats.max_value(key, len(repr(value)))
        super().push(request)


class Retries:
    """Downloads some labeled pages again, as a middleware does that meets a block page."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        case = request.cb_kwargs["case"]
        if request.meta.get("again") or not case.startswith("middleware"):
            return response
        if "itself" in case:
            request.dont_filter = True
            request.meta["again"] = True
            return request
        again = {**request.meta, "again": True}
        if "deep" in case:
            again = copy.deepcopy(again)
        return request.replace(dont_filter=True, meta=again)


class Queued(RequestingSpider):
    name = "queued"
    custom_settings: ClassVar[dict[str, Any]] = {
        "DOWNLOADER_MIDDLEWARES": {Retries: 543},
        "SCHEDULER_DISK_QUEUE": Noting,
        "SCHEDULER_START_DISK_QUEUE": Noting,
        "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
    }

    def requests(self) -> Iterator[Request]:
        middlewares = ("middleware copy", "middleware itself", "middleware deep copy")
        for case in (*middlewares, *self.cases(Response("http://a/", request=Request("http://a")))):
            yield Request(self.site + "/article", cb_kwargs={"case": case}, dont_filter=True)

    def cases(self, response: Response) -> dict[str, Any]:
        """Return the requests that a callback yields, by the names of the cases."""
        request, meta = response.request, response.meta
        again = {"dont_filter": True}
        return {
            "itself": request,
            "replaced": request.replace(**again),
            "copied": request.copy(),
            "meta": request.replace(meta=meta, **again),
            "dict": request.replace(meta=dict(meta), **again),
            "deep copy": request.replace(meta=copy.deepcopy(meta), **again),
            "followed": response.follow("copy", self.parse, meta=meta, **again),
            "retried": get_retry_request(request, spider=self, reason="a reason"),
            "in cb_kwargs": request.replace(cb_kwargs={**request.cb_kwargs, "meta": meta}),
            "by the engine": request.replace(meta=meta, **again),
        }

    def parse(self, response: Response, case: str, **kwargs: Any) -> Iterator[Any]:
        number = response.request.headers.get("Round", b"")
        result = response.meta.get("boilernet_result")
        yield {"case": case, "when": "before", "in_callback": result and result.text}
        if not case.startswith("middleware") and len(number) < ROUNDS:
            again = self.cases(response)[case]
            again.headers["Round"] = number + b"+"
            again.cb_kwargs["case"] = case
            if case == "by the engine":
                self.crawler.engine.crawl(again)
            else:
                yield again
            if number:  # the response's own request is in the queue, and the callback goes on
                result = response.meta.get("boilernet_result")
                yield {"case": case, "when": "after", "in_callback": result and result.text}
