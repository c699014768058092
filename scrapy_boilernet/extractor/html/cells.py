"""Cells of tables: an icon or a box to tick is read as what it says or shows, and the name of a
column that stands in a cell for narrow screens is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.icon_words import icon_word
from scrapy_boilernet.extractor.html.images import IMAGE_TAGS, given_number, is_control
from scrapy_boilernet.extractor.html.reading import NOTHING, Reading
from scrapy_boilernet.extractor.patterns import lazy_pattern

SIGNS = (b"<td",)
_ICON_TAGS = frozenset("svg use title path g i span em b abbr div mat-icon md-icon".split())
"""Elements that may make up an icon, beside images and boxes."""
_FIRST_TAGS = frozenset((*IMAGE_TAGS, *_ICON_TAGS, "input"))
_TICKED, _OPEN = "☑", "☐"
_YES, _NO = "✓", "✗"
"""What an icon shows that says nothing."""
_WORDS = r"(?:^|[\s_#/.-])(?:{})(?![a-z])|(?:^|[\s/])(?:{})(?=[\s.]|\Z)|{}-(?:{})(?![a-z])"
_SETS = "(?:icons?|dashicons|glyphicon|bi|ph|ti|bx|lucide|octicon|feather)"
"""Sets of icons, before a word that has other meanings, too."""
_NO_NAME = lazy_pattern(
    _WORDS.format("un-?check(?:ed)?|times|x-?mark|cross|close|remove", "no|false", _SETS, "no|x"),
    re.IGNORECASE,
)
_YES_NAME = lazy_pattern(
    _WORDS.format("check-?(?:mark|ed)?|tick", "yes|true", _SETS, "yes|ok"), re.IGNORECASE
)
"""Classes and addresses of icons that show ``_NO`` or ``_YES``; the first is looked for first."""
_DRAWN_TAGS = frozenset(("svg", "use", "i", "span", "em", "img", "mat-icon", "md-icon"))
_ALIKE = {
    "done": "check", "done_all": "check", "task_alt": "check", "check_box_outline_blank": "uncheck",
    "cancel": "close", "clear": "close", "highlight_off": "close", "block": "close",
}  # fmt: skip
"""Names of icons of fonts, and others that look the same."""
_FOR_SCREEN_READERS = frozenset(("sr-only", "visually-hidden", "screen-reader-text", "sr-text"))
_ICON_NAME = re.compile(
    r"icon|check|tick|cross|flag|(?:^|[/_-])(?:yes|no|true|false|ok)[._-]|\.svg\b", re.IGNORECASE
)
"""Addresses and classes of images that are icons although they state no size."""
_COLUMN_NAMES = ("data-label", "data-title", "data-th", "data-header", "data-column", "data-name")
"""Attributes of a cell that name its column, for a style sheet that shows it on narrow screens."""
_MAX_ELEMENTS, _MAX_COLUMNS, _MAX_TEXTS = 12, 60, 8
_MIN_NAMED = 2
"""Cells of a row that begin with the head of their column, if no attribute names it."""
_MAX_CHARS = 40
_Head = tuple[etree._Element, list[str]]
"""The first row of a table, and the texts of its first cells."""
_MAX_NAME_CHARS, _MAX_SOURCE_CHARS = 200, 4_000
_MAX_PIXELS = 32
"""The longest side of an image that is an icon, if it states one."""


def may_have_cells(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` has cells."""
    return not signs.isdisjoint(SIGNS)


