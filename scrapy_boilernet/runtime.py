"""What the three Scrapy components of one crawl share: config, engine, stats, ties."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.exceptions import NotConfigured

from scrapy_boilernet.config import Config
from scrapy_boilernet.setting_values import read_value

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_boilernet.engine import Engine
    from scrapy_boilernet.labeled import LabeledPage
    from scrapy_boilernet.worker import Labeling, Stored

logger = logging.getLogger(__name__)

MAX_TIES = 10_000
"""Items that may wait between spider middleware and pipeline; Scrapy holds far fewer."""


class Runtime:
    """One per crawler; made by the first component that asks."""

    _of_crawler: ClassVar[WeakKeyDictionary[Crawler, Runtime]] = WeakKeyDictionary()

    def __init__(self, config: Config, engine: Engine, stats: Any) -> None:
        self.config = config
        self.engine = engine
        self.stats = stats
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
            # The one door to all that labels: no crawl that does not label loads it.
            from scrapy_boilernet.modes import engine_of

            runtime = cls(config, engine_of(config), crawler.stats)
            crawler.signals.connect(runtime.close, signal=signals.spider_closed)
            for lost in (signals.item_dropped, signals.item_error):
                crawler.signals.connect(runtime.lose, signal=lost)
            cls._of_crawler[crawler] = runtime
        return runtime

    def close(self) -> None:
        """Let go of the workers and of the crawler at the end of the crawl."""
        self.engine.close()
        self.count_engine()
        for crawler, runtime in list(self._of_crawler.items()):
            if runtime is self:  # its stats hold the crawler, which would hold it for ever
                del self._of_crawler[crawler]

    def lose(self, item: Any) -> None:
        """Forget the page of an item that another pipeline dropped or failed on."""
        self.ties.untie(item)

    def count(self, name: str, number: float = 1) -> None:
        """Add to the stat ``boilernet/<name>``."""
        self.stats.inc_value(f"boilernet/{name}", number)

    def log_once(self, key: str, message: str, *args: object, exc_info: bool = False) -> None:
        """Log an error the first time that ``key`` comes; the stats count the others."""
        if key not in self._logged:
            self._logged.add(key)
            logger.error(message, *args, exc_info=exc_info)

    def count_labeling(self, labeling: Labeling, over_max_bytes: bool) -> None:
        """Put a labeled page into the stats."""
        self.count("pages")
        self.count(f"source/{labeling.result.source}")
        if self.config.cache_folder:
            self.count("results/hits" if labeling.known else "results/misses")
        if labeling.cache_errors:
            self.count("results/errors", labeling.cache_errors)
        if not labeling.known:
            self.count("cache/hits" if labeling.cached else "cache/misses")
        self.count("blocks/content", labeling.content)
        self.count("blocks/boilerplate", labeling.blocks - labeling.content)
        self.count("seconds/blockify", labeling.blockify_seconds)
        self.count("seconds/label", labeling.label_seconds)
        if labeling.truncated:
            self.count("truncated")
            self.count("truncated/bytes" if over_max_bytes else "truncated/blocks")
        if labeling.flat:
            self.count("flat")
        if not labeling.content:
            self.count("pages_without_content")

    def count_engine(self) -> None:
        """Put into the stats what the engine has counted so far."""
        for name, number in self.engine.counts().items():
            if number:
                self.stats.set_value(f"boilernet/{name}", number)


class Ties:
    """Items on their way from the spider middleware to the pipeline, each with its page.

    By identity, so that equal items of two pages are kept apart; the item is held meanwhile, so
    that its identity cannot be given to another. Items that never reach the pipeline, because a
    middleware in between dropped them, leave when ``MAX_TIES`` newer ones have come.
    """

    def __init__(self) -> None:
        self._items: OrderedDict[int, tuple[Any, LabeledPage | Stored, Config]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._items)

    def tie(self, item: Any, result: LabeledPage | Stored, config: Config) -> None:
        """Remember the page of ``item``."""
        self._items[id(item)] = (item, result, config)
        while len(self._items) > MAX_TIES:
            self._items.popitem(last=False)

    def untie(self, item: Any) -> tuple[LabeledPage | Stored, Config] | None:
        """Return the page and config of ``item`` and forget them; None if it has none."""
        found = self._items.pop(id(item), None)
        return found[1:] if found else None
