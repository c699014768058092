"""Replies of threads of which the model keeps hardly more than the first post, and lost posts."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest
from testing.thread_pages import FIRST, REPLIES, REPLY, SIGNATURE, thread_page

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.replies import complete_replies
from scrapy_boilernet.extractor.html.blockify import blockify

THREAD = "https://gardens.example/forum/12"
ARTICLE = "https://gardens.example/stuck-gate"


def kept(html: str, url: str = THREAD, before: Collection[str] = (FIRST,)) -> list[str]:
    """The texts that are content after the rule, if these are before it."""
    page = blockify(html, url)
    own = complete_replies(page, np.array([text in before for text in page.texts], np.bool_))
    return [text for text, keep in zip(page.texts, own, strict=True) if keep]


@pytest.mark.parametrize("name", REPLY)
def test_replies_are_kept_as_a_whole(name: str) -> None:
    assert kept(thread_page(REPLY[name])) == [FIRST, *REPLIES]


@pytest.mark.parametrize("name", REPLY)
def test_below_an_article_they_are_not(name: str) -> None:
    assert kept(thread_page(REPLY[name]), ARTICLE) == [FIRST]


@pytest.mark.parametrize("name", REPLY)
def test_a_page_may_state_that_it_is_a_thread(name: str) -> None:
    head = '<meta property="og:type" content="forum">'
    assert kept(thread_page(REPLY[name], head=head), ARTICLE) == [FIRST, *REPLIES]


@pytest.mark.parametrize("name", REPLY)
def test_the_shipped_model_loses_none_of_them(name: str) -> None:
    text = extract(thread_page(REPLY[name]), THREAD).text
    assert all(each in text for each in (FIRST, *REPLIES))
    assert "Gardens" not in text


def test_some_kept_replies_keep_the_others() -> None:
    html = thread_page(REPLY["comments"])
    assert kept(html, before=(FIRST, REPLIES[0])) == [FIRST, *REPLIES]
    assert kept(html, before=()) == []


@pytest.mark.parametrize("name", REPLY)
@pytest.mark.parametrize("lost", range(len(REPLIES)))
def test_a_post_that_is_lost_among_others_is_kept(name: str, lost: int) -> None:
    html = thread_page(REPLY[name])
    before = {FIRST, *REPLIES} - {REPLIES[lost]}
    assert kept(html, before=before) == [FIRST, *REPLIES]
    assert kept(html, ARTICLE, before) == [text for text in (FIRST, *REPLIES) if text in before]


@pytest.mark.parametrize("name", REPLY)
@pytest.mark.parametrize(
    "around",
    ['<body class="right-sidebar">', "<body><div class=p-body-main--withSidebar>", "<body><form>"],
)
def test_what_is_around_the_posts_does_not_matter(name: str, around: str) -> None:
    html = thread_page(REPLY[name]).replace("<body>", around)
    assert kept(html) == [FIRST, *REPLIES]


def test_lost_posts_are_kept_only_if_most_posts_are() -> None:
    html = thread_page(REPLY["posts"], [*REPLIES, "Bump.", "Thanks.", "Deleted."])
    assert kept(html, before=(FIRST, *REPLIES[:2])) == [FIRST, *REPLIES[:2]]
    two = thread_page(REPLY["posts"], [REPLIES[0], "Bump."])
    assert kept(two, before=(FIRST, REPLIES[0])) == [FIRST, REPLIES[0]]


def test_a_lost_copy_and_the_rest_of_a_post_stay_out() -> None:
    copied = thread_page(REPLY["comments"], [*REPLIES, FIRST])
    assert kept(copied, before=(FIRST, *REPLIES)).count(FIRST) == 2  # both by the test itself
    page = blockify(copied, THREAD)
    own = np.array([text in (FIRST, *REPLIES) for text in page.texts], np.bool_)
    own[[i for i, text in enumerate(page.texts) if text == FIRST][1]] = False
    assert complete_replies(page, own).tolist() == own.tolist()
    two = thread_page(REPLY["comments"].replace("<p>{}</p>", "<p>{}</p><p>Yes.</p>"))
    assert "Yes." not in kept(two, before=(FIRST, *REPLIES))


def test_short_comments_below_long_posts_are_no_replies() -> None:
    html = thread_page(REPLY["comments"], [text[:40] for text in REPLIES])
    assert kept(html.replace(FIRST, 5 * FIRST), before=(5 * FIRST,)) == [5 * FIRST]


def test_comments_below_several_kept_posts_are_no_replies() -> None:
    posts = "".join(f'<div class="post-text"><p>{n}. {FIRST}</p></div>' for n in range(2))
    html = thread_page(REPLY["comments"]).replace(f"<p>{FIRST}</p>", posts)
    before = [f"{n}. {FIRST}" for n in range(2)]
    assert kept(html, before=before) == before


@pytest.mark.parametrize(
    "reply",
    [
        '<div class="comment-content" hidden><p>{}</p></div>',
        '<div class="comment-content"><form><p>{}</p></form></div>',
        '<div class="comment-content"><div class="signature"><p>{}</p></div></div>',
        '<aside class="comment-content"><p>{}</p></aside>',
        '<div class="related-post-content"><p>{}</p></div>',
        '<div class="lastpost"><div class="post-content"><p>{}</p></div></div>',
        '<div class="post-content line-clamp-6"><p>{}</p></div>',
        '<div class="related-topics"><div class="bbp-reply-content"><p>{}</p></div></div>',
        '<div class="meta teaser"><div class="post-content"><p>{}</p></div></div>',
        '<button class="comment-content"><p>{}</p></button>',
        '<div class="side"><form><div class="usertext-body"><p>{}</p></div></form></div>',
        '<div class="text"><p>{}</p></div>',
    ],
)
def test_nothing_else_is_taken_for_a_reply(reply: str) -> None:
    assert kept(thread_page(reply)) == [FIRST]


def test_signatures_stay_out() -> None:
    signed = REPLY["comments"].replace("{}", f"{{}}<div class=signature>{SIGNATURE}</div>")
    assert kept(thread_page(signed)) == [FIRST, *REPLIES]
