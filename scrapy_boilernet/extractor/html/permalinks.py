"""Signs beside headings that link to the heading itself."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.invisible import ZERO_WIDTH_SIGNS
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.page import HEADING_TAGS

_PERMALINK = re.compile(
    r"perma-?link|header-?link|heading-?(?:link|anchor)|anchor|hash-?link|self-?link|direct-?link|"
    r"headline-?link|section-?link|copy-?(?:link|heading)|link (?:to|zu)\b|lien (?:vers|permanent)|"
    r"enlace",
    re.IGNORECASE,
)
_NAMES = ("class", "title", "aria-label", "rel")
SIGNS = (
    b"ermalink",
    b"eaderlink",
    b"nchor",
    b"heading",
    b"-link",
    *ZERO_WIDTH_SIGNS,
)
_WORD = re.compile(r"\w")
_LINKS, _HERE = ("a", "button"), "#"
"""The beginning of the address of a place in the page."""
_NOTHING = Reading("", 0, "span")
_TEXT = re.compile(
    r"\s*(?:(?:copy|get|share)? ?(?:direct |perma)?(?:link|url|anchor)(?: (?:to|for) (?:this )?"
    r"(?:section|heading|headline|header|title))?|(?:perma)?link zu (?:diese[mrs] )?(?:abschnitt|"
    r"überschrift)|(?:perma)?link kopieren|lien (?:permanent|vers cette section)|"
    r"enlace (?:permanente|a esta sección)|ссылка на (?:этот )?раздел|"
    r"(?:この(?:セクション|見出し)への)?(?:パーマ)?リンク|复制链接|copy)\s*",
    re.IGNORECASE,
)
"""What such a link says."""
_MAX_TEXTS, _MAX_TEXT_CHARS = 5, 40


def may_have_permalinks(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such links."""
    return not signs.isdisjoint(SIGNS)


def permalinks_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for each sign that links to its heading."""
    links = {*elements.of_tags(_LINKS)}
    inside = links.intersection(elements.inside(HEADING_TAGS)) if links else ()
    signs = (elements[place] for place in sorted(inside))
    return {element: _NOTHING for element in signs if _is_sign(element)}


def _is_sign(element: etree._Element) -> bool:
    named = " ".join([element.get(name) or "" for name in _NAMES])
    is_named = _PERMALINK.search(named) is not None
    if not is_named and not (element.get("href") or "").startswith(_HERE):
        return False
    parts = islice(element.itertext(), _MAX_TEXTS)
    text = "".join(str(text)[:_MAX_TEXT_CHARS] for text in parts)
    return not _WORD.search(text) or (is_named and _TEXT.fullmatch(text) is not None)
