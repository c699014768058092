"""Controls that are no words of what they stand in: the signs that open an accordion or sort a
table, a number in an item of a numbered list that repeats the item's own, and words beside a
picture that show or hide its caption.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

_NAMED_BY_WORDS = ("toggle-caption", "hide-caption", "show-caption", "expand-caption",
                   "close-caption", "enlarge-image", "expand-image", "view-image")  # fmt: skip
"""Classes of controls whose words are these."""
SIGNS = (b"<summary", b"accordion", b"aria-expanded", b"<th", b"<ol",
         *(name.encode() for name in _NAMED_BY_WORDS))  # fmt: skip
_EXPANDED, _ACCORDION = "aria-expanded", ("accordion",)
_SUMMARY, _OPENERS = "summary", frozenset(("button", "a", "h2", "h3", "h4", "h5", "h6"))
"""Elements that open something: the first always, the others if their class names an accordion."""
_SIGN_TAGS = frozenset(("span", "i", "div", "b", "small", "em", "strong"))
_SIGN = re.compile(
    r"\s*[+＋\-−–‹›«»<>▸▹▾▿▴▵▼▽▲△►▻◄◅▶▷◀◁⌄⌃˅˄∨∧⏷⏶⏵⏴↓↑→←✕✖×❯❮❱❰➕➖➜➤⯆⯅⯈🔽🔼]\ufe0f?\s*"
)
_SIGN_NAME = re.compile(
    r"icon|arrow|chevron|caret|toggle|indicator|plus|minus|expand|collapse|symbol|marker|sign",
    re.IGNORECASE,
)
_HIDDEN = "aria-hidden"
_HEAD, _BUTTON, _SORT = "th", "button", "sort"
_SORT_SIGNS = re.compile(r"\s*(?:[▲▼△▽↑↓⇅↕⬍⬆⬇▴▾▵▿⇵⏶⏷⯅⯆↿⇂⭥⥮🔼🔽]\ufe0f?\s*){1,3}")
_LIST, _ITEM = "ol", "li"
_START = re.compile(r"[0-9]{1,4}")
_NUMBER = re.compile(r"\s*#?0?([0-9]{1,3})\s*[.):]?\s*")
_NUMBER_NAME = re.compile(
    r"(?:^|[\s_-])(?:num(?:ber)?s?|no|nr|step|steps|count(?:er)?|index|idx|order|marker|bullet|"
    r"badge|digit|position|rank|ordinal|circle)(?=$|[\s_-])",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w")
_LEFT_OUT = Reading("", 0, "span")
_MAX_ELEMENTS, _MAX_TEXTS, _MAX_LEVELS, _MAX_CLASS_CHARS = 12, 16, 3, 500


def may_have_controls(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such controls."""
    return not signs.isdisjoint(SIGNS)


def controls_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for each of these signs, numbers and words."""
    found = [*_openers(elements), *_sorters(elements)]
    named = elements.naming("class", _NAMED_BY_WORDS, _MAX_CLASS_CHARS)
    found += [one for place in named if _is_named_by_words(one := elements[place])]
    for place in elements.of_tags((_LIST,)):
        found += _numbers_in(elements[place])
    return dict.fromkeys(found, _LEFT_OUT)


def _is_named_by_words(element: etree._Element) -> bool:
    """Return whether the words of an element are those of its class."""
    words = "".join(map(str, islice(element.itertext(), _MAX_TEXTS))).strip().lower()
    names = (element.get("class") or "")[:_MAX_CLASS_CHARS].lower().split()
    return words.replace(" ", "-") in {*_NAMED_BY_WORDS}.intersection(names)


def _openers(elements: Elements | CompiledElements) -> Iterator[etree._Element]:
    """Yield the signs in what opens a part of the page, beside words."""
    named = elements.naming("class", _ACCORDION, _MAX_CLASS_CHARS)
    places = {place for place in named if elements[place].tag in _OPENERS}
    places |= {*elements.of_tags((_SUMMARY,)), *elements.having((_EXPANDED,))}
    for place in sorted(places):
        opener = elements[place]
        inside = islice(opener.iter(etree.Element), 1, _MAX_ELEMENTS)
        signs = [one for one in inside if one.tag in _SIGN_TAGS and _is_opening_sign(one)]
        if signs and _has_words(opener):
            yield from signs


def _is_opening_sign(element: etree._Element) -> bool:
    if not element.text or not _SIGN.fullmatch(_only_text(element)):
        return False
    named = (element.get("class") or "")[:_MAX_CLASS_CHARS]
    return element.get(_HIDDEN) == "true" or _SIGN_NAME.search(named) is not None


def _sorters(elements: Elements | CompiledElements) -> Iterator[etree._Element]:
    """Yield the signs in heads of columns that sort the table, beside words."""
    for place in elements.of_tags((_HEAD,)):
        head = elements[place]
        for one in islice(head.iter(etree.Element), 1, _MAX_ELEMENTS):
            named = _SORT in (one.get("class") or "")[:_MAX_CLASS_CHARS].lower()
            is_control = one.tag == _BUTTON or (named and one.tag in ("a", *_SIGN_TAGS))
            if is_control and _SORT_SIGNS.fullmatch(_only_text(one)) and _has_words(head):
                yield one


def _numbers_in(ordered: etree._Element) -> list[etree._Element]:
    """Return the elements with the numbers of all items of a list; [] if one has another."""
    start = ordered.get("start") or "1"
    if ordered.get("reversed") is not None or not _START.fullmatch(start):
        return []
    found: list[etree._Element] = []
    for number, item in enumerate(ordered.iterchildren(_ITEM), int(start)):
        first = _first_in(item)
        match = None if first is None else _NUMBER.fullmatch(first.text or "")
        if first is None or not match or int(match[1]) != number or item.get("value") is not None:
            return []
        found.append(first)
    return found


def _first_in(item: etree._Element) -> etree._Element | None:
    """Return the first element in an item that holds no other, if another one follows it, no text
    is before it or between, and its class is one of a number.
    """
    element = item
    for _ in range(_MAX_LEVELS):
        inner = next(element.iterchildren(etree.Element), None)
        if inner is None or (element.text or "").strip():
            return None
        if next(inner.iterchildren(etree.Element), None) is None:
            named = _NUMBER_NAME.search((inner.get("class") or "")[:_MAX_CLASS_CHARS])
            is_followed = next(inner.itersiblings(etree.Element), None) is not None
            is_apart = is_followed and not (inner.tail or "").strip()
            return inner if named and is_apart else None
        element = inner
    return None


def _only_text(element: etree._Element) -> str:
    """Return the text of an element that holds nothing else, else ""."""
    is_text = next(element.iterchildren(etree.Element), None) is None
    return (element.text or "") if is_text else ""


def _has_words(element: etree._Element) -> bool:
    return any(_WORD.search(str(text)) for text in islice(element.itertext(), _MAX_TEXTS))
