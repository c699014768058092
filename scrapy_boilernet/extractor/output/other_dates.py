"""Tells the dates of a change, and those of other things than the page, by what stands around."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from scrapy_boilernet.extractor.metadata import Mark
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.extractor.posts import ThreadMark

_Mark = TypeVar("_Mark", Mark, ThreadMark)

_MAX_BEFORE_CHARS, _MAX_ENDS = 80, 12
"""Characters of a text before a date that are read; ends of dates in a block that are known."""
_OTHER = re.compile(
    r"\A(?:from|until|till|starts?|starting|begins?|beginning|valid|deadline|due|apply by|closes|"
    r"ab|bis|beginn|start|gültig|frist|einsendeschluss|à partir du|jusqu['’]au|dès le|"
    r"desde|hasta|a partir d[ei]l?|dal|fino al|entro il|vanaf|tot|från|fra|til|od|с|до)"
    r"\s?:?\s(?:(?:on|from|the|am|zum|vom|le|el|il)\s)?(?:[^\W\d]{2,10}\.?,?\s)?\d|"
    r"\A(?:generated|built|compiled|printed|rendered|generiert|erzeugt|généré|generado)\b",
    re.IGNORECASE,
)
"""The beginning of a text that states a period, or when a program wrote the page."""
_HOURS = re.compile(
    r"(?<!\d)\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]\.?m\.?|uhr)?\s?(?:[–—-]|to|bis|à|until)\s?"
    r"\d{1,2}(?:[:.h]\d\d\b|\s?[ap]\.?m\b|\s?uhr\b)",
    re.IGNORECASE,
)
"""The hours from which to which something lasts, such as an event."""
_NEAR, _LEAST_CELLS, _MAX_BETWEEN, _LONG_CHARS = 4, 3, 40, 80
"""Blocks with dates before and behind one that may be in its column; the least cells of a row, as
two are a name and a value; blocks between two such; and the characters of a long text."""
_CELLS = frozenset({"td", "th"})


def is_of_other(text: str) -> bool:
    """Return whether the date in a short text is that of an event, a period or a program's run.

    >>> is_of_other("Saturday, 6 July 2024, 10:00–18:00"), is_of_other("From 1 May 2024")
    (True, True)
    >>> is_of_other("6 July 2024, 10:00")
    False
    """
    return bool(_OTHER.search(text) or _HOURS.search(text))


def texts_before(marks: Iterable[_Mark], blocks: Sequence[Block]) -> Iterator[tuple[_Mark, str]]:
    """Yield each mark with the text of its block between the mark before it and its own text.

    ``marks``: of dates, in document order.
    """
    place, start, before, last, ends = -1, 0, "", ("", ""), deque([0], _MAX_ENDS)
    for mark in marks:
        if mark.block != place:
            place, start, before, last, ends = mark.block, 0, "", ("", ""), deque([0], _MAX_ENDS)
        text = blocks[place].text if place < len(blocks) else ""
        at = text.find(mark.text, start) if mark.text else -1
        value = mark.date if isinstance(mark, ThreadMark) else mark.value
        if at >= 0 and mark.text == last[0] and value and last[1] not in ("", value):
            at = max(at, text.find(mark.text, at + 1))  # another date that is shown alike
        last = mark.text, value
        if at >= 0:  # a mark around it ends behind it
            start = at
            begin = max((end for end in ends if end <= at), default=0)
            before = text[max(begin, at - _MAX_BEFORE_CHARS) : at]
            ends.append(at + len(mark.text))
        yield mark, before


def is_quoted(block: Block, headline: Block) -> bool:
    """Return whether the block is in a quote, such as a post of another site, in which the page's
    headline is not.
    """
    quotes = (n for tag, n in zip(block.tags, block.nodes, strict=True) if tag == "blockquote")
    return any(node not in headline.nodes for node in quotes)


def is_in_column(
    index: int, dated: Sequence[int], blocks: Sequence[Block], headline: Block
) -> bool:
    """Return whether the block is one of several cells with dates of a table, such as a list of
    files, in which the page's headline is not. Between those of a thread are long texts.

    ``dated``: the indexes of blocks that may have dates.
    """
    block = blocks[index]
    if _CELLS.isdisjoint(block.tags) or "table" not in block.tags:
        return False
    table = block.nodes[len(block.tags) - 1 - block.tags[::-1].index("table")]
    if table in headline.nodes:
        return False
    place = bisect_left(dated, index)
    near = (*dated[max(place - _NEAR, 0) : place], *dated[place + 1 : place + 1 + _NEAR])
    return any(
        abs(index - other) >= _LEAST_CELLS
        and table in blocks[other].nodes
        and (blocks[other].tags, blocks[other].class_words) == (block.tags, block.class_words)
        and not any(
            len(one.text) >= _LONG_CHARS
            for one in blocks[min(index, other) : max(index, other)][:_MAX_BETWEEN]
        )
        for other in near
    )
