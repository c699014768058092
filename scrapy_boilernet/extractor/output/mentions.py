"""Tells the names and dates of a post's author from those in its text and those of its editors."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from scrapy_boilernet.extractor.output.writers import (
    edits_in,
    is_dated,
    names_author,
    tells_edit,
    without_label,
)
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.extractor.posts import ThreadMark

_NEAR_DATE, _NEAR_NEXT, _LABEL_CHARS = 2, 8, 20
"""Blocks between a date and the name below it, and between the signatures of a post; characters of
words before a name."""


def without_mentions(
    marks: Sequence[ThreadMark], texts: Collection[int], blocks: Sequence[Block]
) -> list[ThreadMark]:
    """Return the marks without the names and dates in the text of a post, but for one at its start.

    ``texts``: the indexes of the text's blocks; ``blocks``: all blocks of the page.
    """
    return [
        mark
        for mark in marks
        if mark.block not in texts
        or not mark.text
        or mark.node in blocks[mark.block].nodes
        or _is_at_start(mark, blocks[mark.block].text)
    ]


def _is_at_start(mark: ThreadMark, text: str) -> bool:
    if mark.text[0] == "@":
        return False
    begin = text[: len(mark.text) + _LABEL_CHARS]
    return begin.startswith(mark.text) or without_label(begin).startswith(mark.text)


class _Signature(NamedTuple):
    """A date in a post, and the names below it."""

    is_edit: bool
    block: int
    names: list[ThreadMark]


def without_editors(marks: Sequence[ThreadMark], blocks: Sequence[Block]) -> list[ThreadMark]:
    """Return the marks without the names of those who changed a post, which stand below the date of
    the change, if a date and a name of the author follow.
    """
    edits, editors = edits_in(marks, blocks), set[int]()
    signatures: list[_Signature] = []
    for mark in marks:
        if is_dated(mark):
            is_edit = mark.node in edits or tells_edit(mark.text)
            if not (signatures and _is_same(signatures[-1], mark, is_edit)):
                signatures.append(_Signature(is_edit, mark.block, []))
        elif names_author(mark) and signatures:
            last = signatures[-1]
            if mark.block - last.block <= _NEAR_DATE and not tells_edit(mark.text):
                last.names.append(mark)
    for one, after in pairwise(signatures):
        is_followed = after.names and after.block - one.block <= _NEAR_NEXT
        if one.is_edit and not after.is_edit and is_followed:
            editors.update(mark.node for mark in one.names)
    return [
        mark
        for mark in marks
        if mark.node not in editors
        and not (editors and names_author(mark) and tells_edit(mark.text))
    ]


def _is_same(one: _Signature, mark: ThreadMark, is_edit: bool) -> bool:
    """Return whether a date is the one that the signature begins with, in another element."""
    return one.is_edit == is_edit and one.block == mark.block
