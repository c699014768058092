"""Lists whose styles say the other kind: a ``<ul>`` with numbers or letters, an ``<ol>`` with
bullets. They count as what readers see.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

_NAME = "list-style"
SIGNS = (_NAME.encode(),)
_ITEM = "li"
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
_MAX_STYLE_CHARS = 1_000


def may_have_list_styles(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such lists."""
    return not signs.isdisjoint(SIGNS)


def list_styles_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of such lists: an item's own style counts more than that of its list."""
    lists: dict[etree._Element, None] = {}
    for place in elements.naming("style", (_NAME,), _MAX_STYLE_CHARS):
        element = elements[place]
        around = element.getparent() if element.tag == _ITEM else element
        if around is not None and around.tag in _OTHERS:
            lists[around] = None
    return {one: Reading(None, 0, _OTHERS[str(one.tag)]) for one in lists if _is_other(one)}


def _is_other(own: etree._Element) -> bool:
    kind, usual = _KINDS[str(own.tag)], _type(own)
    types = [_type(item) or usual for item in own.iterchildren(_ITEM)]
    return bool(types) and all(map(kind.search, types))


def _type(element: etree._Element) -> str:
    match = _TYPE.search((element.get("style") or "")[:_MAX_STYLE_CHARS])
    return match[1] if match else ""
