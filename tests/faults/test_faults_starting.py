"""Crawls in which something beside the plugin fails at the start: nothing is left."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import scrapy
import scrapy.crawler
from scrapy import signals
from testing.crawling import ADDONS, REACTOR, SPIDERS, base_settings, run_python
from testing.loopback import Site
from testing.standins import new_crawler

from scrapy_boilernet.crawl.runtime import when_start_fails

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").is_dir(), reason="looks for child processes as Linux has them"
)

FAULTS = (
    "downloader middleware", "spider middleware", "pipeline", "scheduler", "open_spider",
    "process_start", "start", "spider_opened", "none",
)  # fmt: skip
NOTHING = {"threads": [], "children": [], "runtimes": 0, "class": True}


def check(site: Site, way: str, faults: Sequence[str], model: Path, mode: str) -> None:
    """Crawl with each fault; nothing must be left, and the page be labeled if the crawl went on."""
    if not hasattr(scrapy.crawler, way):
        pytest.skip(f"this Scrapy has no {way}")
    if REACTOR == "none" and way in ("CrawlerRunner", "CrawlerProcess"):
        pytest.skip(f"{way} takes a reactor")
    if REACTOR == "select" and way == "AsyncCrawlerProcess":
        pytest.skip(f"{way} takes a reactor on asyncio")
    settings = {
        "ADDONS": ADDONS,
        **base_settings(),
        "BOILERNET_ENABLED": True,
        "BOILERNET_ENGINE": "numpy",
        "BOILERNET_MODEL": str(model),
        "BOILERNET_MODE": mode,
    }
    job = {"site": site.url, "way": way, "faults": faults, "settings": settings}
    script = str(SPIDERS / "faults_starting.py")
    completed = run_python(script, input=json.dumps(job).encode())
    assert completed.returncode == 0, completed.stderr.decode()
    labeled = dict.fromkeys(("none", "spider_opened"), True)
    assert json.loads(completed.stdout) == {
        fault: {**NOTHING, "labeled": labeled.get(fault)} for fault in faults
    }


@pytest.mark.parametrize("way", ["CrawlerRunner", "AsyncCrawlerRunner"])
def test_no_process_and_no_thread_is_left(site: Site, tiny_model: Path, way: str) -> None:
    if way == "AsyncCrawlerRunner" and scrapy.version_info < (2, 19):
        pytest.skip("this Scrapy downloads nothing without a reactor")
    check(site, way, FAULTS, tiny_model, "process")


@pytest.mark.parametrize("way", ["CrawlerProcess", "AsyncCrawlerProcess"])
@pytest.mark.parametrize("fault", ["pipeline", "open_spider", "none"])
def test_no_process_and_no_thread_is_left_where_no_reactor_runs_yet(
    site: Site, tiny_model: Path, way: str, fault: str
) -> None:
    check(site, way, [fault], tiny_model, "process")


def test_no_runtime_is_left_in_the_mode_thread(site: Site, tiny_model: Path) -> None:
    check(site, "CrawlerRunner", FAULTS, tiny_model, "thread")


def test_a_crawler_that_is_stopped_keeps_its_runtime() -> None:
    crawler, failed = new_crawler(), []
    plain = type(crawler)
    crawler.crawling = True
    when_start_fails(crawler, lambda: failed.append(1))
    crawler.crawling = False  # as Crawler.stop does
    assert failed == []
    crawler.signals.send_catch_log(signals.spider_opened, spider=None)
    assert type(crawler) is plain
