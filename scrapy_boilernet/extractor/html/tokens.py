"""Patterns of HTML's tokens, as libxml2 splits a page into them (WHATWG HTML, "Tokenization").

No pattern backtracks: each takes time linear in what it reads.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from scrapy_boilernet.extractor.patterns import lazy_pattern

_SPACE: Final = rb"[ \t\n\r\f]"
_END: Final = rb"(?=[ \t\n\r\f/>])"
"""The end of a tag's name."""
_TAG: Final = rb"[a-z][^ \t\n\r\f/>]*+"
_NAME: Final = rb"[^ \t\n\r\f/>][^ \t\n\r\f/>=]*+"
_EQUALS: Final = _SPACE + rb"*+=" + _SPACE + rb"*+"
_VALUE: Final = rb"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^ \t\n\r\f"'>][^ \t\n\r\f>]*+)"""
_BEFORE: Final = rb"[ \t\n\r\f/]*+"
_AFTER: Final = rb"(?:[ \t\n\r\f]|/(?!>))*+"
_CLOSE: Final = rb"(?:>|\Z)"
_ATTRIBUTE: Final = _BEFORE + _NAME + rb"(?:" + _EQUALS + _VALUE + rb"?)?"
_COMMENT: Final = rb"!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
"""A comment without an end reaches to the end of the page."""
_BOGUS: Final = rb"(?:[!?]|/(?![a-z]))[^>]*+" + _CLOSE
"""Doctypes, processing instructions, CDATA sections, ``</3``."""

RAW_TAGS: Final = tuple(b"script style title textarea xmp iframe noembed noframes".split())
"""Elements whose text is not markup."""
_SCRIPT: Final = b"script" + _END
_IN_COMMENT: Final = rb"(?:[^<-]++|-(?!->)|<(?!/" + _SCRIPT + rb"))*+(?:</" + _SCRIPT + rb")?"
_COMMENT_IN_SCRIPT: Final = (
    rb"<!(?=--)(?:[^<-]++|-(?!->)|<" + _SCRIPT + _IN_COMMENT
    + rb"|<(?!/?" + _SCRIPT + rb"))*+(?:-->)?"
)  # fmt: skip
"""In such a comment a ``</script>`` after a ``<script>`` does not end the script ("double
escaped")."""

ATTRIBUTE: Final = re.compile(rb"(" + _NAME + rb")(?:" + _EQUALS + rb"(" + _VALUE + rb")?)?")
"""An attribute. Groups: name and value, both as they are written; the value has its quotes."""
MARKUP: Final = lazy_pattern(
    rb"<(?:" + _COMMENT + rb"|" + _BOGUS + rb"|(/?)(" + _TAG + rb")"
    rb"((?:" + _ATTRIBUTE + rb")*+" + _AFTER + rb")(/?)(>?))",
    re.IGNORECASE,
)
"""Everything but text. Groups of a tag: ``/`` at the beginning, name, attributes, ``/`` at the end,
and ``>``, which is empty in a tag that the page's end cuts off."""


def _raw_text(name: bytes) -> bytes:
    comment = _COMMENT_IN_SCRIPT + rb"|" if name == b"script" else rb""
    return rb"(?:[^<]++|" + comment + rb"<(?!/" + name + _END + rb"))*+"


_RAW_TEXT: Final = {name: lazy_pattern(_raw_text(name), re.IGNORECASE) for name in RAW_TAGS}


def end_of_raw_text(name: bytes, body: bytes, begin: int) -> int:
    """Return the offset where the raw text from ``begin`` ends: at its end tag, or at the end of
    the page.
    """
    return next(_RAW_TEXT[name].finditer(body, begin)).end()


def _elements(attributes: bytes = rb"(?:" + _ATTRIBUTE + rb")*+") -> bytes:
    """Return a pattern of start tags with these attributes.

    A start tag of :data:`RAW_TAGS` includes the element's text, which is not markup.
    """
    raw = (
        name + _END + attributes + _AFTER + rb"(?:/>|" + _CLOSE + _raw_text(name) + rb")"
        for name in RAW_TAGS
    )
    return rb"|".join((*raw, _TAG + attributes + _BEFORE + _CLOSE))


_END_TAG: Final = _TAG + rb"(?:" + _ATTRIBUTE + rb")*+" + _BEFORE + _CLOSE


@cache
def up_to_tag_of_more(attributes: int) -> re.Pattern[bytes]:
    """Return a pattern of a page from its beginning to its first start tag of more attributes."""
    start = _elements(rb"(?:" + _ATTRIBUTE + rb"){0,%d}+" % attributes)
    markup = rb"|".join((start, rb"/" + _END_TAG, _COMMENT, _BOGUS))
    return re.compile(rb"(?:[^<]++|<(?:" + markup + rb"|(?![a-z/!?])))*+", re.IGNORECASE)


@cache
def up_to_node(number: int) -> re.Pattern[bytes]:
    """Return a pattern of a page from its beginning to node ``number`` of its tree, from 0 on.

    A node is an element, a comment, or the paragraph that a ``</p>`` makes.
    """
    ends = rb"/(?!p" + _END + rb")" + _END_TAG + rb"|(?=/(?![a-z]))" + _BOGUS
    between = rb"(?:[^<]++|<(?:" + ends + rb"|(?![a-z/!?])))*+"
    nodes = rb"|".join((_elements(), rb"/" + _END_TAG, _COMMENT, _BOGUS))
    times = rb"{0,%d}+" % number
    return re.compile(
        rb"(?:" + between + rb"<(?:" + nodes + rb"))" + times + between, re.IGNORECASE
    )
