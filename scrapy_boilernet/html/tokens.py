"""Patterns of HTML's tokens, as libxml2 splits a page into them (WHATWG HTML, "Tokenization").

Each takes time linear in what it reads, without backtracking.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_SPACE: Final = rb"[ \t\n\r\f]"
_END: Final = rb"(?=[ \t\n\r\f/>])"
"""Of a tag's name."""
_TAG: Final = rb"[a-z][^ \t\n\r\f/>]*+"
_NAME: Final = rb"[^ \t\n\r\f/>][^ \t\n\r\f/>=]*+"
_EQUALS: Final = _SPACE + rb"*+=" + _SPACE + rb"*+"
_VALUE: Final = rb"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^ \t\n\r\f"'>][^ \t\n\r\f>]*+)"""
_BEFORE: Final = rb"[ \t\n\r\f/]*+"
_AFTER: Final = rb"(?:[ \t\n\r\f]|/(?!>))*+"
_CLOSE: Final = rb"(?:>|\Z)"
_ATTRIBUTE: Final = _BEFORE + _NAME + rb"(?:" + _EQUALS + _VALUE + rb"?)?"
_COMMENT: Final = rb"!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
"""One without an end reaches to the end of the page."""
_BOGUS: Final = rb"(?:[!?]|/(?![a-z]))[^>]*+" + _CLOSE
"""Doctypes, processing instructions, CDATA sections, ``</3``."""

RAW_TAGS: Final = tuple(b"script style title textarea xmp iframe noembed noframes".split())
"""Elements whose text is no markup."""
_SCRIPT: Final = b"script" + _END
_IN_COMMENT: Final = rb"(?:[^<-]++|-(?!->)|<(?!/" + _SCRIPT + rb"))*+(?:</" + _SCRIPT + rb")?"
_COMMENT_IN_SCRIPT: Final = (
    rb"<!(?=--)(?:[^<-]++|-(?!->)|<" + _SCRIPT + _IN_COMMENT
    + rb"|<(?!/?" + _SCRIPT + rb"))*+(?:-->)?"
)  # fmt: skip
"""In it a ``</script>`` that follows a ``<script>`` does not end the script ("double escaped")."""

ATTRIBUTE: Final = re.compile(rb"(" + _NAME + rb")(?:" + _EQUALS + rb"(" + _VALUE + rb")?)?")
"""Name and value, quotes included; both as they are written."""
MARKUP: Final = re.compile(
    rb"<(?:" + _COMMENT + rb"|" + _BOGUS + rb"|(/?)(" + _TAG + rb")"
    rb"((?:" + _ATTRIBUTE + rb")*+" + _AFTER + rb")(/?)(>?))",
    re.IGNORECASE,
)
"""What is not text. Groups of a tag: ``/`` at the beginning, name, attributes, ``/`` at the end,
and ``>``, which is empty in a tag that the page's end cuts off."""


def _raw_text(name: bytes) -> bytes:
    comment = _COMMENT_IN_SCRIPT + rb"|" if name == b"script" else rb""
    return rb"(?:[^<]++|" + comment + rb"<(?!/" + name + _END + rb"))*+"


_RAW_TEXT: Final = {name: re.compile(_raw_text(name), re.IGNORECASE) for name in RAW_TAGS}


def end_of_raw_text(name: bytes, body: bytes, begin: int) -> int:
    """Return the offset where the raw text from ``begin`` ends: at the end tag, if there is one."""
    return next(_RAW_TEXT[name].finditer(body, begin)).end()


def _elements(attributes: bytes = rb"(?:" + _ATTRIBUTE + rb")*+") -> bytes:
    """Start tags, of so many attributes, and text that is no markup with them."""
    raw = (
        name + _END + attributes + _AFTER + rb"(?:/>|" + _CLOSE + _raw_text(name) + rb")"
        for name in RAW_TAGS
    )
    return rb"|".join((*raw, _TAG + attributes + _BEFORE + _CLOSE))


_END_TAG: Final = _TAG + rb"(?:" + _ATTRIBUTE + rb")*+" + _BEFORE + _CLOSE


@cache
def up_to_tag_of_more(attributes: int) -> re.Pattern[bytes]:
    """Return what matches a page from its beginning to its first start tag of more attributes."""
    start = _elements(rb"(?:" + _ATTRIBUTE + rb"){0,%d}+" % attributes)
    markup = rb"|".join((start, rb"/" + _END_TAG, _COMMENT, _BOGUS))
    return re.compile(rb"(?:[^<]++|<(?:" + markup + rb"|(?![a-z/!?])))*+", re.IGNORECASE)


@cache
def up_to_node(number: int) -> re.Pattern[bytes]:
    """Return what matches a page from its beginning to what becomes node ``number`` of its tree,
    counted from 0: an element, a comment, or the paragraph that a ``</p>`` makes.
    """
    ends = rb"/(?!p" + _END + rb")" + _END_TAG + rb"|(?=/(?![a-z]))" + _BOGUS
    between = rb"(?:[^<]++|<(?:" + ends + rb"|(?![a-z/!?])))*+"
    nodes = rb"|".join((_elements(), rb"/" + _END_TAG, _COMMENT, _BOGUS))
    times = rb"{0,%d}+" % number
    return re.compile(
        rb"(?:" + between + rb"<(?:" + nodes + rb"))" + times + between, re.IGNORECASE
    )
