"""Stand-ins for unit tests: a crawler without a reactor and a labeler without a model."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector

from scrapy_boilernet.crawl.runtime import Runtime
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.options import Favor, LabelOptions, Limits, Units, fallback_steps_of
from scrapy_boilernet.extractor.page import Block, Page
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.jobs import PageJob
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker
from scrapy_boilernet.workers.thread import InlineMode, ThreadMode

WORDS = "the tide pools of the northern coast warm up at night when the moon stands low and".split()
LINES = [" ".join([f"Part {n}", *WORDS[n:], *WORDS[:n]]) + "." for n in range(4)]
"""Four paragraphs of an article."""


def options_of(fallback: bool | Sequence[str] = True, **given: Any) -> LabelOptions:
    """Return label options from the arguments of ``extract``."""
    return LabelOptions(fallback=fallback_steps_of(fallback), **given)


class StandInSpider(Spider):
    """A spider that crawls nothing."""

    name = "stand-in"


class Half:
    """A labeler that gives every other block 0.9 and the rest 0.1, the first block 0.9."""

    name = "half"
    units: Units = "block"

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        return [
            np.array([0.1 if n % 2 else 0.9 for n in range(len(page.blocks))], dtype=np.float32)
            for page in pages
        ]

    def threshold_for(
        self, page: Page, probabilities: NDArray[np.float32], favor: Favor = "balanced"
    ) -> float:
        return {"precision": 0.95, "balanced": 0.5, "recall": 0.05}[favor]

    def confidence(
        self, page: Page, probabilities: NDArray[np.float32], kept: NDArray[np.bool_]
    ) -> float:
        return 0.123456


class Failing(Half):
    """A labeler that raises on every page."""

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        raise ZeroDivisionError(pages[0].url)


def new_crawler(settings: dict[str, Any] | None = None) -> Crawler:
    """Return a crawler with stats and without a reactor, the same in every Scrapy version."""
    crawler = Crawler(StandInSpider, Settings(settings))
    crawler.stats = MemoryStatsCollector(crawler)
    return crawler


def new_runtime(labeler: Any = None, **config: Any) -> Runtime:
    """Return a new runtime, by default in the mode inline."""
    settings = Config(**{"enabled": True, "mode": "inline", **config})
    worker = PageWorker(labeler or Half(), CachedBlockifier(settings.cache_blocks))
    engine = InlineMode(worker) if settings.mode == "inline" else ThreadMode(worker, settings)
    return Runtime(settings, engine, new_crawler().stats)


def counts(runtime: Runtime) -> dict[str, Any]:
    """Return the runtime's stats without the prefix and the seconds."""
    names = {name.removeprefix("boilernet/"): name for name in runtime.stats.get_stats()}
    stats = runtime.stats.get_stats()
    return {short: stats[name] for short, name in names.items() if "seconds" not in short}


def job_of(body: bytes, url: str = "http://example.com/", **fields: Any) -> PageJob:
    """Return the job of a page in UTF-8, with the options that a crawl has by default."""
    names = [name for name in fields if name in {each.name for each in dataclasses.fields(Limits)}]
    limits = Limits(**{name: fields.pop(name) for name in names})
    return PageJob(body, url, **{"charset": "utf-8", "limits": limits, **fields})


def labeled_page(text: str = "Text", url: str | None = None) -> LabeledPage:
    """Return a page of one block, labeled content with probability 0.75."""
    block = Block(
        text=text, tags=("html", "body", "p"), class_words=("", "", ""), nodes=(1, 2, 3),
        xpath="/html/body[1]/p[1]", link_chars=0,
    )  # fmt: skip
    page = Page(url=url, title="", blocks=(block,), digest="0")
    return LabeledPage(page, ("content",), ("main",), ("model",), (0.75,), 0.123456, "half", 0.5)


class Says(Half):
    """A labeler that gives every block the same probability; its threshold is 0.2."""

    def __init__(self, probability: float) -> None:
        self.probability = probability

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        return [np.full(len(p.blocks), self.probability, dtype=np.float32) for p in pages]

    def threshold_for(
        self, page: Page, probabilities: NDArray[np.float32], favor: Favor = "balanced"
    ) -> float:
        return 0.2
