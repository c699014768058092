"""Finds what a later page of an article or thread repeats of the pages before it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, count, groupby
from typing import NamedTuple

from scrapy_boilernet.extractor.features.texts import token_hashes
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.output.parts import Line, Part

LONG_WORDS = 10
"""A text of so many words is taken for a repeated one wherever it is; CJK count by character."""
_NUMBER = re.compile(
    r"[\s\-–—|:,.·(\[]*(?:\b(?:page|part|pagina|página|seite|teil|partie|parte|strona|sida|side|"
    r"sayfa|страница|стр\.?|часть)\b|第)?\s*\d{1,4}(?:\s*(?:/|of|von|de|di|sur|из)\s*\d{1,4})?"
    r"\s*[頁页]?[)\]]?\Z",
    re.IGNORECASE,
)
"""The number of a page at the end of a headline."""


class Repeats:
    """The texts of the pages before, to compare the next page with them.

    A page repeats a text if it and an earlier page have it once each, so signatures and names of
    authors in a thread are none, and if no quote or note holds it. A short text counts only if it
    stands at the start of an article, as on its first page, or before a long one that is repeated.
    """

    def __init__(self, *, is_thread: bool) -> None:
        self._is_thread = is_thread
        self._most: dict[str, int] = {}
        """Per text how often the page has it that has it most often."""
        self._pictures: dict[str, int] = {}
        """The same per address of an image."""
        self._start: frozenset[str] = frozenset()
        """The texts at the start of the first page, up to its first long one."""
        self._title = ""

    def add(self, page: LabeledPage, parts: Sequence[Part]) -> None:
        """Take a page whose texts the next pages may repeat; ``parts``: those of its document."""
        texts = [text.key for text in _texts(page, parts)]
        if not self._most:
            self._start = frozenset(_up_to_long(texts))
            self._title = next(iter(_titles(page).values()), "")
        for known, found in ((self._most, texts), (self._pictures, _pictures(parts))):
            for name, number in Counter(found).items():
                known[name] = max(known.get(name, 0), number)

    def of(self, page: LabeledPage, parts: Sequence[Part]) -> frozenset[int]:
        """Return the indexes of the blocks that are repeated, perhaps that of the headline."""
        titles = {i for i, text in _titles(page).items() if _is_same_title(text, self._title)}
        found = {*titles}
        texts = [*_texts(page, parts)]
        here = Counter(text.key for text in texts)
        known = [
            titles.issuperset(text.blocks)
            or (self._most.get(text.key) == 1 == here[text.key] and not text.is_quoted)
            for text in texts
        ]
        at = 0
        for is_known, group in groupby(known):
            end = at + len([*group])
            if is_known:
                for text in self._of_run(texts[at:end], is_first=at == 0):
                    found.update(text.blocks)
            at = end
        return frozenset(found)

    def pictures_of(self, parts: Sequence[Part]) -> frozenset[str]:
        """Return the addresses of the images that are repeated."""
        here = Counter(_pictures(parts))
        return frozenset(name for name, n in here.items() if n == 1 == self._pictures.get(name))

    def _of_run(self, run: Sequence[_Text], *, is_first: bool) -> Iterator[_Text]:
        """Yield those of successive texts, all of which earlier pages have, that are repeated."""
        long = [n for n, text in enumerate(run) if is_long(text.key)]
        until = long[-1] + 1 if long else 0
        starts = is_first and not self._is_thread
        for n, text in enumerate(run):
            if n < until or (starts and text.key in self._start):
                yield text


class _Text(NamedTuple):
    """A text that is repeated as a whole or not at all: a block, or those of a table or of code."""

    blocks: tuple[int, ...]
    key: str
    is_quoted: bool
    """Whether it is in a quote or a note."""


def is_long(text: str) -> bool:
    """Return whether a text is too long to be there twice by chance."""
    return len(text) >= LONG_WORDS and len(token_hashes(text)) >= LONG_WORDS


def without(
    parts: Iterable[Part], blocks: frozenset[int], pictures: frozenset[str]
) -> Iterator[Part]:
    """Yield the parts without these blocks, and without the images with these addresses."""
    for part in parts:
        inside = {i for line in part.blocks for i in line}
        if not inside:
            if not pictures.issuperset(_pictures([part])) or not _pictures([part]):
                yield part
        elif inside.isdisjoint(blocks):
            yield part
        elif not inside <= blocks:
            stays = [not blocks.issuperset(line) or not line for line in part.blocks]
            yield part._replace(
                lines=tuple(compress(part.lines, stays)), blocks=tuple(compress(part.blocks, stays))
            )


def _texts(page: LabeledPage, parts: Sequence[Part]) -> Iterator[_Text]:
    """Yield the texts of the content."""
    whole, notes = {}, set()
    for number, part in enumerate(parts):
        inside = [i for line in part.blocks for i in line]
        if len(part.blocks) != len(part.lines):
            whole.update(dict.fromkeys(inside, number))
        if any(one.kind == "note" for one in part.within):
            notes.update(inside)
    texts, blocks = page.page.texts, page.page.blocks_without_xpaths
    for _, group in groupby(compress(count(), page.kept), lambda i: whole.get(i, -1 - i)):
        own = tuple(group)
        quoted = own[0] in notes or "blockquote" in blocks[own[0]].tags
        yield _Text(own, " ".join(_key(texts[i]) for i in own), quoted)


def _titles(page: LabeledPage) -> Mapping[int, str]:
    """Return the texts of the headline's blocks by their indexes."""
    texts = page.page.texts
    return {i: texts[i] for i, kind in enumerate(page.kinds) if kind == "title"}


def _is_same_title(text: str, title: str) -> bool:
    """Return whether a headline is that of the first page, but for the number of a page."""
    mine, first = _key(text), _key(title)
    return bool(first) and (
        mine == first or _NUMBER.sub("", mine) in (first, _NUMBER.sub("", first))
    )


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


def _up_to_long(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield text
        if is_long(text):
            return


def _pictures(parts: Iterable[Part]) -> list[str]:
    """Return the addresses of the images that stand alone."""
    lines: Iterator[Line] = (line for part in parts if not any(part.blocks) for line in part.lines)
    return [span.src for line in lines for span in line if span.src]
