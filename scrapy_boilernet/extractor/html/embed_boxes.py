"""Boxes that a script fills with a video or a post: of Facebook, Wistia, Squarespace and Elementor.

They count as frames, and their texts, such as a note that the post is not shown, are not read.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.embeds import known_address
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.markup import EMBED

_STEMS = ("fb-post", "fb-video", "wistia_async_", "sqs-video-wrapper", "elementor-widget-video")
"""The class of such a box has one of these."""
SIGNS = tuple(stem.encode() for stem in _STEMS)
_TAGS = frozenset(("div", "span", "section", "figure"))
_WISTIA = re.compile(r"(?:^|\s)wistia_async_([A-Za-z0-9]{1,64})(?!\S)")
_WISTIA_PLAYER = "//fast.wistia.net/embed/iframe/"
_FRAME = re.compile(r"""<iframe\b[^>]{0,900}?\ssrc\s*=\s*["']([^"'\s]{1,900})["']""", re.IGNORECASE)
"""The frame that a script of Squarespace writes."""
_KIND = re.compile(r'"video_type"\s*:\s*"([a-z]{1,20})"')
_ADDRESS = re.compile(r'"([a-z]{1,20})_url"\s*:\s*"([^"\s]{1,900})"')
"""The settings of Elementor: which player is meant, and the addresses for each; those of others are
only examples."""
_FIRST_KIND, _ESCAPED = "youtube", "\\/"
_MAX_CLASS_CHARS, _MAX_CHARS = 1_000, 10_000
_AS_FRAME = Reading("", EMBED, "iframe")


def may_have_boxes(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such boxes."""
    return not signs.isdisjoint(SIGNS)


def boxes_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of the boxes whose address is known."""
    found = (elements[place] for place in elements.naming("class", _STEMS, _MAX_CLASS_CHARS))
    return {box: _AS_FRAME for box in found if box.tag in _TAGS and box_address(box)}


def box_address(box: etree._Element) -> str:
    """Return the address of what a box shows; "" if it is none, or if it shows something else."""
    classes = (box.get("class") or "")[:_MAX_CLASS_CHARS]
    if match := _WISTIA.search(classes):
        return known_address(f"{_WISTIA_PLAYER}{match[1]}")
    names = classes.split()
    if "fb-post" in names or "fb-video" in names:
        return known_address(box.get("data-href") or "")
    if "sqs-video-wrapper" in names:
        frame = _FRAME.search((box.get("data-html") or "")[:_MAX_CHARS])
        return known_address(frame[1]) if frame else ""
    if "elementor-widget-video" in names:
        settings = (box.get("data-settings") or "")[:_MAX_CHARS]
        stated = _KIND.search(settings)
        kind = stated[1] if stated else _FIRST_KIND
        addresses = (match[2] for match in _ADDRESS.finditer(settings) if match[1] == kind)
        return known_address(next(addresses, "").replace(_ESCAPED, "/"))
    return ""
