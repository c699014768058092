"""Puts the cells of the content's data tables in rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scrapy_boilernet.extractor.decide.post_tables import post_tables
from scrapy_boilernet.extractor.decide.tables import (
    CELL_CHARS,
    MAX_CELL_CHARS,
    InTable,
    cell_steps,
    data_rows,
    data_tables,
)
from scrapy_boilernet.extractor.markup import CODE, Cell, Markup, Span
from scrapy_boilernet.extractor.output.budget import (
    CODE_LINE_BYTES,
    EMPTY_CELL_BYTES,
    PADDING_BYTES,
    Budget,
)
from scrapy_boilernet.extractor.output.entry_tables import entry_tables
from scrapy_boilernet.extractor.output.parts import Container, ContentItem, Line, Part, TableCell
from scrapy_boilernet.extractor.page import Ancestors, Page

_MAX_COLUMNS = 200
"""In columns beyond this, cells with text are kept; spans and empty cells are left out."""
_MAX_CODE_LINES = 12
"""A cell with more lines of code belongs to a layout table."""
_MIN_LONE_CELLS = 3
"""The least cells of a data table of one row."""
_HEADINGS = frozenset(("h1", "h2", "h3", "h4"))


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


def written_tables(items: Sequence[ContentItem], page: Page, markup: TableMarkup) -> frozenset[int]:
    """Return the numbers of the elements of the data tables that are written as tables.

    These are the data tables of the page, and those of what is kept. So are tables with a row of
    ``<th>`` at their head, a row of three or more short cells, and a column of short cells under a
    ``<th>``. The cell of a table is one line, so a table of cells with headings or long code is not
    written as a table. A heading that is a row of its own stands between tables.
    """
    inside: list[InTable] = []
    for i, item in enumerate(items):
        if "table" in item.tags and "caption" not in item.tags:
            chars = sum(len(span.text) for span in item.line)
            place = (item.tags, item.nodes, cell_steps(item.tags), item.presentation)
            inside.append(InTable(i, chars, *place))
    inside = _without_heading_rows(inside)
    if not inside:
        return frozenset()
    by_table: dict[int, list[InTable]] = {}
    around: set[int] = set()
    for one in inside:
        by_table.setdefault(one.nodes[one.steps.table], []).append(one)
        around.update(one.nodes[i] for i in range(one.steps.table) if one.tags[i] == "table")
    whole = {node for node in page.once(data_tables) if len(by_table.get(node, ())) > 1}
    small = {
        node
        for node, own in by_table.items()
        if _is_row(own) or _is_column(own, markup) or _has_head(own)
    }
    found = data_rows(inside).keys() | whole | (small - around)
    innermost = {node: own for node, own in by_table.items() if node not in around}
    found |= {*entry_tables(innermost, found, items, page.blocks_without_xpaths)}
    found -= post_tables(page)
    return frozenset(node for node in found if not _holds_layout(by_table.get(node, ()), items))


def is_heading_in_cell(tags: Ancestors) -> bool:
    """Return whether a text with these tags is in a heading in a ``<td>``."""
    if _HEADINGS.isdisjoint(tags):
        return False
    cell = cell_steps(tags).cell
    return cell >= 0 and tags[cell] != "th" and not _HEADINGS.isdisjoint(tags[cell:])


def _without_heading_rows(inside: list[InTable]) -> list[InTable]:
    """Return what is inside of tables without the rows that have nothing but headings in one
    ``<td>``.
    """
    headings = {one.place for one in inside if is_heading_in_cell(one.tags)}
    if not headings:
        return inside
    cells: dict[int, set[int]] = {}
    for one in inside:
        cell = one.nodes[one.steps.cell] if one.place in headings else 0
        cells.setdefault(_row_of(one), set()).add(cell)
    rows = {row for row, own in cells.items() if len(own) == 1 and 0 not in own}
    return [one for one in inside if one.place not in headings or _row_of(one) not in rows]


def _row_of(one: InTable) -> int:
    """Return the number of the row of a text, 0 outside of rows."""
    return one.nodes[one.steps.row] if one.steps.row >= 0 else 0


def _is_row(cells: Sequence[InTable]) -> bool:
    """Return whether the cells of a table are one row of short cells."""
    numbers = {one.nodes[one.steps.cell] if one.steps.cell >= 0 else 0 for one in cells}
    if len(numbers) != len(cells) or not len(cells) >= _MIN_LONE_CELLS or 0 in numbers:
        return False
    rows = {*map(_row_of, cells)}
    is_short = all(0 < one.chars <= CELL_CHARS and not one.is_layout for one in cells)
    return is_short and len(rows) == 1


def _is_column(cells: Sequence[InTable], markup: TableMarkup) -> bool:
    """Return whether the cells of a table are one column of short cells under a ``<th>``."""
    if len(cells) < 2 or any(min(one.steps) < 0 or one.is_layout for one in cells):
        return False
    first, *others = [one.tags[one.steps.cell] for one in cells]
    rows = {one.nodes[one.steps.row] for one in cells}
    return (
        first == "th"
        and "th" not in others
        and len(rows) == len(cells)
        and all(one.chars <= CELL_CHARS for one in cells)
        and all(len(markup.rows.get(row, ())) == 1 for row in rows)
    )


def _has_head(cells: Sequence[InTable]) -> bool:
    """Return whether the first of several rows has two or more ``<th>`` and nothing else, and no
    cell is long.
    """
    if any(min(one.steps) < 0 or one.is_layout for one in cells):
        return False
    first = cells[0].nodes[cells[0].steps.row]
    head = [one for one in cells if one.nodes[one.steps.row] == first]
    chars: dict[int, int] = {}
    for one in cells:
        chars[one.nodes[one.steps.cell]] = chars.get(one.nodes[one.steps.cell], 0) + one.chars
    return (
        all(one.tags[one.steps.cell] == "th" for one in head)
        and len({one.nodes[one.steps.cell] for one in head}) > 1
        and len(head) < len(cells)
        and max(chars.values()) <= MAX_CELL_CHARS
    )


def _holds_layout(cells: Sequence[InTable], items: Sequence[ContentItem]) -> bool:
    """Return whether a ``<td>`` holds a heading, or more code than a cell of a data table does.

    In a table without a ``<th>``, that is more than a line.
    """
    has_header = any(one.steps.cell >= 0 and one.tags[one.steps.cell] == "th" for one in cells)
    most = _MAX_CODE_LINES if has_header else 1
    return any(
        (one.steps.cell < 0 or one.tags[one.steps.cell] != "th")
        and (not _HEADINGS.isdisjoint(one.tags) or _is_long(items[one.place].raw, most))
        for one in cells
    )


def _is_long(code: str, most: int) -> bool:
    """Return whether code has more lines, or one that is longer than a short cell."""
    lines = code.split("\n")
    return len(lines) > most or max(map(len, lines)) > CELL_CHARS


def table_part(
    within: tuple[Container, ...],
    items: Sequence[ContentItem],
    markup: TableMarkup,
    budget: Budget,
) -> Part:
    """Return the table of these items; its foot is last, wherever the page has it."""
    ordered = sorted(items, key=_is_in_foot)
    rows = grid(ordered, markup, budget)
    return Part(
        "table", within, rows=rows, header=has_header(ordered),
        row_headers=has_row_headers(ordered), blocks=blocks_of_rows(ordered),
    )  # fmt: skip


def _is_in_foot(item: ContentItem) -> bool:
    """Return whether an item is in the ``<tfoot>`` of its table."""
    steps = cell_steps(item.tags)
    return "tfoot" in item.tags[steps.table + 1 : steps.row if steps.row >= 0 else None]


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
    no empty cells if the budget is used up. Else all are as long as the longest, if it has enough.
    """
    taken: dict[int, int] = {}
    rows = []
    for row, members in groupby(items, lambda item: _where(item).row):
        by_cell: dict[int, list[ContentItem]] = {}
        for item in members:
            by_cell.setdefault(_where(item).cell, []).append(item)
        texts = {
            cell: tuple(line for item in inside for line in _lines(item, budget))
            for cell, inside in by_cell.items()
        }
        placed = _row(list(_all_cells(row, texts, markup)), taken)
        if not budget.gives(EMPTY_CELL_BYTES * placed.count(())):
            placed = tuple(filter(None, placed))
        rows.append(placed)
    return _padded(_without_gaps(rows), budget)


