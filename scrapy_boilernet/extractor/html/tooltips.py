"""Hints in a sentence, which a browser or a script shows over it: ``role="tooltip"`` and
``popover``. They are no part of the sentence.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

SIGNS = (b'role="tooltip"', b"role='tooltip'", b"role=tooltip", b"popover")
"""Every page with hints of :func:`tooltips_of` has one of them."""
_ROLE, _POPOVER = "tooltip", "popover"
_TAGS = frozenset(("span", "small", "em", "i", "b", "strong"))
_NOTHING = Reading("", 0, "span")


def may_have_tooltips(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have hints in its sentences."""
    return not signs.isdisjoint(SIGNS)


def tooltips_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for each hint."""
    roles = elements.values("role")
    places = [place for place, role in roles.items() if role.strip().lower() == _ROLE]
    hints = (elements[place] for place in sorted({*places, *elements.having((_POPOVER,))}))
    return {hint: _NOTHING for hint in hints if hint.tag in _TAGS}
