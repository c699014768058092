"""One table of labelers: ours, peers and published figures, as a Markdown page."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scrapy_boilernet.evaluation.evaluate import PageRow
from scrapy_boilernet.evaluation.labeler_figures import (
    COLUMNS,
    MS,
    Cell,
    Column,
    cells_of,
    pages_of,
)
from scrapy_boilernet.evaluation.labeler_models import system_bytes, training_line
from scrapy_boilernet.evaluation.losses import against_best_peers
from scrapy_boilernet.evaluation.systems import System

PUBLISHED = Path(__file__).with_name("published.toml")
_BYTES = "model bytes"
Cells = Mapping[str, Mapping[str, Cell]]
"""By system and column."""


def labelers_page(
    rows: Sequence[PageRow], systems: Sequence[System], command: str, versions: Mapping[str, str]
) -> str:
    """Return the page: the table, intervals, differences, what was trained on, and how it was made.

    ``rows`` are those of one evaluation of ``systems``, in which all labeled the same pages.
    Differences are of the first system. Figures that the rows do not have are a dash.
    """
    return "\n".join(_lines(rows, systems, command, versions)) + "\n"


def published() -> list[dict[str, str]]:
    """Return the published rows: ``name``, ``source``, and figures by the columns' keys."""
    found: list[dict[str, str]] = tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))["row"]
    return found


def _lines(
    rows: Sequence[PageRow], systems: Sequence[System], command: str, versions: Mapping[str, str]
) -> Iterator[str]:
    ordered = sorted(systems, key=lambda system: system.version != "ours")
    cells = {system.name: cells_of(rows, system.name) for system in ordered}
    known = [column for column in COLUMNS if any(column.key in found for found in cells.values())]
    yield "# Labelers"
    yield ""
    yield from _main_table(ordered, cells)
    yield from _losses(systems, cells, known)
    yield from _legend()
    yield from _pages_table(rows, known)
    yield from _interval_table(ordered, cells, known)
    yield from _difference_table(systems, cells, known)
    yield from _training(rows, ordered)
    yield from _made_by(ordered, command, versions)


def _main_table(systems: Sequence[System], cells: Cells) -> Iterator[str]:
    yield from _head("labeler", [*(column.title for column in COLUMNS), _BYTES])
    for system in systems:
        size = system_bytes(system)
        figures = [_values(cells[system.name].get(column.key), column) for column in COLUMNS]
        yield _row(system.name, [*figures, "-" if size is None else f"{size:,}"])
    for found in published():
        figures = [found.get(column.key, "-") for column in COLUMNS]
        yield _row(f"{found['name']}, published", [*figures, "-"])
    yield ""


def _losses(systems: Sequence[System], cells: Cells, known: Sequence[Column]) -> Iterator[str]:
    """The columns in which the first labeler is behind a peer."""
    first, *others = systems
    peers = [system.name for system in others if system.version != "ours"]
    gaps = {}
    for column in known:
        mine = cells[first.name].get(column.key)
        theirs = {name: cells[name][column.key] for name in peers if column.key in cells[name]}
        if mine is None or not theirs or column.key == MS:
            continue
        best = max(theirs, key=lambda name: theirs[name].values[-1])
        lead, interval = mine.minus(theirs[best])
        gaps[column.title.replace("P / R / ", "")] = {
            "name": best, "lead": lead, "interval": interval
        }  # fmt: skip
    if gaps:
        yield "## Behind the best peer of a column"
        yield ""
        yield against_best_peers(first.name, gaps, "column")
        yield ""


