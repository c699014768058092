"""One table of labelers: ours, peers and published figures, as a Markdown page."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.labelers.model_folder import read_json
from scrapy_boilernet.extractor.labelers.registry import WITHOUT_MODEL
from scrapy_boilernet.lab.evaluation.evaluate import PageRow
from scrapy_boilernet.lab.evaluation.floors import FLOORS_FILE
from scrapy_boilernet.lab.evaluation.page_metrics import COUNTS
from scrapy_boilernet.lab.evaluation.statistics import interval_of, resamples
from scrapy_boilernet.lab.evaluation.summary import Sums, pooled_figures
from scrapy_boilernet.lab.evaluation.systems import System
from scrapy_boilernet.lab.report.markdown import against_best_peers

_NOT_SERVING = {".md", ".svg"}


def served_bytes(folder: Path) -> int:
    """Return the size of the files that labeling needs: all but the card and the floors."""
    files = (file for file in folder.iterdir() if file.is_file() and file.name != FLOORS_FILE)
    return sum(file.stat().st_size for file in files if file.suffix not in _NOT_SERVING)


def system_bytes(system: System) -> int | None:
    """Return the size of a system's model, or the mean size of its fold models; None for a peer."""
    if system.version != "ours":
        return None
    sizes = [served_bytes(folder) for folder in system.folders]
    return round(sum(sizes) / len(sizes)) if sizes else 0


def training_line(system: System, datasets: Sequence[str]) -> str:
    """Return what our model learned from: sets of ``datasets`` with their pages, and other sets."""
    if not system.folders:
        needs_none = system.name in WITHOUT_MODEL
        return "nothing: it needs no training" if needs_none else "unknown: it has no model.json"
    record: Mapping[str, Any] = read_json(system.folders[0]).get("training") or {}
    learned = {**record.get("datasets", {}), **record.get("voted", {})}
    crossed = "cross-validated, so that no page is labeled by a model that saw it"
    here = [_with_pages(name, learned[name]) for name in learned if name in datasets]
    others = [name for name in learned if name not in datasets]
    line = f"{', '.join(here) or 'none'} of these sets"
    if not learned:
        line = "unknown: its model.json does not state it"
    if others:
        line += f"; besides {', '.join(others)}"
    if system.folds is not None:
        line += f"; {crossed}"
    return line


def _with_pages(name: str, about: Any) -> str:
    counted = ("train_pages", "validation_pages", "voted_pages")
    pages = sum(int(about.get(key, 0)) for key in counted) if isinstance(about, Mapping) else 0
    return f"{name} ({pages} pages)" if pages else name


Array = NDArray[np.float64]

POOLED = pooled_figures("leaf")
"""Figures of leaves by name, from counts that are summed over pages."""
MS = "ms"


@dataclass(frozen=True)
class Column:
    """A column: one figure, or precision, recall and F1."""

    key: str
    """Its name in ``published.toml``."""
    title: str
    dataset: str | None
    """The data set; None: all pages of the run."""
    figures: tuple[str, ...]
    """Intervals and differences are computed for the last one."""


def _three(key: str, title: str, dataset: str, kind: str) -> Column:
    names = tuple(f"{kind}_{figure}" for figure in ("precision", "recall", "f1"))
    return Column(key, f"{title}, P / R / F1", dataset, names)


_LEAVES, _TRENDS, _CLEANEVAL = "cleaneval-leaves", "googletrends2017", "cleaneval"
COLUMNS = (
    _three("cleaneval_content", "CleanEval leaves, content", _LEAVES, "leaf_content"),
    _three("cleaneval_boilerplate", "CleanEval leaves, boilerplate", _LEAVES, "leaf_boilerplate"),
    _three("googletrends_content", "GoogleTrends leaves, content", _TRENDS, "leaf_content"),
    _three(
        "googletrends_boilerplate", "GoogleTrends leaves, boilerplate", _TRENDS, "leaf_boilerplate"
    ),
    Column("l3s_token_set", "L3S-GN1 token-set F1", "l3s-gn1", ("token_set_f1",)),
    Column("l3s_lcs", "L3S-GN1 LCS F1", "l3s-gn1", ("lcs_f1",)),
    _three("dragnet_words", "Dragnet tokens", "dragnet", "word"),
    Column("dragnet_token_set", "Dragnet token-set F1", "dragnet", ("token_set_f1",)),
    Column("cleaneval_words", "CleanEval words, F1", _CLEANEVAL, ("cleaneval_f1",)),
    Column("official_text", "CleanEval official, text", _CLEANEVAL, ("official_text",)),
    Column("official_markup", "CleanEval official, markup", _CLEANEVAL, ("official_markup",)),
    Column("official_total", "CleanEval official, total", _CLEANEVAL, ("official_total",)),
    Column(MS, "CPU ms per page", None, (MS,)),
)
"""All but milliseconds are in [0, 1]. ``official_*`` are there if the rows have them."""


