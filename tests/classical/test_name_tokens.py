"""Words of class and id, and which tell boilerplate."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.classical.yao_features import NEAR, NamedBlocks, boilerplate_names
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.page import Block, Page

Labeled = tuple[str, Page, np.ndarray]


def labeled(site: str, html: str, content: str = "text") -> Labeled:
    """Blocks whose text is ``content`` are content."""
    page = blockify(html)
    return site, page, np.array([block.text == content for block in page.blocks], dtype=np.bool_)


def block_in(*class_words: str) -> Page:
    depth = len(class_words)
    block = Block("x", ("div",) * depth, class_words, tuple(range(1, depth + 1)), "/x", 0)
    return Page(None, "", (block,), "0" * 32)


def ordinary(site: str, menu: str = "menu") -> Labeled:
    return labeled(
        site,
        f"<body class=page><ul class={menu}><li>Home<li>News</ul><article class=post><p>text<p>text"
        "</article><footer class=footer>Terms</footer>",
    )


def test_near_ancestors_that_bear_a_name_are_read() -> None:
    names = [f"n{chr(97 + i)}" for i in range(NEAR + 2)]
    found = NamedBlocks.of(block_in(*names, "", "")).names[0]
    assert found == set(names[-NEAR:])


def test_words_that_only_boilerplate_bears_come_first() -> None:
    found = boilerplate_names([ordinary(f"site{i}") for i in range(4)], 10)
    words = [word for word, _ in found]
    assert words == ["menu", "footer"]  # "page" is everybody's, "post" is content's
    assert all(ratio > 0 for _, ratio in found)


def test_as_published_blocks_are_counted_and_words_ranked_by_their_ratio() -> None:
    found = boilerplate_names([ordinary(f"site{i}") for i in range(4)], 10, as_published=True)
    # Of boilerplate 12 blocks bear "page", 8 "menu", 4 "footer"; of content 8 "page", 8 "post".
    wanted = {
        "menu": (9 / 28) / (1 / 20),
        "footer": (5 / 28) / (1 / 20),
        "page": 13 / 28 / (9 / 20),
    }
    assert [word for word, _ in found] == list(wanted)
    assert [weight for _, weight in found] == pytest.approx([math.log(r) for r in wanted.values()])


def test_at_most_so_many_come() -> None:
    assert len(boilerplate_names([ordinary(f"site{i}") for i in range(4)], 1)) == 1


def test_a_site_counts_once_however_many_pages_it_has() -> None:
    pages = [ordinary(f"site{i}") for i in range(3)]
    many = pages + [ordinary("big", "odd")] * 50
    assert "odd" not in [word for word, _ in boilerplate_names(many, 10)]


def test_nothing_to_learn_from_tells_nothing() -> None:
    assert boilerplate_names([], 10) == []
    assert boilerplate_names([labeled("a", ""), labeled("b", "<p>text")], 10) == []


def test_words_of_any_script_are_read() -> None:
    pages = [labeled(f"s{i}", "<div class=меню>a</div><p class=статья>text</p>") for i in range(3)]
    assert [word for word, _ in boilerplate_names(pages, 10)] == ["меню"]


def test_flags_and_counts_agree() -> None:
    _, page, content = ordinary("a")
    named = NamedBlocks.of(page)
    flags = named.flags(("menu", "post", "nothing"))
    assert flags.shape == (len(page.blocks), 3)
    assert flags.sum(axis=0).tolist() == [2, 2, 0]
    counts = named.counts(~content)
    assert (counts["menu"], counts["post"], counts["footer"]) == (2, 0, 1)
    assert NamedBlocks.of(blockify("")).flags(("menu",)).shape == (0, 1)
    assert named.flags(()).shape == (len(page.blocks), 0)


@QUICK
@given(st.lists(st.tuples(st.sampled_from("abc"), st.text("mno ", max_size=6), st.booleans())))
def test_any_labels_give_ranked_words(drawn: list[tuple[str, str, bool]]) -> None:
    pages = [(site, block_in(words), np.array([kept])) for site, words, kept in drawn]
    found = boilerplate_names(pages, 3)
    assert len(found) <= 3
    assert found == boilerplate_names(pages[::-1], 3)
    met = {word for _, words, kept in drawn for word in words.split() if not kept}
    assert {word for word, _ in found} <= met
