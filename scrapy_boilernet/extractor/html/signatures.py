"""Signatures in several lines, which Sphinx writes as a list in a term: they are one text."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import islice, takewhile

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import NOTHING, Reading

_NAME = "sig-paren"
SIGNS = (_NAME.encode(),)
_LIST, _TERM, _ENDS, _COMMA = "dl", "dt", frozenset(("dt", "dd")), ","
_GAP = re.compile(r"(?<=[(\[]) | (?=[)\]])| ?[¶#]\Z")
"""Spaces that only part lines, and the sign that links to the signature."""
_MAX_CLASS_CHARS, _MAX_LEVELS, _MAX_PARTS, _MAX_ELEMENTS, _MAX_TEXTS = 500, 4, 30, 100, 1_000


def may_have_signatures(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such signatures."""
    return not signs.isdisjoint(SIGNS)


def signatures_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of terms of such signatures, and of what libxml2 puts behind them."""
    terms: dict[etree._Element, None] = {}
    for place in elements.naming("class", (_NAME,), _MAX_CLASS_CHARS):
        around = islice(elements[place].iterancestors(), _MAX_LEVELS)
        terms |= dict.fromkeys(one for one in around if one.tag == _TERM)
    found: dict[etree._Element, Reading] = {}
    for term in terms:
        behind = takewhile(lambda one: one.tag not in _ENDS, term.itersiblings(etree.Element))
        rest = [*islice(behind, _MAX_PARTS)]
        inside = (*rest, *islice(term.iter(etree.Element), _MAX_ELEMENTS))
        if all(one.tag != _LIST for one in inside) or any((one.tail or "").strip() for one in rest):
            continue
        texts = [*islice(term.itertext(), _MAX_TEXTS)]
        for one in rest:
            texts += [*islice(one.itertext(), _MAX_TEXTS), one.tail or ""]
        spaced = (f"{text} " if text == _COMMA else str(text) for text in texts)
        text = _GAP.sub("", " ".join("".join(spaced).split()))
        found |= {one: NOTHING._replace(tag="span") for one in rest}
        found[term] = Reading(text, 0, _TERM)
    return found
