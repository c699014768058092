"""Empty elements in a heading for which a style sheet writes a sign between names, as in
``<a>Soup</a><span class="sep"></span>Logger``. The title of the page tells which sign; if it does
not, a space keeps the names apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import islice, pairwise

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.page import HEADING_TAGS

_NAMES = ("sep", "divider")
_PATTERN = re.compile(r"(?:^|[\s_-])(?:sep(?:arator)?|divider)(?=$|[\s_-])", re.IGNORECASE)
SIGNS = (b'"sep', b"separator", b"divider")
"""Every page with such elements has one of them."""
_TAGS = frozenset(("span", "i", "b", "em"))
_BEFORE, _AFTER = re.compile(r"\w+\Z"), re.compile(r"\w+")
_SIGN = re.compile(r"\s*[^\w\s]\s*|\s+")
_SPACE = " "
_MAX_LEVELS, _MAX_ELEMENTS, _MAX_CLASS_CHARS, _MAX_TITLE_CHARS = 4, 40, 500, 1_000
_MAX_NAME_CHARS = 200
"""So much of the text before and behind an element is looked at."""


def may_have_separators(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such elements."""
    return not signs.isdisjoint(SIGNS)


def separators_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the sign of each of these elements."""
    headings: dict[etree._Element, None] = {}
    for place in elements.naming("class", _NAMES, _MAX_CLASS_CHARS):
        if _is_separator(elements[place]):
            above = islice(elements[place].iterancestors(), _MAX_LEVELS)
            headings.update((one, None) for one in above if one.tag in HEADING_TAGS)
    if not headings:
        return {}
    titles = [elements[place].text or "" for place in elements.of_tags(("title",))[:1]]
    title = " ".join("".join(titles)[:_MAX_TITLE_CHARS].split())
    return dict(found for heading in headings for found in _signs_in(heading, title))


def _is_separator(element: etree._Element) -> bool:
    """Return whether an element is empty and of such a class."""
    is_empty = len(element) == 0 and not element.text and element.tag in _TAGS
    classes = (element.get("class") or "")[:_MAX_CLASS_CHARS]
    return is_empty and _PATTERN.search(classes) is not None


def _signs_in(heading: etree._Element, title: str) -> Iterator[tuple[etree._Element, Reading]]:
    """Yield the signs in a heading; none if it has very many elements."""
    if len([*islice(heading.iter(etree.Element), _MAX_ELEMENTS + 1)]) > _MAX_ELEMENTS:
        return
    separators: list[etree._Element] = []
    texts: list[list[str]] = [[]]  # before, between and behind them
    for event, element in etree.iterwalk(heading, ("start", "end")):
        if event == "start" and _is_separator(element):
            separators.append(element)
            texts.append([])
        elif event == "start":
            texts[-1].append(element.text or "")
        elif element is not heading:
            texts[-1].append(element.tail or "")
    for separator, (before, after) in zip(separators, pairwise(map("".join, texts)), strict=True):
        if sign := _sign(before[-_MAX_NAME_CHARS:], after[:_MAX_NAME_CHARS], title):
            yield separator, Reading(sign, 0, "span")


def _sign(before: str, after: str, title: str) -> str:
    """Return the sign between two texts; "" if no words are to be kept apart."""
    name, following = _BEFORE.search(before), _AFTER.match(after)
    if not name or not following:
        return ""
    for match in re.finditer(re.escape(name[0]), title):
        sign = _SIGN.match(title, match.end())
        if sign and title.startswith(following[0], sign.end()):
            return sign[0]
    return _SPACE
