"""Items in flight: each is found with its own page, and no page is held longer than its items."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from testing.standins import labeled_page

from scrapy_boilernet.crawl.items import Tied, Ties
from scrapy_boilernet.settings.config import Config

CONFIG = Config()


class Response:
    """Stands in for Scrapy's."""


def tied(text: str = "Text") -> Tied:
    return Tied(labeled_page(text), CONFIG)


def take(ties: Ties, item: Any) -> Tied:
    return ties.take(item, dict)


def test_an_item_is_found_by_its_identity() -> None:
    ties, response = Ties(), Response()
    first, second = {"n": 1}, {"n": 1}
    pages = tied("One"), tied("Two")
    ties.tie(first, pages[0], response)
    ties.tie(second, pages[1], Response())
    ties.tie(second, pages[1], response)
    assert take(ties, second) is pages[1]
    assert take(ties, first) is pages[0]


def test_a_stranger_is_not_found() -> None:
    ties, response = Ties(), Response()
    ties.tie({"n": 1}, tied(), response)
    for stranger in ({"n": 2}, {}, {"m": 1}):
        assert take(ties, stranger) == Tied()


def test_a_replaced_item_is_found_by_its_values() -> None:
    ties, response = Ties(), Response()
    pages = [tied(str(n)) for n in range(3)]
    items = [{"n": n, "tags": ["a"]} for n in range(3)]
    for item, page in zip(items, pages, strict=True):
        ties.tie(item, page, response)
    assert take(ties, dict(items[1])) is pages[1]
    assert take(ties, {**items[2], "more": 1}) == Tied()  # it may be of any page
    assert take(ties, {**items[2]}) is pages[2]
    assert take(ties, items[0]) is pages[0]
    assert take(ties, dict(items[1])) == Tied()  # it has come already


def test_an_item_that_was_changed_is_not_guessed() -> None:
    ties, response = Ties(), Response()
    ties.tie({"n": 1, "name": "a"}, tied(), response)
    assert take(ties, {"n": 1, "name": "A"}) == Tied()


def test_a_replaced_item_that_two_pages_may_have_is_not_guessed() -> None:
    ties, first, second = Ties(), Response(), Response()
    items = {"n": 1}, {"n": 1}
    ties.tie(items[0], tied("One"), first)
    ties.tie(items[1], tied("Two"), second)
    assert take(ties, {"n": 1}) == Tied()
    assert take(ties, items[0]).result is not None


def test_a_replaced_item_equal_to_others_of_its_page_is_found() -> None:
    ties, response, page = Ties(), Response(), tied()
    items = [{"n": 1}, {"n": 1}]
    for item in items:
        ties.tie(item, page, response)
    assert [take(ties, {"n": 1}) for _ in range(3)] == [page, page, Tied()]


def test_a_replaced_item_is_matched_to_the_closest_item_of_its_page() -> None:
    ties, response, page = Ties(), Response(), tied()
    items = [{"n": 1}, {"n": 1, "tag": "a"}]
    for item in items:
        ties.tie(item, page, response)
    assert [take(ties, dict(item)) for item in reversed(items)] == [page, page]


def test_an_item_of_an_unlabeled_page_is_not_taken_for_a_labeled_ones() -> None:
    ties, first, second = Ties(), Response(), Response()
    ties.tie({"n": 1}, tied(), first)
    plain = {"n": 1}
    ties.tie(plain, Tied(), second)
    assert take(ties, plain) == Tied()


def test_an_item_whose_comparison_raises_is_not_found_and_raises_nothing() -> None:
    class Odd:
        def __eq__(self, other: object) -> bool:
            raise RuntimeError

        __hash__ = None  # type: ignore[assignment]

    ties, response = Ties(), Response()
    ties.tie({"odd": Odd()}, tied(), response)
    assert take(ties, {"odd": Odd()}) == Tied()


def test_an_item_is_not_taken_for_one_that_has_less() -> None:
    ties, first, second = Ties(), Response(), Response()
    ties.tie({"type": "story"}, tied("One"), first)
    ties.tie({"type": "story", "url": " u "}, tied("Two"), second)
    assert take(ties, {"type": "story", "url": "u"}) == Tied()
    assert take(ties, {"type": "story"}).result is not None


