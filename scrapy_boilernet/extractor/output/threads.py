"""Finds the posts of a thread: which blocks and marks belong to which post.

Posts are elements that their names, ids or types call posts, answers or comments. On pages of
forums whose posts have no such elements, dates that repeat in one template tell where posts begin.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.output.mail import message_of
from scrapy_boilernet.extractor.output.named_posts import named_places
from scrapy_boilernet.extractor.output.page_kind import declared_kind, page_kind
from scrapy_boilernet.extractor.output.post_names import is_of_forum
from scrapy_boilernet.extractor.output.post_places import Place, covered, kept_words
from scrapy_boilernet.extractor.output.repeated_posts import MIN_POSTS, repeated_places
from scrapy_boilernet.extractor.output.writers import names_author, names_date, names_user
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.extractor.posts import Thread, ThreadMark

_ELSEWHERE = re.compile(r"\b(?:recent|latest|popular|widget|sidebar|related)\b")
_NEAR_LEVELS = 3
"""Elements around a post in which ``_ELSEWHERE`` is searched."""
_LETTERS = re.compile(r"\w")
_RE = re.compile(r"\A(?:(?:re|aw|sv|antw|odp|ответ)\s?:\s*)+", re.IGNORECASE)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_TITLE_CHARS, _NEAR_MARKS = 10, 6
"""The least characters of the title of a teaser, and how many marks above a post are its own."""
_MANY_POSTS, _MOSTLY, _OTHERS = 5, 0.6, 0.1
"""The least posts of a thread that neither types nor names tell; the least share of the text of a
thread that is in its posts, and in all but the longest one."""
_MIN_COVERED, _BETTER = 0.4, 0.1
"""The least share of the kept text of a forum's page that is in posts between dates, and by how
much it must be more than that in elements with the names of posts."""


class Found(NamedTuple):
    """The places of a page's posts, in document order."""

    places: list[Place]
    """[] if the page is no thread and has no comments."""
    forum: bool
    """Whether the page is a thread; else the posts are comments of readers."""


def find_places(result: LabeledPage, thread: Thread) -> Found:
    """Return the places of the page's posts.

    A message of a mailing list is a post, too.

    On other pages than those of forums and questions, only the comments of readers are posts.
    """
    message = message_of(result, thread)
    return Found([message], True) if message else _found(result, thread)


def _found(result: LabeledPage, thread: Thread) -> Found:
    page, blocks = result.page, result.page.blocks_without_xpaths
    forum = declared_kind(page) == "forum" or page_kind(page) == "forum" or _states_forum(thread)
    places = named_places(blocks, thread.marks, likely=True)
    if not forum and not _is_thread(places, result, names_date):
        users = {mark.block for mark in thread.marks if names_user(mark)}
        repeated = repeated_places(result, thread) if len(users) >= MIN_POSTS else []
        if len(repeated) >= _MANY_POSTS and _is_thread(repeated, result, names_user):
            return Found(repeated, True)
        sure = named_places(blocks, thread.marks, likely=False) if places else []
        own = [one for one in sure if one.is_written() and not _is_elsewhere(one, blocks)]
        own = own or [one for one in places if _is_comment(one, result)]
        is_page = len(own) <= MIN_POSTS and covered(own, result) > _MOSTLY
        return Found([] if is_page else own, False)
    share = covered(places, result)
    repeated = repeated_places(result, thread) if share < _MOSTLY else []
    if covered(repeated, result) > max(share + _BETTER, _MIN_COVERED):
        return Found([] if _are_rows(repeated, blocks) else repeated, True)
    places = _with_marks_above(places, blocks, thread.marks)
    written = [*filter(Place.is_written, places)]
    places = written if 2 * len(written) > len(places) else places
    if len(places) == 1 and not (places[0].sure or places[0].is_signed()):
        return Found([], True)
    return Found([] if _are_rows(places, blocks) else places, True)


