"""The text of ``<pre>``, with its lines and indents."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any

from lxml import etree

from scrapy_boilernet.extractor.html.paths import class_words_of
from scrapy_boilernet.extractor.html.raised import MARK_TAGS, Mark, Part, as_plain_text, mark_inside

_SHADOW_ROOTS = ("shadowrootmode", "shadowroot")
"""Attributes of a ``<template>`` that browsers show; the second is the older name."""
_MAX_LINES, _MAX_LINE_TEXTS = 100, 1000
_LINE_TAGS = ("div", "li")
"""Elements that are lines of code, also empty ones."""
TOKEN_TAGS = ("data-lsp", "data-err", "data-highlight")
"""Elements in which TypeScript's Twoslash writes a word of a line."""
_SPACE_BEHIND = re.compile(r"\A\xa0(?!\xa0)")
"""What stands between the number of a line and its code, as Doxygen writes it."""
_MARKER, _CHANGED = (
    "data-code-marker",
    re.compile(
        r"(?:^|\s)(?:blob-code-marker-|diff )(?:(addition|add)|(deletion|remove)|context)(?!\S)"
    ),
)
"""An attribute with the sign of a changed line, and classes that a style sheet gives a sign, of
GitHub and of Shiki."""
_HAS_CHANGES, _CODE_LINE = "has-diff", "line"
"""Classes of Shiki's ``<pre>`` with changes, and of its lines."""
_HIGHLIGHTED_LINE = "gatsby-highlight-code-line"
_LINE_CLASS = re.compile(
    r"(?:^|\s|__|(?:^|[\s_-])(?:code|token|highlight|highlighted|view|source|grvsc)[_-])line(?!\S)"
)
_BLOCK_STYLE = re.compile(r"(?:^|[\s;])display:\s*block\s*(?:;|\Z)")
"""The class by which Gatsby makes a highlighted line a box of its own, how classes of lines of code
end, and a style that makes a line a box."""
_may_be_lines = etree.XPath(
    "(self::*|code)/span[contains(@class, 'line') or contains(@style, 'block')]",
    smart_strings=False,
)
_LINE_END = re.compile(r"\r\n?|[\n\x0b\x0c]")


def is_shadow_root(element: etree._Element, tag: str) -> bool:
    """Return whether the element is a ``<template>`` that browsers show as a shadow tree."""
    return tag == "template" and any(element.get(name) is not None for name in _SHADOW_ROOTS)


def lines_of(pre: etree._Element) -> list[etree._Element]:
    """Return the elements in a ``<pre>`` that are lines of their own, without line ends between
    them; [] if there are none.

    Medium writes them as ``<span id="…">`` alone; others have a class of lines, or a style.
    """
    found: Any = _may_be_lines(pre)
    if found and (beside := _lines_beside(found)):
        return beside
    lines = [*islice(pre, _MAX_LINES + 1)]
    if not 1 < len(lines) <= _MAX_LINES or pre.text:
        return []
    are_lines = all(one.tag == "span" and one.get("id") and not one.tail for one in lines)
    return lines if are_lines else []


def _lines_beside(spans: Sequence[etree._Element]) -> list[etree._Element]:
    """Return those of the elements that are lines, if a line end is missing behind one."""
    boxes = {one for one in spans if _is_box(one)}
    named = {one for one in spans if _LINE_CLASS.search(one.get("class") or "")}
    beside = (one for one in named if not one.tail and one.getnext() in named)
    is_missing = any(map(_is_glued, boxes)) or any(map(_is_glued, beside))
    return [one for one in spans if one in boxes or one in named] if is_missing else []


def _is_box(element: etree._Element) -> bool:
    classes, style = element.get("class") or "", element.get("style") or ""
    return _HIGHLIGHTED_LINE in classes.split() or _BLOCK_STYLE.search(style) is not None


def _is_glued(element: etree._Element) -> bool:
    """Return whether something follows an element without a line end between them."""
    behind, following = element.tail or "", next(element.itersiblings(etree.Element), None)
    if not behind and (following is None or following.tag != "span"):
        return False
    if not behind and following is not None:
        behind = _text(following)
    return not (_has_line_end(element) or behind.startswith("\n"))


def _has_line_end(element: etree._Element) -> bool:
    return next(element.iter("br"), None) is not None or _text(element).endswith("\n")


def _text(element: etree._Element) -> str:
    return "".join(map(str, islice(element.itertext(), _MAX_LINE_TEXTS)))


def may_have_changes(pre: etree._Element) -> bool:
    """Return whether lines of code may have signs that a style sheet writes."""
    return pre.tag == "table" or _HAS_CHANGES in (pre.get("class") or "").split()


def sign_of(element: etree._Element, in_table: bool) -> str:
    """Return the sign of an element that is a line of changed code: "+", "-" or " "; "" for others.

    ``in_table``: whether the code is a table.
    """
    classes = element.get("class") or ""
    marker, match = element.get(_MARKER), _CHANGED.search(classes)
    if marker:
        return marker[0]
    if match:
        return "+" if match[1] else "-" if match[2] else " "
    return " " if not in_table and _CODE_LINE in classes.split() else ""


