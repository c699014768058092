"""Cuts a page's Markdown into chunks that follow its structure and know their places."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, compress, pairwise
from itertools import count as counting
from typing import NamedTuple

from scrapy_boilernet.extractor.labeled import NO_MARKDOWN, Chunk, LabeledPage, text_places
from scrapy_boilernet.extractor.output.chunk_bounds import with_neighbours
from scrapy_boilernet.extractor.output.links_to_text import Quotes, id_link, text_link
from scrapy_boilernet.extractor.output.markdown import to_markdown
from scrapy_boilernet.extractor.output.parts import Part
from scrapy_boilernet.extractor.output.pieces import Piece, Pieces
from scrapy_boilernet.extractor.output.tokens import Sizes
from scrapy_boilernet.extractor.page import HEADING_TAGS

_QUOTED_BLOCKS = 20
"""Blocks of a chunk among which one is chosen that a browser can find by its text."""


class Cuttable(NamedTuple):
    """What a page needs to be cut, besides its text."""

    parts: tuple[Part, ...]
    ids: tuple[tuple[int, str], ...]
    """As in :class:`~scrapy_boilernet.extractor.markup.Markup`."""

    def chunks(
        self,
        result: LabeledPage,
        max_tokens: int,
        overlap: int,
        count: Callable[[str], int] | None,
    ) -> tuple[Chunk, ...]:
        """Return what :meth:`~scrapy_boilernet.extractor.labeled.LabeledPage.chunks` returns."""
        if result.markdown is None:
            raise ValueError(NO_MARKDOWN)
        check_sizes(max_tokens, overlap)
        page = result.page
        kept = [*compress(counting(), result.kept)]
        places = dict(zip(kept, text_places(page.blocks_at(kept)), strict=True))
        pieces = Pieces(self.parts, page.blocks_without_xpaths, places)
        markdown = to_markdown(self.parts)
        if not markdown:
            return ()
        packer = _Packer(pieces, markdown, Sizes(count), max_tokens, overlap)
        packer.pack()
        return tuple(_Citing(result, self.ids, packer).chunks())


def check_sizes(max_tokens: int, overlap: int) -> None:
    """Raise ``ValueError`` for a size of chunks, or an overlap, that is out of bounds."""
    if max_tokens < 1:
        raise ValueError(f"max_tokens {max_tokens}: must be 1 or more")
    if not 0 <= overlap < max_tokens:
        raise ValueError(
            f"overlap {overlap}: must be 0 or more, and less than max_tokens = {max_tokens}"
        )


class _Packer:
    """Puts the pieces of a page together to chunks.

    A section that fits is one item. One that does not is packed alone: its last chunk ends with it.
    """

    def __init__(
        self, pieces: Pieces, markdown: str, sizes: Sizes, max_tokens: int, overlap: int
    ) -> None:
        self.pieces, self.markdown, self.sizes = pieces, markdown, sizes
        self.done: list[Piece] = []
        """All pieces, as far as they were cut, in order."""
        self.starts: list[int] = []
        """The index in ``done`` of the first piece of each chunk."""
        self._max = sizes.limit(max_tokens)
        self._room = max(self._max - (sizes.limit(overlap) - sizes.limit(0)), 1)
        self.overlap = sizes.limit(overlap) - sizes.limit(0)
        self._done_sizes: list[int] = []
        self._whole = pieces.whole()
        ends = [*(piece.start for piece in self._whole[1:]), len(markdown)]
        self._sizes = [
            sizes.of(markdown[piece.start : end])
            for piece, end in zip(self._whole, ends, strict=True)
        ]
        self._sums = [*accumulate(self._sizes, initial=0)]
        self._ends = ends
        self._open = 0  # the size of the chunk that is being filled
        self._only_leads = True
        """Whether what stands in it belongs to what follows, or has no text, as a picture."""

    def pack(self) -> None:
        """Fill ``done`` and ``starts``."""
        section_ends, unit_ends = _section_ends(self._whole), _unit_ends(self._whole)
        stops: list[int] = []  # ends of the sections around, which do not fit
        number = 0
        while number < len(self._whole):
            while stops and stops[-1] <= number:
                stops.pop()
                self._close()
            level = self._whole[number].level
            end = section_ends[number] if level else unit_ends[number]
            size = self._sums[end] - self._sums[number]
            if size <= self._room and not (end == number + 1 and level):
                if self._open + size > self._room and not (self._only_leads and size):
                    self._close()
                if self._open + size <= self._room:
                    for inside in range(number, end):
                        self._add(self._whole[inside], self._sizes[inside])
                    number = end
                    continue
            if (level or end > number + 1) and not self._only_leads:
                self._close()
            if level and end > number + 1:
                stops.append(end)
            self._add_cut(number)
            number += 1
        self._part_before_pictures()

    def _part_before_pictures(self) -> None:
        """Cut the paragraph before each chunk that begins with a picture into sentences, so that
        the picture can get the last one.
        """
        pieces, sizes, starts = self.done, self._done_sizes, {*self.starts}
        self.done, self._done_sizes, self.starts = [], [], []
        for place, (piece, size) in enumerate(zip(pieces, sizes, strict=True)):
            if place in starts:
                self.starts.append(len(self.done))
            behind = pieces[place + 1] if place + 1 in starts else None
            cut = [(piece, size)]
            if behind and behind.first < 0 and not behind.level and piece.part >= 0:
                cut = self._cut(piece.part)
                is_whole = cut[-1][0].closing or "\n" in cut[-1][0].before  # code, or a table
                cut = [(piece, size)] if is_whole else cut
            self.done += [each for each, _ in cut]
            self._done_sizes += [own for _, own in cut]

    def _add(self, piece: Piece, size: int) -> None:
        if not self._open:
            self.starts.append(len(self.done))
            self._only_leads = True
        self.done.append(piece)
        self._done_sizes.append(size)
        self._open += max(size, 1)
        leads = piece.level > 0 or piece.leads or piece.first < 0
        self._only_leads = self._only_leads and leads

    def _close(self) -> None:
        self._open, self._only_leads = 0, True

    def _add_cut(self, number: int) -> None:
        """Add a part that does not fit beside what is there, or a heading; cut it if needed."""
        size = self._sizes[number]
        if self._open + size <= self._room:
            self._add(self._whole[number], size)
            return
        cut = self._cut(number)
        extra = self._extra(cut)
        for i, (piece, own) in enumerate(cut):
            around = extra if i else 0
            is_first = not self._open
            if not is_first and self._open + own + around > self._room:
                self._close()
            if not self._open and i:
                self._add(piece, own)
                self._open += around
            else:
                self._add(piece, own)

    def _cut(self, number: int) -> list[tuple[Piece, int]]:
        """Return the pieces of a part, each with its size."""
        known: dict[tuple[int, int], int] = {}

        def size_of(start: int, end: int) -> int:
            if (start, end) not in known:
                known[start, end] = self.sizes.of(self.markdown[start:end])
            return known[start, end]

        last = self._ends[number]
        cut = self.pieces.cut(number, last, lambda start, end: size_of(start, end) > self._room)
        ends = [*(piece.start for piece in cut[1:]), last]
        leads = self._whole[number].leads
        return [
            (piece._replace(leads=leads), size_of(piece.start, end))
            for piece, end in zip(cut, ends, strict=True)
        ]

    def _extra(self, cut: list[tuple[Piece, int]]) -> int:
        """Return the size of what is repeated around pieces of a part.

        A head that would take half of each chunk is not repeated.
        """
        last = cut[-1][0]
        size = self.sizes.of(last.before + last.closing) if last.before or last.closing else 0
        if 2 * size > self._room:
            cut[:] = [(piece._replace(before="", closing=""), own) for piece, own in cut]
            return 0
        return size

    def overlapping(self, number: int) -> Piece | None:
        """Return the piece with which the chunk of this number begins if it repeats some of the
        chunk before; None if it repeats nothing.
        """
        if not number or not self.overlap:
            return None
        begin, end = self.starts[number - 1], self.starts[number]
        size, first = 0, None
        for i in range(end - 1, begin - 1, -1):
            own = self._done_sizes[i]
            if size + own <= self.overlap:
                size, first = size + own, self.done[i]
                continue
            if self.done[i].part >= 0:
                for piece, part_size in reversed(self._cut(self.done[i].part)[1:]):
                    if size + part_size > self.overlap:
                        break
                    size, first = size + part_size, piece
            break
        return first

    def ranges(self) -> list[tuple[int, int]]:
        """Return the first piece of each chunk, and the one after its last.

        A chunk that is over its limit, since tokens of its pieces do not add up, is halved.
        """
        waiting = [*pairwise([*self.starts, len(self.done)])][::-1]
        found = []
        while waiting:
            begin, end = waiting.pop()
            if end - begin > 1 and self.sizes.of(self.written(begin, end)) > self._max:
                middle = (begin + end) // 2
                waiting += [(middle, end), (begin, middle)]
            else:
                found.append((begin, end))
        found = with_neighbours(
            found, self.done,
            lambda begin, end: self.sizes.of(self.written(begin, end)) <= self._max,
        )  # fmt: skip
        self.starts = [begin for begin, _ in found]
        return found

    def end_of(self, end: int) -> int:
        """Return the offset in the Markdown where the piece before ``end`` ends."""
        return self.done[end].start if end < len(self.done) else len(self.markdown)

    def written(self, begin: int, end: int, first: Piece | None = None) -> str:
        """Return the Markdown of the pieces, with what is repeated around them.

        ``first``: an earlier piece with which it begins.
        """
        first = first or self.done[begin]
        closing = self.done[end].closing if end < len(self.done) else ""
        return f"{first.before}{self.markdown[first.start : self.end_of(end)]}{closing}"


def _section_ends(pieces: Sequence[Piece]) -> list[int]:
    """Return per heading the index after its section; what it returns for others has no meaning."""
    ends = [len(pieces)] * len(pieces)
    around: list[int] = []
    for i, piece in enumerate(pieces):
        while piece.level and around and pieces[around[-1]].level >= piece.level:
            ends[around.pop()] = i
        if piece.level:
            around.append(i)
    return ends


def _unit_ends(pieces: Sequence[Piece]) -> list[int]:
    """Return per piece the index after what it belongs to: after a term, that of its definition's
    first piece.
    """
    ends = [*range(1, len(pieces) + 1)]
    for i in range(len(pieces) - 2, -1, -1):
        if pieces[i].leads and not pieces[i + 1].level:
            ends[i] = ends[i + 1]
    return ends


class _Citing:
    """Makes the chunks of a page from its pieces, with their places and links."""

    def __init__(
        self, result: LabeledPage, ids: Sequence[tuple[int, str]], packer: _Packer
    ) -> None:
        self._result, self._packer = result, packer
        self._blocks = result.page.blocks_without_xpaths
        self._quotes = Quotes(result.page.texts, result.page.hidden)
        self._url = result.page.url or ""
        kept = compress(self._blocks, result.kept)
        around = {node for block in kept for node in block.nodes} if ids else set()
        self._id_of = {node: id_ for node, id_ in ids if node in around}
        self._id_places = [*self._id_of]
        self._headings_of = [
            i for i in compress(range(len(self._blocks)), result.kept)
            if HEADING_TAGS.intersection(self._blocks[i].tags)
        ]  # fmt: skip

    def chunks(self) -> Iterable[Chunk]:
        """Yield the chunks."""
        packer = self._packer
        path: list[tuple[int, str]] = []
        text_end = 0
        for number, (begin, end) in enumerate(packer.ranges()):
            first = packer.overlapping(number) or packer.done[begin]
            markdown = packer.written(begin, end, first)
            tokens = packer.sizes.tokens(markdown)
            if first is not packer.done[begin] and packer.sizes.of(markdown) > packer._max:
                first = packer.done[begin]
                markdown = packer.written(begin, end)
                tokens = packer.sizes.tokens(markdown)
            headings = self._headings(path, packer.done[begin:end])
            pieces = [first, *packer.done[begin:end]]
            filled = [piece for piece in pieces if piece.first >= 0]
            text_start = filled[0].text_start if filled else text_end
            text_end = filled[-1].text_end if filled else text_end
            blocks = range(filled[0].first, filled[-1].last + 1) if filled else range(0)
            yield Chunk(
                markdown, self._result.text[text_start:text_end], headings,
                first.start, packer.end_of(end), text_start, text_end,
                *self._cited(blocks, self._result.text[text_start:text_end]), tokens,
            )  # fmt: skip

    def _headings(self, path: list[tuple[int, str]], pieces: Sequence[Piece]) -> tuple[str, ...]:
        """Return the headings of the sections that hold all pieces; update the path to the last.

        ``path``: (level, text) of the headings above the first piece.
        """
        above: list[str] = []
        shared = 0
        for i, piece in enumerate(pieces):
            if piece.level:
                while path and path[-1][0] >= piece.level:
                    path.pop()
                shared = min(shared, len(path))
                path.append((piece.level, piece.title))
            if i == 0:
                above, shared = [title for _, title in path], len(path)
        return tuple(filter(None, above[:shared]))

    def _cited(self, blocks: range, text: str) -> tuple[str, str, str, str]:
        """Return the XPaths of the first and last block, and the links to the first.

        ``text``: the text of the chunk, which may begin within its first block.
        """
        if not blocks:
            return "", "", "", ""
        page, kept = self._result.page, self._result.kept
        first, last = page.blocks[blocks[0]], page.blocks[blocks[-1]]
        shown = [(i, self._blocks[i]) for i in blocks[:_QUOTED_BLOCKS] if kept[i]]
        if shown and (begun := shown[0][1]).preformatted:
            shown[0] = shown[0][0], begun._replace(preformatted=text)
        elif shown:
            rest = text.partition("\n")[0]
            begun = begun._replace(text=rest if begun.text.endswith(rest) else text)
            shown[0] = shown[0][0], begun
        quoted = self._quotes.of(shown)
        return (
            first.xpath, last.xpath, id_link(self._url, self._nearest_id(blocks[0])),
            text_link(self._url, *quoted),
        )  # fmt: skip

    def _nearest_id(self, first: int) -> str:
        """Return the id at or before a block, in its section or around it; "" if there is none."""
        nodes = self._blocks[first].nodes
        place = bisect_right(self._id_places, nodes[-1])
        found = self._id_places[place - 1] if place else -1
        above = bisect_right(self._headings_of, first)
        heading = self._blocks[self._headings_of[above - 1]].nodes if above else ()
        if heading and found < heading[-1] and found not in (*heading, *nodes):
            found = next((node for node in reversed(nodes) if node in self._id_of), -1)
        return self._id_of.get(found, "")
