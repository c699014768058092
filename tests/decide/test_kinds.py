"""Kinds of content: the headline, readers' comments, and what settings make of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.decide.kinds import block_kinds, chosen_blocks, find_comments, find_title
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.options import KIND_OPTIONS
from scrapy_boilernet.page import Page

TEXT = "Pools that the tide leaves behind warm up by several degrees before the water comes back."
COMMENT = "I have seen crabs in them at night, more than in any other place on that coast."
ARTICLE = (
    f"<title>Warm tide pools at night - The Coast</title><h1>Warm tide pools at night</h1><p>{TEXT}"
)


def comments(inner: str, before: str = ARTICLE) -> list[str]:
    """Texts of the comments if every block is content."""
    page = blockify(before + inner)
    return [page.blocks[i].text for i in sorted(find_comments(page, [True] * len(page.blocks)))]


def title(html: str, decided: list[bool] | None = None) -> list[str]:
    page = blockify(html)
    found = find_title(page, decided or [True] * len(page.blocks))
    return [page.blocks[i].text for i in sorted(found)]


@pytest.mark.parametrize(
    "inner",
    [
        f"<div id=comments><p>{COMMENT}</p></div>",
        f"<ol class=commentlist><li class='comment even'><div><p>{COMMENT}</p></div></li></ol>",
        f"<section class=post-replies><article><p>{COMMENT}</p></article></section>",
        f"<div id=disqus_thread><div><p>{COMMENT}</p></div></div>",
        f"<div class=userComments><p>{COMMENT}</p></div>",
        f"<div class=commentBody><p>{COMMENT}</p></div>",
    ],
)
def test_comments_are_found_by_the_words_of_their_area(inner: str) -> None:
    assert comments(inner) == [COMMENT]


@pytest.mark.parametrize(
    "inner",
    [
        f"<div class=recommended><p>{COMMENT}</p></div>",
        f"<div class=comment-form><p>{COMMENT}</p></div>",
        f"<div class=recent-comments><p>{COMMENT}</p></div>",
        f"<div class=widget><ul class=comments><li>{COMMENT}</ul></div>",
        f"<aside><ul class=comments><li>{COMMENT}</ul></aside>",
        f"<div id=comments><form><p>{COMMENT}</p></form></div>",
        f"<div id=comments><div id=respond><p>{COMMENT}</p></div></div>",
        f"<div id=comments hidden><p>{COMMENT}</p></div>",
        f"<div id=comments><div class=reply-link><p>{COMMENT}</p></div></div>",
    ],
)
def test_forms_tools_and_teasers_are_no_comments(inner: str) -> None:
    assert comments(inner) == []


def test_a_class_of_the_whole_page_makes_no_comments() -> None:
    assert comments("", f"<html><body class=comments-open>{ARTICLE}") == []


def test_a_thread_of_nothing_but_comments_is_the_main_text() -> None:
    thread = "".join(f"<div class=comment><p>{n}. {COMMENT}</p></div>" for n in range(9))
    assert comments(thread, "<title>Where are the crabs</title><h1>Where are the crabs</h1>") == []
    page = blockify(f"<h1>Where are the crabs</h1>{thread}")
    kinds = block_kinds(page, [True] * len(page.blocks), [True] * len(page.blocks))
    assert kinds[1:] == ("main",) * 9


def test_text_that_the_model_leaves_out_does_not_make_a_page_an_article() -> None:
    page = blockify(f"<p>{TEXT}</p><div class=comment><p>{COMMENT}</p></div>")
    assert find_comments(page, [True, False]) == {1}
    assert find_comments(page, [False, True]) == set()


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (ARTICLE, "Warm tide pools at night"),
        (f"<title>Coast | Warm tide pools</title><b class=headline>Warm tide pools</b><p>{TEXT}",
         "Warm tide pools"),
        (f"<title>The Coast: Warm tide pools at night</title><h1>The Coast</h1><p>Monday"
         f"<h2>Warm tide pools at night</h2><p>{TEXT}", "Warm tide pools at night"),
        (f"<title>潮だまり | 海岸</title><h1>潮だまり</h1><p>{TEXT}", "潮だまり"),
    ],
)  # fmt: skip
def test_the_title_is_the_heading_most_like_the_pages(html: str, found: str) -> None:
    assert title(html) == [found]


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Warm tide pools</h1><p>{TEXT}",  # a page without title
        f"<title>Warm tide pools</title><h1>News of the day</h1><p>{TEXT}",
        f"<title>Warm tide pools</title><p>Warm tide pools</p><p>{TEXT}",  # no heading
        f"<title>Warm tide pools</title><nav><h2>Warm tide pools</h2></nav><p>{TEXT}",
        f"<title>Warm tide pools</title><h1 hidden>Warm tide pools</h1><p>{TEXT}",
        f"<title>Warm tide pools</title><p>{TEXT * 4}</p><h2>Warm tide pools</h2>",  # too late
        "<title>Warm tide pools</title>",
    ],
)
def test_other_headings_are_no_title(html: str) -> None:
    assert title(html) == []


def test_a_headline_that_stands_twice_is_one_title() -> None:
    twice = "<title>Warm pools</title><h1>Warm pools</h1><h1>Warm pools</h1>"
    assert title(f"{twice}<p>{TEXT}") == ["Warm pools", "Warm pools"]
    assert title(f"{twice}<p>{TEXT}<h1>Warm pools</h1>") == ["Warm pools", "Warm pools"]


def test_a_page_without_content_has_no_title() -> None:
    assert title(ARTICLE, [False, False]) == []


PAGE = blockify(f"{ARTICLE}<div id=comments><p>{COMMENT}</p></div><p>All rights reserved.")


@pytest.mark.parametrize(
    ("options", "kinds"),
    [
        ({}, ("boilerplate", "main", "comment", "boilerplate")),
        ({"title": "keep"}, ("title", "main", "comment", "boilerplate")),
        ({"comments": "drop"}, ("boilerplate", "main", "boilerplate", "boilerplate")),
        ({"comments": "keep", "title": "drop"}, ("boilerplate", "main", "comment", "boilerplate")),
    ],
)
def test_settings_overrule_the_model(options: dict[str, Any], kinds: tuple[str, ...]) -> None:
    decided = [False, True, True, False]
    kept = chosen_blocks(PAGE, decided, **{"title": "model", "comments": "model", **options})
    assert block_kinds(PAGE, decided, kept) == kinds


pages = st.lists(
    st.sampled_from(
        [f"<p>{TEXT}", "<h1>Warm tide pools</h1>", f"<div class=comment><p>{COMMENT}</p></div>",
         "<h2 class=title>Warm pools</h2>", "<form><p>Name</p></form>", "<p>!"]
    ), max_size=12,
).map(lambda parts: blockify("<title>Warm tide pools</title>" + "".join(parts)))  # fmt: skip


@given(pages, st.data(), st.sampled_from(KIND_OPTIONS), st.sampled_from(KIND_OPTIONS))
def test_keep_only_adds_drop_only_removes_and_kinds_agree_with_labels(
    page: Page, data: st.DataObject, title: Any, comments: Any
) -> None:
    size = len(page.blocks)
    decided = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    kept = chosen_blocks(page, decided, title, comments)
    kinds = block_kinds(page, decided, kept)
    assert [kind != "boilerplate" for kind in kinds] == kept
    for kind, choice in (("title", title), ("comment", comments)):
        if choice == "drop":
            assert kind not in kinds
    touched = find_title(page, decided) | find_comments(page, decided)
    assert all(kept[i] == decided[i] for i in range(size) if i not in touched)
    if (title, comments) == ("model", "model"):
        assert kept == decided
