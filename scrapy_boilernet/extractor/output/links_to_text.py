"""Links that scroll a browser to a place of a page: to an ``id``, or to a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from scrapy_boilernet.extractor.page import HEADING_TAGS, Block

_MAX_ID_CHARS = 500
_IN_FRAGMENTS = "!$&'()*+,;=:@/?"
"""Signs that a fragment may have as they are (RFC 3986)."""
_WORDS, _MAX_CHARS = 8, 200
"""Words of a quoted text."""
_MANY_CHARS, _MIN_CHARS = 30, 6
"""A text of so many characters is hardly found within another one; the fewest that are tried."""
_CLAUSE_END = re.compile(r"[。！？、，；：]")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_RAISED = re.compile(r"(?:\s?\S*[\u00b2\u00b3\u00b9\u2070-\u209f^|\\{]|\s\[\w{1,9}\]).*", re.DOTALL)
"""A word that the page may write with other characters, such as superscripts, formulas and the
marks of notes, and the rest."""


def id_link(url: str, id_: str) -> str:
    """Return the URL with the id as its fragment; "" without an id, or for one that is too long."""
    if not id_ or len(id_) > _MAX_ID_CHARS or re.search(r"\s", id_):
        return ""
    return f"{_without_fragment(url)}#{quote(id_, safe=_IN_FRAGMENTS, errors='replace')}"


def text_link(url: str, text: str) -> str:
    """Return the URL with a text fragment for the text; "" for no text.

    >>> text_link("https://a.example/p#top", "well-known, isn't it")
    'https://a.example/p#:~:text=well%2Dknown%2C%20isn%27t%20it'
    """
    if not text:
        return ""
    written = quote(text, safe="", errors="replace").replace("-", "%2D")
    return f"{_without_fragment(url)}#:~:text={written}"


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


class Quotes:
    """Chooses the texts by which a browser finds blocks of one page."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Take the texts of all blocks of the page."""
        self._known = Counter(_start(text).casefold() for text in texts)

    def of(self, blocks: Sequence[Block]) -> str:
        """Return the start of the first block that tells the place; "" if none is long enough.

        That is a long one with which no other block of the page starts, else a short one. Headings
        are a last resort, since tables of contents and lists of links repeat them.
        """
        texts = [
            _found_text(block) for block in blocks if not HEADING_TAGS.intersection(block.tags)
        ]
        titles = [block.text for block in blocks if HEADING_TAGS.intersection(block.tags)]
        starts = [start for text in (*texts, *titles) if (start := _start(text))]
        alone = [start for start in starts if self._known[start.casefold()] <= 1]
        long = (start for start in alone if len(start) >= _MANY_CHARS or not start.isascii())
        return next(long, "") or next(iter((*alone, *starts)), "")


def _found_text(block: Block) -> str:
    """Return the text of a block as a browser finds it: of code, the first line of several words.

    A browser keeps line breaks and several spaces in code, and does not find a text across them.
    """
    lines = (line.strip() for line in block.preformatted.split("\n"))
    return next((line for line in lines if " " in line and "  " not in line), block.text)


def _start(text: str) -> str:
    """Return the first words of a text, which end where a word ends; "" if they are too few."""
    head = _RAISED.sub("", text[: _MAX_CHARS + 1])
    if _UNSPACED.search(head[:12]):
        ends = [match.start() for match in _CLAUSE_END.finditer(head)]
        whole = head if len(text) <= _MAX_CHARS else ""
        found = next((head[:end] for end in ends if end >= _MIN_CHARS), whole)
    else:
        words = head.split(" ")
        if len(head) > _MAX_CHARS:
            words.pop()
        found = " ".join(words[:_WORDS])
    return found if len(found) >= _MIN_CHARS else ""
