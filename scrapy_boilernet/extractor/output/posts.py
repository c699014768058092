"""Makes the posts of a thread: their authors, dates, Markdown and text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from scrapy_boilernet.extractor.decide.threads import BESIDE_POST_TEXT, POST_TEXT
from scrapy_boilernet.extractor.html.paths import LONG_XPATH
from scrapy_boilernet.extractor.labeled import LabeledPage, to_text
from scrapy_boilernet.extractor.markup import Markup, Picture, Rule
from scrapy_boilernet.extractor.metadata import StatedObject
from scrapy_boilernet.extractor.output.beside import Beside
from scrapy_boilernet.extractor.output.budget import Budget
from scrapy_boilernet.extractor.output.dates import iso_date
from scrapy_boilernet.extractor.output.document import document_of
from scrapy_boilernet.extractor.output.markdown import to_markdown
from scrapy_boilernet.extractor.output.mentions import without_editors, without_mentions
from scrapy_boilernet.extractor.output.post_ends import without_repeated_ends
from scrapy_boilernet.extractor.output.post_names import is_link
from scrapy_boilernet.extractor.output.post_places import Place, quoted_from, text_blocks
from scrapy_boilernet.extractor.output.threads import find_places
from scrapy_boilernet.extractor.output.titles import squeezed
from scrapy_boilernet.extractor.output.writers import (
    author_of,
    date_of,
    language_of_dates,
    names_author,
    names_date,
    when_posted,
    without_edits,
)
from scrapy_boilernet.extractor.page import Block, Page
from scrapy_boilernet.extractor.posts import Post, Thread

_Mark = TypeVar("_Mark", Picture, Rule)

_BODY = re.compile(
    rf"\b(?:{POST_TEXT}|article ?(?:body|content|text|message|copy|entry|md)|markdown|usercontent|"
    r"e content|mcnt|field name body|t f|restore)\b"
)
"""Class words of the element in a post that surely holds its text."""
_MAY_BE_BODY = re.compile(r"\b(?:content|body|message|text|description|inner|md|main)\b")
"""Class words of an element that may hold it."""
_NO_BODY = re.compile(rf"(?<!has )\b(?:{BESIDE_POST_TEXT})\b")
"""Class words of what stands in a post beside its text."""
_ASIDE = re.compile(
    r"\b(?:signature|sig|signaturecontainer|bb signature|notice|lastedited|edited ?by|last edit|"
    r"likes ?summary|reactions(?: ?bar)?|pstatus|email ?hidden ?toggle|post ?footer|"
    r"message ?footer|attachments? ?title)\b"
)
_NOT_KEPT = 0.2
"""The weight of text that is not content."""
_OF_TEXT = frozenset("p pre blockquote ul ol li h1 h2 h3 h4 h5 h6 dl dt dd".split())
_MOST = 0.8
"""The least share of the text of a body that an element in it must have to stand for it."""
_MAX_LEFT_OUT = 20
"""Blocks at the end of a post's text that are none of it, such as a signature."""
_ID = re.compile(r"\w+")
_SQUEEZED_CHARS = 60


def find_posts(result: LabeledPage) -> tuple[Post, ...]:
    """Return the posts of the page in document order; () if it is no thread.

    Without the page's ``thread``, only names and dates in its texts are known. Raises
    ``ValueError`` if the page has no markup.
    """
    page, thread = result.page, result.page.thread or Thread()
    if page.markup is None:
        raise ValueError("the page has no markup: read it with blockify(..., markup=True)")
    thread = thread._replace(language=language_of_dates(thread.marks, thread.language))
    blocks = page.blocks_without_xpaths
    places, forum = find_places(result, thread)
    found = [(one, body_of(one, blocks, result.kept)) for one in places]
    found = [(place, body) for place, body in found if body.blocks]
    trimmed = without_repeated_ends([body.blocks for _, body in found], blocks)
    bodies = [
        (place, body._replace(blocks=own))
        for (place, body), own in zip(found, trimmed, strict=True)
    ]
    writer = _Writer(page, page.markup, [body for _, body in bodies])
    stated = {_key(one.first("text", "articlebody")): one for one in thread.objects}
    replies = _Replies([place for place, _ in bodies])
    posts: list[Post] = []
    for index, (place, body) in enumerate(bodies):
        markdown, text = writer.written(index)
        one = stated.get(_key(text)) if stated else None
        author, date = _written_by(place, body.blocks, blocks, thread, one)
        xpath = _xpath(page, place, body.blocks[0])
        posts.append(Post(author, date, markdown, text, index + 1, xpath, replies.answered(index)))
    return tuple(posts if forum else _written(posts))