def raw_texts(
    pre: etree._Element,
    seamless: AbstractSet[Any],
    skipped: AbstractSet[str],
    hides: Callable[[etree._Element], bool] | None,
) -> list[str]:
    """Return the texts of the blocks in a ``<pre>``, in order, to be joined by line ends.

    A block ends at elements that are not ``seamless``, and at :func:`lines_of`; ``skipped``
    elements, and those that ``hides`` is true for, have no text. Lines are separated by line feeds.
    A blank line that a ``<br>``, an empty row or an empty line in an element of its own makes is at
    the beginning of the text that follows. The first line end behind a line that is no box is its
    own, and makes no blank line.
    """
    lines = {*lines_of(pre)}
    open_lines = {one for one in lines if not (_is_box(one) or _has_line_end(one))}
    found = _Texts(keeps_blank_lines=bool(lines))
    has_signs, in_table = may_have_changes(pre), pre.tag == "table"
    parts = found.parts
    around: list[tuple[Mark | None, int]] = [(None, 0)]  # of the open elements: mark, link
    before: list[int] = []  # of the open elements: what was found before; -1 for skipped ones
    walker = etree.iterwalk(pre, events=("start", "end", "comment", "pi"))
    for number, (event, element) in enumerate(walker, 1):
        tag: Any = element.tag
        is_inline = tag in seamless or tag in TOKEN_TAGS
        ends = not is_inline or element is pre or (lines and element in lines)
        if ends:
            found.end_block(event, tag)
        if event == "start":
            around.append(_inside(element, number, None if ends else around[-1][0], around[-1][1]))
            is_skipped = element is not pre and _is_left_out(element, skipped, hides)
            before.append(-1 if is_skipped else found.count)
            if is_skipped:
                walker.skip_subtree()
            else:
                sign = sign_of(element, in_table) if has_signs else ""
                parts.append((f"{sign}{element.text or ''}", *around[-1]))
            continue
        count = before.pop() if event == "end" else 0
        if event == "end":
            around.pop()
            if ends and count == found.count and (element in lines or _is_line(element)):
                found.add_blank_lines(1)
            found.is_line_open |= count >= 0 and element in open_lines
        tail = element.tail or ""
        parts.append((tail if count >= 0 else _SPACE_BEHIND.sub("", tail), *around[-1]))
    return found.texts


def _is_left_out(
    element: etree._Element,
    skipped: AbstractSet[str],
    hides: Callable[[etree._Element], bool] | None,
) -> bool:
    tag: Any = element.tag
    is_skipped = tag in skipped and not is_shadow_root(element, tag)
    return is_skipped or (hides is not None and hides(element))


def _is_line(element: etree._Element) -> bool:
    """Return whether an element is a line behind another one, by its tag and class."""
    previous = next(element.itersiblings(etree.Element, preceding=True), None)
    if element.tag not in _LINE_TAGS or previous is None or previous.tag != element.tag:
        return False
    classes, others = ((one.get("class") or "").split()[:1] for one in (element, previous))
    return classes == others


class _Texts:
    """The texts of the blocks that have ended, and the parts of the one that has not."""

    def __init__(self, *, keeps_blank_lines: bool) -> None:
        self.texts: list[str] = []
        self.parts: list[Part] = []
        self.count = 0  # of texts and blank lines
        self.is_line_open = False  # whether the line that has ended lacks its line end
        self._blank, self._before_row = 0, 0
        self._keeps_blank_lines = keeps_blank_lines

    def add_blank_lines(self, number: int) -> None:
        """Add as many blank lines before the text that follows; none below zero."""
        self._blank += max(0, number)
        self.count += max(0, number)

    def end_block(self, event: str, tag: Any) -> None:
        """Add the text of the parts, if any; a ``<br>`` or an empty row is a blank line."""
        text, own = _joined(self.parts), int(self.is_line_open)
        self.parts.clear()
        self.is_line_open = False
        if text and not text.isspace():
            before, behind = _blank_lines(text) if self._keeps_blank_lines else (0, 0)
            self.add_blank_lines(before - own)
            self.texts.append(("\n" * self._blank if self.texts else "") + _lines(text))
            self._blank = behind
            self.count += 1
        else:
            feeds = text.count("\n") if self._keeps_blank_lines else 0
            self.add_blank_lines(feeds + ((event, tag) == ("start", "br")) - own)
        if tag == "tr":
            self._end_row(event)

    def _end_row(self, event: str) -> None:
        if event == "end" and len(self.texts) == self._before_row:
            self.add_blank_lines(1)
        self._before_row = len(self.texts)


def _inside(
    element: etree._Element, number: int, mark: Mark | None, link: int
) -> tuple[Mark | None, int]:
    """Return the mark and the link of the texts of an element, by those around it."""
    if element.tag in MARK_TAGS:
        mark = mark_inside(mark, element.tag, class_words_of(element))
    return mark, number if element.tag == "a" else link


def _joined(parts: list[Part]) -> str:
    text = "".join([text for text, _, _ in parts])
    if text.isspace() or not any(mark for _, mark, _ in parts):
        return text
    return "".join(as_plain_text([part for part in parts if part[0]]))


def _blank_lines(text: str) -> tuple[int, int]:
    """Return the numbers of blank lines at the beginning and at the end of a text."""
    before = text[: len(text) - len(text.lstrip())].count("\n")
    behind = text[len(text.rstrip()) :].count("\n")
    return before, max(0, behind - 1)


def _lines(text: str) -> str:
    """Return the text without white space at line ends, and without blank lines at either end.

    Editors write no-break spaces, and browsers copy them as spaces.
    """
    lines = [line.rstrip() for line in _LINE_END.split(text.replace("\xa0", " "))]
    first = next(i for i, line in enumerate(lines) if line)
    return "\n".join(lines[first:]).rstrip()
