"""The item pipeline: fills the fields of each item, such as its main text."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy import signals

from scrapy_boilernet.crawl.items import State
from scrapy_boilernet.crawl.responses import note_of
from scrapy_boilernet.crawl.runtime import Runtime, chain_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

Item = TypeVar("Item")
logger = logging.getLogger(__name__)


class BoilerNetPipeline:
    """Fills the fields of every item that was yielded from a labeled page.

    Supports all items of itemadapter: dict, ``scrapy.Item``, dataclass, attrs and pydantic. Keeps
    the values that the spider has set. Never drops an item, and never raises.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self._filler = runtime.filler  # loads itemadapter now, not at the first item

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerNetPipeline:
        """Return the pipeline; raises as :meth:`Runtime.of` does."""
        pipeline = cls(Runtime.of(crawler))
        crawler.signals.connect(pipeline.look_first, signal=signals.spider_opened)
        return pipeline

    def look_first(self, sender: Any) -> None:
        """Let Scrapy call :meth:`enter` before all pipelines, if one of them may replace items.

        Also write a warning if no item can be filled.
        """
        if not self.runtime.ties_items:
            logger.warning(
                "No item will be filled, since BoilerNetSpiderMiddleware, which ties items to "
                "their pages, is not enabled: use the add-on, or set SPIDER_MIDDLEWARES = "
                "{'scrapy_boilernet.spidermiddlewares.BoilerNetSpiderMiddleware': 10}"
            )
        chain = chain_of(sender, "scraper.itemproc", "process_item")
        methods = [getattr(each, "__wrapped__", each) for each in chain or ()]
        self.runtime.ties.may_be_replaced = self.process_item in methods[1:]
        if chain is not None and self.runtime.ties.may_be_replaced:
            chain.appendleft(self.enter)

    def enter(self, item: Any, spider: Any = None) -> Any:
        """Note the item before another pipeline replaces it; return the item itself."""
        self.runtime.ties.enter(item)
        return item

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Return the item itself, with its fields filled if its page was labeled."""
        tied = self.runtime.ties.take(item, self._filler.values_of)
        state = tied.state
        if tied.result is not None and tied.config is not None:
            state = self._filler.fill(item, tied.result, tied.config)
        self.runtime.count(f"items/{state}")
        return item


def fill_item(item: Item, response: Response) -> Item:
    """Fill the item from this response, whichever callback yields it later; return the item.

    Use it if the item belongs to another page than the one whose callback yields it. For example,
    the callback has downloaded the page itself, or the item is passed on in ``cb_kwargs``. The
    pipeline then leaves the item as it is, even if this response was not labeled. Does nothing if
    the plugin is disabled. Never raises.
    """
    note = note_of(response)
    if note is not None:
        state: State = "unlabeled"
        if note.outcome is not None and note.config is not None:
            state = note.runtime.filler.fill(item, note.outcome, note.config)
        note.runtime.ties.mark(item, state)
    return item
