"""The pipeline: fields are filled on every kind of item, and no item is ever lost."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from collections.abc import Callable
from typing import Any

import attrs
import pytest
import scrapy
from itemadapter import ItemAdapter
from pydantic import BaseModel, Field
from scrapy import Request
from scrapy.http import HtmlResponse
from testing.standins import counts, labeled_page, new_runtime

from scrapy_boilernet import extract
from scrapy_boilernet.crawl.item_values import BlockLabels, page_values
from scrapy_boilernet.crawl.items import Tied
from scrapy_boilernet.crawl.responses import NOTES, Note
from scrapy_boilernet.crawl.runtime import Runtime
from scrapy_boilernet.pipelines import BoilerNetPipeline, fill_item
from scrapy_boilernet.workers.jobs import DeferredPage

LABELS = [
    {
        "text": "Text",
        "label": "content",
        "kind": "main",
        "probability": 0.75,
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


class Page:
    """Stands in for the response that ties belong to."""


def process(runtime: Runtime, item: Any, **overrides: Any) -> Any:
    """Tie the item to a page, process it, check that it comes back itself, and return it."""
    page = Page()
    config = runtime.config.with_overrides(overrides)
    runtime.ties.tie(item, Tied(labeled_page(), config), page)
    assert BoilerNetPipeline(runtime).process_item(item) is item
    runtime.finish_item(page)
    assert len(runtime.ties) == 0
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


@pytest.mark.parametrize("ties", [True, False])
def test_a_missing_spider_middleware_is_told(ties: bool, caplog: pytest.LogCaptureFixture) -> None:
    runtime = new_runtime()
    runtime.ties_items = ties
    BoilerNetPipeline(runtime).look_first(sender=None)
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == (not ties)
    assert all("BoilerNetSpiderMiddleware, which" in message for message in told)


def test_item_of_no_page_is_left_alone_and_counted() -> None:
    runtime = new_runtime()
    item: dict[str, Any] = {}
    assert BoilerNetPipeline(runtime).process_item(item) is item
    assert item == {}
    assert counts(runtime) == {"items/unlabeled": 1}


def test_source_goes_to_the_field_that_a_setting_names() -> None:
    assert process(new_runtime(source_field="found_by"), {}) == {**FILLED, "found_by": "model"}
    assert process(new_runtime(), {}, source_field="by")["by"] == "model"


def test_model_goes_to_the_field_that_a_setting_names() -> None:
    runtime = new_runtime(model_field="model")
    assert process(runtime, {})["model"] == runtime.mode.model == "half"


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


NARROW = [BareScrapyItem, BareDataclassItem, BareAttrsItem, BarePydanticItem]


@pytest.mark.parametrize("make", NARROW, ids=lambda kind: kind.__name__)
def test_a_class_without_the_fields_wants_nothing(
    make: Callable[[], Any], caplog: pytest.LogCaptureFixture
) -> None:
    runtime = new_runtime()
    assert process(runtime, make()) == make()
    assert counts(runtime) == {"items/not_wanted": 1}
    assert caplog.records == []


def test_declared_fields_are_filled_although_others_are_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class TextItem(scrapy.Item):
        main_text = scrapy.Field()

    runtime = new_runtime()
    assert dict(process(runtime, TextItem())) == {"main_text": "Text"}
    assert counts(runtime) == {"items/labeled": 1}
    assert caplog.records == []


@pytest.mark.parametrize(
    ("make", "said"),
    [(FrozenItem, "cannot assign to field 'main_text'"), (PickyItem, "no value is good enough")],
    ids=["frozen", "picky"],
)
def test_an_item_that_refuses_comes_back_unchanged_and_its_error_is_logged_once(
    make: Callable[[], Any], said: str, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = new_runtime()
    for _ in range(3):
        assert process(runtime, make()) == make()
    assert counts(runtime) == {"items/refused": 3, "errors/refused_field": 9}
    messages = [record.getMessage() for record in caplog.records]
    assert len(messages) == 3  # one per field
    (message,) = [each for each in messages if "'main_text'" in each]
    assert make.__name__ in message
    assert said in message
    assert "BOILERNET_ITEM_CLASSES" in message


def test_an_item_of_which_one_field_refuses_is_filled_otherwise() -> None:
    @attrs.define
    class HalfPicky:
        main_text: Any = None
        block_labels: Any = attrs.field(default=None, on_setattr=refuse)

    runtime = new_runtime()
    assert process(runtime, HalfPicky()).main_text == "Text"
    assert counts(runtime) == {"items/labeled": 1, "errors/refused_field": 1}


def test_what_is_no_item_is_refused() -> None:
    runtime = new_runtime()
    assert process(runtime, ()) == ()
    assert counts(runtime) == {"items/refused": 1, "errors/refused_field": 1}


OWN = {"main_text": "mine", "block_labels": [{"text": "mine"}], "main_text_confidence": 0.5}


@pytest.mark.parametrize(
    "make",
    [dict, ScrapyItem, DataclassItem, AttrsItem, PydanticItem],
    ids=lambda kind: kind.__name__,
)
def test_what_the_spider_has_set_is_kept_and_counted(make: Callable[..., Any]) -> None:
    runtime = new_runtime()
    assert ItemAdapter(process(runtime, make(**OWN))).asdict() == OWN
    assert counts(runtime) == {"items/kept": 1, "fields/kept": 3}
    assert ItemAdapter(process(runtime, make(main_text="mine"))).asdict() == {
        **FILLED,
        "main_text": "mine",
    }
    assert counts(runtime) == {"items/kept": 1, "fields/kept": 4, "items/labeled": 1}


def test_overwrite_replaces_what_the_spider_has_set() -> None:
    assert process(new_runtime(overwrite=True), {**OWN}) == FILLED
    assert process(new_runtime(), {**OWN}, overwrite=True) == FILLED


@pytest.mark.parametrize("unset", [None, "", [], {}, (), frozenset(), b""])
def test_an_empty_value_counts_as_unset(unset: Any) -> None:
    assert process(new_runtime(), dict.fromkeys(OWN, unset)) == FILLED


@pytest.mark.parametrize("own", [0, 0.0, False, " ", [None], float("nan")])
def test_a_value_that_is_not_empty_is_the_spiders_own(own: Any) -> None:
    assert process(new_runtime(), {"main_text": own})["main_text"] is own


@dataclasses.dataclass
class DefaultsDataclass:
    main_text: str = "not found"
    block_labels: list[Any] = dataclasses.field(default_factory=lambda: [0])
    main_text_confidence: float = -1.0


@attrs.define
class DefaultsAttrs:
    main_text: str = "not found"
    block_labels: list[Any] = attrs.field(factory=lambda: [0])
    main_text_confidence: float = -1.0


class DefaultsPydantic(BaseModel):
    main_text: str = "not found"
    block_labels: list[Any] = Field(default_factory=lambda: [0])
    main_text_confidence: float = -1.0


@pytest.mark.parametrize(
    "make", [DefaultsDataclass, DefaultsAttrs, DefaultsPydantic], ids=lambda kind: kind.__name__
)
def test_the_default_that_a_class_declares_counts_as_unset(make: Callable[..., Any]) -> None:
    assert ItemAdapter(process(new_runtime(), make())).asdict() == FILLED
    own = ItemAdapter(process(new_runtime(), make(main_text="mine", main_text_confidence=0.0)))
    assert own.asdict() == {**FILLED, "main_text": "mine", "main_text_confidence": 0.0}


def test_a_value_whose_comparison_fails_is_the_spiders_own() -> None:
    class Odd:
        def __eq__(self, other: object) -> bool:
            raise RuntimeError

        __hash__ = None  # type: ignore[assignment]

    odd = Odd()
    item = process(new_runtime(), DefaultsDataclass(main_text=odd))  # type: ignore[arg-type]
    assert item.main_text is odd


@dataclasses.dataclass
class UnsetDataclass:
    main_text: str = dataclasses.field(init=False)
    main_text_confidence: float = dataclasses.field(init=False)


@attrs.define
class UnsetAttrs:
    main_text: str = attrs.field(init=False)
    main_text_confidence: float = attrs.field(init=False)


@pytest.mark.parametrize("make", [UnsetDataclass, UnsetAttrs, DefaultsPydantic.model_construct])
def test_a_declared_field_without_a_value_is_filled(make: Callable[[], Any]) -> None:
    assert process(new_runtime(), make()).main_text == "Text"


def test_a_default_that_is_made_of_the_item_counts_as_unset() -> None:
    @attrs.define
    class Attrs:
        url: str = "u"
        main_text: str = attrs.field()

        @main_text.default
        def _made(self) -> str:
            return f"none of {self.url}"

    class Pydantic(BaseModel):
        url: str = "u"
        main_text: str = Field(default_factory=lambda data: f"none of {data['url']}")

    for item in (Attrs(), Pydantic()):
        assert item.main_text == "none of u"
        assert process(new_runtime(), item).main_text == "Text"


def test_a_value_that_cannot_be_looked_at_is_the_spiders_own() -> None:
    class Odd(list[int]):
        def __len__(self) -> int:
            raise RuntimeError

    item = process(new_runtime(), {"main_text": Odd()})
    assert isinstance(item["main_text"], Odd)
    assert item["main_text_confidence"] == 0.1235


def test_only_the_named_classes_are_filled() -> None:
    runtime = new_runtime(item_classes=(ScrapyItem, DataclassItem))

    class Derived(ScrapyItem):
        pass

    for make in (ScrapyItem, Derived, DataclassItem):
        assert ItemAdapter(process(runtime, make())).asdict() == FILLED
    assert process(runtime, {}) == {}
    assert process(runtime, AttrsItem()) == AttrsItem()
    assert counts(runtime) == {"items/labeled": 3, "items/not_wanted": 2}


def test_item_is_filled_once_per_page() -> None:
    runtime = new_runtime()
    item = process(runtime, {})
    item.clear()
    BoilerNetPipeline(runtime).process_item(item)
    assert item == {}


def test_stored_pages_give_their_key() -> None:
    @dataclasses.dataclass
    class Deferred:
        main_text: str = ""
        boilernet_page: str | None = None

    runtime, page, item = new_runtime(), Page(), Deferred()
    runtime.ties.tie(item, Tied(DeferredPage("a1"), runtime.config), page)
    BoilerNetPipeline(runtime).process_item(item)
    assert item == Deferred(boilernet_page="a1")
    assert counts(runtime) == {"items/stored": 1}


def test_a_class_with_a_text_but_no_field_for_the_stored_page_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    runtime, page = new_runtime(), Page()
    for item in (DataclassItem(), BareDataclassItem()):
        runtime.ties.tie(item, Tied(DeferredPage("a1"), runtime.config), page)
        BoilerNetPipeline(runtime).process_item(item)
    (record,) = caplog.records
    assert "DataclassItem" in record.getMessage()
    assert "'boilernet_page'" in record.getMessage()
    assert "declare it in the item class" in record.getMessage()
    assert counts(runtime)["items/refused"] == counts(runtime)["items/not_wanted"] == 1


def test_block_labels_have_the_wanted_keys() -> None:
    item = process(new_runtime(labels_keys=("label", "xpath")), {})
    assert item["block_labels"] == [{"label": "content", "xpath": "/html/body[1]/p[1]"}]


def test_block_labels_are_a_list_with_a_short_repr() -> None:
    labels = process(new_runtime(), {})["block_labels"]
    assert isinstance(labels, list)
    assert repr(labels) == "<1 block labels>"
    assert json.loads(json.dumps(labels)) == LABELS
    copies = [pickle.loads(pickle.dumps(labels)), copy.deepcopy(labels)]
    assert copies == [LABELS, LABELS]
    assert type(copies[0]) is list


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("name", ["block labels", "chunks", "posts"])
def test_rows_say_in_a_log_what_they_are_also_if_there_are_none(name: str, n: int) -> None:
    rows = BlockLabels([{"text": "Text"}] * n, name)
    assert repr(rows) == f"<{n} {name}>"
    assert rows == [{"text": "Text"}] * n
    assert type(pickle.loads(pickle.dumps(rows))) is list


def test_no_posts_and_no_chunks_are_logged_as_such() -> None:
    runtime = new_runtime(posts_field="posts", chunks_field="parts", labels_field="rows")
    result = extract("", formats=("markdown", "posts")).with_chunks(500)
    made = page_values(result, runtime.config, "")
    shown = {name: repr(made[name]()) for name in ("posts", "parts", "rows")}
    assert shown == {"posts": "<0 posts>", "parts": "<0 chunks>", "rows": "<0 block labels>"}
    plain = page_values(result, runtime.config, "", plain=True)
    assert {type(plain[name]()) for name in shown} == {list}


def test_a_change_to_the_rows_of_one_item_is_never_seen_by_another() -> None:
    runtime = new_runtime()
    result, page = labeled_page(), Page()
    items: list[dict[str, Any]] = [{"n": n} for n in range(2)]
    for item in items:
        runtime.ties.tie(item, Tied(result, runtime.config), page)
        BoilerNetPipeline(runtime).process_item(item)
    items[0]["block_labels"][0]["text"] = "changed"
    items[0]["block_labels"].clear()
    assert items[1]["block_labels"] == LABELS
    assert result.block_labels()[0]["text"] == "Text"


def response_of(runtime: Runtime, result: Any) -> HtmlResponse:
    """Return a response as the downloader middleware leaves it."""
    request = Request("http://a/")
    NOTES[request] = Note(runtime, (), result, runtime.config if result else None)
    return HtmlResponse("http://a/", request=request)


def test_fill_item_fills_from_the_response_that_it_is_given_and_no_later_page_changes_it() -> None:
    runtime = new_runtime()
    item: dict[str, Any] = {"n": 1}
    assert fill_item(item, response_of(runtime, labeled_page("First"))) is item
    assert (item["main_text"], item["n"]) == ("First", 1)
    later = Page()
    runtime.ties.tie(item, Tied(labeled_page("Later"), runtime.config), later)
    item["main_text"] = ""  # as where nothing was found
    BoilerNetPipeline(runtime).process_item(item)
    assert item["main_text"] == ""
    assert counts(runtime) == {"items/labeled": 1}
    runtime.finish_item(later)
    assert len(runtime.ties) == 0


def test_fill_item_of_an_unlabeled_response_keeps_later_pages_off() -> None:
    runtime = new_runtime()
    item: dict[str, Any] = {}
    fill_item(item, response_of(runtime, None))
    runtime.ties.tie(item, Tied(labeled_page(), runtime.config), Page())
    BoilerNetPipeline(runtime).process_item(item)
    assert item == {}
    assert counts(runtime) == {"items/unlabeled": 1}


def test_fill_item_does_nothing_on_a_response_that_the_plugin_has_not_seen() -> None:
    item = {"n": 1}
    bare = HtmlResponse("http://a/")
    other = HtmlResponse("http://a/", request=Request("http://a/"))
    assert fill_item(item, bare) is fill_item(item, other) is item
    assert fill_item(item, None) is item  # type: ignore[arg-type]
    assert item == {"n": 1}


def test_items_that_fill_item_has_filled_and_nobody_yields_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scrapy_boilernet.crawl.items.MAX_MARKS", 3)
    runtime = new_runtime()
    response = response_of(runtime, labeled_page())
    items: list[dict[str, Any]] = [fill_item({}, response) for _ in range(5)]
    states = [runtime.ties.take(item, dict).state for item in items]
    assert states == ["unlabeled", "unlabeled", "labeled", "labeled", "labeled"]
