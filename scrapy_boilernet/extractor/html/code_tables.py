"""Tables that hold nothing but a piece of code: the numbers of its lines in a ``<pre>`` of their
own, and the name of its file in a row of its own.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.code import MAY_BE, NO_CODE, names_gutter
from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

_CELL_SIGN = b"<td"
SIGNS = (MAY_BE, _CELL_SIGN)
"""A page with such a table has both."""
_PART, _CELLS = Reading(None, 0, "div"), ("td", "th")
_PARTS = ("table", "thead", "tbody", "tr", *_CELLS)
_LEVELS = 4
"""Elements between a cell and the code in it."""
_MAX_TEXTS, _MAX_ROWS, _MIN_LINES = 20_000, 2, 2
_NUMBER = re.compile(r"[0-9]{1,7}")


def may_have_code_tables(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such tables."""
    return all(map(signs.__contains__, SIGNS))


def code_tables_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for cells of numbers, and those of the parts of tables with the
    name of a file, which are no tables.
    """
    found: dict[etree._Element, Reading] = {}
    done: set[etree._Element] = set()
    for place in elements.of_tags(("pre",)):
        pre = elements[place]
        around = islice(pre.iterancestors(), _LEVELS)
        cell = next((above for above in around if above.tag in _CELLS), None)
        numbers = cell.getprevious() if cell is not None and cell not in done else None
        if cell is None or numbers is None or numbers.tag not in _CELLS:
            continue
        done.add(cell)
        if not names_gutter(numbers.get("class") or ""):
            if not _are_numbers_of(numbers, pre):
                continue
            found[numbers] = NO_CODE
        found |= _parts_of(cell, numbers)
    return found


def _are_numbers_of(cell: etree._Element, code: etree._Element) -> bool:
    """Return whether the first cell of the only row holds the numbers of all lines of the code."""
    table = next(cell.iterancestors("table"), None)
    rows = [*islice(table.iter("tr"), 2)] if table is not None else []
    if len(rows) != 1 or cell.getprevious() is not None or next(cell.iter("pre"), None) is None:
        return False
    numbers = _text(cell).split()
    if len(numbers) < _MIN_LINES or not _NUMBER.fullmatch(numbers[0]):
        return False
    first, lines = int(numbers[0]), _text(code).strip("\r\n").count("\n") + 1
    return len(numbers) == lines and numbers == [*map(str, range(first, first + lines))]


def _text(element: etree._Element) -> str:
    return "".join(map(str, islice(element.itertext(), _MAX_TEXTS)))


def _parts_of(cell: etree._Element, numbers: etree._Element) -> dict[etree._Element, Reading]:
    """Return the readings of the parts of a table of two rows, of which the first one has the name
    of a file, and the second one the code.
    """
    table = next(cell.iterancestors("table"), None)
    rows = [*islice(table.iter("tr"), _MAX_ROWS + 1)] if table is not None else []
    is_named = len(rows) == _MAX_ROWS and rows[1] is cell.getparent() and len(rows[0]) == 1
    if table is None or not is_named or any(one is not table for one in table.iter("table")):
        return {}
    return {part: _PART for part in table.iter(_PARTS) if part is not numbers}
