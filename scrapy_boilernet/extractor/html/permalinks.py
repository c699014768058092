"""Signs beside headings that link to the heading itself, and links to edit its section."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_PERMALINK = re.compile(
    r"perma-?link|header-?link|heading-?(?:link|anchor)|anchor|hash-?link|self-?link|direct-?link|"
    r"headline-?link|section-?link",
    re.IGNORECASE,
)
_STEMS = ("link", "anchor")
"""Every text in which ``_PERMALINK`` finds something has one of these."""
_EDIT = re.compile(r"(?:^|\s)(?:mw-editsection|editsection|edit-section)(?!\S)")
SIGNS = (
    b"ermalink",
    b"eaderlink",
    b"nchor",
    b"editsection",
    b"heading",
    b"edit-section",
    b"-link",
)
_WORD = re.compile(r"\w")
_NOTHING = Reading("", 0, "span")
_MAX_TEXTS = 5


def may_have_permalinks(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such links."""
    return not signs.isdisjoint(SIGNS)


def permalinks_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for each sign that links to its heading."""
    inside = (elements[place] for place in elements.inside(_HEADINGS))
    return {element: _NOTHING for element in inside if _is_sign(element)}


def _is_sign(element: etree._Element) -> bool:
    if "edit" in (element.get("class") or "") and _EDIT.search(element.get("class") or ""):
        return True
    if element.tag not in ("a", "button"):
        return False
    named = " ".join([element.get(name) or "" for name in ("class", "title", "aria-label", "rel")])
    if not any(map(named.lower().__contains__, _STEMS)) or not _PERMALINK.search(named):
        return False
    text = "".join(str(text)[:20] for text in islice(element.itertext(), _MAX_TEXTS))
    return not _WORD.search(text) or text.strip().lower() in ("link", "permalink", "anchor")
