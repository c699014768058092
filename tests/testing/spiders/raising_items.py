"""Spiders whose items raise what ends a program, wherever the plugin touches them."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from scrapy import Field, Item, Request
from scrapy.http import Response
from testing.requesting import RequestingSpider

from scrapy_boilernet import fill_item

ERRORS: tuple[type[BaseException], ...] = (
    SystemExit, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError, MemoryError,
    RecursionError,
)  # fmt: skip


class BadlyShown(BaseException):
    """An error that cannot be shown."""

    def __str__(self) -> str:
        raise SystemExit


class SetterItem(dict[str, Any]):
    error: type[BaseException]

    def __setitem__(self, name: str, value: Any) -> None:
        raise self.error


class OneSetterItem(SetterItem):
    """Refuses the text alone."""

    def __setitem__(self, name: str, value: Any) -> None:
        if name == "main_text":
            raise self.error
        dict.__setitem__(self, name, value)


class ScrapySetterItem(Item):
    path, main_text = Field(), Field()
    error: ClassVar[type[BaseException]] = SystemExit

    def __setitem__(self, name: str, value: Any) -> None:
        if name == "main_text":
            raise self.error
        super().__setitem__(name, value)


@dataclass
class PropertyItem:
    path: str
    error: Any
    main_text: str = ""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "main_text" and value:
            raise self.error
        super().__setattr__(name, value)


class Unequal:
    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    def __eq__(self, other: object) -> bool:
        raise self.error

    __hash__ = object.__hash__


class Copies:
    """An earlier pipeline, so that items are compared."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        return copy.copy(item) if type(item) is dict else item


class RaisingItems(RequestingSpider):
    """Every item must reach the end of the pipelines, and be counted."""

    name = "raising"
    custom_settings: ClassVar[dict[str, Any]] = {"ITEM_PIPELINES": {Copies: 10}}

    def requests(self) -> Iterator[Request]:
        for path in ("/article", "/several"):
            yield Request(self.site + path)

    def parse(self, response: Response, **kwargs: object) -> Iterator[Any]:
        for error in (*ERRORS, BadlyShown):
            for kind in (SetterItem, OneSetterItem):
                item = kind(path=response.url)
                item.error = error
                yield item
            yield type("Scrapy", (ScrapySetterItem,), {"error": error})(path=response.url)
            yield PropertyItem(response.url, error)
            yield {"path": response.url, "value": Unequal(error)}
            yield {"path": response.url, "main_text": Unequal(error)}
            item = SetterItem(path=response.url)
            item.error = error
            yield fill_item(item, response)
        yield {"path": response.url}