def _without_gaps(rows: Sequence[tuple[TableCell, ...]]) -> Sequence[tuple[TableCell, ...]]:
    """Return the rows without the columns in which none has a text: old pages keep others apart
    with them.
    """
    used = {column for row in rows for column, cell in enumerate(row) if cell}
    if len(used) == max(map(len, rows)):
        return rows
    return [tuple(cell for i, cell in enumerate(row) if i in used) for row in rows]


def _padded(
    rows: Sequence[tuple[TableCell, ...]], budget: Budget
) -> tuple[tuple[TableCell, ...], ...]:
    """Return the rows with empty cells at their ends, as long as the longest."""
    columns = max(map(len, rows))
    size = PADDING_BYTES * sum(columns - len(row) for row in rows)
    if not (budget.has(size) and budget.gives(size)):
        return tuple(rows)
    return tuple(row + ((),) * (columns - len(row)) for row in rows)


def blocks_of_rows(items: Sequence[ContentItem]) -> tuple[tuple[int, ...], ...]:
    """Return the indexes of the blocks of each row of :func:`grid`."""
    rows = groupby(items, lambda item: _where(item).row)
    return tuple(tuple(one.block for one in inside if one.block >= 0) for _, inside in rows)


def _lines(item: ContentItem, budget: Budget) -> list[Line]:
    """Return the lines of an item in a cell; each line of code is code within a line."""
    if not item.raw:
        return [item.line]
    lines = [line for line in item.raw.split("\n") if line.strip()]
    marks = CODE if budget.gives(CODE_LINE_BYTES * len(lines)) else 0
    return [(Span(line, "", marks),) for line in lines]


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