def _written(posts: Sequence[Post]) -> Iterator[Post]:
    """Yield the posts that have an author or a date, numbered again."""
    written = [post for post in posts if post.author or post.date]
    number_of = {post.number: number for number, post in enumerate(written, 1)}
    for post in written:
        answers = None if post.answers is None else number_of.get(post.answers)
        yield post._replace(number=number_of[post.number], answers=answers)


def _key(text: str) -> str:
    return squeezed(text[: 2 * _SQUEEZED_CHARS])[:_SQUEEZED_CHARS]


def _written_by(
    place: Place,
    body: Sequence[int],
    blocks: Sequence[Block],
    thread: Thread,
    stated: StatedObject | None,
) -> tuple[str | None, str | None]:
    """Return the author and the date of a post, not those of what it quotes.

    ``body``: the indexes of the blocks of its text.
    """
    quoted = quoted_from(place, blocks)
    own = [i for i in place.blocks if i not in quoted]
    marks = [mark for mark in place.marks if mark.node < quoted.get(mark.block, mark.node + 1)]
    author = (stated and stated.first("author", "creator")) or ""
    stated_date = stated and stated.first("datepublished", "datecreated", "uploaddate")
    date = iso_date(stated_date, thread.language) if stated_date else ""
    texts = {*text_blocks(place, blocks)} & {*body}
    for left_out in (texts, set[int]()):  # a name in the text counts if there is no other one
        beside = without_mentions(marks, left_out, blocks)
        near = [blocks[i] for i in own if i not in left_out]
        author = author or author_of(without_editors(beside, blocks), place.node, near) or ""
        dates = without_edits(beside, blocks)
        date = date or when_posted(dates, place.node, near, thread.language) or ""
    return author or None, date or None


def _xpath(page: Page, place: Place, first: int) -> str:
    """Return the XPath of the post's element, or of the first block of its text."""
    block = page.blocks[place.blocks[0] if place.node else first]
    steps = block.xpath.split("/")
    if not place.node or len(block.xpath) >= LONG_XPATH or not block.xpath.startswith("/html"):
        return block.xpath
    below = len(block.nodes) - 1 - block.nodes.index(place.node)
    return "/".join(steps[: len(steps) - below])


class Body(NamedTuple):
    """Where the text of a post is."""

    node: int
    """The number of the element that holds it; 0 if no name tells it."""
    blocks: list[int]
    """Indexes of its blocks, in document order; [] if there is none."""


def body_of(place: Place, blocks: Sequence[Block], kept: Sequence[bool]) -> Body:
    """Return where the text of the post is."""
    texts = [i for i in text_blocks(place, blocks) if not blocks[i].hidden]
    depths = {i: _depth(blocks[i], place) for i in place.blocks}
    own = [
        i
        for i in place.blocks
        if not any(_ASIDE.search(words) for words in blocks[i].class_words[depths[i] :])
        and not blocks[i].hidden
    ]
    node = _body_node(own, blocks, kept, place)
    if node:
        return Body(node, [i for i in own if node in blocks[i].nodes])
    if place.mark and is_link(place.mark.names):
        return Body(0, [])
    known = {*own} & {*texts}
    written = [i for i in sorted(known) if not _is_beside(blocks[i], depths[i])]
    chosen = [i for i in written if kept[i]]
    return Body(0, chosen or [i for i in written if not date_of(blocks[i].text, "")])


