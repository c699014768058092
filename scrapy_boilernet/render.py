"""Blocks to plain text: one line per paragraph, heading, list item and table row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scrapy_boilernet.page import Block

CELL_SEPARATOR = " | "


def to_text(blocks: Sequence[Block]) -> str:
    """Return the text of ``blocks``, in order; "" for none.

    A block is a line, but the cells of a table row share one. Rows of layout tables, as the old
    web has them, are told by a cell with several blocks: their blocks stay on lines of their own.
    """
    cells = [_cell(block) for block in blocks]
    blocks_in_cell = Counter(cell for cell in cells if cell)
    layout_rows = {row for (row, _), count in blocks_in_cell.items() if count > 1}
    lines: list[list[str]] = []
    row_before: int | None = None
    for block, cell in zip(blocks, cells, strict=True):
        row = cell[0] if cell and cell[0] not in layout_rows else None
        if row is not None and row == row_before:
            lines[-1].append(block.text)
        else:
            lines.append([block.text])
        row_before = row
    return "\n".join(CELL_SEPARATOR.join(line) for line in lines)


def _cell(block: Block) -> tuple[int, int] | None:
    """The node numbers of the innermost table row and cell that hold the block."""
    cell: int | None = None
    for tag, node in zip(reversed(block.tags), reversed(block.nodes), strict=True):
        if tag in ("td", "th") and cell is None:
            cell = node
        elif tag == "tr":
            return (node, cell) if cell is not None else None
    return None
