"""Equations in several lines: TeX that ``<br>`` cuts, and rows of equations that LaTeXML writes as
cells of a table; links beside the numbers of equations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements, is_only_child
from scrapy_boilernet.extractor.html.reading import NOTHING, Reading
from scrapy_boilernet.extractor.html.stated_tex import is_tex
from scrapy_boilernet.extractor.markup import DISPLAY, FORMULA

_CUT_SIGNS = (b"$$", b"\\[<br", b"\\[ <br", b"\\[\n<br", b"}<br", b"\\\\<br")
_ROW_SIGN, _NUMBER_SIGN = b"ltx_eqn_row", b"eqno"
SIGNS = (*_CUT_SIGNS, _ROW_SIGN, _NUMBER_SIGN)
"""Every page with equations of :func:`equations_of` has one of them."""
_BREAK, _LINK, _ROW = ("br",), ("a",), ("tr",)
_CODE = frozenset(("pre", "code", "kbd", "samp", "tt", "textarea"))
_OPENING = re.compile(
    r"\$\$|(?<!\\)\\\[|\\begin\{((?:equation|align|gather|multline|eqnarray|alignat|displaymath)\*?)\}"
)
_DOLLARS, _BRACKET = "$$", "\\]"
_MAX_CHARS = 2_000
"""A longer text between two signs is no formula."""
_GROUP, _NUMBER_CLASS = "ltx_equationgroup", "eqno"
_TABLE_TAGS = frozenset(("tbody", "tr", "td", "th"))
_MAX_ELEMENTS, _MAX_LEVELS = 2_000, 4
_BOXES, _DISPLAY_CLASS = frozenset(("span", "div")), "display"
_LINES, _PARAGRAPHS = frozenset(("dd", "center")), frozenset(("p", "div"))
_CENTER = re.compile(r"\A\s*center(?!\w)|text-align\s*:\s*center(?!\w)", re.IGNORECASE)
_MAX_VALUE = 200
_WORD = re.compile(r"\w")
_SPACE, _NO_SIGN = Reading(" ", 0, "span"), Reading("", 0, "span")
_NO_TABLE = Reading(None, 0, "div")


def may_have_equations(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such equations."""
    return not signs.isdisjoint(SIGNS)


def equations_of(
    elements: Elements | CompiledElements,
    signs: AbstractSet[bytes],
    readings: Mapping[etree._Element, Reading],
) -> dict[etree._Element, Reading]:
    """Return what is read of line breaks in TeX, of rows of equations, and of the links beside
    their numbers. ``readings``: those of the page's formulas.
    """
    found: dict[etree._Element, Reading] = {}
    if not signs.isdisjoint(_CUT_SIGNS):
        breaks = (elements[place].getparent() for place in elements.of_tags(_BREAK))
        for parent in dict.fromkeys(breaks):
            if parent is not None and parent.tag not in _CODE:
                found.update(dict.fromkeys(_breaks_in_tex(parent), _SPACE))
    for place in elements.of_tags(_ROW) if _ROW_SIGN in signs else ():
        found |= _row(elements[place], readings)
    for place in elements.of_tags(_LINK) if _NUMBER_SIGN in signs else ():
        if _is_beside_number(elements[place]):
            found[elements[place]] = _NO_SIGN
    return found


def stands_alone(formula: etree._Element) -> bool:
    """Return whether a formula is all of a definition or of a centered line, or stands in an
    element that is called a display.
    """
    inner = formula
    for _ in range(_MAX_LEVELS):
        parent = inner.getparent()
        if parent is None or not _has_no_text_beside(inner):
            return False
        classes = parent.get("class") or ""
        if parent.tag in _BOXES and _DISPLAY_CLASS in classes.split():
            return True
        is_only = is_only_child(inner)
        if is_only and (parent.tag in _LINES or _is_centered(parent)):
            return True
        if parent.tag != "span" or not (is_only or "formula" in classes.split()):
            return False
        inner = parent
    return False


def _has_no_text_beside(element: etree._Element) -> bool:
    before, parent = element.getprevious(), element.getparent()
    text = before.tail if before is not None else parent.text if parent is not None else ""
    return not (text or "").strip() and not (element.tail or "").strip()


def _is_centered(element: etree._Element) -> bool:
    stated = f"{element.get('align') or ''} {(element.get('style') or '')[:_MAX_VALUE]}"
    return element.tag in _PARAGRAPHS and _CENTER.search(stated) is not None


def _breaks_in_tex(parent: etree._Element) -> Iterator[etree._Element]:
    """Yield the line breaks of an element that stand between the signs of a formula."""
    closing, tex = "", ""
    inside: list[etree._Element] = []
    for before, text in _pieces(parent):
        if closing and (before is None or before.tag != "br" or len(tex) > _MAX_CHARS):
            closing = ""
        elif closing and before is not None:
            inside.append(before)
            tex += " "
        at = 0
        while True:
            if not closing:
                opening = _OPENING.search(text, at)
                if opening is None:
                    break
                closing, at = _closing(opening), opening.end()
                inside, tex = [], ""
            end = text.find(closing, at)
            if end < 0:
                tex += text[at : at + _MAX_CHARS]
                break
            if inside and is_tex(f"{tex}{text[at:end]}".strip()):
                yield from inside
            at, closing = end + len(closing), ""


def _pieces(parent: etree._Element) -> Iterator[tuple[etree._Element | None, str]]:
    """Yield the texts of an element, each with the element before it."""
    yield None, parent.text or ""
    for child in parent:
        yield child, child.tail or ""


def _closing(opening: re.Match[str]) -> str:
    if opening[1]:
        return f"\\end{{{opening[1]}}}"
    return _DOLLARS if opening[0] == _DOLLARS else _BRACKET


def _row(
    row: etree._Element, readings: Mapping[etree._Element, Reading]
) -> dict[etree._Element, Reading]:
    """Return the readings of a row of equations: its formulas are one, and its table is none."""
    above = [*islice(row.iterancestors(), _MAX_LEVELS)]
    group = next((one for one in above if _GROUP in (one.get("class") or "")), None)
    inside = [*islice(row.iter(etree.Element), _MAX_ELEMENTS)] if group is not None else []
    formulas = [one for one in inside if one in readings and readings[one].marks & FORMULA]
    if not formulas:
        return {}
    found = {one: _NO_TABLE for one in (*inside, *above) if one.tag in _TABLE_TAGS or one is group}
    found.update(dict.fromkeys(formulas[1:], NOTHING))
    tex = " ".join((readings[one].text or "").strip() for one in formulas)
    found[formulas[0]] = Reading(f" {tex} ", FORMULA | DISPLAY)
    return found


def _is_beside_number(link: etree._Element) -> bool:
    """Return whether a link is a sign beside the number of an equation, which leads to it."""
    parent = link.getparent()
    if parent is None or _NUMBER_CLASS not in (parent.get("class") or "").split():
        return False
    return not _WORD.search("".join(islice(map(str, link.itertext()), 2)))
