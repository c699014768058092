"""Boxes of code without ``<pre>``: those of Doxygen, SyntaxHighlighter, EnlighterJS, Writerside,
pkg.go.dev and Discuz, ``<code>`` with line breaks that stands alone, as forums and the manual of
PHP have it, and ``<code>`` and ``<tt>`` whose lines have no-break spaces as indents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
_BREAK, _LINE_SIGNS = b"<br", (b"<code", b"<tt")
SIGNS = (*_NAME_SIGNS, _BREAK, *_LINE_SIGNS)
"""A page with such a box has one of the first, or the second and one of the last."""
_CODE, _LINE_TAGS, _LINE_END = "code", ("code", "tt"), "br"
_LINE, _HOLDER, _LANGUAGE = "line", "container", "data-lang"
_BLOCKS = (
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "blockquote", "div",
    "img",
)  # fmt: skip
"""Elements that are in no line of code."""
_OUTER = frozenset(("p", "div", "dd", "li", "blockquote", "figure", "section"))
"""Blocks that may hold nothing but a ``<code>``."""
_CELLS = ("td", "th")
_HOLDERS = _OUTER.union(_CELLS, ("body", "center", "article", "main"))
"""Blocks that may hold lines with indents."""
_ENDING = frozenset(("br", "hr", *_BLOCKS)) - {"img"}
"""Elements at which a line ends."""
_SPACES, _NO_BREAK, _INDENT = " \t\n\r\f", "\xa0", re.compile(r"\A\xa0[\xa0 ]*[^\xa0\s]")
_CODE_SIGN = re.compile(r"[=;{}<>|\\$\[\]]|\w\(|(?<!\S)(?:--?|[/~])\w")
"""What no address has: signs of code, and options and paths of a command."""
_MIN_WORDS = 4
_WORD = re.compile(r"""\A["'“‘«(]?[^\W_]+(?:['’.,:-][^\W_]+)*[,;:.!?…"'”’»)]*\Z""")
_SENTENCE_END = re.compile(r"""[^\W\d_A-Z]{2}[.!?…]["'”’»)]*\Z""")
"""A word of a line of text, with its punctuation, and one at which a sentence ends. A line of fewer
than ``_MIN_WORDS`` may be code, too."""
_NAMES_CODE = re.compile(
    r"(?:^|[\s_-])(?:php|block|bbc_?)?code(?:box|block|holder|snippet)?(?![a-z])", re.IGNORECASE
)
_MAX_BEFORE, _MAX_CLASS_CHARS, _MAX_TEXTS, _LEVELS = 40, 500, 20_000, 40
"""``_MAX_BEFORE``: elements of a box before its first line."""


def may_have_boxes(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such code."""
    has_lines = _BREAK in signs and not signs.isdisjoint(_LINE_SIGNS)
    return has_lines or not signs.isdisjoint(_NAME_SIGNS)


def boxes_of(elements: Elements | CompiledElements) -> Iterator[etree._Element]:
    """Yield the elements that hold the lines of such code, and nothing else."""
    for place in elements.naming("class", _NAMES, _MAX_CLASS_CHARS):
        box = elements[place]
        lines = _lines_in(box, {*(box.get("class") or "").lower().split()})
        if lines is not None and not _is_in_code(lines):
            yield lines
    for place in elements.of_tags(_LINE_TAGS):
        code = elements[place]
        if next(code.iter(_LINE_END), None) is None:
            continue
        is_code = (code.tag == _CODE and _stands_alone(code)) or _has_indents(code)
        if is_code and not _is_in_code(code):
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


def _has_indents(code: etree._Element) -> bool:
    """Return whether an element has lines of code of its own, of which one is indented by no-break
    spaces, or which have no other spaces. In a cell, it must be the only one of its row.
    """
    lines = [str(text).strip(_SPACES) for text in islice(code.itertext(), _MAX_TEXTS)]
    text = "".join(lines)
    if _NO_BREAK not in text or not text.strip():
        return False
    is_typed = any(map(_INDENT.match, lines)) or (
        not any(space in text for space in " \n") and any(map(_CODE_SIGN.search, lines))
    )
    if not is_typed or _is_prose(code, lines):
        return False
    inner = (element for element in code.iter(_BLOCKS) if element is not code)
    return not any(map(_is_filled, inner)) and _has_own_lines(code)


def _is_prose(code: etree._Element, lines: Sequence[str]) -> bool:
    """Return whether lines have links, or mostly characters beyond ASCII, or are mostly lines of
    words with sentences.
    """
    words = [line.split() for line in lines]
    text = "".join(word for line in words for word in line)
    if 2 * sum(map(str.isascii, text)) < len(text) or any(
        link.get("href") for link in code.iter("a")
    ):
        return True
    plain = [line for line in words if len(line) >= _MIN_WORDS and all(map(_WORD.match, line))]
    return 2 * sum(map(len, plain)) > sum(map(len, words)) and any(
        _SENTENCE_END.search(word) for line in plain for word in line
    )


def _is_filled(element: etree._Element) -> bool:
    """Return whether an element is an image, or holds text or elements."""
    return element.tag == "img" or len(element) > 0 or not _is_blank(element.text)


def _has_own_lines(code: etree._Element) -> bool:
    """Return whether an element that holds others begins and ends a line of the block around it."""
    outer = code.getparent()
    if outer is None or outer.tag not in _HOLDERS:
        return False
    if outer.tag in _CELLS and not is_only_child(outer):
        return False
    before, after, last = code.getprevious(), code.getnext(), code[-1]
    text_before = outer.text if before is None else before.tail
    begins = (code[0].tag in _ENDING and _is_blank(code.text)) or _ends_line(before, text_before)
    ends = (last.tag in _ENDING and _is_blank(last.tail)) or _ends_line(after, code.tail)
    return begins and ends


def _ends_line(beside: etree._Element | None, between: str | None) -> bool:
    """Return whether a line ends between an element and the one beside it, or the end of its block.

    ``between``: the text between both.
    """
    return _is_blank(between) and (beside is None or beside.tag in _ENDING)


def _is_blank(text: str | None) -> bool:
    return not text or text.isspace()


def _names_code(element: etree._Element) -> bool:
    return _NAMES_CODE.search((element.get("class") or "")[:_MAX_CLASS_CHARS]) is not None
