"""The marks of texts: strong, emphasis, code and others, by the tags and styles around them."""

from __future__ import annotations

import re
from functools import lru_cache

from scrapy_boilernet.extractor.markup import (
    CODE,
    DELETED,
    EMPHASIS,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
)

TAG_MARKS = {
    "b": STRONG, "strong": STRONG, "em": EMPHASIS, "i": EMPHASIS, "cite": EMPHASIS, "dfn": EMPHASIS,
    "code": CODE, "kbd": CODE, "samp": CODE, "tt": CODE,
    "del": DELETED, "s": DELETED, "strike": DELETED,
    "sup": SUPERSCRIPT, "sub": SUBSCRIPT,
}  # fmt: skip
STYLED_TAGS = frozenset(("span", "font", "b", "strong", "i", "em"))
"""Elements whose own style counts: editors write such, and Google Docs a ``<b>`` of normal weight
around whole texts. A link or code is what it is in any weight."""
_MAX_STYLE_CHARS = 1_000
_WEIGHT = re.compile(
    r"(?:^|;)\s*font-weight\s*:\s*(?:(bold|bolder|[6-9]00)|normal|lighter|[1-5]00)(?![\w-])",
    re.IGNORECASE,
)
_SLANT = re.compile(
    r"(?:^|;)\s*font-style\s*:\s*(?:(italic|oblique)|normal)(?![\w-])", re.IGNORECASE
)
_LINE = re.compile(
    r"(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]{0,60}(line-through)(?![\w-])", re.IGNORECASE
)
_BY_STYLE = ((_WEIGHT, STRONG), (_SLANT, EMPHASIS), (_LINE, DELETED))


def marks_inside(marks: int, tag: str, style: str) -> int:
    """Return the marks of the texts in an inline element.

    ``marks``: those around it. ``style``: the element's own, "" without one.
    """
    marks |= TAG_MARKS.get(tag, 0)
    return _by_style(marks, style[:_MAX_STYLE_CHARS]) if style and tag in STYLED_TAGS else marks


@lru_cache(maxsize=1 << 12)  # elements of a site have few different styles
def _by_style(marks: int, style: str) -> int:
    for pattern, mark in _BY_STYLE:
        if match := pattern.search(style):
            marks = marks | mark if match[1] else marks & ~mark
    return marks