def test_a_lost_item_is_not_held() -> None:
    ties, response, item = Ties(), Response(), {"n": 1}
    ties.tie(item, tied(), response)
    ties.tie({"n": 2}, tied(), response)
    assert ties.lose(item) == tied()
    assert ties.lose(item) is None
    ties.finish(response)
    assert len(ties) == 1


def test_an_item_of_no_page_is_not_taken_for_an_equal_one_of_a_page() -> None:
    ties, response, page = Ties(), Response(), tied()
    item: dict[str, Any] = {"n": 1}
    stranger = dict(item)
    ties.tie(item, page, response)
    for each in (stranger, item):
        ties.enter(each)
    assert take(ties, stranger) == Tied()
    assert take(ties, dict(item)) is page
    assert len(ties) == 0


def test_a_copy_that_a_page_or_none_may_have_is_not_guessed() -> None:
    ties, response = Ties(), Response()
    items: list[dict[str, Any]] = [{"n": 1}, {"n": 1}]
    ties.tie(items[0], tied(), response)
    for item in items:
        ties.enter(item)
    assert take(ties, {"n": 1}) == Tied()


def test_a_filled_item_of_no_page_is_found_when_it_is_replaced() -> None:
    ties, item = Ties(), {"n": 1}
    ties.mark(item, "labeled")
    ties.enter(item)
    assert take(ties, dict(item)) == Tied(state="labeled")


def test_nothing_is_compared_where_no_pipeline_may_replace_items() -> None:
    ties, response, item = Ties(), Response(), {"n": 1}
    ties.may_be_replaced = False
    ties.tie(item, tied(), response)
    assert take(ties, dict(item)) == Tied()
    assert take(ties, item).result is not None


def test_items_of_no_page_that_never_arrive_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_boilernet.crawl.items.MAX_MARKS", 10)
    ties = Ties()
    for n in range(1_000):
        ties.enter({"n": n})
        assert len(ties) <= 10
    late = {"n": 999}
    ties.enter(late)
    assert take(ties, late) == Tied()


def test_many_replaced_items_take_time_in_their_number() -> None:
    """Each item's values are asked for a bounded number of times."""
    ties, response, page = Ties(), Response(), tied()
    asked = 0

    def values(item: dict[str, int]) -> dict[str, int]:
        nonlocal asked
        asked += 1
        return item

    items = [{"n": n} for n in range(1_000)]
    for item in items:
        ties.tie(item, page, response)
    for n in range(1_000):
        assert ties.take({"n": -n - 1}, values) == Tied()
    assert all(ties.take(dict(item), values) is page for item in items)
    assert asked <= 5 * len(items)


def test_a_page_is_held_until_its_items_have_gone_through() -> None:
    ties, response = Ties(), Response()
    page = tied()
    gone = weakref.ref(page.result)
    for n in range(2):
        ties.tie({"n": n}, page, response)
    del page
    ties.finish(response)
    assert gone() is not None
    ties.finish(response)
    gc.collect()
    assert (gone(), len(ties)) == (None, 0)
    ties.finish(response)  # more signals than items do no harm


def test_a_page_whose_items_never_come_goes_with_its_response() -> None:
    ties, response = Ties(), Response()
    page = tied()
    gone = weakref.ref(page.result)
    ties.tie({"n": 1}, page, response)
    del page, response
    gc.collect()
    assert (gone(), len(ties)) == (None, 0)


def test_a_mark_goes_before_the_page_of_the_callback() -> None:
    ties, response, item = Ties(), Response(), {"n": 1}
    ties.mark(item, "labeled")
    ties.tie(item, tied(), response)
    assert take(ties, item) == Tied(state="labeled")
    assert take(ties, item) == Tied()


def test_of_two_equal_items_of_a_page_one_is_replaced_and_the_other_comes_itself() -> None:
    for came, replaced in ((0, 1), (1, 0)):
        ties, response, page = Ties(), Response(), tied()
        items = [{"n": 1}, {"n": 1}]
        for item in items:
            ties.tie(item, page, response)
        assert take(ties, {**items[replaced]}) == page
        ties.enter(items[came])
        assert take(ties, items[came]) == page
        assert take(ties, {"n": 1}) in (page, Tied())
        for _ in items:
            ties.finish(response)
        assert len(ties) == 0
