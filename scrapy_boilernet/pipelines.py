"""The item pipeline: writes the main text and its metadata to each item."""

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

    Items of any kind that itemadapter knows: dict, ``scrapy.Item``, dataclass, attrs, pydantic.
    Values that the spider has set are kept, an item is never dropped, and none raises.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self._filler = runtime.filler  # loads itemadapter now, not at the first item

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerNetPipeline:
        """Return the pipeline; raises as :meth:`Runtime.of` does."""
        return cls(Runtime.of(crawler))

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Return the item itself, with its fields filled where its page was labeled."""
        tied = self.runtime.ties.take(item, self._filler.values_of)
        state = tied.state
        if tied.result is not None and tied.config is not None:
            state = self._filler.fill(item, tied.result, tied.config)
        self.runtime.count(f"items/{state}")
        return item


def fill_item(item: Item, response: Response) -> Item:
    """Fill the item from this response, whichever callback yields it later; return it.

    Use it for items of another page than the one whose callback yields them: a page that the
    callback downloaded itself, or one whose item is passed on in ``cb_kwargs``. The pipeline then
    leaves the item as it is, even if this response was not labeled. Does nothing if the plugin is
    disabled. Never raises.
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
