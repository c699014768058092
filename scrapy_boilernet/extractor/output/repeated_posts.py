"""Finds the posts between dates or names that repeat in one template."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from scrapy_boilernet.extractor.decide.pooling import templates
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.output.post_places import MAX_LABEL_CHARS, Place, covered
from scrapy_boilernet.extractor.output.writers import date_of, names_author, names_date
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.extractor.posts import Thread, ThreadMark

MIN_POSTS = 2
"""The least posts of a thread that no type or address tells."""


def repeated_places(result: LabeledPage, thread: Thread) -> list[Place]:
    """Return the posts between dates that repeat in one template, the one with the most text."""
    page, blocks = result.page, result.page.blocks_without_xpaths
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for key, block in _anchors(blocks, thread, templates(page).tolist()):
        if not groups[key] or groups[key][-1] != block:
            groups[key].append(block)
    best: list[Place] = []
    best_score = 0.0
    for group in groups.values():
        if len(group) > 1:
            places = _between(group, blocks, thread.marks)
            has_text = sum(any(result.kept[i] for i in one.blocks) for one in places)
            score = covered(places, result) * has_text / (len(places) + 1)
            if len(places) >= MIN_POSTS and score > best_score:
                best, best_score = places, score
    return best


def _anchors(
    blocks: Sequence[Block], thread: Thread, template: Sequence[int]
) -> Iterator[tuple[tuple[str, int], int]]:
    """Yield the short blocks with a date or an author in document order, each with its group."""
    dated = {mark.block for mark in thread.marks if names_date(mark) and mark.date}
    written = {mark.block for mark in thread.marks if names_author(mark)}
    for i, block in enumerate(blocks):
        if len(block.text) <= MAX_LABEL_CHARS:
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
            of_block[mark.block].note(mark)
    return places
