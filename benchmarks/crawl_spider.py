"""One crawl of ``crawl.py``: reads its arguments as JSON, writes what it counted as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess

LAG_INTERVAL_SECONDS = 0.01


class RealPagesSpider(scrapy.Spider):
    """Fetches page 0 to n-1 and yields one item each."""

    name = "real_pages"
    arguments: dict[str, Any]

    async def start(self) -> AsyncIterator[Any]:
        self.began = time.monotonic()
        self.lags: list[float] = []
        self.items: list[dict[str, Any]] = []
        self.sampler = asyncio.get_running_loop().create_task(self.sample_lag())
        for number in range(self.arguments["pages"]):
            yield scrapy.Request(f"http://127.0.0.1:{self.arguments['port']}/{number}")

    async def sample_lag(self) -> None:
        while True:
            due = time.monotonic() + LAG_INTERVAL_SECONDS
            await asyncio.sleep(LAG_INTERVAL_SECONDS)
            self.lags.append((time.monotonic() - due) * 1000)

    def parse(self, response: Any) -> Iterator[dict[str, Any]]:
        item = {"url": response.url, "title": response.css("title::text").get()}
        self.items.append(item)
        yield item

    def closed(self, reason: str) -> None:
        self.sampler.cancel()
        stats = self.crawler.stats.get_stats()
        lags = sorted(self.lags)
        texts = [item.get("main_text") for item in self.items]
        result = {
            "reason": reason,
            "seconds": time.monotonic() - self.began,
            "responses": stats["response_received_count"],
            "items": stats.get("item_scraped_count", 0),
            "with_text": sum(bool(text) for text in texts),
            "empty_text": texts.count(""),
            "without_field": texts.count(None),
            "stats": {k: v for k, v in stats.items() if k.startswith(("boilernet/", "log_count/"))},
            "lag_ms": {
                "p50": lags[len(lags) // 2],
                "p95": lags[int(len(lags) * 0.95)],
                "max": lags[-1],
            },
            "peak_mb": peak_mb(),
            "versions": {"scrapy": scrapy.__version__},
        }
        Path(self.arguments["out"]).write_text(json.dumps(result))


def peak_mb() -> float:
    """Return the process's peak resident memory; getrusage would tell the parent's, if larger."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def main() -> None:
    """Run the crawl."""
    RealPagesSpider.arguments = arguments = json.loads(sys.argv[1])
    settings: dict[str, Any] = {
        "LOG_LEVEL": "WARNING",
        "CONCURRENT_REQUESTS": arguments["concurrent_requests"],
        "CONCURRENT_REQUESTS_PER_DOMAIN": arguments["concurrent_requests"],
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": False,
        "TELNETCONSOLE_ENABLED": False,
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
    }
    if arguments["plugin"]:
        settings["ADDONS"] = {"scrapy_boilernet.Addon": 500}
        settings["BOILERNET_ENABLED"] = True
        settings["BOILERNET_ENGINE"] = arguments["engine"]
    process = CrawlerProcess(settings)
    process.crawl(RealPagesSpider)
    process.start()


if __name__ == "__main__":
    main()
