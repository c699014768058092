"""``Place``: where a post is on its page, and what its blocks are."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.output.dates import found_dates
from scrapy_boilernet.extractor.output.writers import date_of, names_author, names_date
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.extractor.posts import ThreadMark

_LETTERS = re.compile(r"\w")
MAX_LABEL_CHARS, _LABEL_SHARE = 150, 0.4
"""The most characters of a block with a name or a date, and the least share of it that they are."""
_WHEN = re.compile(
    r"(?:asked|answered|commented|replied|posted|edited|gefragt|beantwortet|geantwortet|gepostet|"
    r"bearbeitet|demandée?|répondue?|postée?|modifiée?|preguntad[oa]|respondid[oa]|publicad[oa]|"
    r"editad[oa]|chiest[oa]|rispost[oa]|modificat[oa]|perguntad[oa]|gevraagd|beantwoord|"
    r"спрошен\w?|задан\w?|отвечен\w?|ответил\w?)\b:?\s*(?P<date>\S.{0,60})",
    re.IGNORECASE,
)
"""A line that only says when something was asked, answered or changed."""
_TIME = re.compile(
    r"(?:\b(?:on|at|am|um|le|à|el|a las|il|alle|em|às|op|om|в|uhr|pm)\b|"
    r"\b\d{1,2}(?:[:.h]\d\d)?(?:[ap]m|h)?\b|\W)*",
    re.IGNORECASE,
)
"""What may stand in such a line beside the date."""


@dataclass(eq=False)
class Place:
    """The place of a post on its page."""

    node: int
    """The number of its element; 0 if it has none of its own."""
    mark: ThreadMark | None = None
    """The mark of its element."""
    blocks: list[int] = field(default_factory=list)
    """Indexes of its blocks, in document order, without those of posts inside it."""
    marks: list[ThreadMark] = field(default_factory=list)
    """The marks inside it, likewise."""
    inner: list[Place] = field(default_factory=list)
    """The posts inside it, in document order."""
    sure: bool = False
    """Whether its names alone say that it is a post."""
    around: int = 0
    """The number of the element of the post that it is in; 0 if it is in none."""
    anchor: int = -1
    """The block with the date or the author by which it was found; -1 if there is none."""
    labels: dict[int, set[str]] = field(default_factory=dict)
    """The texts of the marks of authors and dates in it, by the indexes of their blocks."""
    ids: set[str] = field(default_factory=set)
    """The ids of its elements, without their words."""

    def note(self, mark: ThreadMark) -> None:
        """Add a mark to the marks."""
        self.marks.append(mark)
        if mark.text and (names_author(mark) or names_date(mark)):
            self.labels.setdefault(mark.block, set()).add(mark.text)

    def merge(self, other: Place) -> None:
        """Take over what another place of the same post has."""
        self.blocks += other.blocks
        self.marks += other.marks
        self.ids |= other.ids
        self.sure = self.sure or other.sure
        for block, texts in other.labels.items():
            self.labels.setdefault(block, set()).update(texts)

    def is_written(self) -> bool:
        """Return whether the place may have an author or a date."""
        return any(names_author(mark) or names_date(mark) for mark in self.marks)

    def is_signed(self) -> bool:
        """Return whether the place may have an author and a date."""
        return any(map(names_author, self.marks)) and any(map(names_date, self.marks))


def quoted_from(place: Place, blocks: Sequence[Block]) -> dict[int, int]:
    """Return the number of the quote that each quoted block of the place is in, by its index.

    A quote around the whole place, or around its anchor, quotes none of it.
    """
    outer = {*blocks[place.anchor].nodes} if place.anchor >= 0 else set()
    found: dict[int, int] = {}
    for i in place.blocks:
        block = blocks[i]
        if "blockquote" in block.tags:
            depth = block.nodes.index(place.node) + 1 if place.node in block.nodes else 0
            inner = zip(block.tags[depth:], block.nodes[depth:], strict=True)
            quotes = (n for tag, n in inner if tag == "blockquote" and n not in outer)
            found.update((i, node) for node in islice(quotes, 1))
    return found


def kept_words(place: Place, result: LabeledPage) -> float:
    """Return how many words of content are in the place."""
    words, kept = result.page.words, result.kept
    return float(sum(words[i] for i in place.blocks if kept[i]))


def covered(places: Sequence[Place], result: LabeledPage) -> float:
    """Return the share of the content that is in the places, in [0, 1]."""
    everything = float(result.page.words[np.array(result.kept, dtype=np.bool_)].sum())
    return sum(kept_words(one, result) for one in places) / max(everything, 1e-9)


def text_blocks(place: Place, blocks: Sequence[Block]) -> list[int]:
    """Return the blocks of the place that are more than a name, a date or links."""
    return [
        i
        for i in place.blocks
        if i != place.anchor
        and blocks[i].link_chars < len(blocks[i].text)
        and _LETTERS.search(blocks[i].text)
        and not _is_label(blocks[i].text, place.labels.get(i, ()))
        and not _is_when(blocks[i].text)
    ]


def _is_label(text: str, named: Collection[str]) -> bool:
    """Return whether the text of a block is that of names and dates, not one that mentions them.

    ``named``: the texts of the elements in it that may be names or dates.
    """
    if not named or len(text) > MAX_LABEL_CHARS:
        return False
    return sum(map(len, named)) >= _LABEL_SHARE * len(text) or bool(date_of(text, ""))


def _is_when(text: str) -> bool:
    """Return whether the text says when something was asked, answered or changed, and no more."""
    match = _WHEN.fullmatch(text)
    found = next(found_dates(match["date"]), None) if match else None
    if not match or not found:
        return False
    return _TIME.fullmatch(f"{found.before} {found.after}") is not None
