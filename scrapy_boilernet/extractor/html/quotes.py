"""Quotes in posts of forums, by the markup of their programs.

A quote counts as a ``<blockquote>`` whatever its element is, and the ``<blockquote>`` that some
programs put around a whole post, or into another element of a quote, as a ``<div>``. The line that
says who is quoted is a block of its own. Its icons, and controls to unfold a quote, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements, is_only_child
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.patterns import lazy_pattern

_QUOTE, _INSET = b"quote", b"inset"
SIGNS = (_QUOTE, _INSET)
_TAGS = frozenset(("div", "td", "section", "aside", "figure", "details"))
_INLINE = frozenset(("cite", "span", "b", "strong", "i", "em", "a", "small"))
_BLOCKS = frozenset(("div", "p", "li", "section", "footer"))
"""Elements that are a line of their own; others are if no text stands beside them."""
_SURE = re.compile(
    r"(?:^|\s)(?:bb(?:c|code)?[-_]?(?:standard[-_]?)?quote(?:[-_]?(?:block|box))?|mycode[-_]quote|"
    r"(?:ips|bbp|gmail|yahoo|moz)[-_]?quoted?)(?!\S)",
    re.IGNORECASE,
)
"""Classes of quotes."""
_LIKELY = re.compile(
    r"(?:^|\s)(?:(?:block|user|forum|reply|message|msg|comment)[-_]?)?quot(?:e|ed|ation)"
    r"(?:[-_]?(?:text|content|message|msg|post|box|block|container|wrap(?:per)?|main|body))?(?!\S)",
    re.IGNORECASE,
)
"""Classes of quotes in a post; elsewhere, of other things."""
_POST = lazy_pattern(
    r"(?:^|[\s_-])(?:[a-z]{0,9}posts?|posting|post[a-z]{0,9}|(?:[a-z]{1,9}-)?message[a-z]{0,9}|msg|"
    r"comments?|reply|topic|thread|forum|cooked|bb-?wrapper)(?![a-z])",
    re.IGNORECASE,
)
"""Classes and ids of the elements around the text of a post."""
_WHOLE = re.compile(
    r"(?:^|\s)(?:(?:post|message|comment|reply)[-_]?(?:content|message|body|text)|restore)(?!\S)",
    re.IGNORECASE,
)
"""Classes of a ``<blockquote>`` that holds a whole post."""
_HEAD = re.compile(
    r"quot(?:e|ed)[-_]?(?:title|head(?:er)?|top|author|by|info|name|cit(?:e|ation)|source|meta)|"
    r"posted-?by|attribution|citation|bbcodeblock-title|(?:^|\s)(?:title|author|header)(?!\S)",
    re.IGNORECASE,
)
"""Classes of the line that says who is quoted."""
_CONTROL = re.compile(
    r"(?:expand|shrink|collapse)-?(?:link|button|btn|toggle|control)(?![a-z-])|"
    r"quote-?(?:expand|shrink|collapse|controls?|toggle)(?![a-z-])|"
    r"(?:show|read|see|view)-?more(?![a-z-])",
    re.IGNORECASE,
)
_CONTROL_STEMS = ("expand", "shrink", "collapse", "controls", "toggle", "more")
_INSET_BORDER = re.compile(r"border[a-z-]{0,8}\s*:[^;]{0,40}\binset\b", re.IGNORECASE)
_GLUED = re.compile(r"[\w\"\u201c\u201e\u00ab(]|\Z")
"""What follows a line that only style ends."""
_COLON = re.compile(r"[:\uff1a]")
_LABEL = re.compile(
    r"\s*(?:quote|zitat|citation|cita|cita[cz]ione|cita[tç](?:ão)?|citaat|cytat|sitat|idézet|lainaus|"
    r"alıntı|цитата|引用|인용)\s*[:\uff1a]?\s*",
    re.IGNORECASE,
)
"""The label above a quote in a lone cell, as in vBulletin 3."""
_WORD = re.compile(r"\w")
_MAX_CLASS_CHARS, _MAX_HEAD_CHARS, _MAX_CONTROL_CHARS = 1_000, 150, 60
_LEVELS, _MAX_TEXTS, _MAX_HEAD_ELEMENTS, _MAX_ELEMENTS = 8, 16, 12, 64
_AS_QUOTE, _AS_BLOCK = Reading(None, 0, "blockquote"), Reading(None, 0, "div")
_NOTHING, _NO_BLOCK = Reading("", 0, "span"), Reading("", 0, "div")
Readings = dict[etree._Element, Reading]


def may_have_quotes(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such quotes."""
    return not signs.isdisjoint(SIGNS)


