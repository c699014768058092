"""Finds the posts that are elements with the names, ids or types of posts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scrapy_boilernet.extractor.output.post_names import post_strength
from scrapy_boilernet.extractor.output.post_places import Place, text_blocks
from scrapy_boilernet.extractor.output.writers import names_author, names_date, tells_edit
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.extractor.posts import ThreadMark

_LETTER = re.compile(r"[^\W\d_]")
_DIGITS = re.compile(r"\d+")
_FIRST_TYPES = frozenset({"question", "discussionforumposting"})
"""Types of the first post of a thread, and of elements around a whole thread."""
_LAST_CHARS, _MAX_AROUND = 300, 64
"""Characters at the end of the last block of a post in which the text of a mark is searched, and
the most posts around a mark that are looked at."""
_ENDS = re.compile(r"(?<=t[13]_)\w+\Z")


def named_places(blocks: Sequence[Block], marks: Sequence[ThreadMark], likely: bool) -> list[Place]:
    """Return the posts that are elements with the names, ids or types of posts."""
    named = {mark.node: (mark, found) for mark in marks if (found := post_strength(mark, likely))}
    if not named:
        return []
    places: dict[int, Place] = {}
    ends: dict[int, _End] = {}
    roots: list[Place] = []
    for i, block in enumerate(blocks):
        around: Place | None = None
        for node in block.nodes:
            if node not in named:
                continue
            if node not in places:
                mark, found = named[node]
                ids = set(_ENDS.findall(mark.id) or _DIGITS.findall(mark.id)[-1:])
                places[node] = Place(node, mark, sure=found > 1, ids=ids)
                (around.inner if around else roots).append(places[node])
            around = places[node]
            last = ends[node].node if node in ends else 0
            ends[node] = _End(max(last, block.nodes[-1]), i)
        if around:
            around.blocks.append(i)
    _assign(blocks, marks, places, ends)
    found_places = [one for root in roots for one in _resolved(root, blocks)]
    return sorted(found_places, key=lambda one: one.node)


class _End(NamedTuple):
    """Where a place ends."""

    node: int
    """The greatest number of the elements around its blocks."""
    block: int
    """The index of its last block."""

    def is_before(self, mark: ThreadMark) -> bool:
        """Return whether the mark is behind the place, or in its last block beside other text."""
        return self.node < mark.node and self.block <= mark.block


def _assign(
    blocks: Sequence[Block],
    marks: Sequence[ThreadMark],
    places: Mapping[int, Place],
    ends: Mapping[int, _End],
) -> None:
    """Give each mark to the innermost place that it is in, or to which it belongs."""
    around: list[Place] = []
    for mark in marks:
        while around and ends[around[-1].node].is_before(mark) and not _is_last(mark, around[-1]):
            around.pop()
        if mark.node in places:
            around.append(places[mark.node])
        for place in around[: -_MAX_AROUND - 1 : -1]:
            if not ends[place.node].is_before(mark) or _is_in_last(mark, place, blocks):
                place.note(mark)
                break


def _is_last(mark: ThreadMark, place: Place) -> bool:
    """Return whether the mark is in the last block of the place, or between it and the next one."""
    return place.blocks[-1:] == [mark.block]


def _is_in_last(mark: ThreadMark, place: Place, blocks: Sequence[Block]) -> bool:
    """Return whether the mark is an element in the last block, one that may be the author's or
    stands below other blocks.
    """
    if not _is_last(mark, place):
        return False
    text = blocks[mark.block].text[-_LAST_CHARS:]
    is_below = bool(mark.text) and place.blocks[0] < mark.block
    return names_author(mark) or (is_below and mark.text in text and not tells_edit(text))


def _resolved(root: Place, blocks: Sequence[Block]) -> list[Place]:
    """Return the posts in a tree of places, one for the elements of one post."""
    order = [root]
    for one in order:
        order.extend(one.inner)
    done: dict[int, list[Place]] = {}
    for one in reversed(order):
        kids = [kid for inner in one.inner for kid in done.pop(inner.node)]
        done[one.node] = _with_kids(one, kids, blocks)
    return done[root.node]


def _with_kids(one: Place, kids: list[Place], blocks: Sequence[Block]) -> list[Place]:
    """Return the posts that an element is, or holds.

    ``kids``: the posts inside it, and the places inside it that lack an author and a date.
    """
    separate: list[Place] = []
    is_named = bool(one.ids) and not _is_complete(one, blocks)
    for kid in kids:
        is_text = is_named and not kid.ids and not kid.sure
        if is_text or one.ids & kid.ids or not _is_separate(kid, blocks):
            one.merge(kid)
            is_named = is_named and not is_text
        else:
            separate.append(kid)
    if len(separate) > 1 and _is_of_first(one, separate):
        one.merge(separate.pop(0))
    if separate and _is_around_thread(one, separate[0]):
        for kid in separate[1:]:
            kid.around = kid.around or separate[0].node
        return separate
    if not separate or _is_complete(one, blocks):
        one.blocks.sort()
        for kid in separate:
            kid.around = kid.around or one.node
        return [one, *separate]
    if len(separate) == 1:
        one.merge(separate[0])
        one.blocks.sort()
        return [one]
    return separate


def _is_of_first(one: Place, kids: Sequence[Place]) -> bool:
    """Return whether a place holds a post, first, and then others that are like the place."""
    first, *others = ((kid.mark.tag, kid.mark.names) for kid in kids if kid.mark)
    own = (one.mark.tag, one.mark.names) if one.mark else ("", "")
    return own != first and own in others


def _is_around_thread(one: Place, first: Place) -> bool:
    """Return whether a place holds a whole thread: its type is that of a question or a posting, and
    the first post in it is no answer and no comment.
    """
    return one.mark is not None and one.mark.type in _FIRST_TYPES and not first.sure


def _is_separate(kid: Place, blocks: Sequence[Block]) -> bool:
    """Return whether a place in another one is a post of its own, not its text with a mention."""
    author, date = any(map(names_author, kid.marks)), any(map(names_date, kid.marks))
    return _is_complete(kid, blocks) and ((author and date) or (kid.sure and (author or date)))


def _is_complete(place: Place, blocks: Sequence[Block]) -> bool:
    """Return whether the place has a text, and an author or a date."""
    written = [mark for mark in place.marks if names_author(mark) or names_date(mark)]
    texts = (blocks[i].text for i in text_blocks(place, blocks))
    return bool(written) and any(map(_LETTER.search, texts))
