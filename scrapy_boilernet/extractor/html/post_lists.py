"""Lists whose items are the posts of a thread, which Markdown and HTML do not write as lists."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.patterns import lazy_pattern

POST = "post"
"""The role of an item that is a post."""
_STEMS = (
    "postbit", "postcontainer", "bbp-body", "bbp-header", "bbp-footer", "messagelist",
    "itemcomment", "itemdiscussion", "js-post",
)  # fmt: skip
"""The class of each such item, or of its list, has one of these."""
SIGNS = tuple(stem.encode() for stem in _STEMS)
_ITEM = lazy_pattern(
    r"(?:^|\s)(?:postbit[a-z]{0,9}|postcontainer|bbp-(?:body|header|footer)|"
    r"item(?:comment|discussion)|js-post)(?!\S)",
    re.IGNORECASE,
)
"""Classes of items that are posts, in vBulletin, bbPress and Vanilla."""
_LIST, _MESSAGE = re.compile(r"(?:^|\s)messagelist(?!\S)", re.IGNORECASE), "message"
"""The class of XenForo's list of posts, and that of a post in it."""
_LISTS = frozenset(("ol", "ul"))
_MAX_CLASS_CHARS = 1_000


def may_have_post_lists(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such lists."""
    return not signs.isdisjoint(SIGNS)


def posts_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of the items that are posts, whose own texts are read."""
    found: dict[etree._Element, Reading] = {}
    for place in elements.naming("class", _STEMS, _MAX_CLASS_CHARS):
        element = elements[place]
        if element.tag == "li" and _ITEM.search(_class(element)):
            found[element] = Reading(None, 0, "li", "", POST)
        elif element.tag in _LISTS and _LIST.search(_class(element)):
            items = element.iterchildren("li")
            found |= {
                item: Reading(None, 0, "li", "", POST)
                for item in items
                if _MESSAGE in _class(item).lower().split()
            }
    return found


def _class(element: etree._Element) -> str:
    return (element.get("class") or "")[:_MAX_CLASS_CHARS]
