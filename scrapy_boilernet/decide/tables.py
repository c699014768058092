"""Data tables: a table or row of which the model keeps at least half is kept as a whole.

A model decides block by block, and a cell is a short block, so tables lose cells and rows.
``benchmarks/quality/tables.py`` counts the tables that are kept in full, in part and not.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.page import Block, Page, Path, nodes_of

Rows = list[list[int]]
"""Per row of a table, the indexes of its blocks."""
_CELL_TAGS = ("td", "th")
_CELL_CHARS = 72
"""At least three quarters of a data table's cells have at most this many characters, some twelve
words. Cells of layout tables have more."""
_MIN_ROWS = 2
_MIN_KEPT = 0.5
"""Share of the characters of a table, or of a row, from which all of it is kept."""


class Cell(NamedTuple):
    """Node numbers of the innermost table cell around a block."""

    table: int
    """0 if the row is not in a table."""
    row: int
    cell: int


class _Steps(NamedTuple):
    """Where in a path the elements of a :class:`Cell` are."""

    table: int
    """-1 if the row is not in a table."""
    row: int
    cell: int


def _cell_steps(tags: Path) -> _Steps | None:
    """Return the steps of the innermost cell and row of a path, or None."""
    row = cell = -1
    for step in range(len(tags) - 1, -1, -1) if "tr" in tags else ():
        if tags[step] in _CELL_TAGS and cell < 0:
            cell = step
        elif tags[step] == "tr" and row < 0:
            if cell < 0:
                return None
            row = step
        elif tags[step] == "table" and row >= 0:
            return _Steps(step, row, cell)
    return _Steps(-1, row, cell) if row >= 0 else None


def cell_of(block: Block) -> Cell | None:
    """Return the innermost table cell and row that hold the block, or None."""
    steps = _cell_steps(block.tags)
    if steps is None:
        return None
    table = block.nodes[steps.table] if steps.table >= 0 else 0
    return Cell(table, block.nodes[steps.row], block.nodes[steps.cell])


def _table_steps(tags: Path) -> list[int]:
    return [step for step, tag in enumerate(tags) if tag == "table"]


def data_tables(page: Page) -> list[Rows]:
    """Return the data tables of the page, in the order of their first blocks.

    A data table has at least two rows with two or more cells with text, and they are at least half
    of its rows. Most of its cells are short and hold one block, and no table with text is inside
    it. Other tables are layout.
    """
    cells_of: dict[int, dict[int, dict[int, list[int]]]] = {}
    around: set[int] = set()
    pairs, places = page.paths
    tables = [_table_steps(tags) if "table" in tags else [] for tags, _ in pairs]
    if not any(tables):
        return []
    cells = [
        _cell_steps(tags) if own else None for (tags, _), own in zip(pairs, tables, strict=True)
    ]
    nodes, depths = nodes_of(page.blocks)
    begins = [0, *depths.cumsum().tolist()]
    for i, place in enumerate(places):
        if not tables[place]:
            continue
        own = nodes[begins[i] : begins[i + 1]].tolist()
        around.update(own[step] for step in tables[place][:-1])
        cell = cells[place]
        if cell and cell.table == tables[place][-1]:
            rows = cells_of.setdefault(own[cell.table], defaultdict(lambda: defaultdict(list)))
            rows[own[cell.row]][own[cell.cell]].append(i)
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
    """Return whether a table has data; ``rows``: per row and cell, the indexes of its blocks."""
    wide = sum(len(row) > 1 for row in rows)
    if wide < _MIN_ROWS or 2 * wide < len(rows):
        return False
    cells = [cell for row in rows for cell in row]
    long = sum(sum(len(page.texts[i]) for i in cell) > _CELL_CHARS for cell in cells)
    several = sum(len(cell) > 1 for cell in cells)
    return 4 * max(long, several) <= len(cells)
