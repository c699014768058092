"""What a list of definitions says of the kind of a term: the colon between them, which the style
sheet of Sphinx writes, keeps them apart. Signatures in several lines, which Sphinx writes as a list
in a term, are one text.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import islice, takewhile

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

_NAME, _TERM, _TAG = "classifier", "dt", "span"
_PAREN = "sig-paren"
SIGNS, SIGNATURE_SIGNS = (b"ssifier",), (_PAREN.encode(),)
_LIST, _ENDS, _COMMA = "dl", frozenset(("dt", "dd")), ","
_GAP = re.compile(r"(?<=[(\[]) | (?=[)\]])| ?[¶#]\Z")
"""Spaces that only part lines, and the sign that links to the signature."""
_COLON, _SIGN = " : ", ":"
_MAX_CLASS_CHARS, _MAX_TEXTS, _MAX_LEVELS, _MAX_PARTS = 500, 100, 4, 30


def may_have_classifiers(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such terms."""
    return not signs.isdisjoint(SIGNS)


def may_have_signatures(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNATURE_SIGNS`` can have such signatures."""
    return not signs.isdisjoint(SIGNATURE_SIGNS)


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


def signatures_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of terms of such signatures, and of what libxml2 puts behind them."""
    terms: dict[etree._Element, None] = {}
    for place in elements.naming("class", (_PAREN,), _MAX_CLASS_CHARS):
        around = islice(elements[place].iterancestors(), _MAX_LEVELS)
        terms |= dict.fromkeys(one for one in around if one.tag == _TERM)
    found: dict[etree._Element, Reading] = {}
    for term in terms:
        behind = takewhile(lambda one: one.tag not in _ENDS, term.itersiblings(etree.Element))
        rest = [*islice(behind, _MAX_PARTS)]
        inside = (*rest, *islice(term.iter(etree.Element), _MAX_TEXTS))
        if all(one.tag != _LIST for one in inside) or any((one.tail or "").strip() for one in rest):
            continue
        texts = [*islice(term.itertext(), _MAX_PARTS * _MAX_PARTS)]
        for one in rest:
            texts += [*islice(one.itertext(), _MAX_PARTS * _MAX_PARTS), one.tail or ""]
        spaced = (f"{text} " if text == _COMMA else str(text) for text in texts)
        text = _GAP.sub("", " ".join("".join(spaced).split()))
        found |= {one: Reading("", 0, _TAG) for one in rest}
        found[term] = Reading(text, 0, _TERM)
    return found