def quotes_of(elements: Elements | CompiledElements) -> Readings:
    """Return the readings of quotes in posts, of their heads and controls, and of posts that are in
    a ``<blockquote>``.
    """
    named = elements.naming("class", ("quot",), _MAX_CLASS_CHARS)
    styled = elements.naming("style", ("inset",), _MAX_CLASS_CHARS)
    places = {*named, *styled, *elements.of_tags(("blockquote",))}
    found: Readings = {}
    quotes: dict[etree._Element, bool] = {}
    """The quotes, each with whether a ``<blockquote>`` in it is a part of it."""
    for place in sorted(places):
        element = elements[place]
        if element.tag == "blockquote":
            if _WHOLE.search(_class(element)):
                found[element] = _AS_BLOCK
                continue
            around = next((one for one in _around(element) if one in quotes), None)
            if around is not None and quotes[around]:
                quotes[around] = False
                found[element] = _AS_BLOCK
            elif _is_in_post(element):
                quotes[element] = False
        elif element.tag in _TAGS and _is_quote(element) and not _is_part(element, quotes):
            quotes[element] = True
            found[element] = _AS_QUOTE
    for quote in quotes:
        found |= _head(quote) | (_label(quote) if quote.tag == "td" else {})
    return found | _controls(elements, quotes) if quotes else found


def _class(element: etree._Element) -> str:
    return (element.get("class") or "")[:_MAX_CLASS_CHARS]


def _around(element: etree._Element) -> Iterator[etree._Element]:
    return islice(element.iterancestors(), _LEVELS)


def _is_quote(element: etree._Element) -> bool:
    """Return whether an element is a quote by its class, or by the border of a lone cell."""
    class_value = _class(element)
    if _HEAD.search(class_value) or _CONTROL.search(class_value):
        return False
    if _SURE.search(class_value):
        return _has_text(element)
    if element.tag == "td" and _INSET_BORDER.search(
        (element.get("style") or "")[:_MAX_CLASS_CHARS]
    ):
        return _is_alone(element) and _is_in_post(element)
    is_likely = _LIKELY.search(class_value) is not None
    return is_likely and _is_in_post(element) and _has_text(element)


def _has_text(element: etree._Element) -> bool:
    """Return whether an element has more than a few links, such as one to quote a post, beside the
    line that says who is quoted.
    """
    text, links, left = len(_text(element)), 0, 0
    for inner in islice(element.iter(etree.Element), 1, _MAX_ELEMENTS):
        if left:  # in a head
            left -= 1
        elif _HEAD.search(_class(inner)):
            text -= len(_text(inner))
            left = sum(1 for _ in islice(inner.iter(etree.Element), 1, _MAX_ELEMENTS))
        elif inner.tag in ("a", "button"):
            links += len(_text(inner))
    return text > 2 * links


def _is_alone(cell: etree._Element) -> bool:
    """Return whether a cell is all of its table."""
    row = cell.getparent()
    above = row.getparent() if row is not None and is_only_child(cell) else None
    if above is None or row is None or not is_only_child(row):
        return False
    return above.tag != "tbody" or is_only_child(above)


def _is_in_post(element: etree._Element) -> bool:
    """Return whether the names of the elements around one are those of the text of a post, or the
    element is a quote by its own class.
    """
    if element.tag == "blockquote" and _SURE.search(_class(element)):
        return True
    return any(_POST.search(f"{_class(one)} {one.get('id') or ''}") for one in _around(element))


def _is_part(element: etree._Element, quotes: Mapping[etree._Element, bool]) -> bool:
    """Return whether an element is a part of the quote around it, not a quote that is quoted."""
    around = [one for one in _around(element) if one in quotes]
    return bool(around) and all(_class(one) != _class(element) for one in around)


