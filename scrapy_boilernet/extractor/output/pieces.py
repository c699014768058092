"""The pieces that a page's Markdown can be cut into, each with its place in Markdown and text.

A piece is a heading, a paragraph, a table or code. If it is too long, it is cut into rows, lines of
code, or sentences. The writer of the Markdown tells where each begins, so nothing is searched for.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from scrapy_boilernet.extractor.markup import NOTE, SUBSCRIPT, SUPERSCRIPT, Span
from scrapy_boilernet.extractor.output.markdown import (
    displayed_apart,
    numbered_lines,
    written_parts,
)
from scrapy_boilernet.extractor.output.parts import Line, Part
from scrapy_boilernet.extractor.output.tex import CUT_SIGNS, formulas_in, may_have_tex
from scrapy_boilernet.extractor.page import Block

_SENTENCE_END = re.compile(r"[.!?…](?:[\"'”’»)\]]{0,3})\s+(?=\S)|[。！？](?:[」』”’）]{0,3})(?=\S)")
_ABBREVIATION = re.compile(
    r"(?<!\w)(?:Drs?|Dra|Mrs?|Ms|Mx|Profs?|Profa|St|Ste|Rev|Gen|Col|Capt|Lt|Sgt|Sen|Gov|Mt|vs|cf|"
    r"e\.\s?g|i\.\s?e|Hr|Fr|Nr|Dipl|bzw|ca|vgl|z\.\s?B|d\.\s?h|u\.\s?a|[zdui]|MM?|Mmes?|Mlles?|"
    r"Mgr|Sra?s?|Sres|Srta|Uds?|Lic)\Z"
)
"""A word of English, German, French or Spanish that has a full stop, and others behind it."""
_BEFORE_NUMBER = re.compile(r"(?<!\w)(?:[Nn]os?|nr|[Ff]igs?|pp?|[Vv]ol|[AaÁá]rt|[Nn]úm)\Z")
"""A word that has a full stop if a number is behind it."""
_WORD_END = re.compile(
    r"\s+(?=\S)|(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])"
    r"(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])"
)
"""After white space, or between two letters of scripts that are written without it."""
_WORD = re.compile(r"\S+")
_RAISED = NOTE | SUPERSCRIPT | SUBSCRIPT


class Piece(NamedTuple):
    """A piece of the Markdown, which ends where the next one begins."""

    start: int
    """Its offset in the page's Markdown."""
    first: int
    """Index of its first block; -1 if it has none."""
    last: int
    text_start: int
    """The offset in the page's text where its blocks begin; -1 if it has none."""
    text_end: int
    level: int = 0
    """The level of a heading; 0 for other pieces."""
    part: int = -1
    """The number of the part; -1 for a piece of a part."""
    before: str = ""
    """What is repeated before the piece if a chunk begins with it, such as a table's head."""
    closing: str = ""
    """What is added after the piece before it if a chunk begins with it, such as a fence."""
    title: str = ""
    """The text of a heading; "" for other pieces."""
    leads: bool = False
    """Whether it is a term or the title of a callout, which belongs to the piece behind it."""


class _Written(NamedTuple):
    """A part as it is written."""

    part: Part
    start: int
    first: str
    rest: str
    lines: list[str]

    def line_starts(self) -> list[int]:
        """Return the offset of each line, with its prefix."""
        starts, place = [], self.start
        for number, line in enumerate(self.lines):
            starts.append(place)
            prefix = self.rest if number else self.first
            place += len(prefix if line or not number else prefix.rstrip()) + len(line) + 1
        return starts


