"""Headings that are links to the home page of their site: its name, which stands over each page,
and those that are links to the page itself, which are no name of the site.

Only the searches for the headline and the title read them. A site's name is part of the title of a
page, so it looks like a headline where its classes do not tell what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.patterns import lazy_pattern

_HEADINGS = ("h1", "h2")
_LINK = "a"
_MAX_HEADINGS, _MAX_LEVELS, _MAX_CHARS = 6, 2, 300
"""How many headings are looked at, elements around one that may be its link, and characters of an
address."""
_HOME = lazy_pattern(
    r"(?:(?:https?:)?//(?:www\.)?([^/?#\s]+))?(/(?:(?:index|default|home)\.[a-z]{3,5})?)?",
    re.IGNORECASE,
)
"""The address of a home page. Without a host and a path it is that of the page itself."""
_HOST = re.compile(r"https?://(?:www\.)?([^/?#\s]+)", re.IGNORECASE)


def home_links(elements: Elements | CompiledElements, url: str | None) -> tuple[int, ...]:
    """Return the numbers of the links to the home page that are in or around the first headings of
    a page; () on the home page, and on a page of unknown address.
    """
    here = (url or "")[:_MAX_CHARS]
    host = _HOST.match(here)
    if not host or _HOME.fullmatch(here):
        return ()
    found = [one for one in _links(elements) if _leads_home(one, host[1].lower())]
    return tuple(1 + place for place in elements.places(found)) if found else ()


def own_links(elements: Elements | CompiledElements, url: str | None) -> tuple[int, ...]:
    """Return the numbers of the links to the page itself that are in or around its first headings;
    on a page of unknown address, of those to its parts.
    """
    found = [one for one in _links(elements) if _leads_here(one, url or "")]
    return tuple(1 + place for place in elements.places(found)) if found else ()


def _links(elements: Elements | CompiledElements) -> Iterator[etree._Element]:
    headings = elements.of_tags(_HEADINGS)[:_MAX_HEADINGS]
    links = (_link_of(elements[place]) for place in headings)
    return (link for link in links if link is not None)


def _link_of(heading: etree._Element) -> etree._Element | None:
    """Return the first link in a heading, or else the one around it."""
    link, above = next(heading.iter(_LINK), None), heading
    for _ in range(_MAX_LEVELS if link is None else 0):
        parent = above.getparent()
        if parent is None:
            break
        if parent.tag == _LINK:
            return parent
        above = parent
    return link


def _leads_home(link: etree._Element, host: str) -> bool:
    """Return whether a link leads to the home page of a host, which is in small letters."""
    home = _HOME.fullmatch((link.get("href") or "")[: _MAX_CHARS + 1].strip())
    return home is not None and (home[1].lower() == host if home[1] else bool(home[2]))


def _leads_here(link: etree._Element, url: str) -> bool:
    """Return whether a link leads to the page of an address, or to a part of it."""
    address = (link.get("href") or "")[: _MAX_CHARS + 1].strip()
    if not url or not address or address.startswith("#"):
        return address.startswith("#")
    try:
        return urldefrag(urljoin(url, address)).url == urldefrag(url).url
    except ValueError:  # such as "http://[::1"
        return False
