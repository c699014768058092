"""Tells the blocks whose dates can be the page's own from those of teasers and the like."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from scrapy_boilernet.extractor.html.scan import places_of_digits
from scrapy_boilernet.extractor.metadata import YEAR_DIGITS, Mark
from scrapy_boilernet.extractor.output.date_labels import (
    CHANGED,
    PUBLISHED_TEXT,
    is_changed,
    is_only_changed,
    of_change,
    of_publication,
    searched,
)
from scrapy_boilernet.extractor.output.dates import written_date
from scrapy_boilernet.extractor.output.named import Place
from scrapy_boilernet.extractor.output.other_dates import (
    is_in_column,
    is_labeled_other,
    is_of_other,
    is_of_run,
    is_quoted,
    texts_before,
)
from scrapy_boilernet.extractor.output.titles import squeezed
from scrapy_boilernet.extractor.page import HEADING_TAGS, Block

_MODIFIED = re.compile(r"updat|modif|edited|revis|lastmod")
_LAST_CHANGE = re.compile(r"last[-_]?(?:updat|mod|edit|chang)|revision[-_]?date")
TEXT_CHARS, _BLOCK_CHARS, _NAME_CHARS = 60, 150, 25
RIGHT_ABOVE, RIGHT_BELOW = 2, 5
"""Blocks above and below the headline in which a date belongs to the page."""
_TEASER_BLOCKS, _TITLE_CHARS, _OWN_LINK_CHARS = 3, 20, 30
"""Blocks from a teaser's date to its title, and the least characters of a linked title; of one in
the block of the date, where dates are links themselves, too."""
_LONG_CHARS = 80
_BOX, _CARD = re.compile(r"\b(?:aside|side ?bar)\b"), re.compile(r"\bid card\b")
_OF_COMMUNITY = re.compile(
    r"\b(?:members?|about|online|subscribers?|followers?|communit(?:y|ies)|moderators?)\b",
    re.IGNORECASE,
)
_MAX_BOX_BLOCKS = 12
"""Blocks of a box before and behind a date that are read."""
_OF_AUTHOR = re.compile(r"\b(?:author|autor|auteur|byline|writer|reporter|vcard|fn)\b")


class OwnBlocks:
    """Tells the blocks whose dates can be the page's own from those of teasers of other pages."""

    def __init__(self, blocks: Sequence[Block], marks: Sequence[Mark], place: Place) -> None:
        self.blocks = blocks
        self._marks = marks
        self.headline = place.headline
        self._content, self._others = place.content, place.others
        start = max(self.headline - RIGHT_ABOVE, 0)
        stop = min(self.headline + RIGHT_BELOW + 1, len(blocks))
        after = range(self.headline + 1, stop)
        long = (i for i in after if len(blocks[i].text) - blocks[i].link_chars >= _LONG_CHARS)
        self.beside = range(start, next(long, stop))
        """The blocks beside the headline, above the first long text below it."""
        self._below = range(self.headline + 1, max(self.beside.stop, place.content.start + 1))
        """The blocks from the headline to the first block of the content."""
        ends = (*blocks[:1], *blocks[-1:], *blocks[place.headline : place.headline + 1])
        self._common = len({*ends[0].nodes}.intersection(*(b.nodes for b in ends))) if ends else 0
        """How many elements hold the first block, the last one and the headline."""
        self._known: dict[int, bool] = {}
        self._known_others: dict[int, bool] = {}
        self._matches: dict[tuple[int, int], re.Match[str] | None] = {}
        """What :meth:`search` found, by the pattern's ``id`` and the block."""

    @cached_property
    def dated(self) -> Sequence[int]:
        """The places of the short blocks that may have a date."""
        texts = [block.text for block in self.blocks]
        return places_of_digits(texts, _BLOCK_CHARS, YEAR_DIGITS.search)

    @cached_property
    def changes(self) -> AbstractSet[Mark]:
        """The marks that hold the date of a change by their names or by the words before them."""
        return {
            mark
            for mark, before in texts_before(self._marks, self.blocks)
            if _MODIFIED.search(mark.names)
            or (before and is_changed(before))
            or (not mark.text and self._fills_change(mark))
        }

    def _fills_change(self, mark: Mark) -> bool:
        """Return whether a script writes the mark's text behind words of a change."""
        text = self.blocks[mark.block].text if mark.block < len(self.blocks) else ""
        return len(text) <= TEXT_CHARS and is_changed(text) and not searched(PUBLISHED_TEXT, text)

    @cached_property
    def changed(self) -> Mapping[int, str]:
        """The texts of marks that are surely of a change, by the indexes of their blocks."""
        return {mark.block: mark.text for mark in self._marks if _LAST_CHANGE.search(mark.names)}

    def search(self, pattern: re.Pattern[str], index: int) -> re.Match[str] | None:
        """Return the first match of a pattern of ``date_labels`` in a block's text, which is
        searched once for all dates.
        """
        key = (id(pattern), index)
        if key not in self._matches:
            self._matches[key] = searched(pattern, self.blocks[index].text)
        return self._matches[key]

    def has(self, index: int) -> bool:
        """Return whether the block is not a teaser's, nor in a quote or the like.

        A teaser's date shares an element with the linked or headed title of another page, in which
        the page's own headline is not.
        """
        if index not in self._known:
            beyond = index >= len(self.blocks)
            is_own = beyond or not (self._is_of_other(index) or self._is_teaser(index))
            self._known[index] = is_own
        return self._known[index]

    def single(self, language: str) -> Iterator[str]:
        """Yield the dates below the headline that are like those of teasers, but not repeated.

        Teasers come in numbers, so that several blocks have the same path.
        """
        for i in self._below[:RIGHT_BELOW]:
            if i < len(self.blocks) and not self.has(i) and not self._is_of_other(i):
                one = self.blocks[i]
                paths = ((b.tags, b.class_words) for b in self.blocks)
                alike = sum(path == (one.tags, one.class_words) for path in paths)
                if alike == 1 and len(one.text) <= TEXT_CHARS and not searched(CHANGED, one.text):
                    yield written_date(one.text, language)

    def called(self, name: re.Pattern[str], language: str) -> Iterator[str]:
        """Yield the date of the first short block, anywhere on the page, that begins with a name.

        ``name``: what the page calls such a date, as in "Published on" or "Last updated".
        """
        near = [(i, self.blocks[i]) for i in self.dated if len(self.blocks[i].text) <= TEXT_CHARS]
        if not searched(name, "\n".join(block.text[:_NAME_CHARS] for _, block in near)):
            return
        for i, block in near:
            text = block.text
            if not searched(name, text[:_NAME_CHARS]) or not self.has(i):
                continue
            if name is PUBLISHED_TEXT and is_only_changed(text):
                continue
            part = of_change(text) if name is CHANGED else of_publication(text) or text
            if date := written_date(part, language):
                yield date
                return

    def has_all(self, mark: Mark) -> bool:
        """Return whether the mark's block is not a teaser's, and no date inside it is of another
        thing than a page.
        """
        start = bisect_left(self.dated, mark.block)
        inside = self.dated[start : start + RIGHT_BELOW]
        return self.has(mark.block) and not any(
            self.blocks[i].text in mark.text and self._is_of_other(i) for i in inside
        )

    def _is_of_other(self, index: int) -> bool:
        """Return whether a date in the block is that of another thing than a page."""
        if index not in self._known_others:
            self._known_others[index] = self._states_other(index)
        return self._known_others[index]

    def _states_other(self, index: int) -> bool:
        if index == self.headline or not 0 <= self.headline < len(self.blocks):
            return False
        if index in self._others:
            return True
        if index in self.changed:
            return False
        block, headline = self.blocks[index], self.blocks[self.headline]
        is_other = len(block.text) <= _BLOCK_CHARS and is_of_other(block.text)
        is_other = is_other or (index - 1 != self.headline and is_labeled_other(index, self.blocks))
        is_other = is_other or is_quoted(block, headline) or is_of_run(index, self.blocks)
        is_other = is_other or (block.text.startswith("Created") and self._is_in_box(index))
        return is_other or is_in_column(index, self.dated, self.blocks, headline)

    def _is_in_box(self, index: int) -> bool:
        """Return whether the block is in a box beside the text that is about a community, such as
        a forum, by its words or by a heading of its own.

        A box in the article of the headline or right behind the headline is about the page.
        """
        block, nodes = self.blocks[index], self.blocks[self.headline].nodes
        for tag, words, node in zip(block.tags, block.class_words, block.nodes, strict=True):
            if node in nodes:
                if tag == "article":
                    return False
            elif _CARD.search(words):
                return True
            elif tag == "aside" or _BOX.search(words):
                return self._is_of_community(index, node)
        return False

    def _is_of_community(self, index: int, box: int) -> bool:
        near = range(max(index - _MAX_BOX_BLOCKS, 0), index + _MAX_BOX_BLOCKS + 1)
        inside = [i for i in near if i < len(self.blocks) and box in self.blocks[i].nodes]
        if inside[0] == self.headline + 1:
            return False
        return any(
            _OF_COMMUNITY.search(block.text[:_BLOCK_CHARS])
            or not HEADING_TAGS.isdisjoint(block.tags)
            for block in map(self.blocks.__getitem__, inside)
        )

    def _is_teaser(self, index: int) -> bool:
        if index == self.headline or not 0 <= self.headline < len(self.blocks):
            return False
        block = self.blocks[index]
        called = self.search(PUBLISHED_TEXT, index) or self.search(CHANGED, index)
        likely = index in self._below or bool(called)
        linked = not likely and block.link_chars >= _OWN_LINK_CHARS
        if linked and abs(index - self.headline) > RIGHT_BELOW:
            return True
        start = max(index - _TEASER_BLOCKS, 0)
        near = enumerate(self.blocks[start : index + _TEASER_BLOCKS + 1], start)
        titles = [
            other
            for i, other in near
            if i not in (index, self.headline)
            and (
                self._is_title(other, headed=likely)
                or (linked and other.link_chars >= _OWN_LINK_CHARS)
            )
        ]
        shared = max((_shared(block, title) for title in titles), default=0)
        own = _shared(block, self.blocks[self.headline])
        if linked:
            return own <= max(shared, self._common)
        outside = not likely and bool(self._content) and index > self._content.stop
        return shared > own or bool(titles and outside and shared == own)

    def _is_title(self, block: Block, headed: bool) -> bool:
        """Return whether the block is one link that looks like the title of another page.

        ``headed``: whether it must be a heading.
        """
        if block.link_chars < _TITLE_CHARS or block.link_chars * 2 < len(block.text):
            return False
        if any(map(_OF_AUTHOR.search, block.class_words[-2:])):
            return False
        if not HEADING_TAGS.isdisjoint(block.tags[-3:]):
            return squeezed(self.blocks[self.headline].text[:_LONG_CHARS]) not in squeezed(
                block.text
            )
        return not headed and "a" in block.tags[-3:]


def _shared(one: Block, other: Block) -> int:
    """Return how many elements hold both blocks."""
    return len({*one.nodes}.intersection(other.nodes))
