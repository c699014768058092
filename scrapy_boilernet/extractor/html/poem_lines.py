"""Lines of poems that are elements with a ``<br>`` at their end: they are lines of one text, and an
empty one ends a stanza.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.html.walk import INLINE_TAGS

_NAMES = ("poem", "poetry", "verse", "stanza", "lyric")
"""The class of what is around such lines has one of these."""
SIGNS = tuple(name.encode() for name in _NAMES)
_LINES, _BREAK = frozenset(("div", "p")), "br"
_IN_LINE = Reading(None, 0, "span")
_MAX_CLASS_CHARS = 500


def may_have_poem_lines(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such lines."""
    return not signs.isdisjoint(SIGNS)


def poem_lines_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of such lines, which are in line."""
    named = elements.naming("class", _NAMES, _MAX_CLASS_CHARS)
    poems = [elements[place] for place in named]
    places = (range(begin + 1, end + 1) for begin, end in elements.ranges(poems))
    inside = (elements[place] for within in places for place in within)
    return {one: _IN_LINE for one in inside if one.tag in _LINES and _is_line(one)}


def _is_line(element: etree._Element) -> bool:
    """Return whether an element ends with its only ``<br>``, holds else what is in line, and stands
    beside other lines.
    """
    inside = [one for one in element if isinstance(one.tag, str)]
    if not inside or inside[-1].tag != _BREAK or (inside[-1].tail or "").strip():
        return False
    beside = [
        next(element.itersiblings(etree.Element, preceding=back), None) for back in (True, False)
    ]
    has_lines = any(one is not None and one.tag == element.tag for one in beside)
    return has_lines and all(one.tag in INLINE_TAGS for one in inside[:-1])
