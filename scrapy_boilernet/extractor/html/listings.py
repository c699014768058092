"""Code in other elements than ``<pre>``: elements whose style keeps line ends, tables of lines with
their numbers, what editors of code make, and boxes of code of documentation tools and forums.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html import code_boxes
from scrapy_boilernet.extractor.html.code import MAX_CLASS_CHARS, names_gutter, names_language
from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import LISTING, Reading
from scrapy_boilernet.extractor.patterns import lazy_pattern

_STYLE_SIGNS = (
    b"white-space:pre", b"white-space: pre", b"white-space:break", b"white-space: break",
    b"white-space-collapse", b"whitespace-pre", b"whitespace-break",
)  # fmt: skip
_TABLE_SIGNS = (b"blob-num", b"data-line-number", b"lineno", b"line-num", b"linenum", b"gutter")
_TABLE = b"<table"
_EDITOR_SIGNS = (
    b"cm-content", b"view-lines", b"irror-code", b"crayon-pre", b"ace_text-layer",
    b"ql-code-block", b"nlighter", b"geshifilter-", b"dp-highlighter", b'"dp-', b"w3-code",
)  # fmt: skip
SIGNS = (*_STYLE_SIGNS, *_TABLE_SIGNS, _TABLE, *_EDITOR_SIGNS, *code_boxes.SIGNS)
_EDITORS = lazy_pattern(
    r"(?:^|\s)(?:cm-content|view-lines|CodeMirror-code|crayon-pre|ace_text-layer|"
    r"ql-code-block-container|EnlighterJS|w3-code|geshifilter-[a-z]\w*|dp-(?:bash|c|cpp|csharp|css|delphi|"
    r"j|java|jscript|perl|php|plain|py|python|rb|ruby|sql|vb|vbnet|xml))(?!\S)"
)
"""Classes of the lines of code in CodeMirror 6, Monaco, CodeMirror 5, Crayon, Ace, Quill,
EnlighterJS, GeSHi, the first SyntaxHighlighter and W3.CSS."""
_EDITOR_NAMES = (
    "cm-content", "view-lines", "codemirror-code", "crayon-pre", "ace_text-layer",
    "ql-code-block-container", "enlighterjs", "geshifilter-", "dp-", "w3-code",
)  # fmt: skip
_NUMBER = "data-line-number"
_KEEPS_LINES = re.compile(
    r"white-space(?:-collapse)?\s*:\s*(?:pre(?:-wrap)?|break-spaces|preserve)\s*(?:[;!]|\Z)",
    re.IGNORECASE,
)
_KEEPS_LINES_CLASS = re.compile(r"(?:^|\s)whitespace-(?:pre|pre-wrap|break-spaces)(?!\S)")
_CODE_TAGS = ("code", "samp")
_TAGS = (*_CODE_TAGS, "div")
_NAMES_CODE = re.compile(
    r"(?:^|[\s_-])(?:code|codeblock|highlight|hljs|prettyprint|source-?code|syntaxhighlighter|"
    r"listing|snippet|terminal)(?![a-z])",
    re.IGNORECASE,
)
_BLOCKS = ("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "blockquote")
"""Elements that are in no code."""
_MAX_TEXTS, _MAX_ROWS, _MAX_NUMBER_TEXTS, _LEVELS = 20_000, 20_000, 9, 40
_MAX_AROUND = 4
"""Elements around one that may be code by their names as well, so that no text is read often."""
_LINE_NUMBER = re.compile(r"[\s\d.:|+-]*")


def may_have_listings(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such code."""
    has_table = _TABLE in signs and not signs.isdisjoint(_TABLE_SIGNS)
    has_others = has_table or not signs.isdisjoint((*_STYLE_SIGNS, *_EDITOR_SIGNS))
    return has_others or code_boxes.may_have_boxes(signs)


def listings_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of elements that are read as a ``<pre>`` is, none of them in another."""
    styled = {*elements.naming("style", ("white-space",), MAX_CLASS_CHARS)}
    styled |= {*elements.naming("class", ("whitespace-",), MAX_CLASS_CHARS)}
    tables = {*elements.of_tags(("table",))}
    found = dict.fromkeys(code_boxes.boxes_of(elements), LISTING)
    boxes = {*found}
    named: set[etree._Element] = set()
    editors = {*elements.naming("class", _EDITOR_NAMES, MAX_CLASS_CHARS)}
    for place in sorted(tables.union(editors, styled.intersection(elements.of_tags(_TAGS)))):
        element, is_table = elements[place], place in tables
        if place in editors and _EDITORS.search(element.get("class") or ""):
            found[element] = LISTING
            continue
        if not is_table and not _names_code(element):
            continue
        around = [*islice(element.iterancestors(), _LEVELS)]
        if boxes and not boxes.isdisjoint(islice(element.iter(etree.Element), _MAX_TEXTS)):
            continue
        if any(above.tag == "pre" or above in found for above in around):
            continue
        if not is_table and sum(above in named for above in around) >= _MAX_AROUND:
            continue
        if _has_numbered_lines(element) if is_table else _has_lines(element):
            found[element] = LISTING
        elif not is_table:
            named.add(element)
    return found


def _names_code(element: etree._Element) -> bool:
    """Return whether an element is code by its names, and its own style keeps the ends of lines."""
    classes = (element.get("class") or "")[:MAX_CLASS_CHARS]
    style = (element.get("style") or "")[:MAX_CLASS_CHARS]
    if not (_KEEPS_LINES.search(style) or _KEEPS_LINES_CLASS.search(classes)):
        return False
    is_code = element.tag in _CODE_TAGS or _NAMES_CODE.search(classes) is not None
    return is_code or names_language(element)


def _has_lines(element: etree._Element) -> bool:
    """Return whether an element has several lines of text, and no other blocks."""
    if next(element.iter(_BLOCKS), None) is not None:
        return False
    text = "".join(map(str, islice(element.itertext(), _MAX_TEXTS)))
    return "\n" in text.strip()


def _has_numbered_lines(table: etree._Element) -> bool:
    """Return whether each row of a table is a line of code behind its number."""
    if any(element is not table for element in table.iter(_BLOCKS)):
        return False
    rows = [*islice(table.iter("tr"), _MAX_ROWS)]
    return bool(rows) and all(map(_is_numbered, rows))


def _is_numbered(row: etree._Element) -> bool:
    """Return whether all cells of a row but the last are its number, or empty."""
    cells = [*row.iterchildren("td", "th")]
    return len(cells) > 1 and not _is_number(cells[-1]) and all(map(_is_number, cells[:-1]))


def _is_number(cell: etree._Element) -> bool:
    named = (
        names_gutter((cell.get("class") or "")[:MAX_CLASS_CHARS]) or cell.get(_NUMBER) is not None
    )
    text = "".join(map(str, islice(cell.itertext(), _MAX_NUMBER_TEXTS))) if named else ""
    return named and _LINE_NUMBER.fullmatch(text) is not None