def _is_comment(place: Place, result: LabeledPage) -> bool:
    """Return whether the place is in the comments of readers, and may have an author or a date."""
    kinds = result.kinds
    return place.is_written() and all(kinds[i] in ("comment", "hidden") for i in place.blocks[:2])


def _are_rows(places: Sequence[Place], blocks: Sequence[Block]) -> bool:
    """Return whether most of the places are rows of a list of threads: a link to each.

    The title that all posts of a thread repeat makes no rows.
    """
    titles: set[str] = set()
    for one in places:
        linked, plain, title = 0, 0, ""
        for i in one.blocks:
            size = len(blocks[i].text) - blocks[i].link_chars
            named = sum(map(len, one.labels.get(i, ())))
            if blocks[i].link_chars - named > linked:
                linked, title = blocks[i].link_chars - named, blocks[i].text
            plain = max(plain, size if _LETTERS.search(blocks[i].text) else 0)
        if linked >= _TITLE_CHARS and linked > plain:
            titles.add(_RE.sub("", title)[: 2 * _TITLE_CHARS].casefold())
    return 2 * len(titles) > len(places)


def _is_thread(
    places: Sequence[Place], result: LabeledPage, is_kind: Callable[[ThreadMark], bool]
) -> bool:
    """Return whether these are the posts of a thread, by themselves.

    Each has an author and a mark of this kind, most of the text is in them, and they are no
    teasers, which have a heading each.
    """
    blocks = result.page.blocks_without_xpaths
    written = [
        one for one in places if any(map(names_author, one.marks)) and any(map(is_kind, one.marks))
    ]
    if len(written) < MIN_POSTS or covered(written, result) < _MOSTLY:
        return False
    largest = max(written, key=lambda one: kept_words(one, result))
    others = [one for one in written if one is not largest]
    if covered(others, result) < _OTHERS or _are_rows(written, blocks):
        return False  # an article with comments, or a list
    headings = (next((blocks[i].text for i in one.blocks if _is_heading(blocks[i])), "")
                for one in written)  # fmt: skip
    titles = {_RE.sub("", text).casefold() for text in headings if text}
    return 2 * len(titles) <= len(written)


def _is_heading(block: Block) -> bool:
    return not _HEADINGS.isdisjoint(block.tags[-3:]) and block.link_chars >= _TITLE_CHARS


def _with_marks_above(
    places: list[Place], blocks: Sequence[Block], marks: Sequence[ThreadMark]
) -> list[Place]:
    """Return the places; where most lack an author or a date, with those right above them."""
    inside = {mark.node for one in places for mark in one.marks}
    for is_kind in (names_author, names_date):
        lacking = [one for one in places if not any(map(is_kind, one.marks))]
        if 2 * len(lacking) <= len(places):
            continue
        wanted = [mark for mark in marks if mark.node not in inside and is_kind(mark)]
        numbers = [mark.node for mark in wanted]
        end, spans = 0, []
        for one in places:
            last = bisect_left(numbers, one.node)
            spans.append(range(max(bisect_right(numbers, end), last - _NEAR_MARKS), last))
            end = max([end, *(blocks[i].nodes[-1] for i in one.blocks)])
        if len(spans) > 1 and spans[1]:  # above the first post is the head of the page, too
            spans[0] = spans[0][-len(spans[1]) :]
        for one, span in zip(places, spans, strict=True):
            if not any(map(is_kind, one.marks)):
                one.marks[:0] = reversed(wanted[span.start : span.stop])
    return places


def _states_forum(thread: Thread) -> bool:
    """Return whether a type or a name in the page's markup is one of forums and questions."""
    return any(
        one.type in ("discussionforumposting", "question") or is_of_forum(one.names)
        for one in thread.marks
    )


def _is_elsewhere(place: Place, blocks: Sequence[Block]) -> bool:
    """Return whether the post is in a box of comments on other pages."""
    block = blocks[place.blocks[0]]
    depth = block.nodes.index(place.node)
    near = block.class_words[max(0, depth - _NEAR_LEVELS) : depth]
    return "aside" in block.tags[:depth] or any(map(_ELSEWHERE.search, near))
