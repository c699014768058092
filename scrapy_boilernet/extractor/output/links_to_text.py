"""Links that scroll a browser to a place of a page: to an ``id``, or to a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from urllib.parse import quote

from scrapy_boilernet.extractor.page import HEADING_TAGS, Block

_MAX_ID_CHARS = 500
_IN_FRAGMENTS = "!$&'()*+,;=:@/?"
"""Signs that a fragment may have as they are (RFC 3986)."""
_WORDS, _MAX_CHARS = 8, 200
"""Words of a quoted text."""
_MANY_CHARS, _MIN_CHARS = 30, 6
"""A text of so many characters is hardly found within another one; the fewest that are tried."""
_WORDS_BEFORE = 4
_MAX_SEARCHED = 100_000_000
"""Characters of a page that are searched for texts that occur earlier, for all of its chunks."""
_SEARCHED_PER_WORD = 1_000
"""As how many of them a look at what stands around a text counts."""
_WORD_CHARACTER = re.compile(r"\w")
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


def text_link(url: str, text: str, before: str = "") -> str:
    """Return the URL with a text fragment for the text; "" for no text.

    ``before``: the words before the text, if it occurs elsewhere; "" if it does not.

    >>> text_link("https://a.example/p#top", "well-known, isn't it")
    'https://a.example/p#:~:text=well%2Dknown%2C%20isn%27t%20it'
    """
    if not text:
        return ""
    words = _fragment(text)
    written = f"{_fragment(before)}-,{words}" if before else words
    return f"{_without_fragment(url)}#:~:text={written}"


def _fragment(text: str) -> str:
    return quote(text, safe="", errors="replace").replace("-", "%2D")


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


class Quotes:
    """Chooses the texts by which a browser finds blocks of one page."""

    def __init__(self, texts: Sequence[str], hidden: Sequence[bool]) -> None:
        """Take the texts of all blocks of the page, and which of them are hidden."""
        self._texts, self._hidden = texts, hidden
        self._known = Counter(_start(text).casefold() for text in texts)
        self._begins = [*accumulate((len(text.casefold()) + 1 for text in texts), initial=0)]
        self._page = "\n".join(text.casefold() for text in texts)
        self._left = _MAX_SEARCHED

    def of(self, blocks: Sequence[tuple[int, Block]]) -> tuple[str, str]:
        """Return the start of the first block that tells the place, and the words before it if the
        text occurs earlier on the page, else ""; ("", "") if none tells it.

        ``blocks``: with their numbers. A start is chosen that is long and with which no other block
        of the page starts, else a short one. Headings are a last resort, since tables of contents
        and lists of links repeat them.
        """
        named = [(i, one, bool(HEADING_TAGS.intersection(one.tags))) for i, one in blocks]
        texts = [(i, _found_text(one)) for i, one, is_heading in named if not is_heading]
        titles = [(i, one.text) for i, one, is_heading in named if is_heading]
        starts = [(i, start) for i, text in (*texts, *titles) if (start := _start(text))]
        alone = [(i, start) for i, start in starts if self._known[start.casefold()] <= 1]
        long = [one for one in alone if len(one[1]) >= _MANY_CHARS or not one[1].isascii()]
        ordered = dict.fromkeys((*long, *alone, *starts))
        for i, start in ordered:
            if self._is_first(i, start):
                return start, ""
        for i, start in ordered:
            if before := self._before(i, start):
                return start, before
        return "", ""

    def _is_first(self, number: int, text: str, before: str = "") -> bool:
        """Return whether a text does not occur before its block.

        Only so many characters are searched in all; what is not is taken as it is.
        """
        end = self._begins[number]
        self._left -= end
        wanted = f"{before}\n{text}".casefold() if before else text.casefold()
        end = max(end - 1, 0)
        at = self._page.find(wanted, 0, end) if self._left >= 0 else -1
        while at >= 0 and self._is_within_word(at, at + len(wanted)):
            self._left -= _SEARCHED_PER_WORD
            if self._left < 0:
                return True
            at = self._page.find(wanted, at + 1, end)
        return at < 0

    def _is_within_word(self, begin: int, end: int) -> bool:
        """Return whether what stands between two places of the page is not of whole words."""
        around = self._page[max(begin - 1, 0) : begin], self._page[end : end + 1]
        return any(map(_WORD_CHARACTER.match, around))

    def _before(self, number: int, start: str) -> str:
        """Return the last words of the block before, if it is shown, a block begins with the text,
        and the words and the text do not occur before; else "".
        """
        is_shown = number > 0 and not self._hidden[number - 1]
        text = self._texts[number - 1] if is_shown else ""
        words = " ".join(text[-_MAX_CHARS:].split(" ")[-_WORDS_BEFORE:])
        begins = self._texts[number].startswith(start)
        if not begins or len(words) > _MAX_CHARS // 2 or _RAISED.search(words):
            return ""
        return words if words and self._is_first(number, start, words) else ""


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