class Pieces:
    """The pieces of one page.

    ``blocks``: the blocks of the page; ``places``: per kept block where its text begins and ends in
    the text of the page.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        blocks: Sequence[Block],
        places: Mapping[int, tuple[int, int]],
    ) -> None:
        self._blocks, self._places = blocks, places
        self._written: list[_Written] = []
        end = 0
        for part, separator, first, rest, lines in written_parts(parts):
            written = _Written(part, end + len(separator), first, rest, lines)
            self._written.append(written)
            last = len(lines[-1]) + len((rest if len(lines) > 1 else first) if lines[-1] else "")
            end = written.line_starts()[-1] + last
        self.end = end
        """The length of the Markdown."""

    def whole(self) -> list[Piece]:
        """Return a piece per part."""
        return [
            self._piece(
                one.start, [*chain.from_iterable(one.part.blocks)], one.part.level, part=number
            )._replace(title=_title(one.part), leads=one.part.term or one.part.kind == "title")
            for number, one in enumerate(self._written)
        ]

    def cut(self, number: int, end: int, is_long: Callable[[int, int], bool]) -> list[Piece]:
        """Return the pieces of a part: rows, lines of code, or sentences.

        ``end``: the offset in the Markdown where it ends, with the blank lines behind it.
        ``is_long``: whether what stands between two offsets is too long, so that a sentence is cut
        between words.
        """
        one = self._written[number]
        if one.part.kind == "table":
            return self._rows(one)
        if one.part.kind == "code":
            return self._code_lines(one)
        if one.part.kind in ("title", "rule"):
            return [self._piece(one.start, [*chain.from_iterable(one.part.blocks)])]
        sentences = self._cut_at(one, _marked(one.part, lambda text, _: _sentence_ends(text)))
        ends = [*(piece.start for piece in sentences[1:]), end]
        long = [i for i, piece in enumerate(sentences) if is_long(piece.start, ends[i])]
        return self._cut_at(one, _marked_in(one.part, long)) if long else sentences

    def _piece(
        self,
        start: int,
        blocks: Sequence[int],
        level: int = 0,
        inside: tuple[int, int] | None = None,
        part: int = -1,
        before: str = "",
        closing: str = "",
    ) -> Piece:
        """Return a piece of these blocks; ``inside``: where it begins and ends in the text."""
        known = [i for i in blocks if i in self._places]
        if not known:
            return Piece(start, -1, -1, -1, -1, level, part, before, closing)
        first, last = known[0], known[-1]
        begin, end = inside or (self._places[first][0], self._places[last][1])
        return Piece(start, first, last, begin, end, level, part, before, closing)

    def _rows(self, one: _Written) -> list[Piece]:
        """Return the rows of a table; the head and the first row are one piece."""
        part, starts = one.part, one.line_starts()
        in_head = len(part.rows) - (len(one.lines) - 2)
        head = "".join(f"{one.rest}{line}\n" for line in one.lines[:2])
        rows = part.blocks
        if in_head not in (0, 1) or len(rows) != len(part.rows):
            return [self._piece(one.start, [*chain.from_iterable(rows)])]
        first = [*chain.from_iterable(rows[: in_head + 1])]
        pieces = [self._piece(one.start, first)]
        for row in range(in_head + 1, len(part.rows)):
            start = starts[row - in_head + 2]
            pieces.append(self._piece(start, rows[row], before=head))
        return pieces

    def _code_lines(self, one: _Written) -> list[Piece]:
        """Return the lines of code; the fences belong to the first and to the last."""
        starts, fence = one.line_starts(), one.lines[-1]
        before, closing = f"{one.rest}{one.lines[0]}\n", f"{one.rest}{fence}"
        places = [*self._lines_of_code(one.part)]
        if len(places) != len(starts) - 2:
            return [self._piece(one.start, [*chain.from_iterable(one.part.blocks)])]
        pieces = []
        for number, (block, inside) in enumerate(places):
            start = starts[number + 1] if number else one.start
            repeated = (before, closing) if number else ("", "")
            blocks = [block] if block >= 0 else []
            pieces.append(self._piece(start, blocks, 0, inside, -1, *repeated))
        return pieces

    def _lines_of_code(self, part: Part) -> Iterator[tuple[int, tuple[int, int] | None]]:
        """Yield per line of code its block, and where it begins and ends in the text."""
        for blocks in part.blocks:
            for block in blocks:
                raw = self._blocks[block].preformatted or self._blocks[block].text
                begin, end = self._places.get(block, (0, 0))
                at = begin - max(0, len(raw) - (end - begin))  # blank lines before it are left out
                for line in raw.split("\n"):
                    yield block, (min(max(at, begin), end), min(max(at + len(line), begin), end))
                    at += len(line) + 1

    def _cut_at(self, one: _Written, marked: _Marked) -> list[Piece]:
        """Return the pieces of a paragraph or heading: its lines, cut at the marks."""
        level, blocks, texts = one.part.level, one.part.blocks, one.part.lines
        whole = [self._piece(one.start, [*chain.from_iterable(blocks)], level)]
        whole[0] = whole[0]._replace(title=_title(one.part))
        if len(blocks) != len(texts) or (level and len(texts) > 1):
            return whole
        lines = numbered_lines(one.part._replace(lines=marked.lines))
        if [line.replace(marked.sign, "") for _, line in lines] != one.lines:
            return whole  # a mark would change how the text is written
        begins = [self._begins(*known) for known in zip(blocks, texts, marked.places, strict=True)]
        pieces: list[Piece] = []
        done = [0] * len(texts)
        for i, (start, (number, line)) in enumerate(zip(one.line_starts(), lines, strict=True)):
            if number < 0:
                continue
            place, prefix = start, one.rest if i else one.first
            for j, text in enumerate(line.split(marked.sign)):
                ends = begins[number][done[number] : done[number] + 2]
                inside = self._inside(blocks[number], ends)
                found = self._piece(place, blocks[number], 0, inside, -1, one.rest if j else "")
                first = found._replace(level=level, title=_title(one.part))
                pieces.append(found if pieces else first)
                place += len(text) + (0 if j else len(prefix))
                done[number] += 1
        return pieces if done == [*map(len, begins)] else whole

    def _begins(self, blocks: Sequence[int], line: Line, places: Sequence[int]) -> list[int]:
        """Return the places in a block's text of these places in the text of its line.

        The texts differ where a line has superscripts, or lacks the label of its note. So words are
        counted, from the end.
        """
        shown = "".join(span.text for span in line).strip()
        text = self._blocks[blocks[0]].text if blocks else shown
        own = _words_as_in(text, shown, _raised_bounds(line))
        theirs = _word_starts(text)
        found = []
        for place in places:
            word = bisect_left(own, place)
            is_within = not any(map(str.isspace, shown[place - 1 : place + 1])) and word > 0
            word -= is_within
            inside = place - own[word] if is_within else 0
            word = max(word + len(theirs) - len(own), 0)
            following = [*theirs[word : word + 2], len(text), len(text)]
            found.append(min(following[0] + inside, following[1]))
        return [0, *found[1:]] if found else []

    def _inside(self, blocks: Sequence[int], places: Sequence[int]) -> tuple[int, int] | None:
        """Return where the part of a block between two places is in the page's text."""
        if not blocks or blocks[0] not in self._places:
            return None
        begin, end = self._places[blocks[0]]
        here = min(begin + places[0], end)
        if len(places) < 2:
            return here, end
        text = self._blocks[blocks[0]].text[places[0] : places[1]]
        return here, min(here + len(text.rstrip()), end)