@dataclass(frozen=True)
class ScoreCell:
    """The figures of one system in one column."""

    values: tuple[float, ...]
    draws: Array
    """The last figure in each resample of the pages, shape (resamples,)."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % bootstrap interval of the last figure."""
        return interval_of(self.draws)

    def minus(self, other: ScoreCell) -> tuple[float, tuple[float, float]]:
        """Return the difference of the last figures and its interval, paired by page."""
        return self.values[-1] - other.values[-1], interval_of(self.draws - other.draws)


def cells_of(rows: Sequence[PageRow], system: str) -> dict[str, ScoreCell]:
    """Return a system's cells by the columns' keys; columns without data are left out."""
    own_rows = [row for row in rows if row.system == system]
    cells = {column.key: _cell(own_rows, column) for column in COLUMNS}
    return {key: cell for key, cell in cells.items() if cell is not None}


def pages_of(rows: Sequence[PageRow], column: Column) -> int:
    """Return the number of pages behind a column's figures."""
    needed = _parts(column.figures[-1])[0]
    pages = {(row.dataset, row.page) for row in _of(rows, column) if needed in _metrics(row)}
    return len(pages)


def _of(rows: Sequence[PageRow], column: Column) -> list[PageRow]:
    return [row for row in rows if column.dataset in (None, row.dataset)]


def _metrics(row: PageRow) -> dict[str, float]:
    return row.metrics | {MS: row.seconds * 1000}


def _cell(rows: Sequence[PageRow], column: Column) -> ScoreCell | None:
    needed = list(dict.fromkeys(part for name in column.figures for part in _parts(name)))
    page_metrics = [
        {name: metrics[name] for name in needed if name in metrics}
        for metrics in map(_metrics, _of(rows, column))
    ]
    if not set(needed) <= {name for metrics in page_metrics for name in metrics}:
        return None
    here = Sums(page_metrics, np.ones((1, len(page_metrics))))
    drawn = Sums(page_metrics, resamples(len(page_metrics)))
    values = tuple(float(_figure(here, name)[0]) for name in column.figures)
    return ScoreCell(values, _figure(drawn, column.figures[-1]))


def _parts(name: str) -> tuple[str, ...]:
    """Return the names of the metrics that a figure is computed from."""
    return tuple(f"leaf_{part}" for part in COUNTS) if name in POOLED else (name,)


def _figure(sums: Sums, name: str) -> Array:
    return POOLED[name](sums) if name in POOLED else sums.mean(name)


PUBLISHED = Path(__file__).with_name("published.toml")
_BYTES = "model bytes"
ScoreCells = Mapping[str, Mapping[str, ScoreCell]]
"""By system and column."""


def labelers_page(
    rows: Sequence[PageRow], systems: Sequence[System], command: str, versions: Mapping[str, str]
) -> str:
    """Return the page: table, intervals, differences, training sets, command and versions.

    ``rows``: the rows of one evaluation, in which all ``systems`` labeled the same pages.
    Differences are between the first system and each other one. A dash stands for a figure that
    the rows do not have.
    """
    return "\n".join(_lines(rows, systems, command, versions)) + "\n"


def published() -> list[dict[str, str]]:
    """Return the published rows: ``name``, ``source``, and figures by the columns' keys."""
    rows: list[dict[str, str]] = tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))["row"]
    return rows


