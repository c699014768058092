"""The columns of the table of labelers: which figure of which set, its interval and differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.evaluation.evaluate import PageRow
from scrapy_boilernet.evaluation.figures import Sums, pooled_figures
from scrapy_boilernet.evaluation.page_metrics import COUNTS
from scrapy_boilernet.evaluation.statistics import interval_of, resamples

Array = NDArray[np.float64]

POOLED = pooled_figures("leaf")
"""Figures of leaves, of counts that are summed over pages."""
MS = "ms"


@dataclass(frozen=True)
class Column:
    """A column: one figure, or precision, recall and F1."""

    key: str
    """Its name in ``published.toml``."""
    title: str
    dataset: str | None
    """None: all pages of the run."""
    figures: tuple[str, ...]
    """Of the last one the intervals and differences are."""


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
class Cell:
    """The figures of one system in one column."""

    values: tuple[float, ...]
    draws: Array
    """The last figure in each resample of the pages, shape (resamples,)."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % bootstrap interval of the last figure."""
        return interval_of(self.draws)

    def minus(self, other: Cell) -> tuple[float, tuple[float, float]]:
        """Return the difference of the last figures and its interval, paired by page."""
        return self.values[-1] - other.values[-1], interval_of(self.draws - other.draws)


def cells_of(rows: Sequence[PageRow], system: str) -> dict[str, Cell]:
    """Return a system's cells by the columns' keys, without those that the rows have nothing of."""
    mine = [row for row in rows if row.system == system]
    cells = {column.key: _cell(mine, column) for column in COLUMNS}
    return {key: cell for key, cell in cells.items() if cell is not None}


def pages_of(rows: Sequence[PageRow], column: Column) -> int:
    """Return how many pages a column's figures are of."""
    needed = _parts(column.figures[-1])[0]
    pages = {(row.dataset, row.page) for row in _of(rows, column) if needed in _metrics(row)}
    return len(pages)


def _of(rows: Sequence[PageRow], column: Column) -> list[PageRow]:
    return [row for row in rows if column.dataset in (None, row.dataset)]


def _metrics(row: PageRow) -> dict[str, float]:
    return row.metrics | {MS: row.seconds * 1000}


def _cell(rows: Sequence[PageRow], column: Column) -> Cell | None:
    needed = list(dict.fromkeys(part for name in column.figures for part in _parts(name)))
    found = [
        {name: metrics[name] for name in needed if name in metrics}
        for metrics in map(_metrics, _of(rows, column))
    ]
    if not set(needed) <= {name for metrics in found for name in metrics}:
        return None
    here = Sums(found, np.ones((1, len(found))))
    drawn = Sums(found, resamples(len(found)))
    values = tuple(float(_figure(here, name)[0]) for name in column.figures)
    return Cell(values, _figure(drawn, column.figures[-1]))


def _parts(name: str) -> tuple[str, ...]:
    """The metrics that a figure is made of."""
    return tuple(f"leaf_{part}" for part in COUNTS) if name in POOLED else (name,)


def _figure(sums: Sums, name: str) -> Array:
    return POOLED[name](sums) if name in POOLED else sums.mean(name)
