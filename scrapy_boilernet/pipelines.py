"""The item pipeline: fills the fields of each item, such as its main text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from scrapy_boilernet.downloadermiddlewares import META_CRAWL, outcome_in
from scrapy_boilernet.items import State
from scrapy_boilernet.runtime import Runtime

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

Item = TypeVar("Item")


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
        return cls(Runtime.of(crawler))

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
    request = getattr(response, "request", None)
    meta = request.meta if request else {}
    runtime = Runtime.numbered(meta.get(META_CRAWL))
    if runtime is not None:
        result, config = outcome_in(meta)
        state: State = "unlabeled"
        if result is not None and config is not None:
            state = runtime.filler.fill(item, result, config)
        runtime.ties.mark(item, state)
    return item
