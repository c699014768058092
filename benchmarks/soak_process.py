"""One crawl of ``soak.py``: reads its job as JSON, writes what it counted and saw as JSON."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from soak_spider import SoakSpider
from soak_watch import LogCount, left_over


class WarmSpider(scrapy.Spider):
    """Fetches one page without the plugin: what the reactor keeps for itself is there then."""

    name = "warm"

    async def start(self) -> AsyncIterator[Any]:
        yield scrapy.Request(f"http://127.0.0.1:{SoakSpider.job['port']}/page/0")

    def parse(self, response: Any) -> None:
        """Want nothing."""


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
    """Run both crawls and return what there was before and after the second."""
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
    sys.path.append(job["plug_ins"])
    process = AsyncCrawlerProcess(settings_of(job))
    log = LogCount()
    logging.root.addHandler(log)
    found: dict[str, Any] = {}
    tasks: list[Any] = []  # held: the loop itself would let it go

    async def all_of_it() -> None:
        try:
            found.update(await crawls(process, job))
        finally:
            reactor.stop()

    from twisted.internet import reactor  # the one that the process has installed

    reactor.callWhenRunning(lambda: tasks.append(asyncio.ensure_future(all_of_it())))
    process.start(stop_after_crawl=False)
    tasks[0].result()
    found.update(log=dict(log.counts), log_own=log.own)
    found["log_bytes"] = Path(job["log"]).stat().st_size
    Path(job["out"]).write_text(json.dumps(found, default=str))


if __name__ == "__main__":
    main()
