"""Lists that Word writes as paragraphs with a mark: "Save as Web Page", its mails, and pasted text.

The mark is not read. For Markdown and HTML, the paragraph is an item of a list, of the level that
its style names, or its indent.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.patterns import lazy_pattern

ITEM = "item"
"""The role of an item, followed by its level, and by its number if it has one."""
_STYLED, _NAMED, _SPACE = "mso-list", "msolist", "font:7.0pt"
"""What the style or the class of an item has, and the style of the space after a mark."""
SIGNS = (_STYLED.encode(), _NAMED.encode(), _SPACE.encode())
_TAGS = frozenset(("p", "div"))
_STYLE = re.compile(r"mso-list\s*:\s*(?:([^\s;]{1,40})\s+)?level([0-9]{1,2})", re.IGNORECASE)
_IGNORED = re.compile(r"mso-list\s*:\s*ignore", re.IGNORECASE)
_CLASS = re.compile(
    r"(?:^|\s)MsoList(?:Paragraph(?:CxSp(?:First|Middle|Last))?|Bullet|Number)([0-9]?)(?!\S)",
    re.IGNORECASE,
)
_INDENT = re.compile(
    r"margin-left\s*:\s*([0-9]{0,4}(?:\.[0-9]{1,6})?)(in|cm|mm|pt|px)", re.IGNORECASE
)
_HANGING = re.compile(r"text-indent\s*:\s*-", re.IGNORECASE)
_POINTS = {"in": 72.0, "cm": 72 / 2.54, "mm": 7.2 / 2.54, "pt": 1.0, "px": 0.75}
_LEVEL_POINTS, _MAX_LEVEL = 36.0, 9
"""The indent of one level, half an inch, and the deepest level that Word has."""
_NUMBER = (
    r"(?:[0-9]{1,3}\.){0,8}(\d{1,4}|[^\W\d_]|[ivxlc]{2,7}|[IVXLC]{2,7}|[一二三四五六七八九十]{2,3})"
    r"[.)\]、．）]{1,2}"
)
_MARK = lazy_pattern(rf"\s*(?:[(\[（]?{_NUMBER}|(\d{{1,2}}|[①-⑳])|[^\s\w]{{1,2}}|[a-zØà-ÿ])\s*")
"""A bullet, which is a letter in some fonts, or the number of an item."""
_SPACED = re.compile(r"\s{2,}\Z")
_TEXT_MARK = lazy_pattern(rf"\s*(?:[^\s\w\"'(\[]|[oØ]|{_NUMBER})(?:\xa0\s+|\s+\xa0\s*)")
"""A mark that no element sets apart from its text."""
_FIRST, _BEFORE_I = frozenset("aAiIаАأ一①"), 8
"""Marks of first items, and the number of the item before one with the letter I."""
_MAX_CLASS_CHARS, _MAX_STYLE_CHARS, _MAX_ELEMENTS, _MAX_TEXTS = 1_000, 2_000, 8, 12


def may_have_word_lists(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such lists."""
    return not signs.isdisjoint(SIGNS)


def word_lists_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of the items, and of their marks: nothing."""
    spaces = (elements[i] for i in elements.naming("style", (_SPACE,), _MAX_STYLE_CHARS))
    places = {
        *elements.naming("style", (_STYLED,), _MAX_STYLE_CHARS),
        *elements.naming("class", (_NAMED,), _MAX_CLASS_CHARS),
        *elements.places({above for one in spaces for above in islice(one.iterancestors("p"), 1)}),
    }
    found: dict[etree._Element, Reading] = {}
    numbers: dict[tuple[str, int], int] = {}
    """The number of the last item by its list and level."""
    for place in sorted(places):
        paragraph = elements[place]
        known = _list_and_level(paragraph) if paragraph.tag in _TAGS else None
        if known is None:
            continue
        mark, own = _mark(paragraph), paragraph.text or ""
        is_text = mark is None and not len(paragraph)
        before = _TEXT_MARK.match(own) if is_text else None
        if mark is None and before is None:
            continue
        sign, text = (before[0], own[before.end() :]) if before else (_text(mark), "")
        number = _number(sign, numbers.get(known, 0))
        for other in [one for one in numbers if one[0] == known[0] and one[1] > known[1]]:
            del numbers[other]
        if number is not None:
            numbers[known] = number
        role = f"{ITEM} {known[1]}" if number is None else f"{ITEM} {known[1]} {number}"
        parent = paragraph.getparent()
        role = "" if parent is not None and parent.tag == "li" else role
        found[paragraph] = Reading(text or None, 0, str(paragraph.tag), "", role)
        if mark is not None:
            found[mark] = Reading("", 0, "span")
    return found


def _list_and_level(paragraph: etree._Element) -> tuple[str, int] | None:
    """Return the name of a paragraph's list, perhaps "", and its level; None if it is no item."""
    style = (paragraph.get("style") or "")[:_MAX_STYLE_CHARS]
    if stated := _STYLE.search(style):
        return stated[1] or "", min(max(int(stated[2]), 1), _MAX_LEVEL)
    named = _CLASS.search((paragraph.get("class") or "")[:_MAX_CLASS_CHARS])
    if named is None and not (_HANGING.search(style) and _has_space(paragraph)):
        return None
    if named and named[1]:
        return "", int(named[1]) or 1
    indent = _INDENT.search(style)
    points = float(indent[1] or 0) * _POINTS[indent[2].lower()] if indent else 0.0
    return "", min(max(int(points / _LEVEL_POINTS + 0.5), 1), _MAX_LEVEL)


def _has_space(paragraph: etree._Element) -> bool:
    """Return whether a paragraph has the space after a mark, as Word writes it for old browsers."""
    inside = islice(paragraph.iter(etree.Element), 1, _MAX_ELEMENTS)
    return any(_SPACE in (one.get("style") or "")[:_MAX_STYLE_CHARS].lower() for one in inside)


def _mark(paragraph: etree._Element) -> etree._Element | None:
    """Return the element of the mark at the beginning of a paragraph; None without one."""
    before = paragraph.text or ""
    for element in islice(paragraph.iter(etree.Element), 1, _MAX_ELEMENTS):
        if before.strip():
            return None
        is_ignored = _IGNORED.search((element.get("style") or "")[:_MAX_STYLE_CHARS])
        text = _text(element)
        if is_ignored or (_SPACED.search(text) and _MARK.fullmatch(text)):
            return element
        before = element.text or ""
        if not len(element):
            before += element.tail or ""
    return None


def _number(mark: str, before: int) -> int | None:
    """Return the number that a mark writes; None for a bullet.

    ``before``: the number of the item before it. Letters, and Roman numbers, count on from it.
    """
    match = _MARK.fullmatch(mark)
    sign = (match[1] or match[2]) if match else None
    if not sign:
        return None
    if sign.isdecimal():
        return int(sign)
    return 1 if sign in _FIRST and not (sign in "iI" and before == _BEFORE_I) else before + 1


def _text(element: etree._Element | None) -> str:
    return "".join(map(str, islice(() if element is None else element.itertext(), _MAX_TEXTS)))