def _head(quote: etree._Element) -> Readings:
    """Return the readings of the line that says who is quoted, and of what in it is no text."""
    text = quote.text
    for element in islice(quote.iter(etree.Element), 1, _MAX_HEAD_ELEMENTS):
        if _WORD.search(text or ""):
            return {}
        if _is_head(element, quote):
            found = {element: _AS_BLOCK} if _needs_line(element) else {}
            return found | _signs_in(element) | _set_apart(element)
        text = element.text or ("" if len(element) else element.tail)
    return {}


def _label(cell: etree._Element) -> Readings:
    """Return a reading of nothing for the label above the table of a quote."""
    table = next(cell.iterancestors("table"), None)
    label = table.getprevious() if table is not None else None
    is_label = label is not None and label.tag == "div" and _LABEL.fullmatch(_text(label))
    return {label: _NO_BLOCK} if label is not None and is_label else {}


def _is_head(element: etree._Element, quote: etree._Element) -> bool:
    """Return whether the first element with text in a quote says who is quoted."""
    is_first = quote.tag == "td" and element.getparent() is quote and element.getnext() is not None
    is_named = is_first or _HEAD.search(_class(element)) is not None
    if not is_named and element.tag != "cite":
        return False
    text = _text(element)
    if not _WORD.search(text) or len(text) > _MAX_HEAD_CHARS:
        return False
    if is_named:
        return True
    ends = text.rstrip()[-1:] in (":", "\uff1a") or _GLUED.match(element.tail or "") is not None
    return ends and _COLON.search(text) is not None  # else it is part of a sentence


def _needs_line(head: etree._Element) -> bool:
    """Return whether a head is no line of its own; a link before a block is, and stays a link."""
    following = head.getnext() if head.tag == "a" and not (head.tail or "").strip() else None
    is_before_block = following is not None and following.tag in (*_TAGS, *_BLOCKS, "br")
    return head.tag in _INLINE and not is_before_block


def _signs_in(head: etree._Element) -> Readings:
    """Return a reading of nothing for the images of a head, and for links without a word."""
    found: Readings = {}
    for element in islice(head.iter(etree.Element), _MAX_ELEMENTS):
        if element.tag == "img" or (element.tag == "a" and not _WORD.search(_text(element))):
            found[element] = _NOTHING
    return found


def _set_apart(head: etree._Element) -> Readings:
    """Return the readings of the texts of a head that only style sets apart from what follows."""
    found: Readings = {}
    for element in islice(head.iterchildren("span"), _MAX_HEAD_ELEMENTS):
        text = _text(element)
        if not len(element) and _WORD.search(text) and _WORD.match(element.tail or ""):
            found[element] = Reading(f"{text} ", 0, "span")
    return found


def _controls(
    elements: Elements | CompiledElements, quotes: Mapping[etree._Element, bool]
) -> Readings:
    """Return a reading of nothing for the controls in quotes, such as one to unfold the quote."""
    named = {*elements.naming("class", _CONTROL_STEMS, _MAX_CLASS_CHARS)}
    controls = {*elements.having(("role",)), *elements.of_tags(("button",))}
    found: Readings = {}
    for place in named | controls:
        element = elements[place]
        is_control = element.tag == "button" or element.get("role") == "button"
        if not (is_control or _CONTROL.search(_class(element))):
            continue
        if len(_text(element)) > _MAX_CONTROL_CHARS or not any(
            one in quotes for one in _around(element)
        ):
            continue
        if _is_line(element):
            found[element] = _NO_BLOCK if element.tag in _BLOCKS else _NOTHING
    return found


def _is_line(element: etree._Element) -> bool:
    """Return whether an element is a line of its own."""
    parent = element.getparent()
    texts = (
        ()
        if parent is None
        else (parent.text, *(child.tail for child in islice(parent, _MAX_ELEMENTS)))
    )
    return element.tag in _BLOCKS or not any(text and not text.isspace() for text in texts)


def _text(element: etree._Element) -> str:
    return "".join(map(str, islice(element.itertext(), _MAX_TEXTS)))
