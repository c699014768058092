"""One crawl of ``soak.py``: its spider counts every item that it yields and that comes out.

It reads its job as JSON, and writes its counts and samples as JSON.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import scrapy
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.spidermiddlewares.httperror import HttpError

from benchmarks.soak.plan import (
    ITEMS,
    MARK,
    MARKS,
    OVERRIDES,
    RECENT,
    Fetch,
    Plan,
    field_of,
    item_of,
    one_of,
    takes_text,
)
from benchmarks.soak.watch import Killer, LogCount, Sampler, left_over
from scrapy_boilernet.crawl.runtime import Runtime
from scrapy_boilernet.workers.progress import progress


class CallbackError(Exception):
    """Raised by a callback after it has yielded."""


class SoakSpider(scrapy.Spider):
    """Requests the next page when one has reached a callback or errback, until enough came."""

    name = "soak"
    job: dict[str, Any]
    seen: dict[str, Any]
    """The results of the last crawl."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> SoakSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.scraped, signals.item_scraped)
        crawler.signals.connect(spider.lost, signals.item_dropped)
        crawler.signals.connect(spider.lost, signals.item_error)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        job = self.job
        self.plan = Plan(job["seed"])
        self.counts: Counter[str] = Counter()
        self.under_way = 0
        self.texts: dict[int, bytes] = {}
        self.runtime = Runtime.of(self.crawler) if job["mode"] else None
        self.bar = progress(range(job["responses"]), job["responses"], job["label"])
        next(self.bar)
        self.began = time.monotonic()
        self.sampler = Sampler(job["sample_seconds"], job["objects_every"], self.extent)
        self.sampler.sample()
        self.killer = Killer(Random(job["seed"]), job["kill_every"], self.pids)
        self.sampling = asyncio.get_running_loop().create_task(self.sampler.run())
        for _ in range(min(2 * job["concurrent"], job["responses"])):  # a queue takes memory, too
            yield self.next_request()

    def pids(self) -> list[int]:
        engine: Any = self.runtime.mode if self.runtime else None
        return getattr(engine, "pids", [])

    def extent(self) -> dict[str, Any]:
        """Return the crawl's own counts, for a sample."""
        return {
            "responses": self.counts["responses"],
            "seconds": time.monotonic() - self.began,
            "ties": len(self.runtime.ties) if self.runtime else 0,
            "stats": len(self.crawler.stats.get_stats()),
        }

    def next_request(self, carried: dict[str, Any] | None = None) -> scrapy.Request:
        """Return the next request of the plan; ``carried``: meta that a careless spider copies."""
        fetch = self.plan.next()
        meta = {**(carried or {}), "boilernet": OVERRIDES[fetch.override][0]}
        if fetch.kind in ("missing", "error") and fetch.number % 2:  # the others are errors
            meta["handle_httpstatus_all"] = True
        self.counts[f"sent/{fetch.kind}"] += 1
        self.under_way += 1
        post = fetch.kind == "post"
        return scrapy.Request(
            f"http://127.0.0.1:{self.job['port']}{fetch.path}",
            callback=getattr(self, fetch.callback),
            errback=self.failed,
            method="POST" if post else "GET",
            body=b"number=%d" % fetch.number if post else b"",
            meta=meta,
            cb_kwargs={"fetch": fetch},
            dont_filter=True,  # else Scrapy's filter would grow with each URL
        )

    def parse(self, response: Any, fetch: Fetch) -> Iterator[Any]:  # noqa: ARG002
        yield from self.outputs(fetch)

    async def parse_async(self, response: Any, fetch: Fetch) -> AsyncIterator[Any]:  # noqa: ARG002
        for output in self.outputs(fetch):
            yield output
            await asyncio.sleep(0)

    def parse_and_raise(self, response: Any, fetch: Fetch) -> Iterator[Any]:  # noqa: ARG002
        yield from self.outputs(fetch)
        raise CallbackError

    def parse_and_carry_on(self, response: Any, fetch: Fetch) -> Iterator[Any]:
        own = {name: value for name, value in response.meta.items() if "boilernet" in name}
        yield from self.outputs(fetch, own)

    def outputs(self, fetch: Fetch, carried: dict[str, Any] | None = None) -> Iterator[Any]:
        """Yield the request for the next page, and items, which are counted first."""
        self.counts["callbacks"] += 1
        yield from self.follow_up(came=True, carried=carried)
        random = Random(
            f"items {self.job['seed']} {fetch.number}"
        )  # the same in any order of pages
        for _ in range(one_of(random, ITEMS)):
            yield self.counted(item_of(random, fetch.number, fetch.kind, fetch.sound), fetch)

    def failed(self, failure: Any) -> Iterator[Any]:
        """The errback, which yields an item, too."""
        fetch = failure.request.cb_kwargs["fetch"]
        self.counts["errbacks"] += 1
        self.counts[f"failure/{failure.type.__name__}"] += 1
        yield from self.follow_up(came=failure.check(HttpError) is not None)
        yield self.counted({"number": fetch.number, "kind": fetch.kind, "sound": False}, fetch)

    def counted(self, item: Any, fetch: Fetch) -> Any:
        self.counts["items_in"] += 1
        self.counts[f"in/{fetch.kind}"] += 1
        return item

    def follow_up(self, came: bool, carried: dict[str, Any] | None = None) -> Iterator[Any]:
        """Yield the next request, unless enough responses have come or are under way."""
        self.under_way -= 1
        if came:
            self.counts["responses"] += 1
            self.killer.tick()
            next(self.bar, None)
        if self.counts["responses"] + self.under_way < self.job["responses"]:
            yield self.next_request(carried)

    def scraped(self, item: Any) -> None:
        kind, number = field_of(item, "kind"), field_of(item, "number")
        text = field_of(item, "main_text")
        self.counts["items_out"] += 1
        self.counts[f"out/{kind}"] += 1
        if text is not None:
            self.counts[f"labeled/{kind}"] += 1
            strangers = set(MARKS.findall(text)) - {MARKS.findall(MARK.format(number))[0]}
            self.counts["another_page"] += bool(strangers)
            self.compare(number, text)
        if field_of(item, "sound") and takes_text(item):
            self.counts["promised"] += 1
            self.counts["promise_broken"] += not text

    def compare(self, number: int, text: str) -> None:
        """Compare the text of a page that came again with its earlier text."""
        now = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        before = self.texts.pop(number, None)
        self.texts[number] = before or now
        self.counts["compared"] += before is not None
        self.counts["came_otherwise"] += before not in (None, now)
        if len(self.texts) > 2 * RECENT:
            del self.texts[next(iter(self.texts))]

    def lost(self) -> None:
        self.counts["items_lost"] += 1

    def closed(self, reason: str) -> None:
        self.sampling.cancel()
        self.sampler.sample()
        next(self.bar, None)
        type(self).seen = {
            "reason": reason,
            "seconds": time.monotonic() - self.began,
            "unanswered": self.under_way,
            "counts": dict(self.counts),
            "signals": dict(self.killer.counts),
            "samples": self.sampler.samples,
        }


