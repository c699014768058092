"""Pipelines before and behind the plugin's: they replace items, drop them, raise."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from itemadapter import ItemAdapter
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from testing.item_crawls import ItemSpider, number_of
from twisted.internet.defer import Deferred

PIPELINE = "scrapy_boilernet.pipelines.BoilerNetPipeline"
BEFORE, BEHIND = 10, 900


@dataclass
class DataclassItem:
    page: str
    number: int
    main_text: str = ""
    block_labels: list[dict[str, Any]] | None = None
    main_text_confidence: float | None = None


class Named(dict[str, Any]):
    """A dict whose values do not show its page."""

    page: str

    def __copy__(self) -> Named:
        new = Named(self)
        new.page = self.page
        return new


class Gate:
    """Holds items until a number of them have come; with any reactor, and without one."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.waiting: list[Any] = []

    async def go_through(self) -> None:
        if len(self.waiting) == self.size - 1:
            waiting, self.waiting = self.waiting, []
            for each in waiting:
                each.callback(None) if isinstance(each, Deferred) else each.set_result(None)
            return
        try:
            place: Any = asyncio.get_running_loop().create_future()
        except RuntimeError:  # a reactor that is not asyncio's
            place = Deferred()
        self.waiting.append(place)
        await place


class ToDict:
    def process_item(self, item: Any, spider: Any = None) -> Any:
        return ItemAdapter(item).asdict()


class Copying:
    def process_item(self, item: Any, spider: Any = None) -> Any:
        return copy.copy(item)


class Adding:
    def process_item(self, item: Any, spider: Any = None) -> Any:
        return {**item, "added": True}


class ChangingEverySecond:
    def process_item(self, item: Any, spider: Any = None) -> Any:
        change = {"number": item.number + 100}
        return replace(item, **change) if item.number % 2 else replace(item)


class InPlace:
    def process_item(self, item: Any, spider: Any = None) -> Any:
        item["number"] = 7
        return item


