"""An explanation as lines for a terminal, a file or a pipe."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from scrapy_boilernet.extractor.explain.explanation import NO_REASONS, Explanation, plain
from scrapy_boilernet.extractor.labelers.base import Reason, weightiest

WIDTH = 100
"""Columns of a line if the output is not a terminal."""
_BAR, _LABEL, _LEAST_WIDTH = 8, 19, 50
_BARS = (("█", "…"), ("#", "..."))
"""The sign of bars and the sign for omitted text: in Unicode, and in ASCII for other encodings."""
_BOLD, _DIM, _GREEN, _YELLOW = "1", "2", "32", "33"


@dataclass(frozen=True)
class Look:
    """What the output can show: colours, columns and signs."""

    colour: bool = False
    width: int = WIDTH
    bar: str = "#"
    cut: str = "..."

    @classmethod
    def of(cls, out: TextIO) -> Look:
        """Return the look for a stream: colours on a terminal only, and not if NO_COLOR is set."""
        terminal = out.isatty()
        coloured = terminal and not os.environ.get("NO_COLOR")
        coloured = coloured and os.environ.get("TERM") != "dumb"
        columns = shutil.get_terminal_size((WIDTH, 24)).columns if terminal else WIDTH
        signs = next((signs for signs in _BARS if _encodes(out, "".join(signs))), _BARS[-1])
        return cls(coloured, max(columns, _LEAST_WIDTH), *signs)

    def painted(self, text: str, *codes: str) -> str:
        """Return the text in these colours, if the output has colours."""
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.colour and text else text

    def fitted(self, text: str, columns: int) -> str:
        """Return the beginning of ``text`` that fits; wide characters take two columns."""
        line = plain(text, 2 * max(columns, 1))
        if sum(map(_cells, line)) <= columns:
            return line
        left, end = columns - len(self.cut), 0
        while left >= _cells(line[end]):
            left -= _cells(line[end])
            end += 1
        return line[:end].rstrip() + self.cut


def text_lines(
    explanation: Explanation, places: Sequence[int], top: int, look: Look, name: str = ""
) -> Iterator[str]:
    """Yield lines without line ends: the page's facts, these blocks, features by weight.

    ``places``: indexes of the blocks to show; ``top``: the most reasons per block; ``name``: the
    page's file or address. A line holds no control characters except those of the colours.
    """
    page = explanation.labeled.page
    yield look.painted(look.fitted(page.title or name or "(no title)", look.width), _BOLD)
    facts = (("page", name), *explanation.facts) if name else explanation.facts
    for fact, value in facts:
        yield f"{fact + ':':<12}{look.fitted(value, look.width - 12)}"
    for fact, lines in (("rule", explanation.rule), ("instead", explanation.others)):
        for i, line in enumerate(lines):
            yield f"{'' if i else fact + ':':<12}{look.fitted(line, look.width - 12)}"
    if explanation.reasons is None:
        yield NO_REASONS
    reasons = [weightiest(of_block, top) for of_block in explanation.reasons or ()]
    most = max((abs(reasons[i][0].weight) for i in places if reasons and reasons[i]), default=1.0)
    for place in places:
        yield ""
        yield _block_line(explanation, place, look)
        for reason in reasons[place] if reasons else ():
            yield _reason_line(reason, most, look)
    if len(places) < len(page.blocks):
        yield ""
        yield f"{len(places):,} of {len(page.blocks):,} blocks shown"
    if top:
        yield from _overall(explanation, top, look)


def _block_line(explanation: Explanation, place: int, look: Look) -> str:
    """Return a line such as ``  7 content main        0.98 Most people expect ...``."""
    labeled = explanation.labeled
    begin, number = f"{place + 1:>4} ", f" {labeled.probabilities[place]:.2f} "
    label = f"{explanation.label(place):<{_LABEL}}"
    shade = (_BOLD, _GREEN) if labeled.kept[place] else (_YELLOW,)
    note, text = explanation.note(place), labeled.page.texts[place]
    columns = look.width - len(begin) - _LABEL - len(number)
    shown = look.fitted(f"[{note}] {text}" if note else text, columns)
    return f"{begin}{look.painted(label, *shade)}{number}{shown}"


def _reason_line(reason: Reason, most: float, look: Look) -> str:
    feature = f"{reason.feature}: {reason.value}" if reason.value else reason.feature
    weight = look.painted(f"{reason.weight:+7.2f}", _GREEN if reason.weight > 0 else _YELLOW)
    bar = f"{_bar(abs(reason.weight), most, look):<{_BAR}}"
    return f"     {weight} {look.painted(bar, _DIM)} {look.fitted(feature, look.width - 14 - _BAR)}"


def _overall(explanation: Explanation, top: int, look: Look) -> Iterator[str]:
    """Yield the features with the greatest weights over all blocks."""
    weighed = explanation.weighed[:top]
    if not weighed:
        return
    yield ""
    yield look.painted(
        "What weighed most over the page, for content (+) and boilerplate (-)", _BOLD
    )
    for each in weighed:
        bar = f"{_bar(each.total, weighed[0].total, look):<{_BAR}}"
        sums = f"{each.content:+9.2f} {-each.boilerplate:+9.2f}"
        columns = look.width - 26 - _BAR
        yield f"     {sums} {look.painted(bar, _DIM)} {look.fitted(each.feature, columns)}"


def _bar(value: float, most: float, look: Look) -> str:
    """Return a bar of at least one sign, since all that is shown has some weight."""
    return look.bar * max(1, round(_BAR * value / most))


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _encodes(out: TextIO, text: str) -> bool:
    try:
        text.encode(out.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