class WarmSpider(scrapy.Spider):
    """Fetches one page without the plugin, so that the reactor has allocated what it keeps."""

    name = "warm"

    async def start(self) -> AsyncIterator[Any]:
        yield scrapy.Request(f"http://127.0.0.1:{SoakSpider.job['port']}/page/0")

    def parse(self, response: Any) -> None:
        """Yield nothing."""


def settings_of(job: dict[str, Any]) -> dict[str, Any]:
    """Return the crawl's settings."""
    return {
        "LOG_LEVEL": "INFO",
        "LOG_FILE": job["log"],
        "CONCURRENT_REQUESTS": job["concurrent"],
        "CONCURRENT_REQUESTS_PER_DOMAIN": job["concurrent"],
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_TIMEOUT": job["download_timeout"],
        "REDIRECT_MAX_TIMES": 4,
        "RETRY_TIMES": 2,
        "ROBOTSTXT_OBEY": False,
        "TELNETCONSOLE_ENABLED": False,
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "ADDONS": {"scrapy_boilernet.Addon": 500},
    }


async def crawls(process: AsyncCrawlerProcess, job: dict[str, Any]) -> dict[str, Any]:
    """Run both crawls; return the results of the second, with counts before and after it."""
    await process.crawl(WarmSpider)
    before = await left_over({})
    SoakSpider.custom_settings = job["settings"]
    crawler: Any = process.create_crawler(SoakSpider)
    await process.crawl(crawler)
    stats = dict(crawler.stats.get_stats())
    del crawler
    return {**SoakSpider.seen, "stats": stats, "before": before, "after": await left_over(before)}


def main() -> None:
    """Crawl and write the result."""
    job = SoakSpider.job = json.loads(sys.argv[1])
    process = AsyncCrawlerProcess(settings_of(job))
    log = LogCount()
    logging.root.addHandler(log)
    result: dict[str, Any] = {}
    tasks: list[Any] = []  # the event loop itself keeps only weak references

    async def all_of_it() -> None:
        try:
            result.update(await crawls(process, job))
        finally:
            reactor.stop()

    from twisted.internet import reactor  # the one that the process has installed

    reactor.callWhenRunning(lambda: tasks.append(asyncio.ensure_future(all_of_it())))
    process.start(stop_after_crawl=False)
    tasks[0].result()
    result.update(log=dict(log.counts), log_own=log.own)
    result["log_bytes"] = Path(job["log"]).stat().st_size
    Path(job["out"]).write_text(json.dumps(result, default=str))


if __name__ == "__main__":
    main()
