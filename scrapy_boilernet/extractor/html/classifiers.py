"""What a list of definitions says of the kind of a term: the colon between them, which the style
sheet of Sphinx writes, keeps them apart.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

_NAME, _TERM, _TAG = "classifier", "dt", "span"
SIGNS = (b"classifier",)
_COLON, _SIGN = " : ", ":"
_MAX_CLASS_CHARS, _MAX_TEXTS = 500, 100


def may_have_classifiers(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such terms."""
    return not signs.isdisjoint(SIGNS)


def classifiers_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of kinds of terms, each with a colon before it."""
    found: dict[etree._Element, Reading] = {}
    for place in elements.naming("class", (_NAME,), _MAX_CLASS_CHARS):
        element = elements[place]
        term, classes = element.getparent(), (element.get("class") or "").split()
        if term is None or term.tag != _TERM or element.tag != _TAG or _NAME not in classes:
            continue
        first = _first_with_text(element)
        text = _text(first).lstrip()
        before = element.getprevious()
        said = (term.text if before is None else f"{_text(before)}{before.tail or ''}") or ""
        if said.strip() and not said.rstrip().endswith(_SIGN) and text[:1] not in ("", _SIGN):
            found[first] = Reading(f"{_COLON}{text}", 0, _TAG)
    return found


def _first_with_text(element: etree._Element) -> etree._Element:
    """Return the element in which the text of an element begins, so that links behind it stay."""
    while not (element.text or "").strip() and len(element):
        element = element[0]
    return element


def _text(element: etree._Element) -> str:
    return "".join(map(str, islice(element.itertext(), _MAX_TEXTS)))
