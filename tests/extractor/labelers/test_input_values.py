"""Descriptions of a block's inputs."""

from __future__ import annotations

import numpy as np

from scrapy_boilernet.extractor.features.hashed import featurize
from scrapy_boilernet.extractor.features.numbers import GROUPS, NUMBERS
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.boilernet.occlusion import (
    bag_value,
    head_value,
    known_words,
    natural_rows,
    number_value,
    url_value,
)
from scrapy_boilernet.extractor.page import Page

HTML = """<html><head><title>Pools of the shore</title>
<meta property="og:type" content="article"><meta name="description" content="Rocks give it back">
</head><body><p hidden>Skip to content on 2021-03-14</p>
<ul class="mainMenu"><li class=item><a href=/a>News here</a></li>
<li class=item><a href=/b>Sport here</a></li></ul>
<main id=content><h1>Pools of the shore</h1><p>Rocks give back the warmth, mail us@sea.example.</p>
<p>Rocks give it back.</p></main></body></html>"""
PAGE = blockify(HTML, url="https://www.example.org/news/pools")


def values(group: str, page: Page = PAGE) -> list[str]:
    return [number_value(group, row) for row in natural_rows(featurize(page).numbers, group)]


def test_text_has_words_links_and_flags() -> None:
    assert values("text") == [
        "7 words, 0% in links, hidden, date or time",
        "2 words, 100% in links",
        "2 words, 100% in links",
        "4 words, 0% in links, 100% as the title",
        "9 words, 0% in links, ends a sentence, web or mail address, 8% as the title",
        "4 words, 0% in links, ends a sentence",
    ]


def test_place_parts_and_kind_are_given() -> None:
    assert values("place")[3] == "50% of the blocks and 39% of the words come before"
    assert values("tree")[1] == "2 blocks together, 100% in links, 14% of all words"
    assert values("kin")[1] == "2 blocks, 2 words each, 100% in links"
    assert values("kin")[0] == "1 block, 7 words each, 0% in links"


def test_headings_are_given_by_distance_and_level() -> None:
    before = "no heading above, before the first h1"
    assert values("headings") == [before] * 3 + [
        "in an h1", "1 block below an h1", "2 blocks below an h1",
    ]  # fmt: skip
    far = blockify("<h2>A</h2>" + "".join(f"<p>text {i}" for i in range(30)))
    assert values("headings", far)[-1] == "20 blocks or more below an h2"


def test_what_metadata_quotes_is_given() -> None:
    assert values("claims")[5] == "100% in the description"
    body = " ".join(f"word{i}" for i in range(20))
    quoted = blockify(
        f'<script type="application/ld+json">{{"articleBody": "{body}"}}</script><p>{body}'
    )
    assert values("claims", quoted) == ["0% in the description, 100% in the JSON-LD body"]


def test_a_page_of_one_block_is_its_own_part() -> None:
    assert values("tree", blockify("<p>One two.")) == [
        "1 block together, 0% in links, 100% of all words"
    ]


def test_bags_are_given_by_tags_class_words_and_words() -> None:
    link, paragraph = PAGE.blocks[1], PAGE.blocks[4]
    assert bag_value("tags", link) == "body > ul > li > a"
    assert bag_value("classes", link) == "item < main menu"
    assert bag_value("classes", PAGE.blocks[0]) == "none of its own"
    assert bag_value("words", paragraph) == "rocks give back the warmth mail us sea"
    assert bag_value("words", paragraph._replace(text="!!!")) == "none of its own"
    assert len(bag_value("words", paragraph._replace(text="x" * 10**6))) == 60


def test_known_words_are_counted_and_listed_once() -> None:
    block = PAGE.blocks[5]._replace(text="the sea and the shore")
    assert known_words(block, frozenset({"the", "and"})) == "3 of 5 words known: the and"
    assert known_words(block, frozenset()) == "0 of 5 words known"


def test_head_and_address_are_given() -> None:
    assert head_value(PAGE).startswith("og:type article, meta ")
    assert head_value(blockify("<p>x")) == ""
    assert url_value(PAGE) == "www.example.org/news/pools"
    assert url_value(blockify("<p>x")) == ""


def test_numbers_of_zero_have_values_too() -> None:
    for group in GROUPS:
        (row,) = natural_rows(np.zeros((1, NUMBERS), dtype=np.float32), group)
        assert set(row.values()) == {0}
        assert number_value(group, row)
