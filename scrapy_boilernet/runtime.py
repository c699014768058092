"""What the three Scrapy components of one crawl share: config, labeler, cache, engine, ties."""

from __future__ import annotations

import logging
from collections import OrderedDict
from time import perf_counter
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from scrapy_boilernet.cache import CachedBlockifier
from scrapy_boilernet.config import Config
from scrapy_boilernet.engine import Engine, engine_of
from scrapy_boilernet.extract import label_page
from scrapy_boilernet.labeled import CONTENT, LabeledPage
from scrapy_boilernet.labelers import Labeler, load_labeler
from scrapy_boilernet.setting_values import read_value

logger = logging.getLogger(__name__)

MAX_TIES = 10_000
"""Items that may wait between spider middleware and pipeline; Scrapy holds far fewer."""


class Runtime:
    """One per crawler; made by the first component that asks."""

    _of_crawler: ClassVar[WeakKeyDictionary[Crawler, Runtime]] = WeakKeyDictionary()

    def __init__(self, config: Config, labeler: Labeler, stats: Any) -> None:
        self.config = config
        self.labeler = labeler
        self.stats = stats
        self.cache = CachedBlockifier(config.cache_blocks)
        self.engine: Engine = engine_of(config.mode)
        self.ties: Ties = Ties()
        self._logged: set[str] = set()

    @classmethod
    def of(cls, crawler: Crawler) -> Runtime:
        """Return the crawler's runtime.

        Raises ``NotConfigured`` if the plugin is off; ``ConfigError`` or ``ModelError``, which stop
        the crawl before its first request, if a setting or the model is wrong.
        """
        runtime = cls._of_crawler.get(crawler)
        if runtime is None:
            enabled = crawler.settings.get("BOILERNET_ENABLED", False)
            if not read_value("enabled", "BOILERNET_ENABLED", enabled):
                raise NotConfigured("BOILERNET_ENABLED is not set")
            config = Config.from_settings(crawler.settings)
            labeler = load_labeler(config.model, config.engine)
            runtime = cls(config, labeler, crawler.stats)
            crawler.signals.connect(runtime.close, signal=signals.spider_closed)
            cls._of_crawler[crawler] = runtime
        return runtime

    def close(self) -> None:
        """Let go of the worker thread and of the crawler at the end of the crawl."""
        self.engine.close()
        for crawler, runtime in list(self._of_crawler.items()):
            if runtime is self:  # its stats hold the crawler, which would hold it for ever
                del self._of_crawler[crawler]

    def count(self, name: str, number: float = 1) -> None:
        """Add to the stat ``boilernet/<name>``."""
        self.stats.inc_value(f"boilernet/{name}", number)

    def log_once(self, key: str, message: str, *args: object, exc_info: bool = False) -> None:
        """Log an error the first time that ``key`` comes; the stats count the others."""
        if key not in self._logged:
            self._logged.add(key)
            logger.error(message, *args, exc_info=exc_info)

    def label(self, body: bytes, url: str, encoding: str | None, config: Config) -> Labeling:
        """Blockify and label a page; runs in the worker thread."""
        begin = perf_counter()
        page, cached = self.cache(body, url, encoding, self.labeler.units, config.max_blocks)
        middle = perf_counter()
        result = label_page(
            page,
            self.labeler,
            config.threshold_for(url),
            favor=config.favor,
            fallback=config.fallback,
            title=config.title,
            comments=config.comments,
        )
        _ = result.text  # made here, not in the reactor's thread; kept with the result
        if config.labels_field:
            _ = result.rows
        return Labeling(result, cached, middle - begin, perf_counter() - middle)

    def count_labeling(self, labeling: Labeling) -> None:
        """Put a labeled page into the stats."""
        result = labeling.result
        content = result.labels.count(CONTENT)
        self.count("pages")
        self.count(f"source/{result.source}")
        self.count("cache/hits" if labeling.cached else "cache/misses")
        self.count("blocks/content", content)
        self.count("blocks/boilerplate", len(result.labels) - content)
        self.count("seconds/blockify", labeling.blockify_seconds)
        self.count("seconds/label", labeling.label_seconds)
        if result.page.truncated:
            self.count("truncated")
        if not content:
            self.count("pages_without_content")


class Labeling:
    """A labeled page and what it cost."""

    __slots__ = ("blockify_seconds", "cached", "label_seconds", "result")

    def __init__(
        self, result: LabeledPage, cached: bool, blockify_seconds: float, label_seconds: float
    ) -> None:
        self.result = result
        self.cached = cached
        self.blockify_seconds = blockify_seconds
        self.label_seconds = label_seconds


class Ties:
    """Items on their way from the spider middleware to the pipeline, each with its page.

    By identity, so that equal items of two pages are kept apart; the item is held meanwhile, so
    that its identity cannot be given to another. Items that never reach the pipeline, because a
    middleware in between dropped them, leave when ``MAX_TIES`` newer ones have come.
    """

    def __init__(self) -> None:
        self._items: OrderedDict[int, tuple[Any, LabeledPage, Config]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._items)

    def tie(self, item: Any, result: LabeledPage, config: Config) -> None:
        """Remember the page of ``item``."""
        self._items[id(item)] = (item, result, config)
        while len(self._items) > MAX_TIES:
            self._items.popitem(last=False)

    def untie(self, item: Any) -> tuple[LabeledPage, Config] | None:
        """Return the page and config of ``item`` and forget them; None if it has none."""
        found = self._items.pop(id(item), None)
        return found[1:] if found else None
