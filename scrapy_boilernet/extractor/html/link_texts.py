"""Links of which something else is read than all their texts: an address that is cut into pieces is
read whole, as in Mastodon; the card of a bookmark as its title and description, as in Ghost and
Notion; and nothing of what Discourse says of the file of an image, and Hatena below a card.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import NOTHING, Reading

SIGNS = (b"invisible", b"bookmark-title", b"bookmark_title", b"lightbox-wrapper",
         b"hatena-citation")  # fmt: skip
_STEMS = ("invisible", "bookmark", "lightbox", "hatena-citation")
"""The class of an element that is read in such a way, or of one in it, has one of these."""
_PIECE, _PIECES = "invisible", frozenset(("invisible", "ellipsis"))
"""The class of the pieces of an address that are not shown, and of all."""
_ADDRESS = re.compile(r"https?://\S+")
_TITLE = re.compile(r"(?:^|\s)(?:[a-z]+-)?bookmark[-_]{1,2}title(?!\S)", re.IGNORECASE)
_DESCRIPTION = re.compile(r"(?:^|\s)(?:[a-z]+-)?bookmark[-_]{1,2}description(?!\S)", re.IGNORECASE)
_BETWEEN = " \u2013 "
"""What stands between the title and the description of a card."""
_LIGHTBOX, _FILE = "lightbox", "meta"
"""The class of a link to a larger image, and of what is said of its file."""
_CITATION = "hatena-citation"
_MAX_CLASS_CHARS, _MAX_LEVELS, _MAX_ELEMENTS, _MAX_CHARS = 1_000, 5, 40, 2_000
_AS_BLOCK = Reading("", 0, "div")


def may_have_link_texts(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such links."""
    return not signs.isdisjoint(SIGNS)


def link_texts_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return what is read of such links, and of what is left out of them or below them."""
    found: dict[etree._Element, Reading] = {}
    in_pieces: set[etree._Element] = set()
    """The links with a piece of an address that were looked at."""
    for place in elements.naming("class", _STEMS, _MAX_CLASS_CHARS):
        element = elements[place]
        named, link = (element.get("class") or "")[:_MAX_CLASS_CHARS], _link_around(element)
        classes = named.split()
        if _CITATION in classes:
            found[element] = NOTHING
        elif link is None or link in found:
            continue
        elif _PIECE in classes and link not in in_pieces:
            in_pieces.add(link)
            found |= {link: Reading(address, 0, "a")} if (address := _address(link)) else {}
        elif _TITLE.search(named):
            found[link] = Reading(_card(link, element), 0, "a")
        elif _LIGHTBOX in classes and link is element:
            inside = islice(link.iterchildren("div"), _MAX_ELEMENTS)
            files = (one for one in inside if _FILE in (one.get("class") or "").split())
            found |= dict.fromkeys(files, _AS_BLOCK)
    return found


def _link_around(element: etree._Element) -> etree._Element | None:
    """Return the link that an element is, or is in; None if there is none near to it."""
    above: etree._Element | None = element
    for _ in range(_MAX_LEVELS):
        if above is None or above.tag == "a":
            break
        above = above.getparent()
    return above if above is not None and above.tag == "a" else None


def _address(link: etree._Element) -> str:
    """Return the address that the pieces in a link make up; "" if they are something else."""
    pieces = [*islice(link, _MAX_ELEMENTS + 1)]
    if not all(map(_is_piece, pieces)):
        return ""
    texts = (link.text, *(text for one in pieces for text in (one.text, one.tail)))
    address = "".join(filter(None, texts)).strip()
    is_whole = len(pieces) <= _MAX_ELEMENTS and len(address) <= _MAX_CHARS
    return address if is_whole and _ADDRESS.fullmatch(address) else ""


def _is_piece(element: etree._Element) -> bool:
    """Return whether an element is a piece of an address, without elements in it."""
    classes = (element.get("class") or "").split() if element.tag == "span" else ("",)
    return _PIECES.issuperset(classes) and not len(element)


def _card(link: etree._Element, title: etree._Element) -> str:
    """Return the title and the description of a card."""
    inside = islice(link.iter(etree.Element), _MAX_ELEMENTS)
    named = ((one, (one.get("class") or "")[:_MAX_CLASS_CHARS]) for one in inside)
    described = (one for one, name in named if _DESCRIPTION.search(name))
    parts = (title, *islice(described, 1))
    texts = ("".join(map(str, islice(one.itertext(), _MAX_ELEMENTS))) for one in parts)
    return _BETWEEN.join(filter(None, (" ".join(text[:_MAX_CHARS].split()) for text in texts)))
