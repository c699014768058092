"""Puts the cells of the content's data tables in rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scrapy_boilernet.extractor.decide.tables import InTable, cell_steps, data_rows, holds_layout
from scrapy_boilernet.extractor.markup import Cell, Markup
from scrapy_boilernet.extractor.output.budget import EMPTY_CELL_BYTES, Budget
from scrapy_boilernet.extractor.output.parts import ContentItem, TableCell

_MAX_COLUMNS = 200
"""In columns beyond this, cells with text are kept; spans and empty cells are left out."""


class TableMarkup:
    """The cells of a page's tables."""

    def __init__(self, markup: Markup) -> None:
        self.rows: Mapping[int, tuple[Cell, ...]] = dict(markup.rows)
        """All cells of each row, by the number of the row's element."""
        self.cells: Mapping[int, int] = dict(markup.cells)
        """Each cell's index in its row, by the number of the cell's element."""


class _Where(NamedTuple):
    """The row and cell of a table in which an item stands."""

    row: int
    """The number of the row's element; without a row, of the cell's or the item's element."""
    cell: int
    """The number of the cell's element; 0 outside of cells."""
    tag: str
    """``td``, ``th``, or "" outside of cells."""


def written_tables(items: Sequence[ContentItem]) -> frozenset[int]:
    """Return the numbers of the elements of the data tables that are written as tables.

    The cell of a table is one line, so a table of cells with code or headings is not.
    """
    inside, left_out = [], set()
    for i, item in enumerate(items):
        steps = cell_steps(item.tags)
        if steps.table < 0 or "caption" in item.tags:
            continue
        if holds_layout(item.tags, steps):
            left_out.add(item.nodes[steps.table])
        chars = sum(len(span.text) for span in item.line)
        inside.append(InTable(i, chars, item.tags, item.nodes, steps, item.presentation))
    return frozenset(data_rows(inside).keys() - left_out)


def has_header(items: Sequence[ContentItem]) -> bool:
    """Return whether the first row of a table of these items is its header."""
    first = _where(items[0]).row
    row = [item for item in items if _where(item).row == first]
    return all(_where(item).tag == "th" or "thead" in item.tags for item in row)


def has_row_headers(items: Sequence[ContentItem]) -> bool:
    """Return whether half of the rows of a table of these items begin with a ``<th>``.

    A header row does not count.
    """
    first: dict[int, str] = {}
    for item in items:
        where = _where(item)
        first.setdefault(where.row, where.tag)
    begins = [*first.values()][has_header(items) :]
    return 2 * begins.count("th") >= max(1, len(begins))


def grid(
    items: Sequence[ContentItem], markup: TableMarkup, budget: Budget
) -> tuple[tuple[TableCell, ...], ...]:
    """Return the rows of a table of these items, each cell in its column.

    A cell that spans several columns or rows stands in the first; the others are empty. Rows have
    no empty cells if the budget is used up.
    """
    taken: dict[int, int] = {}
    rows = []
    for row, members in groupby(items, lambda item: _where(item).row):
        by_cell: dict[int, list[ContentItem]] = {}
        for item in members:
            by_cell.setdefault(_where(item).cell, []).append(item)
        texts = {cell: tuple(item.line for item in inside) for cell, inside in by_cell.items()}
        placed = _row(list(_all_cells(row, texts, markup)), taken)
        if not budget.gives(EMPTY_CELL_BYTES * placed.count(())):
            placed = tuple(filter(None, placed))
        rows.append(placed)
    return tuple(rows)


def blocks_of_rows(items: Sequence[ContentItem]) -> tuple[tuple[int, ...], ...]:
    """Return the indexes of the blocks of each row of :func:`grid`."""
    rows = groupby(items, lambda item: _where(item).row)
    return tuple(tuple(one.block for one in inside if one.block >= 0) for _, inside in rows)


def _where(item: ContentItem) -> _Where:
    _, row_step, cell_step = cell_steps(item.tags)
    cell, tag = (item.nodes[cell_step], item.tags[cell_step]) if cell_step >= 0 else (0, "")
    row = item.nodes[row_step] if row_step >= 0 else cell or item.nodes[-1]
    return _Where(row, cell, tag)


def _all_cells(
    row: int, texts: Mapping[int, TableCell], markup: TableMarkup
) -> Iterator[tuple[Cell, TableCell]]:
    """Yield the cells of a row with their texts; text outside of cells comes first."""
    by_index = {markup.cells[cell]: text for cell, text in texts.items() if cell in markup.cells}
    for node, text in texts.items():
        if node not in markup.cells:
            yield Cell(), text
    if by_index:
        for index, cell in enumerate(markup.rows.get(row, ())):
            yield cell, by_index.pop(index, ())
    for text in by_index.values():
        yield Cell(), text


def _row(cells: Sequence[tuple[Cell, TableCell]], taken: dict[int, int]) -> tuple[TableCell, ...]:
    """Return the cells of a row, each in its column.

    ``taken``: the columns that cells of rows above span, each with the number of rows left; it is
    updated.
    """
    placed: list[TableCell] = []
    spanned: dict[int, int] = {}
    for cell, text in cells:
        while len(placed) < _MAX_COLUMNS and taken.get(len(placed)):
            placed.append(())
        if len(placed) >= _MAX_COLUMNS:
            placed += [text] if text else []
            continue
        for column in range(len(placed), len(placed) + cell.columns):
            spanned[column] = cell.rows - 1
        placed.append(text)
        placed += [()] * (cell.columns - 1)
    for column, rows in [*taken.items()]:
        taken[column] = rows - 1
        if rows <= 1:
            del taken[column]
    taken.update((column, rows) for column, rows in spanned.items() if rows)
    while placed and not placed[-1]:
        placed.pop()
    return tuple(placed)
