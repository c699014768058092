"""Items of lists with a box to tick, or with an attribute that says whether they are done."""

from __future__ import annotations

import re
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

TASK, DONE = "task", "task done"
"""The roles of an open and of a done item."""
_BOX = re.compile(r"(?:^|[\s_-])check-?box(?:es)?(?![a-z])", re.IGNORECASE)
_ON = re.compile(r"(?:^|[\s_-])(?:on|checked|done|selected|ticked)(?![a-z])", re.IGNORECASE)
_SWITCH = re.compile(r"fold|toggle|collapse|expand|accordion|switch", re.IGNORECASE)
"""Classes of boxes that show or hide something."""
_BOX_TAGS = frozenset(("span", "div", "i", "button", "svg"))
_ROLES, _CLASSES = ("checkbox",), ("checkbox", "check-box")
"""The roles of all boxes that are not of a form, and words of the classes in which ``_BOX`` finds
something."""
_MAX_CLASS_CHARS = 1_000_000_000
_STATES = ("data-checked", "data-list", "data-task", "data-inline-task-id")
"""Attributes of items that TipTap, Quill, Obsidian and Confluence write."""
SIGNS = (b"checkbox", *(f"{name}=".encode() for name in _STATES))
"""A page with such items has one of these."""
_MAX_ELEMENTS = 6
"""Elements of an item that are looked at."""


def tasks_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of items with a box before their text, whose own texts are read."""
    found: dict[etree._Element, Reading] = {}
    named = (("role", _ROLES), ("class", _CLASSES))
    boxes = {*elements.of_tags(("input",))}.union(
        *(elements.naming(name, words, _MAX_CLASS_CHARS) for name, words in named)
    )
    stated = {*elements.having(_STATES)}
    near = {box - before for box in boxes for before in range(1, _MAX_ELEMENTS)}
    items = elements.of_tags(("li",)) if boxes or stated else ()
    for place in sorted(near.union(stated).intersection(items)):
        item = elements[place]
        is_done = _stated(item) if place in stated else None
        if is_done is None and place in near:
            is_done = _is_done(item)
        if is_done is not None:
            found[item] = Reading(None, 0, "li", "", DONE if is_done else TASK)
    return found


def _stated(item: etree._Element) -> bool | None:
    """Return whether an attribute says that an item is done; None if it says nothing of that."""
    get = item.get
    if (checked := get("data-checked")) in ("true", "false"):
        return checked == "true"
    parent = item.getparent()
    if (kind := get("data-list")) in ("checked", "unchecked"):
        is_piece = parent is not None and parent.tag == "ol"  # which has a role of its own
        return None if is_piece else kind == "checked"
    if (mark := get("data-task")) is not None:
        return bool(mark.strip())
    if get("data-inline-task-id") is not None:
        return "checked" in (get("class") or "").split()
    return None


def _is_done(item: etree._Element) -> bool | None:
    """Return whether the box of an item is ticked; None if it has no box before its text."""
    text = item.text or ""
    for element in islice(item.iter(etree.Element), 1, _MAX_ELEMENTS):
        if text.strip() or element.tag in ("ul", "ol"):
            return None
        if (is_done := _state(element)) is not None:
            return is_done
        text = (element.text or "") + ((element.tail or "") if not len(element) else "")
    return None


def _state(element: etree._Element) -> bool | None:
    """Return whether an element is a ticked box; None if it is no box."""
    stated = element.get("aria-checked")
    if element.tag == "input":
        is_switch = _SWITCH.search(element.get("class") or "")
        if is_switch or (element.get("type") or "").lower() != "checkbox":
            return None
        return element.get("checked") is not None or stated == "true"
    if element.get("role") == "checkbox" and stated is not None:
        return stated == "true"
    class_value = element.get("class") or ""
    if element.tag in _BOX_TAGS and _BOX.search(class_value) and not any(element.itertext()):
        return _ON.search(class_value) is not None
    return None
