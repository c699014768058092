"""In any order of events, no item gets another page's result, and none is held."""

from __future__ import annotations

import weakref
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from testing.standins import labeled_page

from scrapy_boilernet.crawl.items import Tied, Ties
from scrapy_boilernet.settings.config import Config

CONFIG = Config()
VALUES: list[dict[str, Any]] = [{}, {"n": 1}, {"n": 1, "tag": "a"}, *({"m": m} for m in range(5))]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["yield", "fill", "yield filled", "keep", "copy", "add", "change", "drop",
                         "through", "forget page", "stranger", "equal stranger", "enter"]),
        st.integers(0, 7),
    ),
    max_size=40,
)  # fmt: skip


class Response:
    """Stands in for Scrapy's."""


class Crawl:
    """Pages whose items are in flight, and what each step must not do."""

    def __init__(self) -> None:
        self.ties = Ties()
        self.pages: list[tuple[Response, Tied]] = []
        self.filled: list[Any] = []
        self.in_flight: list[tuple[Any, Response, Tied]] = []
        self.tied: list[Any] = []
        self.changed = 0
        self.results: list[weakref.ref[Any]] = []

    def step(self, what: str, which: int) -> None:
        if what in ("yield", "yield filled"):
            self.yield_item(which, filled=what == "yield filled")
        elif what == "fill":
            item = dict(VALUES[which % len(VALUES)])
            self.filled.append(item)
            self.ties.mark(item, "labeled")
        elif what == "stranger":
            assert self.take({"stranger": which}) == Tied()
        elif what == "equal stranger":  # as an errback yields it
            item = dict(VALUES[which % len(VALUES)])
            self.ties.enter(item)
            assert self.take(item) == Tied()
        elif what == "enter":  # an earlier pipeline sees an item of a page
            if self.in_flight:
                self.ties.enter(self.in_flight[which % len(self.in_flight)][0])
        elif what == "forget page":
            if self.pages:
                self.pages.pop(which % len(self.pages))
        elif self.in_flight:
            self.arrive(what, *self.in_flight.pop(which % len(self.in_flight)))

    def yield_item(self, which: int, filled: bool) -> None:
        if which >= len(self.pages):
            page = labeled_page(f"Page {len(self.results)}")
            self.results.append(weakref.ref(page))
            self.pages.append((Response(), Tied(page, CONFIG)))
        response, tied = self.pages[min(which, len(self.pages) - 1)]
        if filled and self.filled:
            item, known = self.filled.pop(), Tied(state="labeled")
        else:
            item, known = dict(VALUES[which % len(VALUES)]), tied
        self.ties.tie(item, tied, response)
        self.tied.append(item)
        self.in_flight.append((item, response, known))

    def arrive(self, what: str, item: Any, response: Response, known: Tied) -> None:
        """Let an item come to the pipeline; with "drop" and "through" it never does."""
        if what == "keep":
            assert self.take(item) == known
            if self.is_alone(item):
                assert self.take(item) == Tied()  # it has come
        elif what in ("copy", "add"):
            new = {**item, **({"added": True} if what == "add" else {})}
            found = self.take(new)
            assert found in (known, Tied())
            assert what == "add" or found == known or not self.is_alone(item)
        elif what == "change":
            self.changed += 1
            assert self.take(dict.fromkeys(item, f"new {self.changed}")) == Tied()
        self.ties.finish(response)

    def is_alone(self, item: Any) -> bool:
        """Whether no item so far but this one has its values."""
        return bool(item) and not any(other is not item and other == item for other in self.tied)

    def take(self, item: Any) -> Tied:
        return self.ties.take(item, dict)


# Of two filled items of two pages that are equal, one is copied and the other comes itself.
@example(
    [("fill", 1), ("fill", 1), ("yield filled", 0), ("yield filled", 1), ("copy", 1), ("keep", 0)]
)
# Of two equal items of one page, one was filled from another page, and is copied.
@example(
    [
        ("yield", 0),
        ("yield", 0),
        ("yield", 1),
        ("yield", 2),
        ("yield", 3),
        ("fill", 3),
        ("yield filled", 4),
        ("keep", 0),
        ("keep", 0),
        ("keep", 0),
        ("forget page", 0),
        ("yield", 3),
        ("keep", 0),
        ("keep", 0),
        ("copy", 0),
    ]
)
@settings(max_examples=300)
@given(STEPS)
def test_no_item_is_given_another_pages_result(steps: list[tuple[str, int]]) -> None:
    crawl = Crawl()
    for step in steps:
        crawl.step(*step)


# Of two equal items of one page, one is copied, and an earlier pipeline sees the other after it.
@example([("yield", 1), ("yield", 1), ("copy", 0), ("enter", 0)])
@example([("yield", 1), ("yield", 1), ("copy", 1), ("enter", 0), ("keep", 0)])
@given(STEPS)
def test_nothing_is_held_when_all_responses_are_gone(steps: list[tuple[str, int]]) -> None:
    crawl = Crawl()
    for step in steps:
        crawl.step(*step)
    crawl.pages.clear()
    crawl.in_flight.clear()
    assert len(crawl.ties) == 0
    assert [result() for result in crawl.results] == [None] * len(crawl.results)
