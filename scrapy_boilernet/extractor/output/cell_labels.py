"""Labels in cells of layout tables, such as "(a)", which stand before the text of the next cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scrapy_boilernet.extractor.decide.tables import cell_of
from scrapy_boilernet.extractor.markup import Span
from scrapy_boilernet.extractor.output.parts import Part
from scrapy_boilernet.extractor.page import Block

_LABEL = re.compile(r"\A\s*(?:[(\[]\w{1,5}[)\]][.:]?|\w{1,3}\)|[-–—•·▪◦])\s*\Z")


def with_labels(parts: Iterable[Part], blocks: Sequence[Block]) -> Iterator[Part]:
    """Yield the parts, each label of a cell in the paragraph of the next cell of its row.

    ``blocks``: those of the page.
    """
    label: Part | None = None
    for part in parts:
        if label is not None and _labels(label, part, blocks):
            line = (*label.lines[0], Span(" "), *part.lines[0])
            own = (*label.blocks[0], *part.blocks[0])
            yield part._replace(lines=(line, *part.lines[1:]), blocks=(own, *part.blocks[1:]))
            label = None
            continue
        if label is not None:
            yield label
        label = part if _is_label(part) else None
        if label is None:
            yield part
    if label is not None:
        yield label


def _is_label(part: Part) -> bool:
    """Return whether a part is a paragraph of one line, which is a label."""
    if part.kind != "paragraph" or len(part.lines) != 1 or len(part.lines[0]) != 1:
        return False
    return bool(part.blocks[0]) and _LABEL.match(part.lines[0][0].text) is not None


def _labels(label: Part, part: Part, blocks: Sequence[Block]) -> bool:
    """Return whether a part is the paragraph in the cell behind that of a label."""
    if part.kind != "paragraph" or part.within != label.within or not any(part.blocks[:1]):
        return False
    cell, following = (cell_of(blocks[one.blocks[0][0]]) for one in (label, part))
    if cell is None or following is None:
        return False
    return cell.row == following.row and cell.cell != following.cell
