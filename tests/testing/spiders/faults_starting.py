"""A crawl in which something beside the plugin fails at the start, by each of Scrapy's runners.

A script: it reads the runner, the faults and the settings as JSON from standard input, and prints
what is left when Scrapy has given up, while the crawler and the process still exist.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
from pathlib import Path
from typing import Any, ClassVar

from scrapy import Request, Spider, crawler, signals
from scrapy.core.scheduler import Scheduler
from scrapy.settings import Settings
from scrapy.utils.reactor import install_reactor

from scrapy_boilernet.crawl.runtime import Runtime


class StartError(Exception):
    """The error at the start of a crawl."""


class Refusing:
    """A component that cannot be made."""

    @classmethod
    def from_crawler(cls, crawler: Any) -> Any:
        raise StartError


class RefusingScheduler(Scheduler):
    """A scheduler that cannot be made."""

    @classmethod
    def from_crawler(cls, crawler: Any) -> Any:
        raise StartError


class NeverOpen:
    """A pipeline that cannot be opened."""

    def open_spider(self, spider: Any = None) -> None:
        raise StartError

    def process_item(self, item: Any, spider: Any = None) -> Any:
        return item


class NoStart:
    """A spider middleware that fails on what the spider starts with."""

    def process_start_requests(self, start_requests: Any, spider: Any) -> Any:
        raise StartError

    async def process_start(self, start: Any) -> Any:
        raise StartError
        yield


FAULTS: dict[str, dict[str, Any]] = {
    "none": {},
    "downloader middleware": {"DOWNLOADER_MIDDLEWARES": {Refusing: 900}},
    "spider middleware": {"SPIDER_MIDDLEWARES": {Refusing: 900}},
    "pipeline": {"ITEM_PIPELINES": {Refusing: 900}},
    "scheduler": {"SCHEDULER": RefusingScheduler},
    "open_spider": {"ITEM_PIPELINES": {NeverOpen: 900}},
    "process_start": {"SPIDER_MIDDLEWARES": {NoStart: 900}},
    "start": {},
    "spider_opened": {},
}


class StartingSpider(Spider):
    """Requests one page; fails if the fault is in the spider."""

    name = "starting"
    site: str
    fault: str
    labeled: ClassVar[list[bool]] = []

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        if spider.fault == "spider_opened":
            crawler.signals.connect(spider.opened, signals.spider_opened)
        return spider

    def opened(self) -> None:
        raise StartError

    async def start(self) -> Any:
        """Scrapy 2.13 and later."""
        for request in self.start_requests():
            yield request

    def start_requests(self) -> list[Request]:
        """Scrapy before 2.13."""
        if self.fault == "start":
            raise StartError
        return [Request(self.site + "/article")]

    def parse(self, response: Any) -> None:
        self.labeled.append("boilernet_result" in response.meta)


def children_of(task: Path) -> list[str]:
    """Return the children of a thread; none if it ended since it was listed."""
    try:
        return task.read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def left(made: Any) -> dict[str, Any]:
    """Return the threads, children and runtimes that are left, without those of other pools."""
    names = [each.name for each in threading.enumerate() if each.name.startswith("boilernet")]
    children = [
        child for task in Path("/proc/self/task").glob("*/children") for child in children_of(task)
    ]
    return {
        "threads": names,
        "children": children,
        "runtimes": len(Runtime._of_crawler),
        "class": type(made) is crawler.Crawler,
        "labeled": StartingSpider.labeled.pop() if StartingSpider.labeled else None,
    }


def by_process(way: str, settings: dict[str, Any], site: str, fault: str) -> Any:
    """Crawl by ``CrawlerProcess`` or ``AsyncCrawlerProcess``: once, since a reactor runs once."""
    process = getattr(crawler, way)({**settings, **FAULTS[fault]})
    made = process.create_crawler(StartingSpider)
    process.crawl(made, site=site, fault=fault)
    process.start(install_signal_handlers=False)
    return left(made)


def by_runner(settings: dict[str, Any], site: str, faults: list[str]) -> dict[str, Any]:
    """Crawl by ``CrawlerRunner`` with one fault after the other, in a reactor that runs."""
    chosen = Settings(settings)["TWISTED_REACTOR"]
    if chosen:
        install_reactor(chosen)
    from twisted.internet import reactor as installed
    from twisted.internet.defer import inlineCallbacks

    reactor: Any = installed
    found: dict[str, Any] = {}
    failures: list[Any] = []

    @inlineCallbacks
    def work() -> Any:
        for fault in faults:
            runner = crawler.CrawlerRunner({**settings, **FAULTS[fault]})
            made = runner.create_crawler(StartingSpider)
            yield runner.crawl(made, site=site, fault=fault).addErrback(lambda _: None)
            found[fault] = left(made)

    def start() -> None:
        work().addErrback(failures.append).addBoth(lambda _: reactor.stop())

    reactor.callWhenRunning(start)
    reactor.run()
    for failure in failures:
        failure.raiseException()
    return found


async def by_async_runner(settings: dict[str, Any], site: str, faults: list[str]) -> dict[str, Any]:
    """Crawl by ``AsyncCrawlerRunner`` with one fault after the other, without a reactor."""
    found = {}
    for fault in faults:
        given = {**settings, **FAULTS[fault], "TWISTED_REACTOR_ENABLED": False}
        runner = crawler.AsyncCrawlerRunner(given)
        made = runner.create_crawler(StartingSpider)
        crawl = runner.crawl(made, site=site, fault=fault)
        await asyncio.gather(crawl, return_exceptions=True)
        found[fault] = left(made)
    return found


def main() -> None:
    """Crawl and print what is left after each fault."""
    job = json.load(sys.stdin)
    logging.disable()
    way, given = job["way"], (job["settings"], job["site"])
    if way == "CrawlerRunner":
        found = by_runner(*given, job["faults"])
    elif way == "AsyncCrawlerRunner":
        found = asyncio.run(by_async_runner(*given, job["faults"]))
    else:
        found = {fault: by_process(way, *given, fault) for fault in job["faults"]}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
