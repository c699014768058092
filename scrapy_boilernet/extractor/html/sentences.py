"""Elements that are part of a sentence only if they stand in one: controls, custom elements, and
others that HTML does not know.

A browser shows them in line, unless a style makes them blocks. So one is read as part of a sentence
if text stands beside it and it holds no block. One that stands alone is a block of its own. A
``<noscript>`` counts only if it has no text, as one that repeats an image.
"""

from __future__ import annotations

from collections.abc import Container
from collections.abc import Set as AbstractSet
from typing import Any

from lxml import etree

from scrapy_boilernet.extractor.html.paths import PREFORMATTED, Frame

ENDING_TAGS = frozenset(
    "address article aside base basefont bgsound blockquote body br caption center col colgroup dd "
    "details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 "
    "h2 h3 h4 h5 h6 head header hgroup hr html iframe input isindex keygen legend li listing "
    "main marquee menu menuitem multicol nav noframes object ol optgroup option p "
    "param plaintext pre search section select summary table tbody td textarea tfoot th "
    "thead title tr ul video xmp".split()
)
"""Elements that end a sentence wherever they stand. Every other element that is not inline is part
of a sentence if it stands in one."""
CONTROLS = frozenset("applet audio button canvas datalist label map".split())
"""Elements that are part of a sentence only between two texts: beside one, a button is mostly the
end of a teaser, and a label a part of a form."""
METADATA_TAGS = frozenset(("link", "meta"))
"""Elements that no one sees. One in a paragraph, as microdata has it, is part of a sentence."""
PARAGRAPH = "p"
SELECT = "select"
"""A list to choose from, which is text if something is read of it."""
COUNTS_AS = "span"
"""The tag that an element in a sentence counts as; its XPath has its own."""
MOST_ELEMENTS = 64
"""Elements that are looked at, in an element and after it. If there are more, it is a block."""


def stands_in_sentence(
    element: etree._Element,
    around: Frame | None,
    follows: bool,
    seamless: AbstractSet[Any],
    skipped: AbstractSet[str],
    readings: Container[etree._Element] = (),
) -> bool:
    """Return whether an element that is neither inline nor one of ``ENDING_TAGS`` is part of a
    sentence.

    ``around``: the element around it; ``follows``: whether it follows a text of the sentence;
    ``readings``: what is read of other elements, such as a list to choose from.
    """
    if around is None or around.flags & PREFORMATTED:
        return False
    if element.tag in METADATA_TAGS:
        return _is_in_paragraph(around, seamless)
    if not follows and element.tag in CONTROLS:
        return False
    is_noscript = element.tag == "noscript"
    if is_noscript and _has_text(element.text):
        return False
    for number, inner in enumerate(element.iterdescendants(etree.Element)):
        if number == MOST_ELEMENTS or inner.tag in ENDING_TAGS:
            return False
        if is_noscript and (_has_text(inner.text) or _has_text(inner.tail)):
            return False
    return (follows and element.tag not in CONTROLS) or _text_follows(
        element, around, seamless, skipped, readings
    )


def _is_in_paragraph(around: Frame | None, seamless: AbstractSet[Any]) -> bool:
    """Return whether the nearest element that is not inline is a paragraph."""
    while around is not None and around.tag in seamless:
        around = around.parent
    return around is not None and around.tag == PARAGRAPH


def _text_follows(
    place: etree._Element,
    around: Frame,
    seamless: AbstractSet[Any],
    skipped: AbstractSet[str],
    readings: Container[etree._Element],
) -> bool:
    """Return whether text follows an element in its sentence."""
    left, depth = MOST_ELEMENTS, 0
    while not _has_text(place.tail):
        following = place.getnext()
        if following is None and depth:
            place, depth = _parent(place), depth - 1
            continue
        if following is None:
            left -= 1
            if not left or around.tag not in seamless or around.parent is None:
                return False
            place, around = around.element, around.parent
            continue
        place = following
        while isinstance(place.tag, str):
            left -= 1
            if place.tag == SELECT and place in readings:
                return True
            if not left or place.tag not in seamless:
                return False
            if place.tag not in skipped and _has_text(place.text):
                return True
            if place.tag in skipped or not len(place):
                break
            place, depth = place[0], depth + 1
    return True


def _parent(element: etree._Element) -> etree._Element:
    parent = element.getparent()
    return element if parent is None else parent


def _has_text(text: str | None) -> bool:
    return bool(text) and not text.isspace()  # type: ignore[union-attr]
