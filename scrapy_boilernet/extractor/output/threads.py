"""Finds the posts of a thread: which blocks and marks belong to which post.

Posts are elements that their names, ids or types call posts, answers or comments. On pages of
forums whose posts have no such elements, dates that repeat in one template tell where posts begin.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_boilernet.extractor.decide.pooling import templates
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.output.page_kind import declared_kind, page_kind
from scrapy_boilernet.extractor.output.post_names import post_strength
from scrapy_boilernet.extractor.output.writers import date_of, names_author, names_date
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.extractor.posts import Thread, ThreadMark

_ELSEWHERE = re.compile(r"\b(?:recent|latest|popular|widget|sidebar|related)\b")
_NEAR_LEVELS = 3
"""Elements around a post in which ``_ELSEWHERE`` is searched."""
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"\w")
_MAX_LABEL_CHARS, _LABEL_SHARE = 150, 0.4
"""The most characters of a block with a name or a date, and the least share of it that they are."""
_RE = re.compile(r"\A(?:(?:re|aw|sv|antw|odp|ответ)\s?:\s*)+", re.IGNORECASE)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_TITLE_CHARS, _NEAR_MARKS = 10, 6
"""The least characters of the title of a teaser, and how many marks above a post are its own."""
_MIN_POSTS, _MANY_POSTS, _MOSTLY = 2, 5, 0.6
"""The least posts of a thread that no type or address tells, of one that no name tells either, and
their share of its text."""
_MIN_COVERED, _BETTER = 0.4, 0.1
"""The least share of the kept text of a forum's page that is in posts between dates, and by how
much it must be more than that in elements with the names of posts."""


@dataclass
class Place:
    """The place of a post on its page."""

    node: int
    """The number of its element; 0 if it has none of its own."""
    mark: ThreadMark | None = None
    """The mark of its element."""
    blocks: list[int] = field(default_factory=list)
    """Indexes of its blocks, in document order, without those of posts inside it."""
    marks: list[ThreadMark] = field(default_factory=list)
    """The marks inside it, likewise."""
    inner: list[Place] = field(default_factory=list)
    """The posts inside it, in document order."""
    sure: bool = False
    """Whether its names alone say that it is a post."""
    around: int = 0
    """The number of the element of the post that it is in; 0 if it is in none."""
    anchor: int = -1
    """The block with the date or the author by which it was found; -1 if there is none."""
    labels: dict[int, set[str]] = field(default_factory=dict)
    """The texts of the marks of authors and dates in it, by the indexes of their blocks."""
    ids: set[str] = field(default_factory=set)
    """The ids of its elements, without their words."""


class Found(NamedTuple):
    """The places of a page's posts, in document order."""

    places: list[Place]
    """[] if the page is no thread and has no comments."""
    forum: bool
    """Whether the page is a thread; else the posts are comments of readers."""


def find_places(result: LabeledPage, thread: Thread) -> Found:
    """Return the places of the page's posts.

    On other pages than those of forums and questions, only the comments of readers are posts.
    """
    page, blocks = result.page, result.page.blocks_without_xpaths
    forum = declared_kind(page) == "forum" or page_kind(page) == "forum" or _states_forum(thread)
    places = _named_places(blocks, thread.marks, likely=True)
    if not forum and not _is_thread(places, result, names_date):
        repeated = _repeated_places(result, thread)
        if len(repeated) >= _MANY_POSTS and _is_thread(repeated, result, names_author):
            return Found(repeated, True)
        sure = _named_places(blocks, thread.marks, likely=False)
        own = [one for one in sure if _is_written(one) and not _is_elsewhere(one, blocks)]
        is_page = len(own) <= _MIN_POSTS and _covered(own, result) > _MOSTLY
        return Found([] if is_page else own, False)
    covered = _covered(places, result)
    repeated = _repeated_places(result, thread) if covered < _MOSTLY else []
    if _covered(repeated, result) > max(covered + _BETTER, _MIN_COVERED):
        return Found([] if _are_rows(repeated, blocks) else repeated, True)
    places = _with_marks_above(places, blocks, thread.marks)
    written = [*filter(_is_written, places)]
    places = written if 2 * len(written) > len(places) else places
    return Found([] if _are_rows(places, blocks) else places, True)


def _is_written(place: Place) -> bool:
    """Return whether the place may have an author or a date."""
    return any(names_author(mark) or names_date(mark) for mark in place.marks)


