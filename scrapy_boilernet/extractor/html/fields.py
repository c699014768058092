"""Buttons and fields in a sentence: a button directly beside a word is read as a word of its own,
and a field, with or without a label, does not end the sentence.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.html.selects import COLONS, ENDS, is_glued

SIGNS = (b"<button", b"<input")
_LABEL = "label"
_IN_SENTENCE = "span"
"""What these elements count as."""
_BOXES = ("checkbox", "radio")
"""Fields between two choices, if no label is around one."""
_MAX_CHARS, _MAX_ELEMENTS = 80, 8


def may_have_fields(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have buttons and fields."""
    return not signs.isdisjoint(SIGNS)


def fields_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return what is read of the buttons and fields of sentences."""
    found: dict[etree._Element, Reading] = {}
    for place in elements.of_tags(("button",)):
        button = elements[place]
        if reading := _of_button(button):
            found[button] = reading
    for place in elements.of_tags(("input",)):
        field = elements[place]
        parent = field.getparent()
        if parent is not None and parent.tag == _LABEL and _is_in_sentence(parent):
            found[parent] = Reading(None, 0, _IN_SENTENCE)
            found[field] = Reading("", 0, _IN_SENTENCE)
        elif (field.get("type") or "").lower() not in _BOXES and _is_in_sentence(field):
            found[field] = Reading("", 0, _IN_SENTENCE)
    return found


def _of_button(button: etree._Element) -> Reading | None:
    """Return what is read of a button between two texts; None if it is not beside a word."""
    after = button.tail or ""
    before = _before(button) if after.strip() else ""
    if not before.strip():
        return None
    inside = [*islice(button.iter(etree.Element), 1, _MAX_ELEMENTS + 1)]
    if any((one.text or "").strip() for one in inside) or len(inside) == _MAX_ELEMENTS:
        return None
    text = " ".join("".join(map(str, islice(button.itertext(), _MAX_ELEMENTS))).split())
    if not 0 < len(text) <= _MAX_CHARS:
        return None
    begins, ends = is_glued(text[:1]), is_glued(text[-1:])
    leading = " " * (begins and is_glued(before[-1:]))
    trailing = " " * (ends and is_glued(after[:1]))
    is_glued_in = leading or trailing
    return Reading(f"{leading}{text}{trailing}", 0, _IN_SENTENCE) if is_glued_in else None


def _is_in_sentence(element: etree._Element) -> bool:
    """Return whether texts stand directly before and after an element."""
    after = (element.tail or "").lstrip()[:1]
    if not after or not (after.isalnum() or after in ENDS):
        return False
    before = _before(element).rstrip()[-1:]
    return bool(before) and before not in COLONS


def _before(element: etree._Element) -> str:
    """Return the text directly before an element; "" without one."""
    previous, parent = element.getprevious(), element.getparent()
    if previous is not None:
        return previous.tail or ""
    return "" if parent is None else parent.text or ""
