"""Changed code: its lines are read with the signs "+" and "-" that a style sheet writes, as GitHub
and Shiki have it.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.preformatted import may_have_changes, sign_of
from scrapy_boilernet.extractor.html.reading import Reading

SIGNS = (b"data-code-marker", b"blob-code-marker-", b"has-diff")
"""A page with such lines has one of these."""
_TAGS, _MAX_TEXTS = ("span", "td", "div"), 2_000


def may_have_code_changes(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such lines."""
    return not signs.isdisjoint(SIGNS)


def changes_of(
    elements: Elements | CompiledElements, listings: Collection[etree._Element]
) -> dict[etree._Element, Reading]:
    """Return the readings of the lines of changed code.

    ``listings``: the elements that are code as a ``<pre>`` is.
    """
    found: dict[etree._Element, Reading] = {}
    pres = [elements[place] for place in elements.of_tags(("pre",))]
    for code in filter(may_have_changes, (*pres, *listings)):
        for element in code.iter(_TAGS):
            sign = sign_of(element, code.tag == "table")
            if sign and element is not code:
                text = "".join(map(str, islice(element.itertext(), _MAX_TEXTS)))
                found[element] = Reading(sign + text, 0, str(element.tag))
    return found