def _depth(block: Block, place: Place) -> int:
    """Return how many elements are around the block outside of the post's own element."""
    return block.nodes.index(place.node) + 1 if place.node in block.nodes else 0


def _is_beside(block: Block, depth: int) -> bool:
    return any(map(_beside, block.class_words[depth:]))


@lru_cache(maxsize=1 << 12)
def _beside(words: str) -> bool:
    return bool(_NO_BODY.search(words)) and not _BODY.search(words)


@lru_cache(maxsize=1 << 12)
def _body_strength(words: str) -> int:
    """Return 2 if an element with these class words surely holds a text, 1 if it may, else 0."""
    if not words or _beside(words):
        return 0
    return 2 if _BODY.search(words) else int(bool(_MAY_BE_BODY.search(words)))


def _body_node(
    own: Sequence[int], blocks: Sequence[Block], kept: Sequence[bool], place: Place
) -> int:
    """Return the number of the element that holds the post's text; 0 if no name tells it."""
    chars: tuple[dict[int, float], dict[int, float]] = {}, {}
    labels = {
        mark.block
        for mark in place.marks
        if mark.node != place.node and (names_author(mark) or names_date(mark))
    }.difference(text_blocks(place, blocks))  # a text may name a member
    beside: set[int] = set()
    for i in own:
        block, depth = blocks[i], _depth(blocks[i], place)
        quoted = "blockquote" in block.tags[depth:]
        size = (len(block.text) - 0.9 * block.link_chars) * (1 if kept[i] else _NOT_KEPT)
        for words, node in zip(block.class_words[depth:], block.nodes[depth:], strict=True):
            if not quoted and i in labels:
                beside.add(node)
            if not quoted and _beside(words):
                break
            if strength := _body_strength(words):
                of_strength = chars[strength - 1]
                of_strength[node] = of_strength.get(node, 0) + size
    for of_strength in reversed(chars):
        sizes = {node: size for node, size in of_strength.items() if node not in beside}
        if sizes:
            most = max(sizes.values())
            return max(node for node, size in sizes.items() if size >= _MOST * most)
    return 0


