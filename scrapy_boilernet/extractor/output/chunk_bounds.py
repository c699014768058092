"""Moves the bounds of chunks, so that none is without text and no term without its definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from scrapy_boilernet.extractor.output.pieces import Piece

_Range = tuple[int, int]
"""The first piece of a chunk, and the one after its last."""


def with_neighbours(
    ranges: Sequence[_Range], pieces: Sequence[Piece], fits: Callable[[int, int], bool]
) -> list[_Range]:
    """Return the chunks, joined or with other bounds where the limit allows it.

    A chunk without text, such as a picture, is joined to the one before it, or gets its last piece
    of text. A headline without text, and a picture at the beginning of the page, go with what
    follows. A term at the end of a chunk goes to its definition. ``fits``: whether the pieces from
    one to before another fit in a chunk.
    """
    return _Bounds(pieces, fits).moved(ranges)


class _Bounds:
    def __init__(self, pieces: Sequence[Piece], fits: Callable[[int, int], bool]) -> None:
        self._pieces, self._fits = pieces, fits
        self._texts = [*accumulate((piece.first >= 0 for piece in pieces), initial=0)]

    def moved(self, ranges: Sequence[_Range]) -> list[_Range]:
        """Return the chunks with other bounds."""
        done: list[_Range] = []
        for begin, end in ranges:
            if not done:
                done.append((begin, end))
                continue
            last = done[-1][0]
            bound = self._bound(last, begin, end)
            done[-1:] = [each for each in ((last, bound), (bound, end)) if each[0] < each[1]]
        return done

    def _bound(self, begin: int, bound: int, end: int) -> int:
        """Return the piece that two chunks are best parted at; ``begin`` or ``end`` to join them.

        ``bound``: where they are.
        """
        if not self._has_text(begin, bound) and self._is_in_section(begin, bound):
            if self._fits(begin, end):
                return end
            after = self._after_text(bound, end)
            return after if after < end and self._fits(begin, after) else bound
        if not self._has_text(bound, end) and not self._pieces[bound].level:
            if self._fits(begin, end):
                return begin
            before = self._before_text(begin, bound)
            is_better = self._has_text(begin, before) and self._fits(before, end)
            return before if is_better else bound
        term = bound
        while term > begin and self._pieces[term - 1].leads and not self._pieces[bound].level:
            term -= 1
        return term if term < bound and self._fits(term, end) else bound

    def _has_text(self, begin: int, end: int) -> bool:
        return self._texts[end] > self._texts[begin]

    def _is_in_section(self, begin: int, bound: int) -> bool:
        """Return whether what follows is in the section of pieces without text."""
        level = self._pieces[bound].level
        levels = [piece.level for piece in self._pieces[begin:bound] if piece.level]
        return not level or begin == 0 or bool(levels and levels[-1] < level)

    def _after_text(self, begin: int, end: int) -> int:
        """Return the place behind the first piece of text, and what it belongs to."""
        for i in range(begin, end):
            piece = self._pieces[i]
            if piece.first >= 0 and not (piece.leads or piece.level):
                return i + 1
        return end

    def _before_text(self, begin: int, end: int) -> int:
        """Return the place of the last piece of text, with the heading or the term before it."""
        place = end - 1
        while place > begin and self._pieces[place].first < 0:
            place -= 1
        while place > begin and (self._pieces[place - 1].leads or self._pieces[place - 1].level):
            place -= 1
        return place
