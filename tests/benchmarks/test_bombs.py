"""Hostile pages: each gives the text that a browser shows, and work grows with the page."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from testing.benchmark_runs import ROOT, run

import scrapy_boilernet
from benchmarks.hostile.bomb_pages import BOMBS
from scrapy_boilernet import Page, extract
from scrapy_boilernet.extractor.decide import comments, headline
from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.html.blockify import blockify

SHIPPED = ROOT / "models" / "default" / "model.json"
NO_LIMIT = 1_000_000_000
COUNTED = [n for n in BOMBS if not n.startswith("nested ") or "at each level" in n]
"""Not all nested pages, since they are alike and counting lines is slow."""
PACKAGE = str(Path(scrapy_boilernet.__file__).parent)

each_bomb = pytest.mark.parametrize("name", list(BOMBS))
both_units = pytest.mark.parametrize("units", ["block", "leaf"])


def small(name: str, times: int = 1) -> bytes:
    return BOMBS[name].page(BOMBS[name].small * times)


def shown(name: str, units: str = "block") -> tuple[str, ...]:
    """Return the marker words that a browser shows and that the units must have."""
    bomb = BOMBS[name]
    return bomb.leaves if units == "leaf" and bomb.leaves is not None else bomb.shown


def missing(text: str, words: tuple[str, ...]) -> list[str]:
    """Return the words that are not in the text in this order."""
    found, after = [], 0
    for word in words:
        place = text.find(word, after)
        if place < 0:
            found.append(word)
        after = max(after, place)
    return found


def check(page: Page) -> None:
    """Check what holds for every block."""
    for block in page.blocks:
        assert block.text == " ".join(block.text.split()) != ""
        assert block.text.encode()
        assert 0 <= block.link_chars <= len(block.text)
        assert 0 < len(block.tags) == len(block.class_words) == len(block.nodes)


@both_units
@each_bomb
def test_the_blocks_have_what_a_browser_shows(name: str, units: Any) -> None:
    page = blockify(small(name), units=units, max_blocks=NO_LIMIT)
    check(page)
    assert not page.truncated
    assert missing("\n".join(block.text for block in page.blocks), shown(name, units)) == []


@pytest.mark.parametrize(
    ("model", "units"), [("tiny_model", "block"), ("tiny_paper_model", "leaf")]
)
@each_bomb
def test_the_whole_way_has_what_a_browser_shows(
    name: str, model: str, units: str, request: pytest.FixtureRequest
) -> None:
    folder = str(request.getfixturevalue(model))
    result = extract(small(name), model=folder, threshold=0, engine="numpy")
    assert len(result.kinds) == len(result.page.blocks)
    assert missing(result.text, shown(name, units)) == []


@both_units
@each_bomb
def test_a_page_that_ends_in_the_middle_gives_a_page(name: str, units: Any) -> None:
    html = small(name)
    check(blockify(html[: int(len(html) * 0.6)], units=units))


def lines_and_bytes(work: Callable[[], object]) -> tuple[int, int]:
    """Return how many lines of the package the work runs, and its peak of Python's memory."""
    count = 0

    def line(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, _event: str, _argument: object) -> Any:
        return line if frame.f_code.co_filename.startswith(PACKAGE) else None

    before = sys.gettrace()
    tracemalloc.start(1)
    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(before)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return count, peak


@pytest.mark.parametrize("name", COUNTED)
def test_a_page_twice_as_long_is_twice_the_work(name: str) -> None:
    once, twice = (
        lines_and_bytes(partial(blockify, small(name, times), max_blocks=NO_LIMIT))
        for times in (1, 2)
    )
    assert twice[0] <= 2.2 * once[0] + 2_000
    # the tags of a page that is not small are counted by name, and these names are the page
    assert twice[1] <= 2.2 * once[1] + 400_000


class Watched(list[str]):
    """A text's tokens, which count how many of them are read."""

    looks = 0

    def __iter__(self) -> Iterator[str]:
        for token in super().__iter__():
            Watched.looks += 1
            yield token


@pytest.mark.parametrize("name", [n for n in BOMBS if "head" in n])
def test_a_page_twice_as_long_is_twice_the_work_of_finding_its_title(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headline, "tokens", lambda text: Watched(tokens(text)))
    looks = []
    for times in (1, 2):
        page = blockify(small(name, times), max_blocks=NO_LIMIT)
        Watched.looks = 0
        headline.find_title(page, [len(block.text) > 100 for block in page.blocks])
        looks.append(Watched.looks)
    growth = 4.4 if "again" in name else 2.2  # so much longer is the page
    assert looks[1] <= growth * looks[0] + 100


def searches_of_comments(name: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how often patterns are searched for on the page."""
    searched = []

    class Pattern:
        def search(self, text: str) -> None:
            searched.append(text)

    monkeypatch.setattr(comments, "_TOOLS", Pattern())
    page = blockify(small(name, 4), max_blocks=NO_LIMIT)
    assert len(comments.find_comments(page, [True] * len(page.blocks))) > 1_000
    return len(searched)


def test_blocks_of_one_place_are_asked_once_for_what_they_stand_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = next(n for n in BOMBS if n.startswith("comments below"))
    assert searches_of_comments(name, monkeypatch) <= 3 * 64


def test_a_bomb_is_the_same_at_each_call_and_grows() -> None:
    for name, bomb in BOMBS.items():
        assert small(name) == small(name)
        assert len(bomb.page(bomb.small * 3)) >= len(small(name))
        assert bomb.small <= bomb.size


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="measures on Linux only")
@pytest.mark.skipif(not SHIPPED.is_file(), reason="no shipped model")
def test_the_benchmark_says_what_each_page_takes(tmp_path: Path) -> None:
    systems = ("scrapy-boilernet", "blockify", "blockify, leaves")
    text, document = run(
        tmp_path, "benchmarks.hostile.bombs", "--bombs", "ordinary", "buttons", "--small",
        "--systems", *systems, plot=False,
    )  # fmt: skip
    rows = {(row["bomb"], row["system"]): row for row in document["rows"]}
    assert len(rows) == 2 * len(systems)
    assert [len(rows[bomb, "blockify, leaves"]["shown"]) for bomb, _ in [*rows][::3]] == [3, 2]
    for row in rows.values():
        assert "error" not in row
        assert row["cpu_seconds"] >= 0 <= row["memory_bytes"]
    assert rows["an ordinary article", "blockify"]["kept"] == [*BOMBS["an ordinary article"].shown]
    assert "| an ordinary article | 0.00 | 3 of 3 | 3 of 3 | 3 of 3 |" in text
