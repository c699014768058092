"""Icons of fonts that draw a picture for the name of the icon, which stands in the page as a text:
``<i class="material-icons">directions_boat</i>``. The name is not read.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

_STEMS = ("material-icons", "material-symbols", "google-symbols", "mat-icon", "md-icon")
"""The class of such an icon has one of these, or its tag is one."""
SIGNS = tuple(stem.encode() for stem in _STEMS)
_TAGS = frozenset(("mat-icon", "md-icon"))
_CLASS = re.compile(
    r"(?:^|\s)(?:(?:google-)?material-(?:icons|symbols)(?:-(?:outlined?|rounded|round|sharp|"
    r"two-?tone|filled|extended))?|google-symbols|mat-icon|md-icon)(?!\S)"
)
_NAME = re.compile(r"\s*[a-z0-9]+(?:_[a-z0-9]+)*\s*")
"""The name of an icon; another text is no icon's."""
_MAX_CLASS_CHARS = 1_000
_LEFT_OUT = Reading("", 0, "span")


def may_have_icon_words(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such icons."""
    return not signs.isdisjoint(SIGNS)


def icon_words_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for each icon."""
    named = elements.naming("class", _STEMS, _MAX_CLASS_CHARS)
    places = sorted({*named, *elements.of_tags(_TAGS)})
    icons = (elements[place] for place in places)
    return {icon: _LEFT_OUT for icon in icons if icon_word(icon)}


def icon_word(element: etree._Element) -> str:
    """Return the name of the icon that an element is; "" if it is something else."""
    classes = (element.get("class") or "")[:_MAX_CLASS_CHARS]
    if element.tag not in _TAGS and not _CLASS.search(classes):
        return ""
    text = "" if len(element) else (element.text or "")
    return text.strip() if _NAME.fullmatch(text) else ""