def _title(part: Part) -> str:
    """Return the text of a heading; "" for other parts."""
    lines = part.lines if part.kind == "heading" else ()
    return " ".join("".join(span.text for line in lines for span in line).split())


class _Marked(NamedTuple):
    """The lines of a part with marks where they could be cut."""

    lines: tuple[Line, ...]
    places: list[list[int]]
    """Per line the place of each mark in the text of the line."""
    sign: str


def _marked_in(part: Part, long: Sequence[int]) -> _Marked:
    """Return the lines with marks after sentences, and between the words of those that are long.

    ``long``: their numbers among the pieces that sentences are.
    """
    wanted = set(long)

    def ends(text: str, number: int) -> list[int]:
        marks = _sentence_ends(text)
        sentences = [0, *marks, len(text)]
        between = [
            mark
            for mark in _ends(_WORD_END, text)
            if number + bisect_left(sentences, mark) - 1 in wanted
        ]
        return sorted({*marks, *between})

    return _marked(part, ends)


def _sentence_ends(text: str) -> list[int]:
    """Return the ends of all sentences that are within the text; "Dr. Who" has none."""
    return _ends(_SENTENCE_END, text, _is_abbreviation)


def _is_abbreviation(match: re.Match[str]) -> bool:
    """Return whether the full stop at the start of the match belongs to the word before it."""
    text, stop = match.string, match.start()
    if text[stop] != ".":
        return False
    if text[match.end()].isdecimal() and _BEFORE_NUMBER.search(text[max(stop - 8, 0) : stop]):
        return True
    return bool(_ABBREVIATION.search(text[max(stop - 8, 0) : stop]))


