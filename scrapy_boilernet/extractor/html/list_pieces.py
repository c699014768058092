"""Lists that a page writes in pieces, which Markdown and HTML write as one: a list for each item,
as Notion writes them, or one that goes on counting; and the levels of items that a class names, as
Google Docs and Quill write them. Lists whose styles say the other kind: a ``<ul>`` with numbers or
letters, an ``<ol>`` with bullets; they count as what readers see.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.images import given_number
from scrapy_boilernet.extractor.html.reading import Reading

LIST, ITEM = "list ", "item "
"""The beginnings of the roles of lists, and of items that have a level."""
_STEMS = ("bulleted-list", "numbered-list", "to-do-list", "notion-list")
_NOTION = re.compile(
    r"(?:^|\s)(?:bulleted-list|numbered-list|to-do-list|notion-list(?:-[a-z]+)?)(?!\S)"
)
_GOOGLE = re.compile(r"(?:^|\s)lst-kix_\w{1,40}-([0-8])(?!\S)")
_QUILL = re.compile(r"(?:^|\s)ql-indent-([1-8])(?!\S)")
SIGNS = (*(stem.encode() for stem in _STEMS), b"lst-kix_", b"ql-indent-", b"start=",
         b"data-list=")  # fmt: skip
"""A page with such lists has one of these."""
_LISTS = ("ol", "ul")
_KIND, _BULLET, _ORDERED = "data-list", "bullet", "ordered"
"""The attribute by which Quill says what an item is, and two of its values."""
_BOXES = {"checked": "done", "unchecked": "open"}
"""What Quill says of items with boxes to tick, and what the roles of these end with."""
_STYLE = "list-style"
STYLE_SIGNS = (_STYLE.encode(),)
_LI = "li"
_TYPE = re.compile(r"(?:^|;)\s*list-style(?:-type)?\s*:([^;]{1,60})", re.IGNORECASE)
_OTHERS = {"ul": "ol", "ol": "ul"}
_KINDS = {
    "ul": re.compile(
        r"(?<![\w-])(?:decimal(?:-leading-zero)?|(?:lower|upper)-(?:alpha|latin|roman|greek))(?![\w-])",
        re.IGNORECASE,
    ),
    "ol": re.compile(r"(?<![\w-])(?:disc|circle|square)(?![\w-])", re.IGNORECASE),
}
"""What all items of a list of this tag have if it is of the other kind."""
_MAX_CLASS_CHARS, _MAX_START = 1_000, 1_000_000


def may_have_pieces(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such lists."""
    return not signs.isdisjoint(SIGNS)


def pieces_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of such lists and items, whose own texts are read."""
    found: dict[etree._Element, Reading] = {}
    ends: dict[etree._Element, tuple[str, int]] = {}
    for place in elements.of_tags(_LISTS):
        own = elements[place]
        items = [*own.iterchildren("li")]
        start = min(given_number(own, "start", 1), _MAX_START)
        if (google := _GOOGLE.search(_class(own))) is not None:
            found |= _google(own, items, int(google[1]), start)
            continue
        found |= _quill(own, items) if _is_of_quill(own, items) else {}
        before = own.getprevious()
        follows = before is not None and not (before.tail or "").strip()
        role, end = ends.get(before, ("", 0)) if follows and before is not None else ("", 0)
        if role and before is not None and before.tag == own.tag and _goes_on(before, own, end):
            found[before] = Reading(None, 0, str(own.tag), "", role)
            found[own] = Reading(None, 0, str(own.tag), "", role)
        else:
            role = f"{LIST}{len(ends)}"
        ends[own] = (role, start + len(items))
    return found


def _goes_on(before: etree._Element, own: etree._Element, end: int) -> bool:
    """Return whether a list goes on with the one before it, whose next number is ``end``."""
    if own.tag == "ol" and own.get("start") is not None:
        return end > 1 and given_number(own, "start", 0) == end
    classes = _class(own)
    return _class(before) == classes and _NOTION.search(classes) is not None


def _google(
    own: etree._Element, items: list[etree._Element], level: int, start: int
) -> dict[etree._Element, Reading]:
    """Return the readings of the items of a list of Google Docs."""
    numbers = range(start, start + len(items)) if own.tag == "ol" else [None] * len(items)
    return {item: _item(level, number) for item, number in zip(items, numbers, strict=True)}


def _is_of_quill(own: etree._Element, items: list[etree._Element]) -> bool:
    """Return whether items of a list have levels, or some of an ``<ol>`` have no numbers."""
    kinds = {item.get(_KIND) for item in items} - {None, _ORDERED}
    return bool(kinds and own.tag == "ol") or any(_QUILL.search(_class(item)) for item in items)


def _quill(own: etree._Element, items: list[etree._Element]) -> dict[etree._Element, Reading]:
    """Return the readings of the items of a list of Quill, but those of a ``<ul>`` with a box."""
    found: dict[etree._Element, Reading] = {}
    counts = [0] * 10
    for item in items:
        stated = item.get(_KIND) or ""
        if stated in _BOXES and own.tag != "ol":
            continue
        indent = _QUILL.search(_class(item))
        level = int(indent[1]) if indent else 0
        is_counted = own.tag == "ol" and stated != _BULLET and stated not in _BOXES
        counts[level] += is_counted
        counts[level + 1 :] = [0] * (9 - level)
        found[item] = _item(level, counts[level] if is_counted else _BOXES.get(stated))
    return found


def _item(level: int, label: int | str | None) -> Reading:
    """Return the reading of an item; ``label``: its number, or a value of ``_BOXES``."""
    labeled = "" if label is None else f" {label}"
    return Reading(None, 0, "li", "", f"{ITEM}{level}{labeled}")


def _class(element: etree._Element) -> str:
    return (element.get("class") or "")[:_MAX_CLASS_CHARS]


def may_have_list_styles(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``STYLE_SIGNS`` can have such lists."""
    return not signs.isdisjoint(STYLE_SIGNS)


def list_styles_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of such lists: an item's own style counts more than that of its list."""
    lists: dict[etree._Element, None] = {}
    for place in elements.naming("style", (_STYLE,), _MAX_CLASS_CHARS):
        element = elements[place]
        around = element.getparent() if element.tag == _LI else element
        if around is not None and around.tag in _OTHERS:
            lists[around] = None
    return {one: Reading(None, 0, _OTHERS[str(one.tag)]) for one in lists if _is_other(one)}


def _is_other(own: etree._Element) -> bool:
    kind, usual = _KINDS[str(own.tag)], _type(own)
    types = [_type(item) or usual for item in own.iterchildren(_LI)]
    return bool(types) and all(map(kind.search, types))


def _type(element: etree._Element) -> str:
    match = _TYPE.search((element.get("style") or "")[:_MAX_CLASS_CHARS])
    return match[1] if match else ""
