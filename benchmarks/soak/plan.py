"""The kinds of items that the soak's callbacks yield, and what each may carry."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import attrs
import scrapy


@dataclass
class Whole:
    """All fields."""

    number: int
    kind: str
    sound: bool
    main_text: str | None = None
    main_text_confidence: float | None = None
    block_labels: list[Any] | None = None


@dataclass
class Bare:
    """None of the plugin's fields."""

    number: int
    kind: str
    sound: bool


@attrs.define
class Slotted:
    """One of the fields."""

    number: int
    kind: str
    sound: bool
    main_text: str | None = None


class Declared(scrapy.Item):
    """All fields."""

    number = scrapy.Field()
    kind = scrapy.Field()
    sound = scrapy.Field()
    main_text = scrapy.Field()
    main_text_confidence = scrapy.Field()
    block_labels = scrapy.Field()


class Undeclared(scrapy.Item):
    """None of the plugin's fields."""

    number = scrapy.Field()
    kind = scrapy.Field()
    sound = scrapy.Field()


class Strange:
    """Nothing that itemadapter knows."""

    def __init__(self, number: int, kind: str, sound: bool) -> None:
        self.number = number
        self.kind = kind
        self.sound = sound


_CLASSES: dict[Any, int] = {
    dict: 50, Whole: 15, Bare: 5, Slotted: 10, Declared: 15, Undeclared: 4, Strange: 1,
}  # fmt: skip


def item_of(random: Random, number: int, kind: str, sound: bool) -> Any:
    """Return a new item of a random class, of a page of this number and kind.

    ``sound``: whether the item must carry the page's text, if its class can take it.
    """
    (made,) = random.choices([*_CLASSES], [*_CLASSES.values()])
    return made(number=number, kind=kind, sound=sound)


def field_of(item: Any, name: str) -> Any:
    """Return a field of any kind of item; None if it is not there."""
    return item.get(name) if isinstance(item, (dict, scrapy.Item)) else getattr(item, name, None)


def takes_text(item: Any) -> bool:
    """Return whether the plugin can put a main text onto the item."""
    return isinstance(item, (dict, Whole, Slotted, Declared))