def _are_rows(places: Sequence[Place], blocks: Sequence[Block]) -> bool:
    """Return whether most of the places are rows of a list of threads: a link to each."""
    rows = 0
    for one in places:
        linked, plain = 0, 0
        for i in one.blocks:
            size = len(blocks[i].text) - blocks[i].link_chars
            linked = max(linked, blocks[i].link_chars if i not in one.labels else 0)
            plain = max(plain, size if _LETTERS.search(blocks[i].text) else 0)
        rows += linked >= _TITLE_CHARS and linked > plain
    return 2 * rows > len(places)


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
    if len(written) < _MIN_POSTS or _covered(written, result) < _MOSTLY:
        return False
    if _are_rows(written, blocks):
        return False
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
    for is_kind in (names_author, names_date):
        lacking = [one for one in places if not any(map(is_kind, one.marks))]
        if 2 * len(lacking) <= len(places):
            continue
        wanted = [mark for mark in marks if is_kind(mark)]
        numbers = [mark.node for mark in wanted]
        end = 0
        for one in places:
            last = bisect_left(numbers, one.node)
            first = max(bisect_right(numbers, end), last - _NEAR_MARKS)
            if one in lacking:
                one.marks[:0] = wanted[first:last]
            end = max([end, *(blocks[i].nodes[-1] for i in one.blocks)])
    return places


def _states_forum(thread: Thread) -> bool:
    return any({"discussionforumposting", "question"} & {one.type} for one in thread.marks)


def _covered(places: Sequence[Place], result: LabeledPage) -> float:
    """Return the share of the kept text that is in the places."""
    words, kept = result.page.words, result.kept
    inside = sum(words[i] for one in places for i in one.blocks if kept[i])
    return float(inside / max(sum(words[i] for i in range(len(kept)) if kept[i]), 1e-9))


def _is_elsewhere(place: Place, blocks: Sequence[Block]) -> bool:
    """Return whether the post is in a box of comments on other pages."""
    block = blocks[place.blocks[0]]
    depth = block.nodes.index(place.node)
    near = block.class_words[max(0, depth - _NEAR_LEVELS) : depth]
    return "aside" in block.tags[:depth] or any(map(_ELSEWHERE.search, near))


def _named_places(
    blocks: Sequence[Block], marks: Sequence[ThreadMark], likely: bool
) -> list[Place]:
    """Return the posts that are elements with the names, ids or types of posts."""
    named = {mark.node: (mark, found) for mark in marks if (found := post_strength(mark, likely))}
    places: dict[int, Place] = {}
    ends: dict[int, int] = {}
    roots: list[Place] = []
    for i, block in enumerate(blocks):
        around: Place | None = None
        for node in block.nodes:
            if node not in named:
                continue
            if node not in places:
                mark, found = named[node]
                ids = set(_DIGITS.findall(mark.id)[-1:])
                places[node] = Place(node, mark, sure=found > 1, ids=ids)
                (around.inner if around else roots).append(places[node])
            around = places[node]
            ends[node] = max(ends.get(node, 0), block.nodes[-1])
        if around:
            around.blocks.append(i)
    _assign(marks, places, ends)
    found_places = [one for root in roots for one in _resolved(root, blocks)]
    return sorted(found_places, key=lambda one: one.node)


def _assign(
    marks: Sequence[ThreadMark], places: Mapping[int, Place], ends: Mapping[int, int]
) -> None:
    """Give each mark to the innermost place that it is in, or to which it belongs."""
    around: list[Place] = []
    for mark in marks:
        while around and ends[around[-1].node] < mark.node:
            around.pop()
        if mark.node in places:
            around.append(places[mark.node])
        if around:
            _note(around[-1], mark)


def _note(place: Place, mark: ThreadMark) -> None:
    """Add a mark to the marks of a place."""
    place.marks.append(mark)
    if mark.text and (names_author(mark) or names_date(mark)):
        place.labels.setdefault(mark.block, set()).add(mark.text)


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
    separate = []
    for kid in kids:
        if one.ids & kid.ids or not _is_separate(kid, blocks):
            _merge(one, kid)
        else:
            separate.append(kid)
    if not separate or _is_complete(one, blocks):
        one.blocks.sort()
        for kid in separate:
            kid.around = kid.around or one.node
        return [one, *separate]
    if len(separate) == 1:
        _merge(one, separate[0])
        one.blocks.sort()
        return [one]
    return separate


def _is_separate(kid: Place, blocks: Sequence[Block]) -> bool:
    """Return whether a place in another one is a post of its own, not its text with a mention."""
    author, date = any(map(names_author, kid.marks)), any(map(names_date, kid.marks))
    return _is_complete(kid, blocks) and ((author and date) or (kid.sure and (author or date)))


