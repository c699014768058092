"""Writes a document as GitHub Flavored Markdown (spec 0.29)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from scrapy_boilernet.extractor.markup import CODE, DISPLAY
from scrapy_boilernet.extractor.output.callouts import is_callout, own_title
from scrapy_boilernet.extractor.output.inline import (
    BACKTICKS,
    How,
    formula_line,
    inline,
    line_start,
)
from scrapy_boilernet.extractor.output.parts import (
    Container,
    Line,
    Part,
    shared_containers,
    strong,
)

_MAX_NUMBER = 999_999_999


def to_markdown(parts: Iterable[Part]) -> str:
    """Return the parts as Markdown, without a final line end; "" if there are none."""
    written: list[str] = []
    for _, separator, first, rest, lines in written_parts(parts):
        if not rest:
            written += [separator, "\n".join(lines)]
            continue
        written += [separator, first, lines[0]]
        written.extend(f"\n{rest}{line}" if line else f"\n{rest.rstrip()}" for line in lines[1:])
    return "".join(written)


def written_parts(parts: Iterable[Part]) -> Iterator[tuple[Part, str, str, str, list[str]]]:
    """Yield each part that has text, and how it is written.

    That is what separates it from the part before, the prefix of its first line, the prefix of its
    other lines, and its lines without prefixes.
    """
    before: Part | None = None
    bullets = _Bullets()
    for part in parts:
        lines = lines_of(part)
        if not any(lines):
            continue
        if not part.within and (before is None or not before.within):
            yield part, "\n\n" if before else "", "", "", lines
            before = part
            continue
        common = shared_containers(before.within, part.within) if before else 0
        first, rest = bullets.prefixes(before.within if before else (), part.within, common)
        separator = ""
        if before is not None:
            inside = "".join(map(bullets.indent, part.within[:common]))
            separator = "\n" if _is_tight(before, part, common) else f"\n{inside.rstrip()}\n"
        yield part, separator, first, rest, lines
        before = part


def _is_tight(before: Part, part: Part, common: int) -> bool:
    """Return whether the part needs no blank line before it: the text of a callout without a title
    of its own, or most list items.
    """
    if before.kind == "title" and common == len(before.within):
        return not own_title(before)
    if len(part.within) <= common or before.kind == "table":
        return False
    opened = part.within[common]
    if opened.kind != "item":
        return False
    if len(before.within) > common and before.within[common].list_node == opened.list_node:
        return True
    nested = len(before.within) == common and before.kind in ("paragraph", "heading")
    return nested and common > 0 and opened.number in (None, 1)


class _Bullets:
    """Chooses the markers of list items; adjacent lists get different ones to stay separate."""

    def __init__(self) -> None:
        self._other: dict[int, bool] = {}
        """Per list, by its number, whether it has the second of the two markers."""

    def prefixes(
        self, before: Sequence[Container], within: Sequence[Container], common: int
    ) -> tuple[str, str]:
        """Return the prefix of a part's first line, and the prefix of its other lines."""
        opened = within[common] if len(within) > common else None
        if opened and opened.kind == "item" and opened.list_node not in self._other:
            beside = before[common] if len(before) > common else None
            same = beside and (beside.number is None) == (opened.number is None)
            flips = same and beside and not self._other.get(beside.list_node, True)
            self._other[opened.list_node] = bool(flips)
        first = [self.indent(one) for one in within[:common]]
        for one in within[common:]:  # a box stands directly before a text
            is_boxed = one.kind == "item" and one is not within[-1]
            first.append(self.marker(one._replace(label="") if is_boxed else one))
        return "".join(first), "".join(map(self.indent, within))

    def marker(self, container: Container) -> str:
        """Return the prefix of a container's first line."""
        if container.kind == "quote":
            return "> "
        if container.kind == "note":
            return f"[^{container.label}]: "
        other = self._other.get(container.list_node, False)
        box = f"[{container.label}] " if container.label else ""
        if container.number is None:
            return f"{'* ' if other else '- '}{box}"
        return f"{min(container.number, _MAX_NUMBER)}{')' if other else '.'} {box}"

    def indent(self, container: Container) -> str:
        """Return the prefix of a container's other lines."""
        if container.kind == "item":
            return " " * (len(self.marker(container)) - (4 if container.label else 0))
        return "> " if container.kind == "quote" else "    "