def _ends(
    pattern: re.Pattern[str],
    text: str,
    is_none: Callable[[re.Match[str]], bool] = lambda _: False,
) -> list[int]:
    """Return the ends of all matches that are within the text, and in no formula.

    ``is_none``: whether a match does not count.
    """
    ends = [
        match.end()
        for match in pattern.finditer(text)
        if match.end() < len(text) and not is_none(match)
    ]
    if not may_have_tex(text):
        return ends
    formulas = [formula[:2] for formula in formulas_in(text)]
    begins = [begin for begin, _ in formulas]
    before = [(bisect_left(begins, end), end) for end in ends]
    return [end for number, end in before if not number or end >= formulas[number - 1][1]]


def _marked(part: Part, ends: Callable[[str, int], list[int]]) -> _Marked:
    """Return the lines with marks at the places that ``ends`` returns for a span's text.

    ``ends`` gets the text, and the number of the sentence that it begins in.
    """
    text = "".join(span.text for line in part.lines for span in line)
    sign = next((mark for mark in CUT_SIGNS if mark not in text), "")
    lines: list[list[Span]] = [[] for _ in part.lines]
    places: list[list[int]] = [[] for _ in part.lines]
    sizes = [-len(_before_text(line)) for line in part.lines]
    pieces = 0
    for number, line in chain.from_iterable(displayed_apart(part.lines)):
        if any(span.src or span.text.strip() for span in line):
            places[number].append(max(sizes[number], 0))
            pieces += 1
        for span in line:
            is_plain = sign and span == Span(span.text) and not span.text.isspace()
            marks = ends(span.text, pieces - 1) if is_plain else []
            cuts = [0, *marks, len(span.text)]
            texts = [span.text[begin:end] for begin, end in pairwise(cuts)]
            lines[number].append(span._replace(text=sign.join(texts)))
            places[number] += [sizes[number] + mark for mark in marks]
            sizes[number] += len(span.text)
            pieces += len(_sentence_ends(span.text)) if is_plain else 0
    return _Marked(tuple(map(tuple, lines)), places, sign or "\0")


def _raised_bounds(line: Line) -> list[int]:
    """Return where raised and lowered texts begin and end, where the block's text may have a space
    that the line has not.
    """
    bounds: list[int] = []
    place = -len(_before_text(line))
    for span in line:
        if span.marks & _RAISED:
            bounds += [place, place + len(span.text)]
        place += len(span.text)
    return bounds


def _words_as_in(text: str, shown: str, bounds: Sequence[int]) -> list[int]:
    """Return where the words of a line begin, if those of the block's text are counted.

    ``bounds``: the places in the line's text, in order, at which a word may be two words there. The
    words are compared from the end, since the line may lack the label of its note.
    """
    theirs = text.split() if bounds else []
    starts: list[int] = []
    for match in reversed([*_WORD.finditer(shown)]):
        begin, end = match.span()
        first, last = bisect_right(bounds, begin), bisect_left(bounds, end)
        cuts = [*dict.fromkeys(bounds[first:last])]
        left = len(theirs) - len(starts)
        head = shown[begin : cuts[0]] if cuts else ""
        sizes = (
            n for n in range(len(cuts) + 1) if n < left and theirs[left - n - 1].startswith(head)
        )
        starts += [*reversed(cuts[: next(sizes, 0)]), begin]
    return starts[::-1]


def _word_starts(text: str) -> list[int]:
    return [match.start() for match in _WORD.finditer(text)]


def _before_text(line: Line) -> str:
    """Return the white space with which the line's text begins; a block's text has none."""
    text = "".join(span.text for span in line)
    return text[: len(text) - len(text.lstrip())]