def _lines(
    rows: Sequence[PageRow], systems: Sequence[System], command: str, versions: Mapping[str, str]
) -> Iterator[str]:
    ordered = sorted(systems, key=lambda system: system.version != "ours")
    cells = {system.name: cells_of(rows, system.name) for system in ordered}
    known = [
        column for column in COLUMNS if any(column.key in figures for figures in cells.values())
    ]
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


def _main_table(systems: Sequence[System], cells: ScoreCells) -> Iterator[str]:
    yield from _head("labeler", [*(column.title for column in COLUMNS), _BYTES])
    for system in systems:
        size = system_bytes(system)
        figures = [_values(cells[system.name].get(column.key), column) for column in COLUMNS]
        yield _row(system.name, [*figures, "-" if size is None else f"{size:,}"])
    for row in published():
        figures = [row.get(column.key, "-") for column in COLUMNS]
        yield _row(f"{row['name']}, published", [*figures, "-"])
    yield ""


def _losses(systems: Sequence[System], cells: ScoreCells, known: Sequence[Column]) -> Iterator[str]:
    """Yield the columns in which the first labeler is behind a peer."""
    first, *others = systems
    peers = [system.name for system in others if system.version != "ours"]
    gaps = {}
    for column in known:
        cell = cells[first.name].get(column.key)
        peer_cells = {name: cells[name][column.key] for name in peers if column.key in cells[name]}
        if cell is None or not peer_cells or column.key == MS:
            continue
        best = max(peer_cells, key=lambda name: peer_cells[name].values[-1])
        lead, interval = cell.minus(peer_cells[best])
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
        "run; if a peer runs in a process of its own, the time of this process is included. Model "
        "bytes count the files that labeling needs. A dash stands for a figure that was not "
        "measured or not printed."
    )
    yield ""
    yield (
        "**Published rows** hold what papers and posts print, by their own protocols and on their "
        "own copies of the pages. They show what to expect, but not on the same pages:"
    )
    yield ""
    for row in published():
        yield f"- {row['name']}: {row['source']}."
    yield ""


def _pages_table(rows: Sequence[PageRow], known: Sequence[Column]) -> Iterator[str]:
    yield "## Pages"
    yield ""
    yield from _head("column", ["set", "pages"])
    for column in known:
        yield _row(column.title, [column.dataset or "all", str(pages_of(rows, column))])
    yield ""


def _interval_table(
    systems: Sequence[System], cells: ScoreCells, known: Sequence[Column]
) -> Iterator[str]:
    yield "## 95 % intervals"
    yield ""
    yield "By the bootstrap over pages; of F1 where there are three figures."
    yield ""
    yield from _head("labeler", [column.title.replace("P / R / ", "") for column in known])
    for system in systems:
        figures = cells[system.name]
        yield _row(system.name, [_interval(figures.get(column.key), column) for column in known])
    yield ""


def _difference_table(
    systems: Sequence[System], cells: ScoreCells, known: Sequence[Column]
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
    named = {**versions, **peers}.items()
    yield "Versions: " + ", ".join(f"{name} {version}" for name, version in named)
    engines = {system.name: engine for system in systems if (engine := system.engine())}
    if engines:
        yield ""
        yield "Engines: " + ", ".join(f"{name} by {engine}" for name, engine in engines.items())


def _head(first: str, titles: Sequence[str]) -> Iterator[str]:
    yield _row(first, titles)
    yield "|---" * (1 + len(titles)) + "|"


def _row(name: str, cells: Sequence[str]) -> str:
    return "| " + " | ".join([name, *cells]) + " |"


def _places(column: Column) -> int:
    return 1 if column.key == MS else 3


def _values(cell: ScoreCell | None, column: Column) -> str:
    return " / ".join(f"{v:.{_places(column)}f}" for v in cell.values) if cell else "-"


def _interval(cell: ScoreCell | None, column: Column) -> str:
    return "[{:.{p}f}, {:.{p}f}]".format(*cell.interval, p=_places(column)) if cell else "-"


def _difference(first: ScoreCell | None, other: ScoreCell | None, places: int) -> str:
    if first is None or other is None:
        return "-"
    value, (low, high) = first.minus(other)
    return f"{value:+.{places}f} [{low:+.{places}f}, {high:+.{places}f}]"
