"""The objects that the Scrapy components of a crawl share: config, mode, stats, ties."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.exceptions import NotConfigured

from scrapy_boilernet.crawl.health import Health
from scrapy_boilernet.crawl.interpreter import collection_paused, interpreter
from scrapy_boilernet.crawl.items import ItemFiller, Ties
from scrapy_boilernet.crawl.unused_rules import UnusedRules
from scrapy_boilernet.extractor.sites.domains import host_of
from scrapy_boilernet.settings.config import Config, read_value

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from scrapy_boilernet.extractor.options import Format
    from scrapy_boilernet.workers.jobs import Labeling
    from scrapy_boilernet.workers.thread import Mode

logger = logging.getLogger(__name__)


STATS = {
    "model": "not a count: the name, version and digest of the model",
    "pages": "pages labeled",
    "relabeled": "responses that were labeled once more, since a downloader middleware behind "
    "BoilerNetDownloaderMiddleware changed them",
    "pages_without_content": "labeled pages of which no block is content",
    "source/model": "labeled pages whose content the model found",
    "source/hidden": "labeled pages whose content the step `hidden` of the fallback found",
    "source/json-ld": "labeled pages whose content the step `json-ld` found",
    "source/lower-threshold": "labeled pages whose content the step `lower-threshold` found",
    "source/main-element": "labeled pages whose content the step `main-element` found",
    "source/site-rule": "labeled pages whose content `keep` of the rule of their site found",
    "source/nothing": "labeled pages on which nothing was found: as many as "
    "`boilernet/pages_without_content`",
    "truncated": "labeled pages that were cut off",
    "truncated/bytes": "labeled pages that were cut off at `BOILERNET_MAX_BYTES`",
    "truncated/blocks": "labeled pages that were cut off at `BOILERNET_MAX_BLOCKS` alone",
    "flat": "labeled pages that libxml2 cannot read completely, or only very slowly, and that were "
    "read in another way: their blocks have no XPath",
    "formats/shortened": "labeled pages whose Markdown and HTML lack addresses, emphasis or "
    "nesting, which would have made them too large: [limits](markdown.md#limits)",
    "blocks/content": "blocks labeled content",
    "blocks/boilerplate": "blocks labeled boilerplate",
    "items/labeled": "items that got at least one value of a labeled page",
    "items/stored": 'items that got a stored page\'s key, in the mode `"deferred"`',
    "items/kept": "items whose fields your spider had all set",
    "items/not_wanted": "items whose class declares none of the fields, or is not in "
    "`BOILERNET_ITEM_CLASSES`",
    "items/refused": "items that took none of the values, such as frozen ones; in the mode "
    '`"deferred"` also those whose class lacks `BOILERNET_PAGE_FIELD`',
    "items/unlabeled": "all other items: their page was not labeled, or they do not come from a "
    "page. Each item that reaches the pipeline is counted in one of these six",
    "fields/kept": "values of your spider that were kept",
    "needs_rendering/script": "labeled pages whose text a script loads; this stat and the next two "
    "are only counted if metadata are requested: see [Metadata](metadata.md)",
    "needs_rendering/consent": "labeled pages that contain only a consent dialog",
    "needs_rendering/wall": "labeled pages that require a payment, a login or a proof that the "
    "visitor is human",
    "domain/<host>/pages": "labeled pages of this host, without `www.`; for the 100 hosts with the "
    "most pages, and for all others together as `(other)`. See [Health](health.md)",
    "domain/<host>/empty_share": "not a count: the share of these pages that have no content",
    "domain/<host>/mean_confidence": "not a count: the mean confidence of those of these pages "
    "that have content",
    "domain/<host>/hidden_chars": "characters of text that these pages hide and that was left out: "
    "see [Content](content.md#hidden-text)",
    "domains_turned_bad": "hosts that were good and turned bad; each is logged",
    "templates_lost": "hosts on whose pages the model kept a template and now drops it; each is "
    "logged: see [Health](health.md#a-part-of-the-page-is-lost)",
    "sites/no_match": "labeled pages of whose sites there is a rule, but on which `keep` found "
    "nothing: see [Rules of sites](sites.md)",
    "sites/no_match/<host>": "these pages of this host, for the hosts of `domain/<host>/pages`",
    "sites/changed": "hosts on many of whose pages `keep` found nothing; each is logged",
    "sites/unused": "rules that are for no labeled page, counted at the end of the crawl; the "
    "first ten are logged",
    "stored": 'pages stored in the mode `"deferred"`',
    "batches": "times that a worker took pages",
    "batch/pages_max": "the most pages that a worker took at once",
    "queue/max": "the most pages that waited in the queue",
    "queue/waits": "pages that had to wait before the queue because it was full",
    "workers/restarted": "worker processes that were replaced",
    "cache/hits": "pages that were in the cache of blockified pages",
    "cache/misses": "pages that were not in the cache of blockified pages",
    "skipped/off": 'responses with `request.meta["boilernet"] = False`',
    "skipped/not_requested": "responses that neither their request nor `BOILERNET_LABEL` or "
    "`BOILERNET_LABEL_URLS` asks to label",
    "skipped/head": "responses to `HEAD` requests",
    "skipped/status": "responses with a status that is not in `BOILERNET_STATUSES`",
    "skipped/robots_txt": "answers to requests for robots.txt, whatever their status",
    "skipped/content_type": "responses that are not HTML",
    "skipped/not_html": "responses that claim to be HTML but contain a PDF document, JSON, "
    "an image or another format; the first of each format is logged",
    "skipped/too_large": "pages over `BOILERNET_MAX_BYTES`, where `BOILERNET_OVER_MAX_BYTES` is "
    '`"skip"`',
    "skipped/too_many_blocks": "pages over `BOILERNET_MAX_BLOCKS`, where "
    '`BOILERNET_OVER_MAX_BLOCKS` is `"skip"`',
    "skipped/bad_override": 'requests with a wrong `meta["boilernet"]`',
    "unknown_meta_keys": 'keys of requests such as `meta["boilernet_threshold"]`, which look like '
    "the plugin's but have no effect; the first of each name is logged with the right one",
    "errors/<type>": "pages that raised this exception and were left unlabeled; the first of each "
    "type is logged with its traceback",
    "errors/timeout": "pages given up after `BOILERNET_TIMEOUT`",
    "errors/WorkerDied": "pages given up because two worker processes ended while they labeled "
    "them, or none could be started",
    "errors/EngineClosedError": "pages that came, or still waited, when the crawl had ended",
    "errors/refused_field": "values that an item does not accept; the first of each class and "
    "field is logged with the remedy",
    "seconds/blockify": "seconds that the workers spent on reading pages, summed over pages",
    "seconds/label": "seconds that the workers spent on labeling blocks, summed over pages",
}
"""All stats, without their prefix ``boilernet/``, with a description of each."""


class Runtime:
    """The shared objects of one crawler, created by the first of its components."""

    _of_crawler: ClassVar[WeakKeyDictionary[Crawler, Runtime]] = WeakKeyDictionary()

    def __init__(
        self, config: Config, mode: Mode, stats: Any, health: Health | None = None
    ) -> None:
        self.config = config
        self.mode = mode
        self.stats = stats
        self.health = health or Health()
        self.unused_rules = UnusedRules(config.sites)
        self.ties: Ties = Ties()
        self.ties_items = False
        """Whether the spider middleware is there, which ties items to their pages."""
        self.marshal = False
        """Whether a feed is in Scrapy's format Marshal, which writes no subclasses of plain types
        but those of ``bytes``."""
        self.asked: Callable[[Request], tuple[Format, ...] | None] = lambda _: None
        """Returns the formats that the page objects of a request's callback need; None if they need
        no labels. ``scrapy_boilernet.page_objects`` sets it."""
        self._logged: set[str] = set()

    @classmethod
    def of(cls, crawler: Crawler, log_disabled: bool = False) -> Runtime:
        """Return the crawler's runtime, which the first call creates.

        Raises ``NotConfigured`` if the plugin is disabled; ``log_disabled``: with a message, which
        Scrapy logs for each component that raises one. Raises ``ConfigError`` if a setting is
        wrong, ``ModelError`` if the model cannot be loaded; both stop the crawl before its first
        request.
        """
        runtime = cls._of_crawler.get(crawler)
        if runtime is None:
            enabled = crawler.settings.get("BOILERNET_ENABLED", False)
            if not read_value("enabled", "BOILERNET_ENABLED", enabled):
                raise NotConfigured(*["BOILERNET_ENABLED is not true"] * log_disabled)
            config = Config.from_settings(crawler.settings)
            health = _health_of(config)
            with collection_paused():
                # Imported here, so that crawls without labels do not load the labelers.
                from scrapy_boilernet.workers.modes import mode_of

                runtime = cls(config, mode_of(config), crawler.stats, health)
            feeds = crawler.settings.getdict("FEEDS").values()
            runtime.marshal = any(feed.get("format") == "marshal" for feed in feeds)
            if crawler.crawling:
                when_start_fails(crawler, runtime.close)
            crawler.signals.connect(runtime.begin, signal=signals.spider_opened)
            crawler.signals.connect(runtime.close, signal=signals.spider_closed)
            crawler.signals.connect(runtime.finish_item, signal=signals.item_scraped)
            for lost in (signals.item_dropped, signals.item_error):
                crawler.signals.connect(runtime.lose_item, signal=lost)
            cls._of_crawler[crawler] = runtime
            runtime.log_model()
        return runtime

    def begin(self) -> None:
        """Note that the spider is open."""
        interpreter.begin(self)

    def close(self) -> None:
        """Close the workers, write the last stats, and forget the crawler."""
        interpreter.end(self)
        self.mode.close()
        self.count_mode()
        self.count_unused_rules()
        self.close_health()
        for crawler, runtime in list(self._of_crawler.items()):
            if runtime is self:  # its stats refer to the crawler, so neither would be freed
                del self._of_crawler[crawler]

    def finish_item(self, response: Any = None) -> None:
        """Note that an item of the response has gone through all pipelines."""
        if response is not None:
            self.ties.finish(response)

    def lose_item(self, item: Any, response: Any = None) -> None:
        """Note that another pipeline dropped an item of the response, or failed on it."""
        self.ties.lose(item)
        self.finish_item(response)

    def log_model(self) -> None:
        """Write the model's name, version and digest to the log and the stats."""
        if self.mode.model:
            logger.info("Pages are labeled by the model %s", self.mode.model)
            self.stats.set_value("boilernet/model", self.mode.model)

    @cached_property
    def filler(self) -> ItemFiller:
        """The object that fills the crawl's items."""
        with collection_paused():
            return ItemFiller(self.count, self.log_once, self.mode.model, self.marshal)

    def count(self, name: str, number: float = 1) -> None:
        """Add the number to the stat ``boilernet/<name>``, which :data:`STATS` lists."""
        self.stats.inc_value(f"boilernet/{name}", number)

    def log_once(
        self,
        key: str,
        message: str,
        *args: object,
        exc_info: bool = False,
        level: int = logging.ERROR,
    ) -> None:
        """Log a message, but only the first time that it has this ``key``."""
        if key not in self._logged:
            self._logged.add(key)
            logger.log(level, message, *args, exc_info=exc_info)

    def count_labeling(self, labeling: Labeling, url: str) -> None:
        """Count the labeled page with this URL in the stats."""
        self.count("pages")
        self.count(f"source/{labeling.result.source}")
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
        if labeling.result.shortened:
            self.count("formats/shortened")
        if not labeling.content:
            self.count("pages_without_content")
        metadata = labeling.result.metadata
        if metadata and metadata.needs_rendering:
            self.count(f"needs_rendering/{metadata.needs_rendering}")
        confidence = labeling.result.confidence if labeling.content else None
        warning = self.health.add(url, confidence, labeling.hidden_chars)
        if warning:
            logger.warning("%s", warning)
            self.count("domains_turned_bad")
        self.unused_rules.see(url)
        if labeling.by_rule is not None:
            self.count_match(url, labeling.by_rule)
        if labeling.content:
            self.count_templates(url, labeling)

    def count_match(self, url: str, found: bool) -> None:
        """Count a page whose site has a rule; ``found``: whether ``keep`` found a block."""
        if not found:
            self.count("sites/no_match")
        if warning := self.health.add_match(url, found):
            logger.warning("%s", warning)
            self.count("sites/changed")

    def count_templates(self, url: str, labeling: Labeling) -> None:
        """Count the templates of a page with content."""
        lost = self.health.add_templates(url, labeling.templates)
        if lost is None:
            return
        from scrapy_boilernet.workers.templates import shown_template  # the mode has loaded it

        logger.warning(
            "%s: the model drops what it kept before: %s, %s. The site may have changed its "
            "markup, or put something else there: look at %s",
            host_of(url).removeprefix("www."),
            shown_template(labeling.result, lost.number),
            lost.comparison,
            url,
        )
        self.count("templates_lost")

    def count_mode(self) -> None:
        """Write the mode's counts so far to the stats."""
        for name, number in self.mode.counts().items():
            if number:
                self.stats.set_value(f"boilernet/{name}", number)

    def count_unused_rules(self) -> None:
        """Count and log the rules of sites that are for no page of the crawl.

        The rules may be those of many crawls, so it is only a warning if no rule was used.
        """
        if unused := self.unused_rules.number:
            self.count("sites/unused", unused)
            level = logging.INFO if self.unused_rules.is_any_used else logging.WARNING
            logger.log(level, "%s", self.unused_rules.message)

    def close_health(self) -> None:
        """Write the stats of the domains, and ``BOILERNET_HEALTH_FILE`` for the next crawl."""
        for name, number in self.health.stats().items():
            self.stats.set_value(f"boilernet/{name}", number)
        try:
            self.health.save()
        except OSError as error:
            self.log_once(
                "health",
                "BOILERNET_HEALTH_FILE = %r could not be written: %s; it has not changed in this "
                "crawl. Free space on the disk, or name another file",
                self.config.health_file,
                error,
            )


