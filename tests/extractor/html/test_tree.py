"""The whole text of a page of any depth and any number of tags."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.tree import parse, plain_tree
from scrapy_boilernet.extractor.page import Page

DEEP = ("div", "span", "ul><li", "table><tr><td", "a", "noscript")
NESTS = [
    (tags, 2_100, closed) for closed in (False, True) for tags in (*DEEP, "section", "b", "x-y")
]
NESTS += [(tags, 20_000, False) for tags in DEEP]
NEVER_DEEP = ("a",)
"""libxml2 itself ends the one before."""
NO_LIMIT = 1_000_000


def nested(tags: str, depth: int, closed: bool) -> str:
    """Return nested elements, each with another word before and after its content."""
    before = "".join(f"<{tags}>w{n} " for n in range(depth))
    ends = "".join(f"</{tag}>" for tag in reversed(tags.split("><"))) * closed
    return before + "middle" + "".join(f" v{n} {ends}" for n in range(depth)) + " end"


def words_of(page: Page) -> list[str]:
    return " ".join(block.text for block in page.blocks).split()


@pytest.mark.parametrize(("tags", "depth", "closed"), NESTS)
def test_all_text_of_a_deep_page_is_there_in_order(tags: str, depth: int, closed: bool) -> None:
    page = blockify(nested(tags, depth, closed), max_blocks=NO_LIMIT)
    before, after = [f"w{n}" for n in range(depth)], [f"v{n}" for n in range(depth)]
    assert words_of(page) == [*before, "middle", *after, "end"]
    assert page.flat == (tags not in NEVER_DEEP)
    assert not page.truncated
    assert all(block.xpath == "" for block in page.blocks) == page.flat


@pytest.mark.parametrize("depth", [2_100, 20_000])
def test_leaves_of_a_deep_page_are_there_too(depth: int) -> None:
    page = blockify(nested("div", depth, closed=True), units="leaf", max_blocks=NO_LIMIT)
    assert page.flat
    assert len(words_of(page)) == 2 * depth + 2


@pytest.mark.parametrize("tag", ["div", "span", "x-y"])
def test_a_page_that_is_read_whole_is_not_flat(tag: str) -> None:
    page = blockify(f"<{tag}>" * 1_900 + "tide")
    assert (page.flat, words_of(page)) == (False, ["tide"])
    assert page.blocks[0].xpath


def test_a_deep_place_that_text_follows_loses_nothing() -> None:
    before, after = "<p>tide</p>" * 50, "<p>sea</p>" * 50
    page = blockify(f"{before}{'<div>' * 2_100}pool{'</div>' * 2_100}{after}")
    assert words_of(page) == ["tide"] * 50 + ["pool"] + ["sea"] * 50
    assert page.flat


def test_a_deep_place_without_text_is_no_loss() -> None:
    html = f"<p>tide</p>{'<div>' * 5_000}{'</div>' * 5_000}<p>pool"
    assert words_of(blockify(html)) == ["tide", "pool"]


def test_pages_with_very_many_end_tags_are_rewritten() -> None:
    page = blockify("<b><i><p>tide" + "</b></u>" * 80_000 + "<p>pool")
    assert (page.flat, words_of(page)) == (True, ["tide", "pool"])


def test_pages_with_very_many_attributes_are_rewritten() -> None:
    many = " ".join(f"data-{n}='>'" for n in range(20_000))
    page = blockify(f"<p {many} class=warm hidden>tide</p><p>pool")
    assert (page.flat, words_of(page)) == (True, ["tide", "pool"])
    assert (page.blocks[0].class_words[-1], page.blocks[0].hidden) == ("warm", True)


@pytest.mark.parametrize(
    ("body", "tags"),
    [
        (b"", ["html"]),
        (b"<!-- c -->", ["html"]),
        (b"<?pi?>", ["html"]),
        (b"x", ["html"]),
        (b"<!-- a --><p>x", ["html"]),
        (b"<html><p>x</p></html><div>y</div>", ["html", "div"]),
    ],
)
def test_there_is_a_root_at_least(body: bytes, tags: list[str]) -> None:
    assert {plain_tree(body)[0].tag, parse(body).roots[0].tag} == {"html"}
    assert len(parse(body).roots) in (1, len(tags))


def test_tags_behind_the_limit_are_cut_off() -> None:
    page = blockify("<p>tide</p>" + "<i></i>" * 250_000 + "<p>pool</p>")
    assert (page.truncated, words_of(page)) == (True, ["tide"])


def test_tags_up_to_the_limit_are_read() -> None:
    page = blockify("<p>tide</p>" + "<i></i>" * 190_000 + "<p>pool</p>")
    assert (page.truncated, words_of(page)) == (False, ["tide", "pool"])


def test_more_blocks_that_are_wanted_move_the_limit() -> None:
    html = "<p>tide</p>" + "<i></i>" * 250_000 + "<p>pool</p>"
    page = blockify(html, max_blocks=130_000)
    assert (page.truncated, words_of(page)) == (False, ["tide", "pool"])
