"""Which asterisks of strong texts and emphasis can stand beside others in Markdown.

CommonMark reads asterisks that touch as one run, and so may end or begin another mark with it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from scrapy_boilernet.extractor.markup import (
    CODE,
    EMBED,
    EMPHASIS,
    FORMULA,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Span,
)

OUTER = EMBED << 1
"""The mark of emphasis that is written around a strong text."""
_STARS = OUTER | STRONG | EMPHASIS
RAISED = SUPERSCRIPT | SUBSCRIPT


def nested(spans: Sequence[Span], every: int) -> tuple[Sequence[Span], int]:
    """Return the spans and all of their marks, with emphasis and strong texts one in the other, and
    without marks that would give the asterisks beside them another meaning.
    """
    if not (every & STRONG and every & EMPHASIS):
        return spans, every
    marks = [span.marks & _STARS for span in spans]
    strong = {i: run for run in _runs(marks, STRONG) for i in range(*run)}
    for begin, end in _runs(marks, EMPHASIS):
        first, last = _uncrossed(strong, begin, end)
        for edge, crossing in ((first, range(begin, first)), (last, range(last, end))):
            for i in crossing if crossing and _touch(spans, edge) else ():
                marks[i] &= ~EMPHASIS
        inside = {strong.get(i) for i in range(first, last)}
        if any(run and begin <= run[0] and run[1] <= end for run in inside - {(first, last)}):
            marks[first:last] = [mark & STRONG | OUTER for mark in marks[first:last]]
    _separate(spans, marks)
    pairs = zip(spans, marks, strict=True)
    return [one._replace(marks=one.marks & ~_STARS | own) for one, own in pairs], every | OUTER


def _separate(spans: Sequence[Span], marks: list[int]) -> None:
    """Leave out marks whose asterisks, beside others, would end or begin another mark."""
    begin = end = 0
    for outer, group in groupby([*marks], _outermost):
        own = [*group]
        before, begin, end = begin, end, end + len(own)
        if outer and begin and marks[begin - 1] and _touch(spans, begin):
            after, first = (is_apart(edge(spans[begin - 1 + i], i - 1)) for i in (0, 1))
            if after and not first:
                marks[before:begin] = [0] * (begin - before)
            marks[begin:end] = [0 if first and not after else outer] * len(own)
        else:
            at = next((i for i in range(len(own)) if not spans[begin + i].text.isspace()), 0)
            left_out = False
            for i in range(at + 1, len(own) if own[at] != outer else 0):
                if own[i] != outer == own[i - 1]:
                    left_out = _touch(spans, begin + i)
                marks[begin + i] = outer if left_out else own[i]


def _outermost(marks: int) -> int:
    """Return which of the marks has its asterisks around the others."""
    return marks & OUTER or marks & STRONG or marks


def _uncrossed(strong: Mapping[int, tuple[int, int]], begin: int, end: int) -> tuple[int, int]:
    """Return where emphasis begins and ends without the strong runs that go on beside it.

    ``strong``: by the places of the spans, the run that each is in.
    """
    first, last = strong.get(begin, (begin, begin)), strong.get(end - 1, (end, end))
    if (first[0] < begin and first[1] >= end) or (last[1] > end and last[0] <= begin):
        return begin, end
    return first[1] if first[0] < begin else begin, last[0] if last[1] > end else end


def _touch(spans: Sequence[Span], i: int) -> bool:
    """Return whether no space is between a span and the one before it."""
    return not (edge(spans[i - 1], -1).isspace() or edge(spans[i], 0).isspace())


def _runs(marks: Sequence[int], mark: int) -> Iterator[tuple[int, int]]:
    """Yield where each run of spans with a mark begins and ends."""
    at = 0
    for on, group in groupby(marks, lambda one: one & mark):
        end = at + len([*group])
        if on:
            yield at, end
        at = end


def edge(span: Span, index: int) -> str:
    """Return the first or last character of a span as it is written."""
    char = span.text[index] if span.text else "!"
    if span.marks & FORMULA:
        return "$"
    if span.marks & RAISED and not char.isspace():
        return "<"
    return "`" if span.marks & CODE and not char.isspace() else char


def is_apart(char: str) -> bool:
    """Return whether the character is white space or punctuation."""
    return char.isspace() or unicodedata.category(char)[0] in "PS"
