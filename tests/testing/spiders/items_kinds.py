"""Items of every kind, with and without values of their own, and what is written onto them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import attrs
import scrapy
from pydantic import BaseModel
from testing.item_crawls import OWN, ItemSpider

Rows = list[dict[str, Any]]
OWN_VALUES = {"main_text": OWN, "block_labels": [{"text": OWN}], "main_text_confidence": 1.0}


class ScrapyItem(scrapy.Item):
    page = scrapy.Field()
    main_text = scrapy.Field()
    block_labels = scrapy.Field()
    main_text_confidence = scrapy.Field()


@dataclass
class DataclassItem:
    page: str
    main_text: str | None = None
    block_labels: Rows | None = None
    main_text_confidence: float | None = None


@attrs.define
class AttrsItem:
    page: str
    main_text: str | None = None
    block_labels: Rows | None = None
    main_text_confidence: float | None = None


class PydanticItem(BaseModel):
    page: str
    main_text: str | None = None
    block_labels: Rows | None = None
    main_text_confidence: float | None = None


@dataclass
class DataclassDefaults:
    page: str
    main_text: str = "-"
    block_labels: Rows = field(default_factory=lambda: [{"text": "-"}])
    main_text_confidence: float = -1.0


@attrs.define
class AttrsDefaults:
    page: str
    main_text: str = "-"
    block_labels: Rows = attrs.field(factory=lambda: [{"text": "-"}])
    main_text_confidence: float = -1.0


class PydanticDefaults(BaseModel):
    page: str
    main_text: str = "-"
    block_labels: Rows = [{"text": "-"}]
    main_text_confidence: float = -1.0


class NarrowScrapyItem(scrapy.Item):
    page = scrapy.Field()
    main_text = scrapy.Field()


@dataclass
class NarrowDataclass:
    page: str
    main_text: str = ""


class BareScrapyItem(scrapy.Item):
    page = scrapy.Field()


@dataclass
class BareDataclass:
    page: str


@attrs.define
class BareAttrs:
    page: str


class BarePydantic(BaseModel):
    page: str


@dataclass(frozen=True)
class FrozenItem:
    page: str
    main_text: str = ""
    block_labels: Rows | None = None
    main_text_confidence: float | None = None


def refuse(*_: object) -> None:
    """Refuse to set an attribute."""
    raise RuntimeError("on purpose")


@attrs.define
class RefusingItem:
    page: str
    main_text: str | None = attrs.field(default=None, on_setattr=refuse)
    block_labels: Rows | None = attrs.field(default=None, on_setattr=refuse)
    main_text_confidence: float | None = attrs.field(default=None, on_setattr=refuse)


@attrs.define
class HalfRefusingItem:
    page: str
    main_text: str | None = None
    block_labels: Rows | None = attrs.field(default=None, on_setattr=refuse)
    main_text_confidence: float | None = attrs.field(default=None, on_setattr=refuse)


class OfKinds(ItemSpider):
    """Yields one item of each class."""

    classes: tuple[Any, ...]

    def items(self, page: str) -> Iterator[Any]:
        for each in self.classes:
            yield each(page=page)


class DictSpider(OfKinds):
    name = "dict"
    shows = "dict"
    expects = {"labeled": 6}
    classes = (dict,)


class ScrapyItemSpider(OfKinds):
    name = "scrapy_item"
    shows = "`scrapy.Item`"
    expects = {"labeled": 6}
    classes = (ScrapyItem,)


class DataclassSpider(OfKinds):
    name = "dataclass"
    shows = "dataclass"
    expects = {"labeled": 6}
    classes = (DataclassItem,)


class AttrsSpider(OfKinds):
    name = "attrs"
    shows = "attrs"
    expects = {"labeled": 6}
    classes = (AttrsItem,)


class PydanticSpider(OfKinds):
    name = "pydantic"
    shows = "pydantic"
    expects = {"labeled": 6}
    classes = (PydanticItem,)


class ProcessDataclassSpider(DataclassSpider):
    name = "dataclass_process"
    custom_settings = {"BOILERNET_MODE": "process"}


class DeferredDictSpider(DictSpider):
    name = "dict_deferred"
    expects = {"stored": 6}
    custom_settings = {"BOILERNET_MODE": "deferred"}


class DefaultsSpider(OfKinds):
    name = "defaults"
    shows = "dataclass, attrs and pydantic, with declared defaults that are not empty"
    expects = {"labeled": 18}
    classes = (DataclassDefaults, AttrsDefaults, PydanticDefaults)


class KeptSpider(ItemSpider):
    name = "kept"
    shows = "the spider sets all fields, on dict, `scrapy.Item`, dataclass, attrs and pydantic"
    expects = {"kept": 30, "fields/kept": 90}

    def items(self, page: str) -> Iterator[Any]:
        for each in (dict, ScrapyItem, DataclassItem, AttrsItem, PydanticItem):
            yield each(page=page, **OWN_VALUES)


class OverwrittenSpider(KeptSpider):
    name = "overwritten"
    shows = "the same with `BOILERNET_OVERWRITE`"
    expects = {"labeled": 30}
    custom_settings = {"BOILERNET_OVERWRITE": True}


class KeptTextSpider(ItemSpider):
    name = "kept_text"
    shows = "the spider sets the main text of one item, and text and confidence (0.0) of another"
    expects = {"labeled": 12, "fields/kept": 18}

    def items(self, page: str) -> Iterator[Any]:
        yield {"page": page, "main_text": OWN}
        yield DataclassItem(page, main_text=OWN, main_text_confidence=0.0)


class NarrowSpider(OfKinds):
    name = "narrow"
    shows = "classes that declare the main text only"
    expects = {"labeled": 12}
    classes = (NarrowScrapyItem, NarrowDataclass)


class BareSpider(OfKinds):
    name = "bare"
    shows = "classes that declare none of the fields"
    expects = {"not_wanted": 24}
    classes = (BareScrapyItem, BareDataclass, BareAttrs, BarePydantic)


class ItemClassesSpider(OfKinds):
    name = "item_classes"
    shows = "`BOILERNET_ITEM_CLASSES` names one of two classes"
    expects = {"labeled": 6, "not_wanted": 6}
    classes = (DataclassItem, dict)
    custom_settings = {"BOILERNET_ITEM_CLASSES": [f"{__name__}.DataclassItem"]}


class FrozenSpider(OfKinds):
    name = "frozen"
    shows = "frozen dataclass"
    expects = {"refused": 6, "errors/refused_field": 18}
    classes = (FrozenItem,)


class RefusingSpider(OfKinds):
    name = "refusing"
    shows = "setters of all fields raise"
    expects = {"refused": 6, "errors/refused_field": 18}
    classes = (RefusingItem,)


class HalfRefusingSpider(OfKinds):
    name = "half_refusing"
    shows = "setters of two of three fields raise"
    expects = {"labeled": 6, "errors/refused_field": 12}
    classes = (HalfRefusingItem,)