def lines_of(part: Part) -> list[str]:
    """Return the lines of a part as Markdown, outside of quotes and lists."""
    if part.kind == "code":
        return _fenced(part)
    if part.kind == "table":
        return _table(part)
    if part.kind == "rule":
        return ["---"]
    if part.kind == "title":
        return _title(part)
    return [text for _, text in numbered_lines(part)]


def numbered_lines(part: Part) -> list[tuple[int, str]]:
    """Return the lines of a paragraph or heading, each with the number of the part's line that it
    holds some of; -1 for an empty line, and for the rest of a displayed formula.
    """
    how = How.of(part.lines)
    if part.kind == "heading":
        text = " ".join(filter(None, (inline(line, how) for line in part.lines)))
        return [(0, f"{'#' * part.level} {_with_last_escaped(text)}")] if text else []
    if len(part.lines) == 1 and len(part.lines[0]) == 1 and not part.lines[0][0].marks & DISPLAY:
        text = inline(part.lines[0], how)  # as of most
        return [(0, line_start(text))] if text else []
    written: list[tuple[int, str]] = []
    for group in displayed_apart(part.lines):
        number, line = group[0]
        if line and line[0].marks & DISPLAY:
            texts = [(number, "$$"), (-1, formula_line(line[0].text)), (-1, "$$")]
        else:
            texts = [(n, line_start(text)) for n, one in group if (text := inline(one, how))]
            texts = [(n, f"{text}\\") for n, text in texts[:-1]] + texts[-1:]
        if texts:
            written += [(-1, ""), *texts] if written else texts
    return written


def displayed_apart(lines: Sequence[Line]) -> list[list[tuple[int, Line]]]:
    """Return the lines of a paragraph in groups between which Markdown has blank lines.

    A displayed formula is a group of its own. Each line, or what a formula leaves of it, has its
    number.
    """
    if not any(span.marks & DISPLAY for line in lines for span in line):
        return [[*enumerate(lines)]]
    groups: list[list[tuple[int, Line]]] = []
    texts: list[tuple[int, Line]] = []
    for number, line in enumerate(lines):
        for is_displayed, spans in groupby(line, lambda span: bool(span.marks & DISPLAY)):
            if not is_displayed:
                texts.append((number, tuple(spans)))
                continue
            groups += [texts] if texts else []
            groups += [[(number, (span,))] for span in spans]
            texts = []
    return [*groups, texts] if texts else groups


def _fenced(part: Part) -> list[str]:
    longest = max(map(len, BACKTICKS.findall(part.code)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + part.language, *part.code.split("\n"), fence]


def _title(part: Part) -> list[str]:
    """Return the first lines of a callout: its kind as GitHub writes it, and a title of its own."""
    is_quoted = part.within and is_callout(part.within[-1])
    lines = own_title(part) if is_quoted else part.lines
    how = How.of(lines)
    texts = [line_start(text) for line in lines if (text := inline(strong(line), how))]
    written = [f"{text}\\" for text in texts[:-1]] + texts[-1:]
    return [f"[!{part.within[-1].label.upper()}]", *written] if is_quoted else written


def _table(part: Part) -> list[str]:
    columns = max(map(len, part.rows))
    rows = [[_cell(lines) for lines in row] for row in part.rows]
    header = rows.pop(0) if part.header or not part.row_headers else []
    header += [""] * (columns - len(header))
    return [_row(header), _row(["---"] * columns), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(lines: Sequence[Line]) -> str:
    how = How.of(lines, in_table=True)
    texts = (_indented(inline(line, how), line) for line in lines)
    return "<br>".join(text for text in texts if text)


def _indented(text: str, line: Line) -> str:
    """Return what is written of a line, with the spaces before a line of code."""
    if len(line) != 1 or not line[0].marks & CODE or text[:1] != "`":
        return text
    code, core = line[0].text, text.lstrip("`")
    indent = code[: len(code) - len(code.lstrip(" \t"))]
    return f"{text[: -len(core)]}{indent}{core}" if core else text


def _with_last_escaped(text: str) -> str:
    """Return the heading with its last ``#`` escaped, so that all of them are text."""
    return f"{text[:-1]}\\#" if text.endswith("#") else text