class Naming:
    """The last pipeline: adds the item's page."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        item["page"] = item.page
        return item


class Together:
    """Holds all items until the last has come, so that all are in flight together."""

    def __init__(self, items: int) -> None:
        self.gate = Gate(items)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Together:
        return cls(crawler.settings.getint("ITEMS_PAGES"))

    async def process_item(self, item: Any, spider: Any = None) -> Any:
        await self.gate.go_through()
        return item


class DroppingOddPages:
    def process_item(self, item: Any, spider: Any = None) -> Any:
        if number_of(item["page"]) % 2:
            raise DropItem("on purpose")
        return item


class RaisingAtOddPages:
    def process_item(self, item: Any, spider: Any = None) -> Any:
        if number_of(item["page"]) % 2:
            raise ValueError("on purpose")
        return item


class HeldUp:
    """Holds an item until the next one has come; then does the same as the other pipeline."""

    does: type[Any]

    def __init__(self) -> None:
        self.gate = Gate(2)
        self.sync = self.does()

    async def process_item(self, item: Any, spider: Any = None) -> Any:
        await self.gate.go_through()
        return self.sync.process_item(item)


def held_up(pipeline: type[Any]) -> type[Any]:
    """Return an asynchronous pipeline that does the same."""
    return type(f"HeldUp{pipeline.__name__}", (HeldUp,), {"does": pipeline})


class TwoItems(ItemSpider):
    """Yields two items of each page."""

    kind: ClassVar[Any] = dict

    def items(self, page: str) -> Iterator[Any]:
        for number in range(2):
            yield self.kind(page=page, number=number)


class ToDictSpider(TwoItems):
    name = "to_dict"
    shows = "replaced: `return dict(item)`, two dataclass items per page"
    expects = {"labeled": 12}
    kind = DataclassItem
    custom_settings = {"ITEM_PIPELINES": {ToDict: BEFORE}}


class ToDictHeldUpSpider(ToDictSpider):
    name = "to_dict_async"
    shows = "the same, asynchronous, items held up until another has come"
    custom_settings = {"ITEM_PIPELINES": {held_up(ToDict): BEFORE}}


class ToDictProcessSpider(ToDictSpider):
    name = "to_dict_process"
    custom_settings = {"ITEM_PIPELINES": {ToDict: BEFORE}, "BOILERNET_MODE": "process"}


class ToDictDeferredSpider(ToDictSpider):
    name = "to_dict_deferred"
    expects = {"stored": 12}
    custom_settings = {"ITEM_PIPELINES": {ToDict: BEFORE}, "BOILERNET_MODE": "deferred"}


class CopySpider(TwoItems):
    name = "copied"
    shows = "replaced by a copy"
    expects = {"labeled": 12}
    custom_settings = {"ITEM_PIPELINES": {Copying: BEFORE}}


class CopyHeldUpSpider(CopySpider):
    name = "copied_async"
    shows = "the same, asynchronous, held up"
    custom_settings = {"ITEM_PIPELINES": {held_up(Copying): BEFORE}}


class AddingSpider(CopySpider):
    name = "added"
    shows = "replaced by a copy with one more value, asynchronous: no copy shows its page"
    expects = {"unlabeled": 12}
    custom_settings = {"ITEM_PIPELINES": {held_up(Adding): BEFORE}}


class ChangingSpider(TwoItems):
    name = "changed"
    shows = "replaced by a copy, every second one with another value"
    expects = {"labeled": 6, "unlabeled": 6}
    kind = DataclassItem
    custom_settings = {"ITEM_PIPELINES": {ChangingEverySecond: BEFORE}}


class ChangingHeldUpSpider(ChangingSpider):
    name = "changed_async"
    shows = "the same, asynchronous, held up"
    custom_settings = {"ITEM_PIPELINES": {held_up(ChangingEverySecond): BEFORE}}


class InPlaceSpider(TwoItems):
    name = "in_place"
    shows = "not replaced, but a value changed, asynchronous, held up"
    expects = {"labeled": 12}
    custom_settings = {"ITEM_PIPELINES": {held_up(InPlace): BEFORE}}


class EqualSpider(ItemSpider):
    """Yields items that all have the same values."""

    name = "equal"
    shows = "equal items on all pages"
    expects = {"labeled": 6}
    custom_settings = {"ITEM_PIPELINES": {Naming: BEHIND}}

    def items(self, page: str) -> Iterator[Any]:
        item = Named(kind="page")
        item.page = page
        yield item


class EqualCopySpider(EqualSpider):
    """Requests a page when the item before has gone through: a copy shows its page only if no item
    of another page is in flight.
    """

    name = "equal_copied"
    shows = "the same, replaced by copies, one page after the other"
    custom_settings = {"ITEM_PIPELINES": {Copying: BEFORE, Naming: BEHIND}}

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.scraped = 0
        crawler.signals.connect(spider.request_next, signals.item_scraped)
        return spider

    def requests(self) -> Iterator[Request]:
        yield self.request(0)

    def request_next(self) -> None:
        self.scraped += 1
        if self.scraped < self.settings.getint("ITEMS_PAGES"):
            self.crawler.engine.crawl(self.request(self.scraped))


class EqualHeldUpSpider(EqualSpider):
    name = "equal_async"
    shows = "equal items on all pages, asynchronous, held up"
    custom_settings = {"ITEM_PIPELINES": {held_up(InPlace): BEFORE, Naming: BEHIND}}


class EqualCopyHeldUpSpider(EqualSpider):
    name = "equal_copied_async"
    shows = "the same, replaced by copies, all in flight together: no copy shows its page"
    expects = {"unlabeled": 6}
    custom_settings = {
        "ITEM_PIPELINES": {held_up(Copying): BEFORE, Naming: BEHIND, Together: BEHIND + 1}
    }


class OffSpider(TwoItems):
    name = "off"
    shows = "the pipeline is switched off"
    expects = {"yielded": 12, "fed": 12}
    custom_settings = {"ITEM_PIPELINES": {PIPELINE: None}}


class OffReplacedSpider(OffSpider):
    name = "off_replaced"
    shows = "the pipeline is switched off, and items are replaced"
    custom_settings = {"ITEM_PIPELINES": {PIPELINE: None, Copying: BEFORE}}


class DroppedBeforeSpider(TwoItems):
    name = "dropped_before"
    shows = "an earlier pipeline drops the items of every second page"
    expects = {"yielded": 12, "fed": 6, "labeled": 6}
    custom_settings = {"ITEM_PIPELINES": {DroppingOddPages: BEFORE}}


class DroppedBehindSpider(DroppedBeforeSpider):
    name = "dropped_behind"
    shows = "a later one does"
    expects = {"yielded": 12, "fed": 6, "labeled": 12}
    custom_settings = {"ITEM_PIPELINES": {DroppingOddPages: BEHIND}}


class RaisedBeforeSpider(DroppedBeforeSpider):
    name = "raised_before"
    shows = "an earlier pipeline raises at them, asynchronous, held up"
    custom_settings = {"ITEM_PIPELINES": {held_up(RaisingAtOddPages): BEFORE}}


class RaisedBehindSpider(DroppedBehindSpider):
    name = "raised_behind"
    shows = "a later one does, asynchronous, held up"
    custom_settings = {"ITEM_PIPELINES": {held_up(RaisingAtOddPages): BEHIND}}