def cells_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return what is read of the cells that hold icons or boxes to tick and no text, and of the
    names of columns in other cells: nothing.
    """
    found: dict[etree._Element, Reading] = {}
    named = {*elements.having(_COLUMN_NAMES)}
    heads: dict[etree._Element, _Head] = {}
    rows: dict[etree._Element | None, list[etree._Element]] = {}
    for place in elements.of_tags(("td", "th")):
        cell = elements[place]
        if not len(cell) or (cell.text and not cell.text.isspace()):
            continue
        first = cell[0]
        labels = _labels(cell) if first.tag in _FIRST_TAGS else None
        text = " ".join(labels or ()) or ("" if labels is None else _drawn(cell))
        if 0 < len(text) <= _MAX_CHARS and next(cell.iterancestors("pre"), None) is None:
            found[cell] = Reading(text, tag=str(cell.tag))
        elif not first.tail and len(cell) == 1:
            continue  # nothing follows that could have a name before it
        elif place in named and _begins_with(cell, _stated_name(cell)):
            found[first] = NOTHING
        elif first.get("class") and _begins_with(cell, _head_of(cell, heads)):
            rows.setdefault(cell.getparent(), []).append(first)
    names = (name for own in rows.values() if len(own) >= _MIN_NAMED for name in own)
    return found | dict.fromkeys(names, NOTHING)


def _labels(cell: etree._Element) -> Iterable[str] | None:
    """Return what the icons of a cell say, each once; None if the cell has other content."""
    labels: dict[str, None] = {}
    for number, inside in enumerate(islice(cell.iter(), 1, None)):
        has_more = number == _MAX_ELEMENTS or (inside.tail and not inside.tail.isspace())
        label = None if has_more else _label(inside)
        if label is None:
            return None
        labels[" ".join(label.split())] = None
    return [*filter(None, labels)]


def _drawn(cell: etree._Element) -> str:
    """Return what the first icon of a cell shows by its names; "" if these tell nothing."""
    for inside in islice(cell.iter(*_DRAWN_TAGS), _MAX_ELEMENTS):
        source = inside.get("src") or inside.get("href") or inside.get("xlink:href") or ""
        classes = (inside.get("class") or "")[:_MAX_NAME_CHARS]
        word = icon_word(inside)
        names = f"{classes} {source[-_MAX_NAME_CHARS:]} {_ALIKE.get(word, word)}"
        if _NO_NAME.search(names):
            return _NO
        if _YES_NAME.search(names):
            return _YES
    return ""


def _label(element: etree._Element) -> str | None:
    """Return what an icon, or a part of one, says; "" if nothing; None if it is no icon."""
    get, tag, text = element.get, element.tag, (element.text or "").strip()
    if tag in IMAGE_TAGS and is_control((get("src") or "")[:_MAX_SOURCE_CHARS]):
        return ""
    if tag in IMAGE_TAGS:
        return (get("alt") or get("title") or "") if _is_icon(element) else None
    if tag == "input" and (get("type") or "").lower() == "checkbox":
        return _OPEN if get("checked") is None else _TICKED
    if tag not in _ICON_TAGS:
        return None
    classes = (get("class") or "").split()
    text = "" if icon_word(element) else text
    above = element.getparent()
    is_title = tag == "title" and above is not None and above.tag == "svg"
    if text and not is_title and _FOR_SCREEN_READERS.isdisjoint(classes):
        return None
    return text or get("aria-label") or get("title") or ""


def _is_icon(image: etree._Element) -> bool:
    """Return whether an image is small by its size or, if it states none, by its name."""
    sides = [given_number(image, side, 0) for side in ("width", "height")]
    names = f"{image.get('class') or ''} {image.get('src') or ''}"[:_MAX_NAME_CHARS]
    return max(sides) <= _MAX_PIXELS if any(sides) else bool(_ICON_NAME.search(names))


def _stated_name(cell: etree._Element) -> str:
    """Return the name of its column that a cell states."""
    return _plain(next(filter(None, map(cell.get, _COLUMN_NAMES)), ""))


def _head_of(cell: etree._Element, heads: dict[etree._Element, _Head]) -> str:
    """Return the head of the column of a cell; "" for a cell of the first row.

    ``heads``: those of each table, as far as they are known.
    """
    table = next(cell.iterancestors("table"), None)
    if table is None:
        return ""
    if table not in heads:
        row = next(table.iter("tr"), table)
        cells = islice(row.iterchildren("td", "th"), _MAX_COLUMNS)
        heads[table] = (row, [_plain(_text(one)) for one in cells])
    first, names = heads[table]
    before = islice(cell.itersiblings("td", "th", preceding=True), _MAX_COLUMNS)
    column = sum(1 for _ in before)
    return names[column] if cell.getparent() is not first and column < len(names) else ""


def _begins_with(cell: etree._Element, name: str) -> bool:
    """Return whether the first element of a cell with more text is a name, and no more."""
    first = cell[0]
    if not name or len(name) > _MAX_NAME_CHARS or _plain(_text(first)) != name:
        return False
    others = islice(cell, 1, None)
    texts = (first.tail, *(text for other in others for text in (*other.itertext(), other.tail)))
    return any(text and not text.isspace() for text in texts)


def _text(element: etree._Element) -> str:
    return "".join(map(str, islice(element.itertext(), _MAX_TEXTS)))


def _plain(name: str) -> str:
    """Return a name without colons at its end, in small letters."""
    return " ".join(name.split()).rstrip(":：").rstrip().lower()
