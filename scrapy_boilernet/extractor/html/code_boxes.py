"""Boxes of code without ``<pre>``: those of Doxygen, SyntaxHighlighter, EnlighterJS, Writerside,
pkg.go.dev and Discuz, and ``<code>`` with line breaks that stands alone, as forums and the manual
of PHP have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements, is_only_child

_NAMES = (
    "fragment", "syntaxhighlighter", "code-block", "blockcode", "enlighter",
    "documentation-examplecode",
)  # fmt: skip
"""Classes of the boxes of Doxygen, SyntaxHighlighter, Writerside, Discuz, EnlighterJS and
pkg.go.dev."""
_FRAGMENT, _HIGHLIGHTER, _WITH_LANGUAGE, _WITH_ITEMS = _NAMES[:4]
_WHOLE, _WHOLE_TAGS = _NAMES[4:], ("div", "textarea")
"""Those that hold nothing but code, and their tags."""
_NAME_SIGNS = (
    b'"fragment"', b"syntaxhighlighter", b"code-block", b"blockcode", b"enlighter-",
    b"documentation-examplecode",
)  # fmt: skip
_BREAK_SIGNS = (b"<code", b"<br")
SIGNS = (*_NAME_SIGNS, *_BREAK_SIGNS)
"""A page with such a box has one of the first, or both of the last."""
_LINE, _HOLDER, _LANGUAGE = "line", "container", "data-lang"
_BLOCKS = (
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "blockquote", "div",
    "img",
)  # fmt: skip
"""Elements that are in no line of code."""
_OUTER = frozenset(("p", "div", "dd", "li", "blockquote", "figure", "section"))
"""Blocks that may hold nothing but a ``<code>``."""
_CELLS = ("td", "th")
_NAMES_CODE = re.compile(
    r"(?:^|[\s_-])(?:php|block|bbc_?)?code(?:box|block|holder|snippet)?(?![a-z])", re.IGNORECASE
)
_MAX_BEFORE, _MAX_CLASS_CHARS, _MAX_TEXTS, _LEVELS = 40, 500, 20_000, 40
"""``_MAX_BEFORE``: elements of a box before its first line."""


def may_have_boxes(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such code."""
    return not signs.isdisjoint(_NAME_SIGNS) or all(map(signs.__contains__, _BREAK_SIGNS))


def boxes_of(elements: Elements | CompiledElements) -> Iterator[etree._Element]:
    """Yield the elements that hold the lines of such code, and nothing else."""
    for place in elements.naming("class", _NAMES, _MAX_CLASS_CHARS):
        box = elements[place]
        lines = _lines_in(box, {*(box.get("class") or "").lower().split()})
        if lines is not None and not _is_in_code(lines):
            yield lines
    for place in elements.of_tags(("code",)):
        code = elements[place]
        if (
            next(code.iter("br"), None) is not None
            and _stands_alone(code)
            and not _is_in_code(code)
        ):
            yield code


def _lines_in(box: etree._Element, classes: AbstractSet[str]) -> etree._Element | None:
    """Return the element that holds the lines of a box with these classes."""
    if not classes.isdisjoint(_WHOLE):
        return box if box.tag in _WHOLE_TAGS else None
    if _WITH_LANGUAGE in classes:
        is_code = box.tag == "div" and box.get(_LANGUAGE) and not _has_blocks(box)
        return box if is_code else None
    if _WITH_ITEMS in classes:
        return next(box.iter("ol"), None)
    if not classes & {_FRAGMENT, _HIGHLIGHTER}:
        return None
    for inner in islice(box.iter(etree.Element), 1, _MAX_BEFORE):
        holder = inner.getparent()
        if inner.tag != "div" or holder is None or _LINE not in _classes(inner):
            continue
        if _FRAGMENT in classes:
            return box
        if _HOLDER in _classes(holder):
            return holder
    return None


def _classes(element: etree._Element) -> list[str]:
    return (element.get("class") or "").split()


def _has_blocks(element: etree._Element) -> bool:
    return any(inner is not element for inner in element.iter(_BLOCKS))


def _is_in_code(element: etree._Element) -> bool:
    return any(above.tag == "pre" for above in islice(element.iterancestors(), _LEVELS))


def _stands_alone(code: etree._Element) -> bool:
    """Return whether a ``<code>`` with line breaks is all that its block holds, or has a class of
    boxes of code. In a cell, only named ones are no lines of a table.
    """
    texts = [str(text).strip() for text in islice(code.itertext(), _MAX_TEXTS)]
    if _has_blocks(code) or any("\n" in text for text in texts) or sum(map(bool, texts)) < 2:
        return False
    if _names_code(code):
        return True
    outer = code.getparent()
    if outer is None or outer.tag not in _OUTER or not is_only_child(code):
        return False
    if any(text and not text.isspace() for text in (outer.text, code.tail)):
        return False
    above = outer.getparent()
    if _names_code(outer) or (above is not None and _names_code(above)):
        return True
    return all(each.tag not in _CELLS for each in islice(outer.iterancestors(), _LEVELS))


def _names_code(element: etree._Element) -> bool:
    return _NAMES_CODE.search((element.get("class") or "")[:_MAX_CLASS_CHARS]) is not None
