"""Tables of names and what is said of them that have too few rows for a data table, such as that of
the only parameter of a function. The class of the table or of its cells says what it is, or it is a
row and has the class of a data table of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from scrapy_boilernet.extractor.decide.tables import CELL_CHARS, MAX_CELL_CHARS, InTable
from scrapy_boilernet.extractor.output.parts import ContentItem
from scrapy_boilernet.extractor.page import Block

_NAMES = re.compile(
    r"\b(?:param ?name|parameter name|(?:define|datatype) keyword|function type|mem item left)\b"
)
"""Class words of the first cells of Doxygen and GTK-Doc."""
_LIST = re.compile(r"\b(?:variablelist|params)\b")
"""Class words of a table of entries, or of the element around it, of DocBook and Doxygen."""
_MAX_CELL_TEXTS = 6


def entry_tables(
    by_table: Mapping[int, Sequence[InTable]],
    written: AbstractSet[int],
    items: Sequence[ContentItem],
    blocks: Sequence[Block],
) -> Iterator[int]:
    """Yield the numbers of the elements of these tables.

    ``by_table``: what is inside of each table. ``written``: the tables that are written as tables
    anyway. ``items``, ``blocks``: the places in what is inside are those of items, and theirs those
    of blocks.
    """
    words = {
        node: blocks[items[own[0].place].block].class_words
        for node, own in by_table.items()
        if items[own[0].place].block >= 0
    }
    known = {words[node][by_table[node][0].steps.table] for node in written & words.keys()} - {""}
    for node in words.keys() - written:
        own = by_table[node]
        is_named = _is_named(words[node], own[0])
        is_known = words[node][own[0].steps.table] in known
        if (is_named or is_known) and _has_entries(own, not is_named):
            yield node


def _is_named(words: Sequence[str], first: InTable) -> bool:
    """Return whether class words around the first text of a table show that it has entries."""
    table, _, cell = first.steps
    around = " ".join(words[max(table - 1, 0) : table + 1])
    is_named = _NAMES.search(words[cell]) if cell >= 0 else None
    return (is_named or _LIST.search(around)) is not None


def _has_entries(inside: Sequence[InTable], is_row: bool) -> bool:
    """Return whether a table has a row of several cells, and nothing that belongs to layout. Of
    lists, which lose their marks in a cell, it has none either.

    ``is_row``: whether it must have no other row.
    """
    if any(min(one.steps) < 0 or one.is_layout for one in inside):
        return False
    if any("li" in one.tags[one.steps.cell :] for one in inside):
        return False
    rows: dict[int, dict[int, list[int]]] = {}
    for one in inside:
        row = rows.setdefault(one.nodes[one.steps.row], {})
        row.setdefault(one.nodes[one.steps.cell], []).append(one.chars)
    cells = [[*row.values()] for row in rows.values()]
    wide = [[*map(sum, row)] for row in cells if len(row) > 1]
    return (
        bool(wide)
        and (len(rows) == 1 or not is_row)
        and all(len(cell) <= _MAX_CELL_TEXTS for row in cells for cell in row)
        and all(sum(cell) <= MAX_CELL_CHARS for row in cells for cell in row)
        and all(row[0] <= CELL_CHARS and min(row) > 0 for row in wide)
    )
