"""The pipeline: fields are filled on every kind of item, and no item is ever lost."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import attrs
import pytest
import scrapy
from itemadapter import ItemAdapter
from pydantic import BaseModel
from standins import counts, labeled_page, new_runtime

from scrapy_boilernet.pipelines import BoilerNetPipeline
from scrapy_boilernet.runtime import Runtime

LABELS = [
    {
        "text": "Text",
        "label": "content",
        "kind": "main",
        "probability": 0.75,
        "xpath": "/html/body[1]/p[1]",
    }
]
FILLED = {"main_text": "Text", "block_labels": LABELS, "main_text_confidence": 0.1235}


class ScrapyItem(scrapy.Item):
    main_text = scrapy.Field()
    block_labels = scrapy.Field()
    main_text_confidence = scrapy.Field()


@dataclasses.dataclass
class DataclassItem:
    main_text: Any = None
    block_labels: Any = None
    main_text_confidence: Any = None


@attrs.define
class AttrsItem:
    main_text: Any = None
    block_labels: Any = None
    main_text_confidence: Any = None


class PydanticItem(BaseModel):
    main_text: Any = None
    block_labels: Any = None
    main_text_confidence: Any = None


class BareScrapyItem(scrapy.Item):
    pass


@dataclasses.dataclass
class BareDataclassItem:
    url: str = ""


@attrs.define
class BareAttrsItem:
    url: str = ""


class BarePydanticItem(BaseModel):
    url: str = ""


@dataclasses.dataclass(frozen=True)
class FrozenItem:
    main_text: Any = None
    block_labels: Any = None
    main_text_confidence: Any = None


def refuse(*_: object) -> None:
    raise RuntimeError("no value is good enough")


@attrs.define
class PickyItem:
    main_text: Any = attrs.field(default=None, on_setattr=refuse)
    block_labels: Any = attrs.field(default=None, on_setattr=refuse)
    main_text_confidence: Any = attrs.field(default=None, on_setattr=refuse)


def process(runtime: Runtime, item: Any, **overrides: Any) -> Any:
    """Tie the item to a page, process it, check that it comes back itself, and return it."""
    runtime.ties.tie(item, labeled_page(), runtime.config.with_overrides(overrides))
    assert BoilerNetPipeline(runtime).process_item(item) is item
    return item


@pytest.mark.parametrize(
    "make",
    [dict, ScrapyItem, DataclassItem, AttrsItem, PydanticItem],
    ids=lambda kind: kind.__name__,
)
def test_every_kind_of_item_is_filled(make: Callable[[], Any]) -> None:
    runtime = new_runtime()
    assert ItemAdapter(process(runtime, make())).asdict() == FILLED
    assert counts(runtime) == {"items/labeled": 1}


def test_item_of_no_page_is_left_alone_and_counted() -> None:
    runtime = new_runtime()
    item: dict[str, Any] = {}
    assert BoilerNetPipeline(runtime).process_item(item) is item
    assert item == {}
    assert counts(runtime) == {"items/unlabeled": 1}


def test_source_goes_to_the_field_that_a_setting_names() -> None:
    assert process(new_runtime(source_field="found_by"), {}) == {**FILLED, "found_by": "model"}
    assert process(new_runtime(), {}, source_field="by")["by"] == "model"


@pytest.mark.parametrize("off", [None, ""])
@pytest.mark.parametrize("setting", ["text_field", "labels_field", "confidence_field"])
def test_field_that_is_switched_off_is_left_out(setting: str, off: str | None) -> None:
    fields = {
        "text_field": "main_text",
        "labels_field": "block_labels",
        "confidence_field": "main_text_confidence",
    }
    item = process(new_runtime(), {}, **{setting: off})
    assert set(item) == set(FILLED) - {fields[setting]}


def test_fields_can_have_other_names() -> None:
    item = process(
        new_runtime(), {}, text_field="body", labels_field="rows", confidence_field="sure"
    )
    assert item == {"body": "Text", "rows": LABELS, "sure": 0.1235}


@pytest.mark.parametrize(
    "make",
    [
        BareScrapyItem, BareDataclassItem, BareAttrsItem, BarePydanticItem, FrozenItem, PickyItem,
        tuple,
    ],
    ids=lambda kind: kind.__name__,
)  # fmt: skip
def test_item_that_takes_no_field_comes_back_as_it_was(make: Callable[[], Any]) -> None:
    runtime = new_runtime()
    assert process(runtime, make()) == make()
    assert counts(runtime)["errors/undeclared_field"] >= 1


def test_undeclared_field_is_logged_once_with_class_field_and_remedy(
    caplog: pytest.LogCaptureFixture,
) -> None:
    runtime = new_runtime()
    for _ in range(3):
        process(runtime, BareScrapyItem())
    messages = [record.getMessage() for record in caplog.records]
    assert [(r.levelname, "BareScrapyItem" in r.getMessage()) for r in caplog.records] == [
        ("ERROR", True)
    ] * 3  # one per field
    for field, setting in [
        ("main_text", "BOILERNET_TEXT_FIELD"),
        ("block_labels", "BOILERNET_LABELS_FIELD"),
        ("main_text_confidence", "BOILERNET_CONFIDENCE_FIELD"),
    ]:
        (message,) = [m for m in messages if f"'{field}'" in m and setting in m]
        assert "declare it in the item class" in message
        assert "None" in message
    assert counts(runtime)["errors/undeclared_field"] == 9


def test_each_class_that_lacks_a_field_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    runtime = new_runtime()
    process(runtime, BareScrapyItem(), labels_field=None, confidence_field=None)
    process(runtime, BareAttrsItem(), labels_field=None, confidence_field=None)
    assert len(caplog.records) == 2


def test_declared_fields_are_filled_although_others_are_not() -> None:
    class TextItem(scrapy.Item):
        main_text = scrapy.Field()

    runtime = new_runtime()
    assert dict(process(runtime, TextItem())) == {"main_text": "Text"}
    assert counts(runtime) == {"errors/undeclared_field": 2, "items/labeled": 1}


def test_value_that_the_item_had_is_replaced() -> None:
    assert process(new_runtime(), {"main_text": "old"})["main_text"] == "Text"


def test_item_is_filled_once_per_page() -> None:
    runtime = new_runtime()
    item = process(runtime, {})
    item.clear()
    BoilerNetPipeline(runtime).process_item(item)
    assert item == {}
