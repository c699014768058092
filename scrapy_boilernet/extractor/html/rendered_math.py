"""What KaTeX and MathJax draw of a formula as MathML, for pages that keep nothing else of it.

Both draw fractions and scripts from bottom to top, or with signs that only a style sheet has, so
the texts in their order are no formula.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from lxml import etree

from scrapy_boilernet.extractor.html.invisible import ZERO_WIDTH

_MAX_DEPTH = 80
"""Elements in each other, beyond which nothing is read."""
_MAX_ELEMENTS = 5_000
"""Elements of one formula."""
_TOP = re.compile(r"(?:^|[;\s])top:\s*(-?\d{0,6}(?:\.\d{1,9})?)em")
_HEIGHT = re.compile(r"translate\(\s*-?\d{1,6}(?:\.\d{1,9})?\s*,\s*(-?\d{1,6}(?:\.\d{1,9})?)\s*\)")
"""How far an SVG of MathJax draws a part above the line."""
_MAX_VALUE = 200
_RAISED_ABOVE = -2.8
"""The place, in em, from which a single script of KaTeX is a superscript."""
_UNREAD = frozenset("strut pstrut vlist-s nulldelimiter mspace frac-line hide-tail".split())
_OPERATORS = frozenset("mrel mbin mopen mclose mpunct op-symbol".split())
_FENCES = frozenset("()[]{}|‖⟨⟩⌊⌋⌈⌉")
_NOT, _LINE_THROUGH, _SLASH = "\ue020", "\u0338", "/"
"""The line through the next sign, in a font of KaTeX and in Unicode; one through the last sign."""
_NO_LINE = {"linethickness": "0"}
_ZERO_WIDTH = re.compile(f"[{ZERO_WIDTH}]")
_CODE = re.compile(r"(?:^|\s)mjx-c([0-9A-F]{2,6})(?!\S)")
"""The class that names the character of a ``<mjx-c>``."""
_HEX = re.compile(r"[0-9A-F]{2,6}")
_TOKENS = frozenset(("mi", "mn", "mo", "mtext"))
_PARTS = {"msup": 2, "msub": 2, "msubsup": 3, "mfrac": 2, "mroot": 2, "mover": 2, "munder": 2,
          "munderover": 3}  # fmt: skip
"""The elements of MathML with a number of parts."""
_WITH_PARTS = frozenset(("msqrt", "mtable", "mtr", "mtd"))
_ROWS = frozenset("mrow TeXAtom texatom base script num den over under sqrt root".split())
_LIMITS = frozenset(("mover", "munder", "munderover"))
_ROLES = frozenset(("mjx-base", "mjx-under", "mjx-over"))
_MAX_LEVELS = 5
"""Elements between a sign with limits and its parts."""
_NO_PARTS = frozenset("mjx-line mjx-spacer mjx-nstrut mjx-dstrut mjx-assistive-mml rect".split())


def drawn_math(drawn: etree._Element) -> etree._Element | None:
    """Return the ``<math>`` of a drawing: of a ``katex-html``, a ``<mjx-math>``, or a ``<g>`` of
    MathJax; None if it is too large.
    """
    inner = [*zip(range(_MAX_ELEMENTS + 1), drawn.iter(etree.Element), strict=False)]
    if len(inner) > _MAX_ELEMENTS:
        return None
    math = etree.Element("math")
    if "html" in _classes(drawn):
        _add_katex(drawn, math, 0)
    else:
        _add_mathjax(drawn, math, 0)
    return math


def _classes(element: etree._Element) -> list[str]:
    """Return the classes of an element, without the prefix that KaTeX has given them since 0.17."""
    return [name.removeprefix("katex-") for name in (element.get("class") or "").split()]


def _children(element: etree._Element) -> Iterator[etree._Element]:
    return (child for child in element if isinstance(child.tag, str))


def _text_of(element: etree._Element) -> str:
    return _ZERO_WIDTH.sub("", "".join(map(str, element.itertext()))).strip()


def _token(parent: etree._Element, name: str, text: str) -> None:
    """Add a token; one behind the line of a negated sign is negated."""
    before = parent[-1] if len(parent) else None
    if before is not None and before.text == _NOT and text:
        before.tag, before.text = name, _negated(text)
    elif text:
        etree.SubElement(parent, name).text = text


def _negated(text: str) -> str:
    return unicodedata.normalize("NFC", text + _LINE_THROUGH)


def _add_katex(element: etree._Element, parent: etree._Element, depth: int) -> None:
    """Add what an element of KaTeX draws to an element of MathML."""
    classes = set(_classes(element))
    if depth > _MAX_DEPTH or element.tag == "svg" or not _UNREAD.isdisjoint(classes):
        return
    if "text" in classes:
        _token(parent, "mtext", _text_of(element))
    elif "mfrac" in classes:
        fraction = etree.SubElement(parent, "mfrac", {} if _has_line(element) else _NO_LINE)
        _add_rows(_rows(element), fraction, depth)
    elif "llap" in classes and _text_of(element) == _SLASH and len(parent) and parent[-1].text:
        parent[-1].text = _negated(parent[-1].text)
    elif "msupsub" in classes:
        _add_scripts(element, parent, depth)
    elif "sqrt" in classes:
        _add_root(element, parent, depth)
    elif "accent" in classes:
        _add_accent(element, parent, depth)
    elif "op-limits" in classes:
        _add_limits(element, parent, depth)
    elif "mtable" in classes:
        _add_table(element, parent, depth)
    else:
        _add_inner(element, classes, parent, depth)


def _add_inner(
    element: etree._Element, classes: set[str], parent: etree._Element, depth: int
) -> None:
    if next(_children(element), None) is None:
        _add_sign(element, classes, parent)
    elif "mop" in classes and (name := _name_of(element)):
        _token(parent, "mi", name)
    else:
        row = etree.SubElement(parent, "mrow") if "minner" in classes else parent
        for child in _children(element):
            _add_katex(child, row, depth + 1)


def _name_of(element: etree._Element) -> str:
    """Return the name of a function of which each letter has an element of its own, or ""."""
    children = [*_children(element)]
    is_name = len(children) > 1 and all(
        not len(child) and len(child.text or "") == 1 and (child.text or "").isalpha()
        for child in children
    )
    return _text_of(element) if is_name else ""


def _has_line(fraction: etree._Element) -> bool:
    """Return whether KaTeX draws a line between the parts of a fraction."""
    lists = (e for e in fraction.iter("span") if "vlist" in _classes(e))
    rows = _children(first) if (first := next(lists, None)) is not None else ()
    return any("frac-line" in _classes(child) for row in rows for child in _children(row))


def _add_sign(element: etree._Element, classes: set[str], parent: etree._Element) -> None:
    text = _text_of(element)
    if text.replace(".", "").isdigit():
        _token(parent, "mn", text)
    else:
        is_operator = text in _FENCES or not _OPERATORS.isdisjoint(classes)
        _token(parent, "mo" if is_operator else "mi", text)


def _rows(element: etree._Element) -> list[tuple[float, etree._Element]]:
    """Return what a vertical list of KaTeX holds, from top to bottom, each with its place."""
    lists = (e for e in element.iter("span") if "vlist" in _classes(e))
    rows: list[tuple[float, etree._Element]] = []
    for row in _children(first) if (first := next(lists, None)) is not None else ():
        top = _TOP.search((row.get("style") or "")[:200])
        own = [child for child in _children(row) if "pstrut" not in _classes(child)]
        is_drawn = any(_UNREAD.isdisjoint(_classes(child)) for child in own)
        if own and is_drawn:
            rows.append((float(top[1] or 0) if top else 0.0, row))
    return sorted(rows, key=lambda row: row[0])


def _add_rows(rows: list[tuple[float, etree._Element]], parent: etree._Element, depth: int) -> None:
    for _, row in rows:
        own = etree.SubElement(parent, "mrow")
        for child in _children(row):
            _add_katex(child, own, depth + 1)


def _add_scripts(element: etree._Element, parent: etree._Element, depth: int) -> None:
    """Add the scripts of the part before."""
    rows = _rows(element)
    base = parent[-1] if len(parent) else etree.Element("mrow")
    if len(rows) > 1:
        name, rows = "msubsup", [rows[-1], rows[0]]
    else:
        name = "msup" if rows and rows[0][0] < _RAISED_ABOVE else "msub"
    both = etree.SubElement(parent, name)
    both.append(base)
    _add_rows(rows, both, depth)


def _add_root(element: etree._Element, parent: etree._Element, depth: int) -> None:
    index = next((child for child in _children(element) if "root" in _classes(child)), None)
    drawn = next((child for child in _children(element) if child is not index), element)
    root = etree.SubElement(parent, "msqrt" if index is None else "mroot")
    _add_rows(_rows(drawn)[-1:], root, depth)
    if index is not None:
        _add_rows(_rows(index)[:1], root, depth)


def _add_accent(element: etree._Element, parent: etree._Element, depth: int) -> None:
    """Add a text with an accent; without it if it is only drawn."""
    rows = _rows(element)
    accents = [
        row for row in rows if any("accent-body" in _classes(e) for e in row[1].iter("span"))
    ]
    sign = "".join(_text_of(row) for _, row in accents)
    own = etree.SubElement(parent, "mover" if sign else "mrow")
    _add_rows([row for row in rows if row not in accents][:1], own, depth)
    if sign:
        etree.SubElement(own, "mo").text = sign


def _add_limits(element: etree._Element, parent: etree._Element, depth: int) -> None:
    """Add a sign with limits."""
    rows = _rows(element)
    signs = (any("mop" in _classes(e) for e in row.iter("span")) for _, row in rows)
    base = next((i for i, is_sign in enumerate(signs) if is_sign), 0)
    above, below = rows[max(0, base - 1) : base], rows[base + 1 : base + 2]
    name = {(1, 0): "mover", (0, 1): "munder", (1, 1): "munderover"}.get((len(above), len(below)))
    own = etree.SubElement(parent, name or "mrow")
    _add_rows([*rows[base : base + 1], *below, *above], own, depth)


def _add_table(element: etree._Element, parent: etree._Element, depth: int) -> None:
    """Add a table, which KaTeX draws column by column."""
    is_column = (
        c for c in _children(element) if any(n.startswith("col-align") for n in _classes(c))
    )
    columns = [_rows(column) for column in is_column]
    table = etree.SubElement(parent, "mtable")
    for number in range(max(map(len, columns), default=0)):
        row = etree.SubElement(table, "mtr")
        for column in columns:
            cell = etree.SubElement(row, "mtd")
            for child in _children(column[number][1]) if number < len(column) else ():
                _add_katex(child, cell, depth + 1)


def _add_mathjax(element: etree._Element, parent: etree._Element, depth: int) -> None:
    """Add what an element of MathJax draws to an element of MathML."""
    tag: Any = element.tag
    name = element.get("data-mml-node") or (tag[4:] if tag.startswith("mjx-") else "")
    if depth > _MAX_DEPTH or tag in _NO_PARTS:
        return
    if name in _TOKENS:
        _token(parent, name, _signs_of(element))
        return
    children = [child for child in _children(element) if not _is_surd(child)]
    found = _roles(element) if name in _LIMITS else {}
    if found:
        children = [found[role] for role in ("mjx-base", "mjx-under", "mjx-over") if role in found]
    if name == "mroot" and children and children[0].tag == "mjx-root":
        children.reverse()
    own = parent
    if name in _PARTS or name in _WITH_PARTS:
        own = etree.SubElement(parent, name)
    elif name in _ROWS or (tag == "g" and not name):
        own = etree.SubElement(parent, "mrow")
    for child in children:
        _add_mathjax(child, own, depth + 1)
    if name in _PARTS:
        _put_in_order(own, name, is_last_first=not (found or _has_upper_last(children)))


def _has_upper_last(drawn: Sequence[etree._Element]) -> bool:
    """Return whether an SVG draws the lower of two limits before the upper one."""
    heights = [_HEIGHT.search((one.get("transform") or "")[:_MAX_VALUE]) for one in drawn[1:]]
    lower, upper = heights if len(heights) == 2 else (None, None)
    return lower is not None and upper is not None and float(lower[1]) < float(upper[1])


def _roles(element: etree._Element) -> dict[str, etree._Element]:
    """Return the base and the limits of a sign or text, as MathJax draws them in HTML."""
    found: dict[str, etree._Element] = {}
    left = [element]
    for _ in range(_MAX_LEVELS):
        left = [child for one in left for child in _children(one)]
        found.update((one.tag, one) for one in left if one.tag in _ROLES and one.tag not in found)
        left = [one for one in left if one.tag in ("mjx-box", "mjx-row", "mjx-munder", "mjx-mover")]
    return found


def _is_surd(element: etree._Element) -> bool:
    kind = element.get("data-mml-node") or element.tag
    return kind == "mjx-surd" or (kind == "mo" and _signs_of(element) == "√")


def _signs_of(element: etree._Element) -> str:
    """Return the characters of a token."""
    signs = []
    for sign in element.iter(etree.Element):
        code = _CODE.search(sign.get("class") or "")
        own = code[1] if code else sign.get("data-c") or ""
        if _HEX.fullmatch(own) and int(own, 16) <= 0x10FFFF and not 0xD800 <= int(own, 16) < 0xE000:
            signs.append(chr(int(own, 16)))
    return _ZERO_WIDTH.sub("", "".join(signs)).strip() or _text_of(element)


def _put_in_order(element: etree._Element, name: str, *, is_last_first: bool) -> None:
    """Make the parts of an element those of MathML, in its order."""
    parts = [*element]
    if len(parts) == 2 and len(parts[1]) == _PARTS[name] - 1 > 1:
        parts = [parts[0], *parts[1]]
    if is_last_first and len(parts) == 3:
        parts[1:] = reversed(parts[1:])
    if len(parts) != _PARTS[name]:
        element.tag = "mrow"
    element[:] = parts
