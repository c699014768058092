"""Block and Page: frozen, plain values that travel between threads and processes."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from typing import Any

import pytest

from scrapy_boilernet import Block, Page
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.page import Head

PLAIN_TYPES = (str, int, bool, float, type(None))

BLOCK = Block(
    text="A tide pool",
    tags=("html", "body", "p"),
    class_words=("", "post", ""),
    nodes=(1, 2, 3),
    xpath="/html/body[1]/p[1]",
    link_chars=4,
)
FIELDS = {Block: Block._fields, Page: tuple(entry.name for entry in fields(Page))}
PAGE = Page(url="https://example.com/", title="Pools", blocks=(BLOCK,), digest="00ff")


@pytest.mark.parametrize("value", [BLOCK, PAGE], ids=["block", "page"])
def test_fields_cannot_be_set(value: Any) -> None:
    for name in FIELDS[type(value)]:
        with pytest.raises(AttributeError):
            setattr(value, name, "other")


@pytest.mark.parametrize("value", [BLOCK, PAGE], ids=["block", "page"])
def test_instances_take_no_further_attributes(value: Any) -> None:
    with pytest.raises((AttributeError, TypeError)):
        value.further = 1


def test_a_block_is_visible_and_outside_noscript_by_default() -> None:
    assert (BLOCK.hidden, BLOCK.noscript) == (False, False)


def test_a_page_holds_whole_blocks_by_default() -> None:
    assert (PAGE.units, PAGE.truncated) == ("block", False)


def test_equal_values_are_equal_and_hash_alike() -> None:
    assert replace(PAGE) == PAGE
    assert hash(replace(PAGE)) == hash(PAGE)
    assert replace(PAGE, url=None) != PAGE
    assert BLOCK._replace(text="other") != BLOCK


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_real_page_survives_pickling(protocol: int, read_page: Callable[[str], bytes]) -> None:
    page = blockify(read_page("forum.html"), url="https://example.com/t/1")
    assert page.once(lambda same: len(same.blocks)) == len(page.blocks)
    assert pickle.loads(pickle.dumps(page, protocol)) == page


def test_what_is_computed_once_of_a_page_is_kept() -> None:
    page, calls = Page(None, "", (BLOCK,), ""), []
    assert [page.once(calls.append) for _ in range(2)] == [None, None]
    assert calls == [page]


@pytest.mark.parametrize("units", ["block", "leaf"])
def test_a_real_page_goes_through_json_and_back(
    units: Any, read_page: Callable[[str], bytes]
) -> None:
    page = blockify(read_page("article.html"), units=units)
    document = json.loads(json.dumps(asdict(page)))
    blocks = tuple(
        Block(*(tuple(value) if isinstance(value, list) else value for value in entry))
        for entry in document.pop("blocks")
    )
    head = document.pop("head")
    head["words"] = tuple(head["words"])
    assert document.pop("invisible") == []
    assert Page(**document, blocks=blocks, head=Head(**head)) == page


@pytest.mark.parametrize("name", ["article.html", "forum.html", "japanese.html"])
def test_a_real_page_is_made_of_plain_values_only(
    name: str, read_page: Callable[[str], bytes]
) -> None:
    def check(value: object) -> None:
        if isinstance(value, (tuple, list)):
            for part in value:
                check(part)
        elif isinstance(value, dict):
            check(list(value.values()))
        else:
            assert type(value) in PLAIN_TYPES  # no subclass, such as lxml's smart strings

    check(asdict(blockify(read_page(name))))
