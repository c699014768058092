"""Footnotes in a document: their places, and their labels where two joined pages have the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count

from scrapy_boilernet.extractor.markup import NOTE
from scrapy_boilernet.extractor.output.parts import Line, Part


def with_notes_last(parts: Iterable[Part], nodes: Collection[int]) -> list[Part]:
    """Return the parts; the notes of the elements of these numbers come last."""
    found = [*parts]
    is_last = [part.within[:1] != () and part.within[0].node in nodes for part in found]
    places = [*range(len(found))]
    return [found[place] for place in sorted(places, key=is_last.__getitem__)]


def labels_of(parts: Sequence[Part]) -> set[str]:
    """Return the labels of the notes, and of the marks that link to them."""
    return {*_labels(parts)}


def with_labels(parts: Sequence[Part], used: Collection[str]) -> list[Part]:
    """Return the parts with other labels, if one of theirs is among those used.

    All numbers change then, in their order; of other labels, only those used.
    """
    own = [*dict.fromkeys(_labels(parts))]
    if not any(label in used for label in own):
        return [*parts]
    free = (str(n) for n in count(1) if str(n) not in used)
    changes = {label: next(free) for label in own if label.isdecimal() or label in used}
    return [_changed(part, changes) for part in parts]


def _labels(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        yield from (one.label for one in part.within if one.kind == "note")
        for line in _lines(part):
            yield from (_label(span.text) for span in line if span.marks & NOTE)


def _lines(part: Part) -> Iterator[Line]:
    yield from part.lines
    for row in part.rows:
        for cell in row:
            yield from cell


def _label(text: str) -> str:
    return text.strip()[1:-1]


def _changed(part: Part, changes: Mapping[str, str]) -> Part:
    within = tuple(
        one._replace(label=changes.get(one.label, one.label)) if one.kind == "note" else one
        for one in part.within
    )
    lines = tuple(_changed_line(line, changes) for line in part.lines)
    rows = tuple(
        tuple(tuple(_changed_line(line, changes) for line in cell) for cell in row)
        for row in part.rows
    )
    return part._replace(within=within, lines=lines, rows=rows)


def _changed_line(line: Line, changes: Mapping[str, str]) -> Line:
    if not any(span.marks & NOTE for span in line):
        return line
    return tuple(
        span._replace(text=span.text.replace(label, changes.get(label, label), 1))
        if span.marks & NOTE and (label := _label(span.text))
        else span
        for span in line
    )
