"""Which elements of a page are notes and sources, and the places that link to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.note_links import note_at
from scrapy_boilernet.extractor.html.page_names import elements_by_name, links_into
from scrapy_boilernet.extractor.html.reading import SIDE_NOTE, Reading
from scrapy_boilernet.extractor.html.walk import INLINE_TAGS
from scrapy_boilernet.extractor.markup import NOTE
from scrapy_boilernet.extractor.patterns import lazy_pattern

SIGNS = (
    b"biblio", b"csl-entry", b"bibitem", b"ef-list", b"eflist", b'"references', b"'references",
    b" references", b"-references", b"_references", b"=references", b"itation-list", b"fn-group",
    b"bibr", b"citeref",
)  # fmt: skip
"""Every page with sources of :func:`linked_notes` has one of these in a class, id or role."""
_SOURCES = lazy_pattern(
    r"(?:^|[\s_-])(?:biblio(?:graphy|entry|list)?|csl-entry|bibitem|ref-?list|references?|"
    r"reference-list|citation-list|citations?|literatur|works-cited|fn-group|ref-cit|bibr)(?![a-z])|citeref",
    re.IGNORECASE,
)
"""Class words, ids and roles of sources, and of lists of them."""
_DIGIT = re.compile(r"\d")
_MAX_CHARS, _MAX_LEVELS, _MAX_PARTS, _MAX_AROUND = 60, 3, 12, 12

LinkedNote = tuple[int, tuple[int, ...]]
"""The number of the element of a note, and those of a link to it and of the elements around it, up
to the first that is not inline."""


def linked_notes(
    elements: Elements | CompiledElements,
    readings: Mapping[etree._Element, Reading],
    signs: AbstractSet[bytes],
) -> tuple[LinkedNote, ...]:
    """Return the notes and sources of a page, with the links to them.

    ``readings``: what is read of marks and notes. ``signs``: those of ``SIGNS`` in the page.
    """
    pairs = [*_marked(readings)]
    if not signs.isdisjoint(SIGNS):
        pairs += _sources(elements, {link for link, _ in pairs})
    if not pairs:
        return ()
    around = {link: [*_around(link)] for link, _ in pairs}
    wanted = [*{*chain.from_iterable(around.values()), *(note for _, note in pairs)}]
    places = dict(zip(wanted, elements.places(wanted), strict=True))
    return tuple(
        (1 + places[note], tuple(1 + places[one] for one in around[link])) for link, note in pairs
    )


def _marked(
    readings: Mapping[etree._Element, Reading],
) -> Iterator[tuple[etree._Element, etree._Element]]:
    """Yield the marks that are read, each with its note."""
    notes = {one.label: e for e, one in readings.items() if one.label and one.tag != SIDE_NOTE}
    for element, reading in readings.items() if notes else ():
        if reading.marks & NOTE and reading.text:
            note = notes.get(reading.text.strip()[1:-1])
            if note is not None:
                yield element, note


def _sources(
    elements: Elements | CompiledElements, marks: AbstractSet[etree._Element]
) -> Iterator[tuple[etree._Element, etree._Element]]:
    """Yield the other links to sources of the page, each with its source, if one is numbered."""
    every = ((elements[place], name) for place, name in links_into(elements).items() if name)
    links = [(link, name) for link, name in every if link not in marks]
    if not any(_DIGIT.search(name) for _, name in links):
        return
    named = elements_by_name(elements, {name for _, name in links})
    known: dict[str, etree._Element | None] = {}
    for link, name in links:
        if name not in known:
            target = named.get(name)
            is_source = target is not None and _is_source(target)
            known[name] = note_at(target) if target is not None and is_source else None
        source = known[name]
        if source is not None and _is_short(link) and source not in link.iterancestors():
            yield link, source


def _is_source(element: etree._Element) -> bool:
    """Return whether the class, id or role of an element, or of one around it, names sources."""
    around = (element, *islice(element.iterancestors(), _MAX_LEVELS))
    words = (one.get(key) or "" for one in around for key in ("class", "id", "role"))
    return _SOURCES.search(" ".join(words)) is not None


def _is_short(link: etree._Element) -> bool:
    text = "".join(map(str, islice(link.itertext(), _MAX_PARTS))).strip()
    return 0 < len(text) <= _MAX_CHARS


def _around(link: etree._Element) -> Iterator[etree._Element]:
    """Yield a link and the elements around it, up to the first that is not inline."""
    yield link
    for above in islice(link.iterancestors(), _MAX_AROUND):
        yield above
        if above.tag not in INLINE_TAGS:
            return
