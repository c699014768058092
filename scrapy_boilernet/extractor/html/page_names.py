"""The names of places in a page, and the links that lead to them, also by the page's own address.

Plugins and feeds write ``https://example.org/post/#fn1`` where others write ``#fn1``.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements

_LEAST = 2
"""Names in the page to which links with its own address lead, at least."""


def links_into(elements: Elements | CompiledElements) -> dict[int, str]:
    """Return the names in the page to which links lead, by the places of the links, in order.

    An address is the page's own if links with it lead to several names, most of them in the page.
    """
    parts = {
        place: address.strip().partition("#")
        for place, address in elements.values("href", "#").items()
    }
    into = {place: name for place, (own, _, name) in parts.items() if not own}
    others: dict[str, dict[int, str]] = {}
    for place, (own, _, name) in parts.items():
        if own and name:
            others.setdefault(own, {})[place] = name
    several = [links for links in others.values() if len(links) >= _LEAST]
    if several:
        every = {*elements.values("id").values(), *elements.values("name").values()}
        for links in several:
            names = {*links.values()}
            if len(names & every) >= max(_LEAST, len(names - every) + 1):
                into.update(links)
    tags = elements.of_tags(("a",)) if into else ()
    return {place: into[place] for place in sorted(into.keys() & tags)}


def elements_by_name(
    elements: Elements | CompiledElements, names: AbstractSet[str]
) -> dict[str, etree._Element]:
    """Return the first element of each id or name."""
    found: dict[str, int] = {}
    for values in (elements.values("id"), elements.values("name")) if names else ():
        for place, own in values.items():
            if own in names and place < found.get(own, len(elements)):
                found[own] = place
    return {name: elements[place] for name, place in found.items()}
