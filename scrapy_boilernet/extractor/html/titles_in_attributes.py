"""Titles of details and of items of accordions that stand in an attribute, as in Shoelace and
Calcite: ``<sl-details summary="Sails">``. Each is read before the text that it opens.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

_TITLES = {
    "sl-details": "summary", "wa-details": "summary", "calcite-accordion-item": "heading",
    "calcite-block": "heading",
}  # fmt: skip
"""The attribute of each element that has its title."""
SIGNS = tuple(f"<{tag}".encode() for tag in _TITLES)
_MAX_CHARS = 300


def may_have_titles(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such titles."""
    return not signs.isdisjoint(SIGNS)


def titles_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of the elements that begin with their title, which no slot replaces."""
    found: dict[etree._Element, Reading] = {}
    for place in elements.of_tags(tuple(_TITLES)):
        element = elements[place]
        name = _TITLES[str(element.tag)]
        title = " ".join((element.get(name) or "").split())
        slots = (child.get("slot") for child in element.iterchildren(etree.Element))
        if 0 < len(title) <= _MAX_CHARS and name not in slots:
            found[element] = Reading(None, 0, str(element.tag), lead=title)
    return found
