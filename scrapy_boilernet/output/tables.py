"""Finds the data tables of the content, and puts their cells in rows and columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scrapy_boilernet.markup import Cell, Markup
from scrapy_boilernet.output.budget import EMPTY_CELL_BYTES, Budget
from scrapy_boilernet.output.parts import Item, TableCell

_MAX_COLUMNS = 200
"""In columns beyond this, cells with text are kept; spans and empty cells are left out."""
_MAX_CELL_BLOCKS, _MAX_CELL_CHARS = 12, 1_000
"""A cell with more blocks or more characters belongs to a layout table."""
_NO_CELL_TEXT = frozenset(("pre", "h1", "h2", "h3", "h4"))
"""Elements that make their cell's table a layout table; in a ``<th>`` they do not."""
_CELLS = ("td", "th")


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


def data_tables(items: Sequence[Item]) -> frozenset[int]:
    """Return the numbers of the table elements that hold data; others are for layout.

    A data table has no other table with content inside. At least half of its rows have two cells
    with content: at least two rows, or one if the table has a ``<th>``. Its cells hold neither code
    nor headings, and each holds at most 12 blocks and 1,000 characters.
    """
    items_of: dict[int, list[Item]] = defaultdict(list)
    outer: set[int] = set()
    for item in items:
        if "table" in item.tags and "caption" not in item.tags:
            tables = [n for tag, n in zip(item.tags, item.nodes, strict=True) if tag == "table"]
            items_of[tables[-1]].append(item)
            outer.update(tables[:-1])
    return frozenset(
        node for node, inside in items_of.items() if node not in outer and _is_data(inside)
    )


def _is_data(items: Sequence[Item]) -> bool:
    rows: dict[int, set[int]] = defaultdict(set)
    blocks: dict[int, int] = defaultdict(int)
    chars: dict[int, int] = defaultdict(int)
    has_th = False
    for item in items:
        row, cell, tag = _where(item)
        if item.presentation or (tag != "th" and not _NO_CELL_TEXT.isdisjoint(item.tags)):
            return False
        has_th = has_th or tag == "th"
        rows[row].add(cell)
        blocks[cell] += 1
        chars[cell] += sum(len(span.text) for span in item.line)
    wide = sum(len(cells) > 1 for cells in rows.values())
    if 2 * wide < len(rows) or wide < (1 if has_th else 2):
        return False
    return max(blocks.values()) <= _MAX_CELL_BLOCKS and max(chars.values()) <= _MAX_CELL_CHARS


def has_header(items: Sequence[Item]) -> bool:
    """Return whether the first row of a table of these items is its header."""
    first = _where(items[0]).row
    row = [item for item in items if _where(item).row == first]
    return all(_where(item).tag == "th" or "thead" in item.tags for item in row)


def has_row_headers(items: Sequence[Item]) -> bool:
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
    items: Sequence[Item], markup: TableMarkup, budget: Budget
) -> tuple[tuple[TableCell, ...], ...]:
    """Return the rows of a table of these items, each cell in its column.

    A cell that spans several columns or rows stands in the first; the others are empty. Rows have
    no empty cells if the budget is used up.
    """
    taken: dict[int, int] = {}
    rows = []
    for row, members in groupby(items, lambda item: _where(item).row):
        by_cell: dict[int, list[Item]] = {}
        for item in members:
            by_cell.setdefault(_where(item).cell, []).append(item)
        texts = {cell: tuple(item.line for item in inside) for cell, inside in by_cell.items()}
        placed = _row(list(_all_cells(row, texts, markup)), taken)
        if not budget.gives(EMPTY_CELL_BYTES * placed.count(())):
            placed = tuple(filter(None, placed))
        rows.append(placed)
    return tuple(rows)


def _where(item: Item) -> _Where:
    row = cell = 0
    cell_tag = ""
    for tag, node in zip(reversed(item.tags), reversed(item.nodes), strict=True):
        if tag in _CELLS and not cell and not row:  # a row in a cell is another row
            cell, cell_tag = node, tag
        elif tag == "tr" and not row:
            row = node
        elif tag == "table":
            break
    return _Where(row or cell or item.nodes[-1], cell, cell_tag)


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
