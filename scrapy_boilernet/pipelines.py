"""The item pipeline: writes the main text and what belongs to it onto each item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy_boilernet.runtime import Runtime
from scrapy_boilernet.worker import Stored

if TYPE_CHECKING:
    from itemadapter import ItemAdapter
    from scrapy.crawler import Crawler


class BoilerNetPipeline:
    """Fills the fields of every item that was yielded from a labeled page.

    Items of any kind that itemadapter knows: dict, ``scrapy.Item``, dataclass, attrs, pydantic.
    An item is never dropped and never raises: a field that its class does not declare is counted,
    and the first one is logged with the remedy.
    """

    def __init__(self, runtime: Runtime) -> None:
        # Beside pydantic this takes long: a crawl without labels is spared it, and the first item
        # does not hold up the reactor.
        from itemadapter import ItemAdapter, is_item

        self.runtime = runtime
        self._adapter_of = ItemAdapter
        self._is_item = is_item

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerNetPipeline:
        """Return the pipeline; raises as :meth:`Runtime.of` does."""
        return cls(Runtime.of(crawler))

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Return the item itself, with its fields filled where its page was labeled."""
        tied = self.runtime.ties.untie(item)
        if tied is None:
            self.runtime.count("items/unlabeled")
            return item
        if not self._is_item(item):
            self._refuse(item, "items must be of a kind that itemadapter knows", "main text")
            self.runtime.count("items/unlabeled")
            return item
        try:
            self._fill(item, *tied)
        except Exception as error:  # what came from a worker process may be anything
            name = type(error).__name__
            self.runtime.count(f"errors/{name}")
            self.runtime.log_once(name, "Could not fill an item", exc_info=True)
            self.runtime.count("items/unlabeled")
        return item

    def _fill(self, item: Any, result: Any, config: Any) -> None:
        adapter = self._adapter_of(item)
        if isinstance(result, Stored):
            self._set(adapter, "page_field", config.page_field or "", result.key)
            self.runtime.count("items/stored")
            return
        if config.text_field:
            self._set(adapter, "text_field", config.text_field, result.text)
        if config.confidence_field:
            confidence = round(result.confidence, 4)
            self._set(adapter, "confidence_field", config.confidence_field, confidence)
        if config.source_field:
            self._set(adapter, "source_field", config.source_field, result.source)
        if config.labels_field:
            self._set(adapter, "labels_field", config.labels_field, result.block_labels())
        self.runtime.count("items/labeled")

    def _set(self, adapter: ItemAdapter, setting: str, field: str, value: Any) -> None:
        try:
            adapter[field] = value
        except Exception as error:  # an item's own setter may raise anything
            self._refuse(
                adapter.item,
                f"declare it in the item class, or set BOILERNET_{setting.upper()} to another "
                f"field or to None ({error})",
                f"the field {field!r}",
            )

    def _refuse(self, item: Any, remedy: str, what: str) -> None:
        name = type(item).__name__
        self.runtime.count("errors/undeclared_field")
        self.runtime.log_once(f"{name}: {what}", "%s items cannot take %s: %s", name, what, remedy)
