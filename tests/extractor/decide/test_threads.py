"""Whether a page says that it is a thread, an article or a product."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.decide.threads import (
    is_surely_thread,
    is_thread,
    states_article_or_product,
)
from scrapy_boilernet.extractor.html.blockify import blockify

TEXT = "<p>The gate of the lower weir is stuck, and I have tried a lever and warm water."


@pytest.mark.parametrize(
    "url",
    [
        "https://forum.gardens.example/t/stuck-gate/12",
        "https://foro.jardines.example/compuerta",
        "https://gardens.example/forum/water/stuck-gate.html",
        "https://gardens.example/community/threads/stuck-gate.12/",
        "https://gardens.example/viewtopic.php?t=12",
        "https://gardens.example/phorum/showthread.php?t=12",
        "https://gardens.example/questions/12/stuck-gate",
        "https://gardens.example/message_board/index.php?topic=12",
        "https://lemmy.gardens.example/post/12",
        "https://old.reddit.com/r/mills/comments/1a2b3c/stuck_gate/",
        "https://www.reddit.com/user/ada/comments/1a2b3c/stuck_gate/",
        "https://news.ycombinator.com/item?id=12",
        "https://lobste.rs/s/1a2b3c/stuck_gate",
        "https://tildes.net/~mills/12ab/stuck_gate",
    ],
)
def test_an_address_tells_a_thread_surely(url: str) -> None:
    assert is_surely_thread(blockify(TEXT, url))


@pytest.mark.parametrize(
    "url",
    [
        "https://news.example/2026/open-thread-on-the-weir",
        "https://news.example/2026/a-discussion-of-the-weir",
        "https://topics.example/weir",
        "https://news.example/weir?from=/forum/",
        "https://news.example/weir#/threads/",
        "https://www.reddit.com/r/mills/",
        "https://news.ycombinator.com/newest",
        "https://news.example/reddit.com/r/mills/comments/1/",
        "//[",
        "",
    ],
)
def test_a_word_in_a_title_does_not(url: str) -> None:
    page = blockify(TEXT, url)
    assert not is_surely_thread(page)
    assert is_thread(page) == any(
        word in url
        for word in ("thread", "discussion", "topic", "forum", "reddit.com/r/", "ycombinator")
    )


@pytest.mark.parametrize(
    ("head", "thread", "other"),
    [
        ('<meta property="og:type" content="forum">', True, False),
        ('<body class="vanilla Discussion">', True, False),
        ('<body><div itemscope itemtype="https://schema.org/QAPage">', True, False),
        (
            '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>',
            True,
            False,
        ),
        ('<meta property="og:type" content="article">', False, True),
        ('<script type="application/ld+json">{"@type": "NewsArticle"}</script>', False, True),
        ('<script type="application/ld+json">{"@type": "Product"}</script>', False, True),
        ('<meta property="og:type" content="website">', False, False),
        ('<body class="threads">', False, False),
    ],
)
def test_the_head_tells_it(head: str, thread: bool, other: bool) -> None:
    page = blockify(f"<title>The gate</title>{head}{TEXT}", "https://gardens.example/12")
    assert (is_surely_thread(page), states_article_or_product(page)) == (thread, other)


@given(st.text(max_size=60), st.sampled_from(["?from=/forum/", "#/threads/", "?t=viewtopic.php"]))
def test_what_follows_the_path_of_any_url_tells_nothing(url: str, rest: str) -> None:
    html = "<p>The gate is stuck."
    assert is_surely_thread(blockify(html, url + rest)) == is_surely_thread(blockify(html, url))


@given(st.from_regex(r"[a-z]{1,12}(?:-[a-z]{1,12}){0,3}", fullmatch=True))
def test_a_word_among_others_in_a_step_is_not_enough(title: str) -> None:
    assert not is_surely_thread(blockify(TEXT, f"https://news.example/the-{title}-of-today"))
