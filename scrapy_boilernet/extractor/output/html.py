"""Writes a document as a fragment of harmless HTML.

It has only tags and attributes that this module writes out, and all text and values are escaped.
None of the page's markup is copied.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import groupby
from operator import attrgetter

from scrapy_boilernet.extractor.markup import (
    CODE,
    DELETED,
    DISPLAY,
    EMBED,
    EMPHASIS,
    FORMULA,
    NOTE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Span,
)
from scrapy_boilernet.extractor.output.callouts import is_callout
from scrapy_boilernet.extractor.output.inline import raised_runs
from scrapy_boilernet.extractor.output.parts import (
    Container,
    Line,
    Part,
    TableCell,
    shared_containers,
)

_MARKS = (
    (STRONG, "strong"), (EMPHASIS, "em"), (DELETED, "del"), (SUPERSCRIPT, "sup"),
    (SUBSCRIPT, "sub"), (CODE, "code"),
)  # fmt: skip
_RAISED = {SUPERSCRIPT: "sup", SUBSCRIPT: "sub"}
_ALERT = "markdown-alert"
"""The class that GitHub gives callouts."""
_NOT_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Control characters, surrogates and noncharacters, which HTML forbids."""
_BARE = re.compile(r"&amp;(?![\w#]|\Z)")


def to_html(parts: Sequence[Part]) -> str:
    """Return the parts as HTML, a line per part, without a final line end; "" for none."""
    lines: list[str] = []
    before: tuple[Container, ...] = ()
    for part, following in zip(parts, [*parts[1:], None], strict=False):
        text = _part(part, is_alone=_is_alone(before, part.within, following))
        if not text:
            continue
        _close(lines, before, part.within)
        opened = _open(before, part.within)
        lines += [*opened[:-1], f"{opened[-1]}{text}"] if opened else [text]
        before = part.within
    _close(lines, before, ())
    return "\n".join(lines)


def _is_alone(
    before: Sequence[Container], within: Sequence[Container], following: Part | None
) -> bool:
    """Return whether a part is the only one of a list item, apart from lists in the item."""
    if not within or within[-1].kind != "item" or shared_containers(before, within) == len(within):
        return False
    return following is None or following.within != within


def _close(lines: list[str], before: Sequence[Container], within: Sequence[Container]) -> None:
    """Add the end tags of the containers that end before a part."""
    common = shared_containers(before, within)
    for depth in range(len(before) - 1, common - 1, -1):
        container = before[depth]
        if container.kind == "note" or is_callout(container):
            lines.append("</div>")
            continue
        if container.kind == "quote":
            lines.append("</blockquote>")
            continue
        follows = within[depth] if depth == common and depth < len(within) else None
        lines[-1] += "</li>"
        if not _same_list(container, follows):
            lines.append(f"</{_list(container)}>")


def _open(before: Sequence[Container], within: Sequence[Container]) -> list[str]:
    """Return the start tags of the containers that begin with a part."""
    tags: list[str] = []
    common = shared_containers(before, within)
    for depth in range(common, len(within)):
        container = within[depth]
        if container.kind == "quote":
            kind = _value(container.label)
            tags.append(f'<div class="{_ALERT} {_ALERT}-{kind}">' if kind else "<blockquote>")
            continue
        if container.kind == "note":
            tags.append(f'<div id="fn-{_value(container.label)}">')
            continue
        if not (depth == common and depth < len(before) and _same_list(before[depth], container)):
            number = container.number
            start = "" if number is None or number == 1 else f' start="{number}"'
            tags.append(f"<{_list(container)}{start}>")
        tags.append(f"<li{_stated_number(before[depth:], container)}>{_box(container)}")
    return tags


def _same_list(one: Container, other: Container | None) -> bool:
    """Return whether two successive items belong to one list."""
    if other is None or other.kind != "item" or one.kind != "item":
        return False
    return one.list_node == other.list_node and _list(one) == _list(other)


def _list(container: Container) -> str:
    return "ul" if container.number is None else "ol"


def _stated_number(before: Sequence[Container], item: Container) -> str:
    """Return the attribute of an item that does not follow the number of the item before it."""
    if not before or item.number is None or not _same_list(before[0], item):
        return ""
    return "" if item.number == (before[0].number or 0) + 1 else f' value="{item.number}"'


def _box(item: Container) -> str:
    """Return the box to tick of an item, if it has one."""
    if not item.label:
        return ""
    return f'<input type="checkbox"{" checked" if item.label == "x" else ""} disabled> '


