"""Data tables: a table of which the model keeps most is kept as a whole, and so is a row.

A model decides block by block, and a cell is a short block, so that tables lose cells and rows.
``benchmarks/quality/tables.py`` counts the tables that are kept in full, in part and not.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.page import Block, Page

Rows = list[list[int]]
"""Per row of a table the indexes of its blocks."""
_CELL_TAGS = ("td", "th")
_CELL_CHARS = 72
"""Most characters of three quarters of a data table's cells, some twelve words; layout has more."""
_MIN_ROWS = 2
_MIN_KEPT = 0.5
"""Share of the characters of a table, or of a row, from which all of it is kept."""


class Cell(NamedTuple):
    """Node numbers of the innermost table cell around a block."""

    table: int
    """0 if the row is in no table."""
    row: int
    cell: int


def cell_of(block: Block) -> Cell | None:
    """Return the innermost table cell and row that hold the block, or None."""
    if "tr" not in block.tags:
        return None
    row = cell = 0
    for tag, node in zip(reversed(block.tags), reversed(block.nodes), strict=True):
        if tag in _CELL_TAGS and not cell:
            cell = node
        elif tag == "tr" and not row:
            if not cell:
                return None
            row = node
        elif tag == "table" and row:
            return Cell(node, row, cell)
    return Cell(0, row, cell) if row else None


def data_tables(page: Page) -> list[Rows]:
    """Return the data tables of the page, in the order of their first blocks.

    A data table has at least two rows, of which half have two cells with text or more; most of its
    cells are short and hold one block, and no table with text is inside it. Others are layout.
    """
    cells_of: dict[int, dict[int, dict[int, list[int]]]] = {}
    around: set[int] = set()
    in_table = ["table" in tags for tags, _ in page.paths.pairs]
    if not any(in_table):
        return []
    inside = [i for i, place in enumerate(page.paths.places) if in_table[place]]
    for i, block in zip(inside, page.blocks_at(inside), strict=True):
        tables = [n for tag, n in zip(block.tags, block.nodes, strict=True) if tag == "table"]
        around.update(tables[:-1])
        if (cell := cell_of(block)) and cell.table == tables[-1]:
            rows = cells_of.setdefault(cell.table, defaultdict(lambda: defaultdict(list)))
            rows[cell.row][cell.cell].append(i)
    return [
        [[i for cell in row.values() for i in cell] for row in rows.values()]
        for table, rows in cells_of.items()
        if table not in around and _is_data(page, [[*row.values()] for row in rows.values()])
    ]


def complete_tables(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with all of a data table, or of a row, if half of its characters are kept.

    Hidden blocks are not added.
    """
    completed = kept.copy()
    for rows in data_tables(page):
        for blocks in ([*chain.from_iterable(rows)], *rows):
            shown = [i for i in blocks if not page.hidden[i]]
            chars = sum(len(page.texts[i]) for i in shown)
            kept_chars = sum(len(page.texts[i]) for i in shown if kept[i])
            if kept_chars >= _MIN_KEPT * chars:
                completed[shown] = True
    return completed


def _is_data(page: Page, rows: list[list[list[int]]]) -> bool:
    """Whether a table is one of data; ``rows``: per row and cell the indexes of its blocks."""
    wide = sum(len(row) > 1 for row in rows)
    if wide < _MIN_ROWS or 2 * wide < len(rows):
        return False
    cells = [cell for row in rows for cell in row]
    long = sum(sum(len(page.texts[i]) for i in cell) > _CELL_CHARS for cell in cells)
    several = sum(len(cell) > 1 for cell in cells)
    return 4 * max(long, several) <= len(cells)