def _merge(one: Place, kid: Place) -> None:
    one.blocks += kid.blocks
    one.marks += kid.marks
    one.ids |= kid.ids
    for block, texts in kid.labels.items():
        one.labels.setdefault(block, set()).update(texts)
    one.sure = one.sure or kid.sure


def _is_complete(place: Place, blocks: Sequence[Block]) -> bool:
    """Return whether the place has a text, and an author or a date."""
    written = [mark for mark in place.marks if names_author(mark) or names_date(mark)]
    return bool(written) and bool(text_blocks(place, blocks))


def text_blocks(place: Place, blocks: Sequence[Block]) -> list[int]:
    """Return the blocks of the place that are more than a name, a date or links."""
    return [
        i
        for i in place.blocks
        if i != place.anchor
        and blocks[i].link_chars < len(blocks[i].text)
        and _LETTERS.search(blocks[i].text)
        and not _is_label(blocks[i].text, place.labels.get(i, ()))
    ]


def _is_label(text: str, named: Collection[str]) -> bool:
    """Return whether the text of a block is that of names and dates, not one that mentions them.

    ``named``: the texts of the elements in it that may be names or dates.
    """
    if not named or len(text) > _MAX_LABEL_CHARS:
        return False
    return sum(map(len, named)) >= _LABEL_SHARE * len(text) or bool(date_of(text, ""))


def _repeated_places(result: LabeledPage, thread: Thread) -> list[Place]:
    """Return the posts between dates that repeat in one template, the one with the most text."""
    page, blocks = result.page, result.page.blocks_without_xpaths
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for group, block in _anchors(blocks, thread, templates(page).tolist()):
        if not groups[group] or groups[group][-1] != block:
            groups[group].append(block)
    best: list[Place] = []
    best_score = 0.0
    for group in groups.values():
        if len(group) > 1:
            places = _between(group, blocks, thread.marks)
            has_text = sum(any(result.kept[i] for i in one.blocks) for one in places)
            score = _covered(places, result) * has_text / (len(places) + 1)
            if score > best_score:
                best, best_score = places, score
    return best


def _anchors(
    blocks: Sequence[Block], thread: Thread, template: Sequence[int]
) -> Iterator[tuple[tuple[str, int], int]]:
    """Yield the short blocks with a date or an author in document order, each with its group."""
    dated = {mark.block for mark in thread.marks if names_date(mark) and mark.date}
    written = {mark.block for mark in thread.marks if names_author(mark)}
    for i, block in enumerate(blocks):
        if len(block.text) <= _MAX_LABEL_CHARS:
            if i in dated or date_of(block.text, thread.language):
                yield ("date", template[i]), i
            if i in written:
                yield ("author", template[i]), i


def _between(
    group: Sequence[int], blocks: Sequence[Block], marks: Sequence[ThreadMark]
) -> list[Place]:
    """Return a place per date of a group: the children of the elements around the dates."""
    starts: dict[int, int] = {}
    stops: dict[int, int] = {}
    waiting = [(0, [*group])]
    while waiting:
        depth, inside = waiting.pop()
        around = [blocks[i].nodes for i in inside]
        shortest = min(map(len, around))
        while depth < shortest and len({nodes[depth] for nodes in around}) == 1:
            depth += 1
        container = around[0][depth - 1] if depth else 0
        children: dict[int, list[int]] = {}
        for i, nodes in zip(inside, around, strict=True):
            children.setdefault(nodes[depth] if depth < len(nodes) else -i, []).append(i)
        firsts = []
        for child, own in children.items():
            start = own[0]
            while start and child > 0 and child in blocks[start - 1].nodes:
                start -= 1
            firsts.append(start)
            starts[own[0]] = start
            if len(own) > 1 and len(children) > 1:
                waiting.append((depth, own))
        end = inside[-1] + 1
        while end < len(blocks) and container in blocks[end].nodes:
            end += 1
        for own, stop in zip(children.values(), (*firsts[1:], end), strict=True):
            stops[own[-1]] = stop
    begins = sorted(starts.values())
    bounds = [(begin, after) for begin, after in zip(begins, [*begins[1:], -1], strict=True)]
    last = max(stops.values())
    anchors = [anchor for _, anchor in sorted((begin, i) for i, begin in starts.items())]
    places = [
        Place(0, blocks=[*range(begin, after if after >= 0 else last)], anchor=anchor)
        for (begin, after), anchor in zip(bounds, anchors, strict=True)
    ]
    return _with_marks([one for one in places if one.blocks], marks)


def _with_marks(places: list[Place], marks: Sequence[ThreadMark]) -> list[Place]:
    of_block = {i: one for one in places for i in one.blocks}
    for mark in marks:
        if mark.block in of_block:
            _note(of_block[mark.block], mark)
    return places