class _Writer:
    """Writes the texts of posts, each as a page of its own."""

    def __init__(self, page: Page, markup: Markup, bodies: Sequence[Body]) -> None:
        self._page, self._markup, self._bodies = page, markup, bodies
        self._blocks = page.blocks_without_xpaths
        self._budget = Budget.of(self._blocks, markup)
        self._of_element = {
            name: dict(getattr(markup, name))
            for name in ("numbers", "rows", "cells", "languages", "roles")
        }

    def written(self, number: int) -> tuple[str, str]:
        """Return the Markdown and the plain text of the post of this number, from 0."""
        body = self._bodies[number].blocks
        blocks = self._trimmed(self._bodies[number])
        nodes = {node for block in blocks for node in block.nodes}
        found: dict[str, tuple[tuple[int, Any], ...]] = {
            name: tuple((node, known[node]) for node in sorted(nodes & known.keys()))
            if len(nodes) < len(known)
            else tuple((node, value) for node, value in known.items() if node in nodes)
            for name, known in self._of_element.items()
        }
        markup = Markup(
            spans=tuple(self._markup.spans[i] for i in body),
            breaks=tuple(self._markup.breaks[i] for i in body),
            pictures=self._pictures(self._bodies[number], nodes),
            rules=_inside(self._markup.rules, body, nodes, body[-1] + 1),
            numbers=found["numbers"], rows=found["rows"], cells=found["cells"],
            languages=found["languages"], roles=found["roles"],
            base=self._markup.base, page_bytes=self._markup.page_bytes,
        )  # fmt: skip
        page = replace(self._page, blocks=tuple(blocks), markup=markup, thread=None, stated=None)
        parts, _ = document_of(page, [True] * len(blocks), Beside(is_post=True), self._budget)
        return to_markdown(parts), to_text(blocks)

    def _pictures(self, body: Body, nodes: AbstractSet[int]) -> tuple[Picture, ...]:
        """Return the pictures of a post, without those in elements of what it leaves out.

        ``nodes``: the numbers of the elements around its texts.
        """
        blocks, begin = self._blocks, body.blocks[-1] + 1
        end, most = begin, min(begin + _MAX_LEFT_OUT, len(blocks))
        while body.node and end < most and body.node in blocks[end].nodes:
            end += 1
        left_out = (*blocks[max(0, body.blocks[0] - 1) : body.blocks[0]], *blocks[begin : end + 1])
        others = {node for block in left_out if not block.hidden for node in block.nodes} - nodes
        found = _inside(self._markup.pictures, body.blocks, nodes, end)
        return tuple(one for one in found if others.isdisjoint(one.nodes))

    def _trimmed(self, body: Body) -> list[Block]:
        """Return the blocks without the elements around the text, such as a list's item.

        The element that holds the text becomes a ``<div>``, whatever it is.
        """
        blocks = [self._blocks[i] for i in body.blocks]
        depth = _common_depth(blocks, body.node)
        cut: dict[int, tuple[str, ...]] = {}
        return [
            block._replace(
                tags=cut.setdefault(id(block.tags), ("div", *block.tags[depth + 1 :])),
                class_words=block.class_words[depth:],
                nodes=block.nodes[depth:],
            )
            for block in blocks
        ]


def _inside(
    marks: Sequence[_Mark], body: Sequence[int], nodes: AbstractSet[int], end: int
) -> tuple[_Mark, ...]:
    """Return the pictures or rules that are in an element of a post, as marks of its own page.

    ``body``: the indexes of the post's blocks; ``nodes``: the numbers of the elements around them;
    ``end``: the index of the block before which the last of them stands.
    """
    first = bisect_left(marks, body[0], key=attrgetter("before"))
    last = bisect_left(marks, end + 1, key=attrgetter("before"))
    found = []
    for one in marks[first:last]:
        cut = next((i for i, node in enumerate(one.nodes) if node in nodes), -1)
        if cut >= 0:
            before = bisect_left(body, one.before)
            found.append(one._replace(before=before, tags=one.tags[cut:], nodes=one.nodes[cut:]))
    return tuple(found)


def _common_depth(blocks: Sequence[Block], node: int) -> int:
    """Return the depth of the element that holds a text: that of this number, or, if it is 0, the
    innermost one around all blocks that is no part of the text's structure.
    """
    first = blocks[0]
    if node:
        return first.nodes.index(node)
    depth = min(len(block.nodes) for block in blocks) - 1
    while depth and any(block.nodes[depth] != first.nodes[depth] for block in blocks):
        depth -= 1
    while depth and first.tags[depth] in _OF_TEXT:
        depth -= 1
    return depth


class _Replies:
    """Tells which post another one answers."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._places = places
        self._number_of_node = {one.node: n for n, one in enumerate(places, 1) if one.node}
        self._number_of_id: dict[str, int] = {}
        for number, place in enumerate(places, 1):
            for one in place.ids:
                self._number_of_id.setdefault(one, number)

    def answered(self, index: int) -> int | None:
        """Return the number of the post that the post of this index answers, else None.

        It is the one that the post names, or quotes first, or else the one that it is in.
        """
        place = self._places[index]
        named = (mark.parent for mark in place.marks if mark.parent)
        words = (word[-1] for parent in named if (word := _ID.findall(parent)))
        numbers = (self._number_of_id.get(word, 0) for word in words)
        known = next((number for number in numbers if 0 < number != index + 1), None)
        return known or self._number_of_node.get(place.around)