def _legend() -> Iterator[str]:
    yield (
        "Leaves: every text leaf of all pages counts once, precision, recall and F1 of the pooled "
        "counts. All other figures are means over pages: bags of tokens (Dragnet), sets of tokens "
        "and the longest common subsequence (Yao and Zuo), Evert's word score of CleanEval. "
        "Milliseconds are CPU time of one page from its bytes to its text, over all pages of the "
        "run; of a peer in a process of its own, with that process's. Bytes are those of the files "
        "that serve; a dash stands for what was not measured, or not printed."
    )
    yield ""
    yield (
        "**Published rows** hold what papers and posts print, by their own protocols and on their "
        "own copies of the pages. They say what to expect and are no comparison on equal pages:"
    )
    yield ""
    for found in published():
        yield f"- {found['name']}: {found['source']}."
    yield ""


def _pages_table(rows: Sequence[PageRow], known: Sequence[Column]) -> Iterator[str]:
    yield "## Pages"
    yield ""
    yield from _head("column", ["set", "pages"])
    for column in known:
        yield _row(column.title, [column.dataset or "all", str(pages_of(rows, column))])
    yield ""


def _interval_table(
    systems: Sequence[System], cells: Cells, known: Sequence[Column]
) -> Iterator[str]:
    yield "## 95 % intervals"
    yield ""
    yield "By the bootstrap over pages; of F1 where there are three figures."
    yield ""
    yield from _head("labeler", [column.title.replace("P / R / ", "") for column in known])
    for system in systems:
        found = cells[system.name]
        yield _row(system.name, [_interval(found.get(column.key), column) for column in known])
    yield ""


def _difference_table(
    systems: Sequence[System], cells: Cells, known: Sequence[Column]
) -> Iterator[str]:
    first, *others = systems
    if not others:
        return
    yield f"## {first.name} minus each of the others"
    yield ""
    yield "On the same pages, with the 95 % interval of the paired difference."
    yield ""
    yield from _head("minus", [column.title.replace("P / R / ", "") for column in known])
    for system in others:
        a, b = cells[first.name], cells[system.name]
        yield _row(
            system.name, [_difference(a.get(c.key), b.get(c.key), _places(c)) for c in known]
        )
    yield ""


def _training(rows: Sequence[PageRow], systems: Sequence[System]) -> Iterator[str]:
    ours = [system for system in systems if system.version == "ours"]
    if not ours:
        return
    datasets = list(dict.fromkeys(row.dataset for row in rows))
    yield "## Seen in training"
    yield ""
    yield (
        "Of a set with a training and a test part, models learn from the first and are measured on "
        "the second. `cleaneval` and `cleaneval-leaves` are the same pages."
    )
    yield ""
    for system in ours:
        yield f"- {system.name}: {training_line(system, datasets)}."
    yield ""


def _made_by(systems: Sequence[System], command: str, versions: Mapping[str, str]) -> Iterator[str]:
    yield f"Command: `{command}`"
    yield ""
    peers = {system.name: system.version for system in systems if system.version != "ours"}
    yield "Versions: " + ", ".join(f"{name} {told}" for name, told in {**versions, **peers}.items())
    engines = {system.name: found for system in systems if (found := system.engine())}
    if engines:
        yield ""
        yield "Engines: " + ", ".join(f"{name} by {found}" for name, found in engines.items())


def _head(first: str, titles: Sequence[str]) -> Iterator[str]:
    yield _row(first, titles)
    yield "|---" * (1 + len(titles)) + "|"


def _row(name: str, cells: Sequence[str]) -> str:
    return "| " + " | ".join([name, *cells]) + " |"


def _places(column: Column) -> int:
    return 1 if column.key == MS else 3


def _values(cell: Cell | None, column: Column) -> str:
    return " / ".join(f"{v:.{_places(column)}f}" for v in cell.values) if cell else "-"


def _interval(cell: Cell | None, column: Column) -> str:
    return "[{:.{p}f}, {:.{p}f}]".format(*cell.interval, p=_places(column)) if cell else "-"


def _difference(first: Cell | None, other: Cell | None, places: int) -> str:
    if first is None or other is None:
        return "-"
    value, (low, high) = first.minus(other)
    return f"{value:+.{places}f} [{low:+.{places}f}, {high:+.{places}f}]"
