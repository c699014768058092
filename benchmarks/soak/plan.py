"""The requests of the soak's spider and the items of its callbacks, drawn by a seed."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar
from urllib.parse import quote

import attrs
import scrapy

T = TypeVar("T")
MARK = "mark{:07}x"
MARKS = re.compile(r"mark(\d{7})x")
"""Each text of a page has its page's number, which shows if it is on another page's item."""
WEIGHTS = {
    "page": 5000, "long": 300, "big": 8, "post": 300, "again": 500,
    "tag soup": 450, "deep": 200, "attributes": 150, "new names": 400, "encoding": 450,
    "empty": 200, "cut": 250, "missing": 250, "error": 250, "garbage": 50,
    "redirect": 300, "loop": 40, "nowhere": 40,
    "gzip": 350, "broken gzip": 150, "bomb": 3,
    "wrong type": 300, "no page": 200, "slow": 40, "stuck": 2,
    "raises": 100, "crashes": 2, "hangs": 1,
}  # fmt: skip
"""How many of some ten thousand requests are of each kind."""
SOUND = ("page", "long", "big", "post", "again", "redirect", "gzip", "slow")
"""Kinds whose items must all have their page's text, whatever happens to other pages."""
OVERRIDES: dict[str, tuple[Any, int]] = {
    "none": (None, 90), "off": (False, 2), "threshold": ({"threshold": 0.3}, 3),
    "wrong value": ({"threshold": "much"}, 2), "unknown key": ({"treshold": 0.5}, 2),
    "wrong kind": (17, 1),
}  # fmt: skip
"""By name the value of ``request.meta["boilernet"]``, and how often in a hundred it is set."""
_OVERRIDE_WEIGHTS = {name: weight for name, (_, weight) in OVERRIDES.items()}
CALLBACKS = {"parse": 75, "parse_async": 15, "parse_and_raise": 5, "parse_and_carry_on": 5}
ITEMS = {1: 90, 0: 4, 2: 4, 5: 2}
RECENT = 200
"""How many of the last pages may come again."""


@dataclass(frozen=True)
class Fetch:
    """One request, and what its callback does."""

    kind: str
    number: int
    """The page's number; the page may have come before."""
    path: str
    override: str
    callback: str

    @property
    def sound(self) -> bool:
        """Whether every item of the page must have its text."""
        return self.kind in SOUND and self.override in ("none", "threshold")


class Plan:
    """Draws one fetch after another."""

    def __init__(self, seed: int) -> None:
        self._random = Random(f"plan {seed}")
        self._number = 0
        self._recent: deque[int] = deque(maxlen=RECENT)

    def next(self) -> Fetch:
        """Return the next fetch."""
        number = self._number
        self._number += 1
        kind = one_of(self._random, WEIGHTS)
        if kind == "again" and not self._recent:
            kind = "page"
        if kind == "again":
            number = self._random.choice(self._recent)
        elif kind == "page":
            self._recent.append(number)
        path = f"/{quote('page' if kind == 'again' else kind)}/{number}"
        override = one_of(self._random, _OVERRIDE_WEIGHTS)
        return Fetch(kind, number, path, override, one_of(self._random, CALLBACKS))


def one_of(random: Random, weights: dict[T, int]) -> T:
    """Draw a key by its weight."""
    return random.choices([*weights], [*weights.values()])[0]


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

    ``sound``: whether the item must have the page's text, if its class can take it.
    """
    (made,) = random.choices([*_CLASSES], [*_CLASSES.values()])
    return made(number=number, kind=kind, sound=sound)


def field_of(item: Any, name: str) -> Any:
    """Return a field of any kind of item; None if it is not there."""
    return item.get(name) if isinstance(item, (dict, scrapy.Item)) else getattr(item, name, None)


def takes_text(item: Any) -> bool:
    """Return whether the plugin can put a main text onto the item."""
    return isinstance(item, (dict, Whole, Slotted, Declared))
