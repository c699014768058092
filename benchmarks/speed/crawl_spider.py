"""One crawl of ``crawl.py``: reads its arguments as JSON, writes what it counted as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess

from benchmarks.common.measuring import descendants, peak_kb, resident_kb

LAG_INTERVAL_SECONDS = 0.01
MEMORY_INTERVAL_SECONDS = 2.0
"""Each look takes some milliseconds, since psutil goes through all processes of the machine."""


class Watch:
    """The reactor's lag and the memory of this process and of those below it."""

    def __init__(self) -> None:
        self.lags_ms: list[float] = []
        self.workers_peak_kb = self.workers_end_kb = 0

    async def run(self) -> None:
        """Sample until cancelled.

        A call is due every 10 ms, also while the reactor is held up: each of those that came due
        meanwhile has its own lag, so that a long stall counts for as long as it was.
        """
        due = time.monotonic()
        next_look = due
        while True:
            due += LAG_INTERVAL_SECONDS
            await asyncio.sleep(due - time.monotonic())
            now = time.monotonic()
            while due <= now - LAG_INTERVAL_SECONDS:
                self.lags_ms.append((now - due) * 1000)
                due += LAG_INTERVAL_SECONDS
            self.lags_ms.append(max(now - due, 0) * 1000)
            if now >= next_look:
                self.look()
                next_look = now + MEMORY_INTERVAL_SECONDS

    def look(self) -> tuple[int, int]:
        """Return the resident memory of this process and of its workers together, in kB."""
        workers = descendants()
        self.workers_end_kb = sum(map(resident_kb, workers))
        self.workers_peak_kb = max(self.workers_peak_kb, sum(map(peak_kb, workers)))
        return resident_kb(), self.workers_end_kb


class RealPagesSpider(scrapy.Spider):
    """Fetches page 0 to n-1 and yields one item each; each callback asks for the next page."""

    name = "real_pages"
    arguments: dict[str, Any]
    extract: Callable[[Any], dict[str, Any]]

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> RealPagesSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.scraped, signals.item_scraped)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        # All processes share this clock; the time of a process's start has whole seconds only.
        self.start_seconds = time.monotonic() - self.arguments["launched"]
        self.began, self.cpu_began = time.monotonic(), time.process_time()
        self.watch = Watch()
        self.counts: Counter[str] = Counter()
        self.memory: list[tuple[int, int, int]] = []
        self.numbers = iter(range(self.arguments["responses"]))
        self.sampler = asyncio.get_running_loop().create_task(self.watch.run())
        # Enough requests to keep the downloader busy; a longer queue would take memory, too.
        for number in islice(self.numbers, 2 * self.arguments["concurrent"]):
            yield self.request(number)

    def request(self, number: int) -> scrapy.Request:
        return scrapy.Request(
            f"http://127.0.0.1:{self.arguments['port']}/{number}", dont_filter=True
        )

    def parse(self, response: Any) -> Iterator[Any]:
        self.counts["responses"] += 1
        if self.counts["responses"] % self.arguments["sample_every"] == 0:
            self.memory.append((self.counts["responses"], *self.watch.look()))
        self.counts["items_in"] += 1
        yield {"url": response.url, **self.more(response)}
        number = next(self.numbers, None)
        if number is not None:
            yield self.request(number)

    def more(self, response: Any) -> dict[str, Any]:
        """Return the fields that the callback itself extracts from the page."""
        fields = {}
        if self.arguments["select"]:
            fields["title"] = response.css("title::text").get()
        if self.arguments["trafilatura"]:
            from trafilatura import extract

            fields["main_text"] = extract(response.text, include_comments=False) or ""
        return fields

    def scraped(self, item: dict[str, Any]) -> None:
        text = item.get("main_text")
        self.counts["items_out"] += 1
        self.counts["no_field" if text is None else "with_text" if text else "empty_text"] += 1

    def closed(self, reason: str) -> None:
        seconds = time.monotonic() - self.began
        self.sampler.cancel()
        stats = self.crawler.stats.get_stats()
        lags = sorted(self.watch.lags_ms) or [0.0]
        middle, high = (lags[round(share * (len(lags) - 1))] for share in (0.5, 0.95))
        result = {
            "reason": reason,
            "seconds": seconds,
            "start_seconds": self.start_seconds,
            "cpu_seconds": time.process_time() - self.cpu_began,
            **{name: self.counts[name] for name in ("responses", "items_in", "items_out")},
            **{name: self.counts[name] for name in ("with_text", "empty_text", "no_field")},
            "lag_p50_ms": middle,
            "lag_p95_ms": high,
            "lag_max_ms": max(self.watch.lags_ms, default=0.0),
            "end_kb": resident_kb(),
            "peak_kb": peak_kb(),
            "workers_end_kb": self.watch.workers_end_kb,
            "workers_peak_kb": self.watch.workers_peak_kb,
            "memory_kb": self.memory,
            "stats": {k: v for k, v in stats.items() if k.startswith(("boilernet/", "log_count/"))},
        }
        Path(self.arguments["out"]).write_text(json.dumps(result))


def main() -> None:
    """Run the crawl."""
    RealPagesSpider.arguments = arguments = json.loads(sys.argv[1])
    process = CrawlerProcess(
        {
            "LOG_LEVEL": "WARNING",
            "CONCURRENT_REQUESTS": arguments["concurrent"],
            "CONCURRENT_REQUESTS_PER_DOMAIN": arguments["concurrent"],
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": False,
            "TELNETCONSOLE_ENABLED": False,
            "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
            **arguments["settings"],
        }
    )
    process.crawl(RealPagesSpider)
    process.start()


if __name__ == "__main__":
    main()
