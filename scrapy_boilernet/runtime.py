"""What the three Scrapy components of one crawl share: config, engine, stats, ties."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary, WeakValueDictionary

from scrapy import signals
from scrapy.exceptions import NotConfigured

from scrapy_boilernet.config import Config, read_value
from scrapy_boilernet.items import ItemFiller, Ties

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_boilernet.workers.jobs import Labeling
    from scrapy_boilernet.workers.thread import Engine

logger = logging.getLogger(__name__)


class Runtime:
    """One per crawler; made by the first component that asks."""

    _of_crawler: ClassVar[WeakKeyDictionary[Crawler, Runtime]] = WeakKeyDictionary()
    _numbered: ClassVar[WeakValueDictionary[int, Runtime]] = WeakValueDictionary()
    _numbers: ClassVar[Iterator[int]] = count(1)

    def __init__(self, config: Config, engine: Engine, stats: Any) -> None:
        self.config = config
        self.engine = engine
        self.stats = stats
        self.ties: Ties = Ties()
        self.number = next(self._numbers)
        """Finds the runtime again from a request, whose meta may be written to disk."""
        self._numbered[self.number] = self
        self.plain_rows = False
        """Whether block labels must be plain lists: Scrapy's feeds in Marshal take no others."""
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
            from scrapy_boilernet.workers.engines import engine_of

            runtime = cls(config, engine_of(config), crawler.stats)
            feeds = crawler.settings.getdict("FEEDS").values()
            runtime.plain_rows = any(feed.get("format") == "marshal" for feed in feeds)
            if crawler.crawling:
                when_start_fails(crawler, runtime.close)
            crawler.signals.connect(runtime.close, signal=signals.spider_closed)
            crawler.signals.connect(runtime.finish_item, signal=signals.item_scraped)
            for lost in (signals.item_dropped, signals.item_error):
                crawler.signals.connect(runtime.lose_item, signal=lost)
            cls._of_crawler[crawler] = runtime
            runtime.say_model()
        return runtime

    @classmethod
    def numbered(cls, number: Any) -> Runtime | None:
        """Return the runtime of this number, if its crawl is one of this process."""
        return cls._numbered.get(number) if isinstance(number, int) else None

    def close(self) -> None:
        """Let go of the workers and of the crawler at the end of the crawl."""
        self.engine.close()
        self.count_engine()
        for crawler, runtime in list(self._of_crawler.items()):
            if runtime is self:  # its stats hold the crawler, which would hold it for ever
                del self._of_crawler[crawler]

    def finish_item(self, response: Any = None) -> None:
        """Hear that an item of the response has gone through all pipelines."""
        if response is not None:
            self.ties.finish(response)

    def lose_item(self, item: Any, response: Any = None) -> None:
        """Hear that another pipeline dropped an item of the response, or failed on it."""
        if response is not None:
            self.ties.finish(response, item)

    def say_model(self) -> None:
        """Put the model's name, version and digest into the log and the stats."""
        if self.engine.model:
            logger.info("Pages are labeled by the model %s", self.engine.model)
            self.stats.set_value("boilernet/model", self.engine.model)

    @cached_property
    def filler(self) -> ItemFiller:
        """What fills the crawl's items."""
        return ItemFiller(self.count, self.log_once, self.engine.model, self.plain_rows)

    def count(self, name: str, number: float = 1) -> None:
        """Add to the stat ``boilernet/<name>``."""
        self.stats.inc_value(f"boilernet/{name}", number)

    def log_once(self, key: str, message: str, *args: object, exc_info: bool = False) -> None:
        """Log an error the first time that ``key`` comes; the stats count the others."""
        if key not in self._logged:
            self._logged.add(key)
            logger.error(message, *args, exc_info=exc_info)

    def count_labeling(self, labeling: Labeling) -> None:
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
        if labeling.over_max_bytes or labeling.over_max_blocks:
            self.count("truncated")
            self.count("truncated/bytes" if labeling.over_max_bytes else "truncated/blocks")
        if labeling.flat:
            self.count("flat")
        if not labeling.content:
            self.count("pages_without_content")

    def count_engine(self) -> None:
        """Put into the stats what the engine has counted so far."""
        for name, number in self.engine.counts().items():
            if number:
                self.stats.set_value(f"boilernet/{name}", number)


def when_start_fails(crawler: Crawler, call: Callable[[], None]) -> None:
    """Have a function called if the crawl fails before its spider is open.

    Scrapy sends no signal then, such as ``spider_closed``. All that it does with the crawler, in
    the ``except`` of ``Crawler.crawl`` and ``crawl_async``, is to say that it does not crawl any
    more; so until the spider is open, the crawler has a class that hears of it.
    """
    plain = type(crawler)

    def set_attribute(self: Crawler, name: str, value: object) -> None:
        plain.__setattr__(self, name, value)
        if name == "crawling" and not value and sys.exc_info()[0]:  # not from Crawler.stop
            _started(self)
            call()

    try:
        crawler.__class__ = type(plain.__name__, (plain,), {"__setattr__": set_attribute})
    except Exception:  # a class of the user's that takes no such subclass
        logger.debug("A crawl that fails at its start may leave a worker", exc_info=True)
        return
    crawler.signals.connect(_started, signal=signals.spider_opened)


def _started(sender: Crawler) -> None:
    """Give the crawler its own class again."""
    sender.signals.disconnect(_started, signal=signals.spider_opened)
    sender.__class__ = type(sender).__mro__[1]
