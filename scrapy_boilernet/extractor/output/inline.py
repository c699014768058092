"""Writes a line of text as Markdown: its links, images, marks and formulas, and what is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import NamedTuple

from scrapy_boilernet.extractor.markup import (
    CODE,
    DELETED,
    EMBED,
    EMPHASIS,
    FORMULA,
    NOTE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Span,
)
from scrapy_boilernet.extractor.output.asterisks import OUTER, RAISED, edge, is_apart, nested
from scrapy_boilernet.extractor.output.parts import Line
from scrapy_boilernet.extractor.output.tex import formulas_in, harmless, may_have_tex

_SPECIAL = re.compile(
    r"\\|`|\*|\[|\]"
    r"|_(?:(?![^\W_])|(?<![^\W_]_))"  # within a word an underscore is only text
    r"|<(?=[a-zA-Z/!?]|\Z)"
    r"|&(?=#?\w+;|\Z)"
    r"|~"  # GitHub strikes out what stands between two of them, also within words
)
"""Each alternative begins with a literal character, so that the search skips text quickly."""
_AT_LINE_START = re.compile(
    r"(?:[-+](?=\s|\Z)|#{1,6}(?=\s|\Z)|>|=+(?=\s*\Z)|-(?=[-|: ]*\Z)|:(?=-)|\|)"
)
_NUMBER_AT_LINE_START = re.compile(r"([0-9]{1,9})[.)](?=\s|\Z)")
BACKTICKS = re.compile(r"`+")
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
"""Signs that no backslash escapes after an address."""
_ENTITY = re.compile(r"&(?=#|\w+;)")
_LIVE = re.compile(rf"<(?=[a-zA-Z/!?])|{_ENTITY.pattern}|\]\(")
_ADDRESS = re.compile(r"www\.|://", re.IGNORECASE)
_TAKEN_IN = re.compile(rf"[`\\<\[\]]|{_ENTITY.pattern}")
_IN_ADDRESSES = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)
_DELIMITERS = ((OUTER, "*"), (STRONG, "**"), (EMPHASIS, "*"), (DELETED, "~~"))
_TAGS = ((SUPERSCRIPT, "<sup>", "</sup>"), (SUBSCRIPT, "<sub>", "</sub>"))
"""Marks that are written as tags of HTML, which may stand within a word."""
_WRITTEN = CODE | FORMULA | NOTE
"""Marks whose texts are not escaped as others are."""


class How(NamedTuple):
    """How the texts of a paragraph, a heading or a cell are written."""

    in_table: bool
    """Whether ``|`` would end a cell."""
    no_addresses: bool
    """Whether no renderer may make links of addresses in texts."""

    @classmethod
    def of(cls, lines: Iterable[Line], *, in_table: bool = False) -> How:
        """Return how to write the lines.

        GitHub's renderer makes a link of an address in a text, and takes in what follows up to a
        space or ``<``. Backslashes then escape nothing, and code begins where it should end. This
        is prevented where a text would become live HTML or a link.
        """
        text = "".join([span.text + span.alt for line in lines for span in line])
        if not ("<" in text or "&" in text or "](" in text):  # as most
            return _IN_TABLE if in_table else _OUTSIDE
        is_live = _LIVE.search(text) is not None
        return cls(in_table, is_live and _takes_in(span for line in lines for span in line))


_OUTSIDE, _IN_TABLE = How(False, False), How(True, False)


def _takes_in(spans: Iterable[Span]) -> bool:
    """Return whether an address is followed by markup or an escape, without a space between."""
    for run in "".join(map(_sketch, spans)).split(" "):
        address = _ADDRESS.search(run)
        if address and _TAKEN_IN.search(run, address.end()):
            return True
    return False


def _sketch(span: Span) -> str:
    text = f"`{span.text}`" if span.marks & CODE else span.text + span.alt
    return f"[{text}" if span.href or span.src else text


def inline(line: Line, how: How) -> str:
    """Return a line of text with its links, images and marks."""
    if len(line) == 1 and not (line[0].href or line[0].src or line[0].marks):
        text = _escaped(line[0].text, how).strip()
        return text.replace("|", "\\|") if how.in_table else text
    written: list[str] = []
    for href, group in groupby(line, attrgetter("href")):
        spans = list(group)
        text = f"<{href}>" if spans[0].marks & EMBED else _marked(spans, 0, how)
        if href and not spans[0].marks & EMBED:
            text = _wrapped(text, "[", f"]({_destination(href)})")
            if written and written[-1].endswith("!") and text[:1] == "[":
                written[-1] = f"{written[-1][:-1]}\\!"  # else it would be an image
        written.append(text)
    text = "".join(written).strip()
    return text.replace("|", "\\|") if how.in_table else text


def _marked(spans: Sequence[Span], layer: int, how: How) -> str:
    """Return the text with its marks, from the given layer of delimiters on.

    A mark is left out where Markdown cannot express it: inside a word, beside punctuation.
    """
    if len(spans) == 1:
        text, marks = _text(spans, how), spans[0].marks
        return _with_signs(text, marks, layer) if marks else text
    marks = 0
    for span in spans:
        marks |= span.marks
    if marks & RAISED:
        groups = _with_tags_outside(spans, layer)
        if len(groups) > 1 or groups[0][0]:
            texts = ((raised, _marked(group, layer, how)) for raised, group in groups)
            return "".join([_with_tags(text, raised) for raised, text in texts])
    spans, marks = (spans, marks) if layer else nested(spans, marks)
    while layer < len(_DELIMITERS) and not marks & _DELIMITERS[layer][0]:
        layer += 1
    if layer == len(_DELIMITERS):
        return _text(spans, how)
    mark, sign = _DELIMITERS[layer]
    written = []
    for on, same in groupby(_writable(spans, mark), lambda span: span.marks & mark):
        text = _marked(list(same), layer + 1, how)
        written.append(_wrapped(text, sign, sign) if on else text)
    return "".join(written)


def _with_signs(text: str, marks: int, layer: int) -> str:
    """Return the text with the delimiters of its marks, from the given layer on, and its tags."""
    for mark, sign in reversed(_DELIMITERS[layer:]):
        if marks & mark:
            text = _wrapped(text, sign, sign)
    return _with_tags(text, marks)


def _with_tags(text: str, marks: int) -> str:
    for mark, opening, closing in reversed(_TAGS):
        if marks & mark:
            text = _wrapped(text, opening, closing)
    return text


def raised_runs(spans: Sequence[Span]) -> list[tuple[int, list[Span]]]:
    """Return the spans in runs, each with the mark of the outermost superscript or subscript that
    it is; 0 for none.
    """
    runs: list[tuple[int, list[Span]]] = []
    at = 0
    while at < len(spans):
        lengths = [(_length(spans, at, mark), mark) for mark in (SUPERSCRIPT, SUBSCRIPT)]
        length, mark = max(lengths, key=itemgetter(0))
        if length:
            runs.append((mark, [*spans[at : at + length]]))
        elif runs and not runs[-1][0]:
            runs[-1][1].append(spans[at])
        else:
            runs.append((0, [spans[at]]))
        at += length or 1
    return runs


def _length(spans: Sequence[Span], at: int, mark: int) -> int:
    """Return how many spans, from one on, have a mark."""
    end = at
    while end < len(spans) and spans[end].marks & mark:
        end += 1
    return end - at


def _with_tags_outside(spans: Sequence[Span], layer: int) -> list[tuple[int, list[Span]]]:
    """Return the spans in groups, each with the mark whose tags stand outside of its delimiters;
    0 for none. Delimiters stand outside of tags only where they are around a text beside them, too.
    """
    runs = raised_runs(spans)
    groups: list[tuple[int, list[Span]]] = []
    for i, (raised, run) in enumerate(runs):
        before = runs[i - 1][1][-1] if i else None
        after = runs[i + 1][1][0] if i + 1 < len(runs) else None
        if raised and not _goes_on(before, run, after, layer):
            inside = [span._replace(marks=span.marks & ~raised) for span in run]
            groups.append((raised, inside))
        elif groups and not groups[-1][0]:
            groups[-1][1].extend(run)
        else:
            groups.append((0, run))
    return groups


def _goes_on(before: Span | None, run: Sequence[Span], after: Span | None, layer: int) -> bool:
    """Return whether a mark of all of a run goes on beside it, and its delimiters can be written
    where it ends.
    """
    shared = sum(mark for mark, _ in _DELIMITERS[layer:])
    for span in run:
        shared &= span.marks
    left, right = (shared & span.marks if span else 0 for span in (before, after))
    if left & right:
        return True
    end = (after and edge(after, 0)) if left else (before and edge(before, -1))
    return bool(left or right) and is_apart(end or " ")


def _writable(spans: Sequence[Span], mark: int) -> list[Span]:
    """Return the spans, without the mark where its delimiters would not be delimiters."""
    groups = [(on, list(group)) for on, group in groupby(spans, lambda span: span.marks & mark)]
    edges = [(edge(group[0], 0), edge(group[-1], -1)) for _, group in groups]
    result: list[Span] = []
    for i, (on, group) in enumerate(groups):
        left = edges[i - 1][1] if i else " "
        right = edges[i + 1][0] if i + 1 < len(groups) else " "
        first, last = edges[i]
        opens = first.isspace() or is_apart(left) or not is_apart(first)
        closes = last.isspace() or is_apart(right) or not is_apart(last)
        if on and not (opens and closes):
            group = [span._replace(marks=span.marks & ~mark) for span in group]
        result += group
    return result


def _text(spans: Sequence[Span], how: How) -> str:
    """Return the Markdown of spans, with no marks but ``CODE``: text, code and images."""
    if len(spans) == 1 and not spans[0].src and not spans[0].marks & _WRITTEN:
        return _escaped(spans[0].text, how)
    written = []
    for (src, code), group in groupby(spans, lambda s: (s.src, s.marks & _WRITTEN)):
        same = list(group)
        if src:
            image = f"]({_destination(src)})"
            written += [f"![{_escaped(span.alt, how)}{image}" for span in same]
            continue
        text = "".join(span.text for span in same)
        if code & NOTE:
            written.append("".join(f"[^{span.text.strip()[1:-1]}]" for span in same))
        elif code & FORMULA:
            written.append(_wrapped(harmless(text), "$", "$"))
        elif code and not (how.in_table and "\\|" in text):
            written.append(_code(text))
        else:
            written.append(_escaped(text, how))
    return "".join(written)


def _code(text: str) -> str:
    """Return code within a line, between more backticks than any run inside."""
    core = text.strip()
    if not core:
        return text
    fence = "`" * (max(map(len, BACKTICKS.findall(core)), default=0) + 1)
    space = " " if core[0] == "`" or core[-1] == "`" else ""
    return _wrapped(text, fence + space, space + fence)


def _wrapped(text: str, begin: str, end: str) -> str:
    """Return the text between two strings; white space at its ends stays outside."""
    core = text.strip()
    if not core:
        return text
    if len(core) == len(text):
        return f"{begin}{text}{end}"
    lead = text[: len(text) - len(text.lstrip())]
    return f"{lead}{begin}{core}{end}{text[len(lead) + len(core) :]}"


def _escaped(text: str, how: How) -> str:
    """Return the text with each character escaped that would be markup, except in TeX."""
    if not may_have_tex(text):
        return _escaped_text(text, how)
    written, at = [], 0
    for begin, end, tex, sign in formulas_in(text):
        written += [_escaped_text(text[at:begin], how), sign, harmless(tex), sign]
        at = end
    return "".join([*written, _escaped_text(text[at:], how)])


def _escaped_text(text: str, how: How) -> str:
    if not how.no_addresses:
        return _SPECIAL.sub(_with_backslash, text)
    return _IN_ADDRESSES.sub(_with_backslash, _SPECIAL.sub(_as_entity, text))


def _with_backslash(match: re.Match[str]) -> str:
    """Return the special character escaped; a function is quicker than a template."""
    return f"\\{match[0]}"


def _as_entity(match: re.Match[str]) -> str:
    return _ENTITIES.get(match[0]) or _with_backslash(match)


def _destination(url: str) -> str:
    """Return the address as a link's destination, without brackets and entities."""
    url = url.replace("(", "%28").replace(")", "%29")
    return _ENTITY.sub("&amp;", url) if "&" in url else url


def line_start(text: str) -> str:
    """Return the text, escaped so that it begins no heading, list or the like on a new line."""
    if text[0].isalpha():
        return text
    if number := _NUMBER_AT_LINE_START.match(text):
        return f"{number[1]}\\{text[number.end(1) :]}"
    return f"\\{text}" if _AT_LINE_START.match(text) else text


def formula_line(tex: str) -> str:
    """Return TeX that begins no heading, list or the like on a line of its own."""
    tex = harmless(tex.strip())
    is_markup = _AT_LINE_START.match(tex) or _NUMBER_AT_LINE_START.match(tex)
    return f"{{}}{tex}" if is_markup or tex.startswith("~~~") else tex
