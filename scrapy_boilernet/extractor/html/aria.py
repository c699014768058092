"""Headings, lists and tables that a page makes of other elements, and names by their roles
(WAI-ARIA).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.list_pieces import ITEM
from scrapy_boilernet.extractor.html.reading import Reading

SIGNS = (
    b"listitem", b'role="table', b"role='table", b"role=table", b'role="grid"', b"role='grid'",
    b"role=grid", b"treegrid", b'role="heading', b"role='heading", b"role=heading",
)  # fmt: skip
"""A page with such headings, lists and tables has one of these."""
_HEADING, _HEADING_TAGS = "heading", frozenset(("div", "p", "span", "strong", "b"))
_MAX_LEVEL, _USUAL_LEVEL = 6, 2
"""Of headings. One that states no level has the second."""
_TAGS = frozenset(("div", "span", "section", "article", "a", "p", "figure"))
_LISTS, _TABLES = {"listitem": "li"}, {
    "rowgroup": "tbody", "row": "tr", "cell": "td", "gridcell": "td", "columnheader": "th",
    "rowheader": "th",
}  # fmt: skip
"""What elements count as by their roles, inside of what they belong to."""
_INSIDE = {"list": _LISTS, "table": _TABLES, "grid": _TABLES, "treegrid": _TABLES}
_OUTER = {"list": "ul", "table": "table", "grid": "table", "treegrid": "table"}
_LEVELS = {"listitem": 4}
_TABLE_LEVELS = 10
"""Elements between one and the list or table that it belongs to."""
_MIN_ITEMS, _MIN_GRID_ROWS = 2, 2
_MAX_ROLE_CHARS, _MAX_TEXTS, _MAX_ELEMENTS = 40, 16, 12
_NUMBER_END, _STEP_LEVELS = re.compile(r"[.):]{1,2}\Z"), 20
"""What may follow the number of a step, and elements around a list that are looked at."""
_DIGIT = re.compile(r"[0-9]{1,2}")


def may_have_aria(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such headings, lists and tables."""
    return not signs.isdisjoint(SIGNS)


def aria_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of elements that count as headings, or as those of a list or a table.

    A list has two items or more, and a table has cells. A grid, which may also be a board of boxes,
    has heads and two rows or more.
    """
    owners: dict[etree._Element, etree._Element] = {}
    inside: dict[etree._Element, dict[etree._Element, str]] = {}
    found: dict[etree._Element, Reading] = {}
    names = (*_OUTER, *_LISTS, *_TABLES, _HEADING)
    for place in elements.naming("role", names, _MAX_ROLE_CHARS):
        element = elements[place]
        role = _role(element)
        if role == _HEADING and element.tag in _HEADING_TAGS:
            found[element] = Reading(None, 0, f"h{_level(element)}")
        if element.tag not in _TAGS:
            continue
        if role in _OUTER:
            owners[element], inside[element] = element, {}
            continue
        above = islice(element.iterancestors(), _LEVELS.get(role, _TABLE_LEVELS))
        owner = next((owners[one] for one in above if one in owners), None)
        tag = _INSIDE[_role(owner)].get(role) if owner is not None else None
        if owner is not None and tag:
            inside[owner][element] = tag
    for owner, parts in inside.items():
        role, counts = _role(owner), Counter(parts.values())
        has_cells = counts["td"] + counts["th"] if role == "table" else counts["th"]
        least = 1 if role == "table" else _MIN_GRID_ROWS
        if counts["li"] >= _MIN_ITEMS or (counts["tr"] >= least and has_cells):
            tags = {owner: _OUTER[role], **parts}
            found |= {element: Reading(None, 0, tag) for element, tag in tags.items()}
            around = islice(owner.iterancestors(), _STEP_LEVELS) if role == "list" else ()
            is_inner = any(one in found and found[one].role for one in around)
            found |= {} if is_inner or role != "list" else _steps(list(parts))
    return found


def _steps(items: list[etree._Element]) -> dict[etree._Element, Reading]:
    """Return the readings of the items of a list, which is in no other such, and of their numbers,
    if an element in each has its number, and others follow.
    """
    found: dict[etree._Element, Reading] = {}
    for number, item in enumerate(items, 1):
        texts = [text for text in islice(item.itertext(), _MAX_TEXTS) if text.strip()]
        inside = islice(item.iter(etree.Element), _MAX_ELEMENTS)
        sign = next((one for one in inside if (one.text or "").strip()), None)
        if sign is None or len(sign) or len(texts) < 2 or sign.text != texts[0]:
            return {}
        if (sign.tail or "").strip() or _NUMBER_END.sub("", texts[0].strip()) != str(number):
            return {}
        found[item] = Reading(None, 0, "li", "", f"{ITEM}0 {number}")
        found[sign] = Reading("", 0, "span")
    return found


def _level(heading: etree._Element) -> int:
    """Return the level that a heading states, from 1 to 6."""
    stated = (heading.get("aria-level") or "").strip()
    return min(max(int(stated), 1), _MAX_LEVEL) if _DIGIT.fullmatch(stated) else _USUAL_LEVEL


def _role(element: etree._Element) -> str:
    return (element.get("role") or "").strip().lower()