def _health_of(config: Config) -> Health:
    """Return the health of a crawl that starts; warns of a file in which nothing will be noted."""
    if config.health_file and config.mode == "deferred":
        logger.warning(
            "BOILERNET_HEALTH_FILE = %r has no effect with BOILERNET_MODE = 'deferred', which "
            "labels no page: leave it out, or choose another mode",
            config.health_file,
        )
    return Health(config.health_file)


def chain_of(crawler: Crawler, manager: str, method: str) -> Any:
    """Return the methods that Scrapy calls one after the other, as a deque that may be changed.

    ``manager``: what calls them, from the engine on, such as ``"downloader.middleware"``. Scrapy
    has no public way to come last or first, whatever the orders in the user's settings. Returns
    None if the methods are kept in another way.
    """
    try:
        return attrgetter(f"engine.{manager}.methods")(crawler)[method]
    except (AttributeError, KeyError, TypeError):
        return None


def when_start_fails(crawler: Crawler, call: Callable[[], None]) -> None:
    """Call the function if the crawl fails before its spider is open.

    Scrapy sends no signal in this case, not even ``spider_closed``. The ``except`` of
    ``Crawler.crawl`` and ``crawl_async`` only sets ``crawler.crawling`` to False. So until the
    spider is open, the class of the crawler is a subclass that notices when this attribute is set.
    """
    plain = type(crawler)

    def set_attribute(self: Crawler, name: str, value: object) -> None:
        plain.__setattr__(self, name, value)
        if name == "crawling" and not value and sys.exc_info()[0]:  # not from Crawler.stop
            _started(self)
            call()

    try:
        special = {"__setattr__": set_attribute, _PLAIN_CLASS: plain}
        crawler.__class__ = type(plain.__name__, (plain,), special)
    except Exception:  # the user's own crawler class may not allow such a subclass
        logger.debug("If the crawl fails at its start, a worker may keep running", exc_info=True)
        return
    crawler.signals.connect(_started, signal=signals.spider_opened)


_PLAIN_CLASS = "_boilernet_plain_class"


def _started(sender: Crawler) -> None:
    """Restore the crawler's class.

    It stays connected to the signal: a receiver that disconnects itself makes Scrapy skip the next
    one, which may belong to the user.
    """
    sender.__class__ = vars(type(sender)).get(_PLAIN_CLASS, type(sender))
