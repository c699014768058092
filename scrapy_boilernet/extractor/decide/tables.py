"""Data tables: what one is, where its cells are, and which are kept as a whole.

A model decides block by block, and a cell is a short block, so tables lose cells and rows. A table
or row of which it keeps at least half is kept as a whole. Markdown and HTML write the same data
tables as tables. ``benchmarks/quality/structures.py`` counts the tables that are kept in full.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.decide.post_tables import post_tables
from scrapy_boilernet.extractor.html.walk import ROW_TAGS
from scrapy_boilernet.extractor.page import Ancestors, Block, Page

Rows = list[list[int]]
"""Per row of a table, the indexes of its blocks."""
_CELL_TAGS = ("td", "th")
_MIN_ROWS, _MIN_PLAIN_ROWS = 2, 3
"""The least rows of a data table with two or more cells; and without a ``<th>``, if it has long
cells."""
CELL_CHARS = 72
"""A cell of at most this many characters is short: some twelve words."""
_MAX_CELL_BLOCKS, MAX_CELL_CHARS = 6, 1_000
"""A cell with more blocks or more characters belongs to a layout table."""
_LAYOUT = frozenset(("pre", "h1", "h2", "h3", "h4"))
"""Elements in cells of layout tables; in a ``<th>`` they tell nothing."""
_presenting = ClassNames(("presentation",))
"""Class words, or the role, around a layout table."""
_MIN_KEPT = 0.5
"""Share of the characters of a table, or of a row, from which all of it is kept."""


class CellSteps(NamedTuple):
    """Where in a path the innermost table, and the innermost row and cell in it, are; -1: none."""

    table: int
    row: int
    cell: int


class CellNodes(NamedTuple):
    """Node numbers of the innermost table cell around a block."""

    table: int
    """0 if the row is not in a table."""
    row: int
    cell: int


def cell_steps(tags: Ancestors) -> CellSteps:
    """Return the steps of the innermost table, of its row and of the cell in that row."""
    row = cell = -1
    for step in range(len(tags) - 1, -1, -1):
        tag = tags[step]
        if tag == "table":
            if row < 0 <= cell and tags[cell - 1] in ROW_TAGS:
                row = cell - 1
            return CellSteps(step, row, cell)
        if tag == "tr" and row < 0:
            row = step
        elif tag in _CELL_TAGS and cell < 0 and row < 0:
            cell = step
    return CellSteps(-1, row, cell)


def cell_of(block: Block) -> CellNodes | None:
    """Return the innermost table cell and row that hold the block, or None."""
    if "tr" not in block.tags and "table" not in block.tags:
        return None
    table, row, cell = cell_steps(block.tags)
    if row < 0 or cell < 0:
        return None
    return CellNodes(block.nodes[table] if table >= 0 else 0, block.nodes[row], block.nodes[cell])


def holds_layout(tags: Ancestors, steps: CellSteps) -> bool:
    """Return whether a text with these tags is code or a heading in a ``<td>``."""
    is_header = steps.cell >= 0 and tags[steps.cell] == "th"
    return not is_header and not _LAYOUT.isdisjoint(tags)


class InTable(NamedTuple):
    """A text or picture inside of a table."""

    place: int
    """Among the blocks, or the other things that are looked at."""
    chars: int
    tags: Ancestors
    nodes: Sequence[int]
    steps: CellSteps
    is_layout: bool
    """Whether a class or an element in its cell shows that the table is for layout."""


@dataclass
class _Table:
    """What is known of a table."""

    rows: dict[int, dict[int, list[InTable]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    """What is in its cells, by the numbers of row and cell."""
    has_header: bool = False
    """Whether it has a ``<th>``."""
    is_layout: bool = False
    """Whether something in it shows that it is for layout."""
    captions: list[int] = field(default_factory=list)
    """The places of its captions."""

    def rows_of_places(self) -> Rows:
        """Return the places of what is in its cells, row by row; its captions are a row."""
        captions = [self.captions] if self.captions else []
        rows = self.rows.values()
        own = [[placed.place for cell in row.values() for placed in cell] for row in rows]
        return [*captions, *own]

    def has_one_cell(self) -> bool:
        """Return whether one of its cells is filled, and no caption."""
        return not self.captions and [len(row) for row in self.rows.values()] == [1]

    def is_data(self) -> bool:
        """Return whether it has data; see :func:`data_rows`."""
        wide = sum(len(row) > 1 for row in self.rows.values())
        if not wide or 2 * wide < len(self.rows):
            return False
        cells = [cell for row in self.rows.values() for cell in row.values()]
        chars = [sum(placed.chars for placed in cell) for cell in cells]
        long = sum(count > CELL_CHARS for count in chars)
        several = sum(len(cell) > 1 for cell in cells)
        if wide < _MIN_ROWS:
            return self.has_header and not (long or several)
        if 4 * max(long, several) <= len(cells):
            return True
        return (
            not self.is_layout
            and wide >= (_MIN_ROWS if self.has_header else _MIN_PLAIN_ROWS)
            and 2 * several <= len(cells)
            and max(map(len, cells)) <= _MAX_CELL_BLOCKS
            and max(chars) <= MAX_CELL_CHARS
        )


def data_rows(inside: Iterable[InTable]) -> dict[int, Rows]:
    """Return the indexes in each row of each data table, by the number of the table's element. Its
    captions are a row.

    ``inside``: what is inside of tables, in the order of the page. A data table has at least two
    rows with two or more filled cells, and they are at least half of its rows. No filled table is
    inside it. Three quarters of its cells are short and hold one block; or else it has a ``<th>``
    or three such rows, half of its cells hold one block and none has more than 6 blocks or 1,000
    characters, and no heading, code or class shows that it is for layout. One such row is enough
    beside a ``<th>``, if all cells are short and hold one block. Other tables are layout.
    """
    tables = _innermost(inside)
    return {node: table.rows_of_places() for node, table in tables.items() if table.is_data()}


def _innermost(inside: Iterable[InTable]) -> dict[int, _Table]:
    """Return the filled tables that hold no other one, by the numbers of their elements."""
    found: dict[int, _Table] = defaultdict(_Table)
    around: set[int] = set()
    for placed in inside:
        place, _, tags, nodes, (table, row, cell), is_layout = placed
        if tags.index("table") < table:
            around.update(nodes[step] for step in range(table) if tags[step] == "table")
        if row >= 0 and cell >= 0:
            own = found[nodes[table]]
            own.rows[nodes[row]][nodes[cell]].append(placed)
            own.has_header |= tags[cell] == "th"
            own.is_layout |= is_layout
        elif table >= 0 and "caption" in tags[table:]:
            found[nodes[table]].captions.append(place)
    return {node: table for node, table in found.items() if node not in around}


def data_tables(page: Page) -> dict[int, Rows]:
    """Return the rows of the page's data tables, as :func:`data_rows` does of its blocks.

    The table of a post of a thread is none.
    """
    tables = page.once(_tables_of)
    return {node: table.rows_of_places() for node, table in tables.items() if table.is_data()}


def boxes_of_one_cell(page: Page) -> dict[int, Rows]:
    """Return the same of the page's tables of one cell, which are boxes in its text. More than half
    of their characters are outside of links.
    """
    tables = page.once(_tables_of)
    found = {node: table.rows_of_places() for node, table in tables.items() if table.has_one_cell()}
    return {node: rows for node, rows in found.items() if _is_text(page, rows[0])}


def _is_text(page: Page, blocks: Sequence[int]) -> bool:
    chars = sum(len(page.texts[i]) for i in blocks)
    return 2 * int(page.marks[0][[*blocks]].sum()) < chars


def _tables_of(page: Page) -> dict[int, _Table]:
    """Return the page's filled tables that hold no other one and no post of a thread."""
    if "table" not in page.names[0]:
        return {}
    pairs, places = page.paths
    steps = [cell_steps(tags) if "table" in tags else None for tags, _ in pairs]
    if not any(steps):
        return {}
    presenting = _presenting.on(page)
    layout = [
        found is not None and (holds_layout(tags, found) or not presenting.isdisjoint(class_words))
        for (tags, class_words), found in zip(pairs, steps, strict=True)
    ]
    arrays, texts = page.nodes, page.texts
    nodes, depths = (array.tolist() for array in arrays)
    found = _innermost(
        InTable(i, len(texts[i]), pairs[place][0], nodes[end - depth : end], own, layout[place])
        for i, (place, end, depth) in enumerate(
            zip(places, accumulate(depths), depths, strict=True)
        )
        if (own := steps[place]) is not None
    )
    posts = post_tables(page)
    return {node: table for node, table in found.items() if node not in posts}


def complete_tables(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with all of a data table, or of a row, if half of its characters are kept.

    Hidden blocks are not added.
    """
    completed = kept.copy()
    for rows in page.once(data_tables).values():
        for blocks in ([*chain.from_iterable(rows)], *rows):
            shown = [i for i in blocks if not page.hidden[i]]
            chars = sum(len(page.texts[i]) for i in shown)
            kept_chars = sum(len(page.texts[i]) for i in shown if kept[i])
            if kept_chars >= _MIN_KEPT * chars:
                completed[shown] = True
    return completed


def leads(page: Page, places: NDArray[np.intp]) -> bool:
    """Return whether a table has no ``<th>``, or at least a fourth of its characters in links."""
    pairs, path_of = page.paths
    chars = sum(len(page.texts[i]) for i in places.tolist())
    has_header = any("th" in pairs[path_of[i]][0] for i in places.tolist())
    return not has_header or 4 * int(page.marks[0][places].sum()) >= chars