def _part(part: Part, *, is_alone: bool) -> str:
    """Return a part as HTML; a paragraph that is alone in a list item needs no element."""
    if part.kind == "code":
        language = f' class="language-{_value(part.language)}"' if part.language else ""
        return f"<pre><code{language}>{_escaped(part.code)}</code></pre>"
    if part.kind == "table":
        return _table(part)
    if part.kind == "rule":
        return "<hr>"
    if part.kind == "title":
        text = "<br>\n".join(filter(None, map(_inline, part.lines)))
        return f'<p class="{_ALERT}-title">{text}</p>' if text else ""
    name = f"h{part.level}" if part.kind == "heading" else "p"
    separator = " " if part.kind == "heading" else "<br>\n"
    text = separator.join(filter(None, map(_inline, part.lines)))
    return f"<{name}>{text}</{name}>" if text and not (is_alone and name == "p") else text


def _table(part: Part) -> str:
    rows = []
    for number, row in enumerate(part.rows):
        is_header = part.header and number == 0
        cells = (
            _cell("th" if is_header or (part.row_headers and column == 0) else "td", lines)
            for column, lines in enumerate(row[: _filled(row)])
        )
        text = f"<tr>{''.join(cells)}</tr>"
        rows.append(f"<thead>{text}</thead>" if is_header else text)
    return "\n".join(("<table>", *rows, "</table>"))


def _filled(row: Sequence[TableCell]) -> int:
    """Return the number of cells of a row without the empty ones at its end."""
    return next((i for i in range(len(row), 0, -1) if row[i - 1]), 0)


def _cell(name: str, lines: TableCell) -> str:
    text = "<br>".join(filter(None, map(_inline, lines)))
    return f"<{name}>{text}</{name}>"


def _inline(line: Line) -> str:
    """Return a line of text with its links, images and marks."""
    if len(line) == 1 and not (line[0].href or line[0].src or line[0].marks):
        return _escaped(line[0].text).strip()
    written = []
    for href, group in groupby(line, attrgetter("href")):
        spans = list(group)
        kind = ' class="embed"' if spans[0].marks & EMBED else ""
        text = _marked(spans, 0)
        written.append(f'<a href="{_value(href)}"{kind}>{text}</a>' if href else text)
    return "".join(written).strip()


def _marked(spans: Sequence[Span], layer: int) -> str:
    """Return the text with its marks, from the given layer on."""
    marks = 0
    for span in spans:
        marks |= span.marks
    while layer < len(_MARKS) and not marks & _MARKS[layer][0]:
        layer += 1
    if layer == len(_MARKS):
        return "".join(map(_one, spans))
    mark, name = _MARKS[layer]
    if mark in _RAISED:
        return "".join([_raised(raised, run, layer) for raised, run in raised_runs(spans)])
    written = []
    for on, group in groupby(spans, lambda span: span.marks & mark):
        text = _marked(list(group), layer + 1)
        written.append(_tagged(name, text) if on else text)
    return "".join(written)


def _raised(raised: int, run: Sequence[Span], layer: int) -> str:
    """Return the text of a superscript or subscript, in which others can be; ``raised``: its mark,
    0 for none.
    """
    text = _marked([span._replace(marks=span.marks & ~raised) for span in run], layer)
    return _tagged(_RAISED[raised], text) if raised else text


def _tagged(name: str, text: str) -> str:
    return text if text.isspace() else f"<{name}>{text}</{name}>"


def _one(span: Span) -> str:
    if span.src:
        return _image(span)
    if span.marks & NOTE:
        label = _value(span.text.strip()[1:-1])
        return f'<sup><a href="#fn-{label}">{label}</a></sup>'
    return _formula(span) if span.marks & FORMULA else _escaped(span.text)


def _formula(span: Span) -> str:
    """Return a formula as TeX between the signs that scripts such as KaTeX look for."""
    is_display = span.marks & DISPLAY
    kind, opening, closing = ("display", "\\[", "\\]") if is_display else ("inline", "\\(", "\\)")
    text = f"{opening}{_escaped(span.text.strip())}{closing}"
    return f'<span class="math {kind}">{text}</span>'


def _image(span: Span) -> str:
    return f'<img src="{_value(span.src)}" alt="{_value(span.alt)}">'


def _escaped(text: str) -> str:
    """Return the text escaped for use between tags.

    In text that is mostly ``&``, those before no name and no number stay, since they need no
    escape: else the text would have five times its size.
    """
    escaped = escape(_only_text(text), quote=False)
    return _BARE.sub("&", escaped) if len(escaped) > 4 * len(text) + 4 else escaped


def _value(text: str) -> str:
    """Return the text escaped for use as an attribute's value."""
    return escape(_only_text(text), quote=True)


def _only_text(text: str) -> str:
    return text if text.isprintable() else _NOT_TEXT.sub("\ufffd", text)
