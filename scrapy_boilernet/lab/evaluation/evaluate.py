"""The evaluation run: every system on every page, and the pages with the worst results."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.page_metrics import MetricSet, PageMetrics, unmatched_lines
from scrapy_boilernet.lab.evaluation.systems import System


@dataclass(frozen=True)
class WorstPage:
    """A page and the differences between its extraction and its gold."""

    dataset: str
    page: str
    url: str | None
    page_type: str | None
    f1: float
    """Word-F1, in [0, 1]."""
    lost: tuple[str, ...]
    """Lines of the gold text that the extraction lacks, in their order."""
    wrong: tuple[str, ...]
    """Lines of the extraction that the gold text lacks, in their order."""


class WorstPages:
    """Keeps at most ``number`` pages, those with the lowest word-F1."""

    def __init__(self, number: int = 20) -> None:
        self.number = number
        self._heap: list[tuple[float, int, GoldPage, str]] = []  # the best page comes first
        self._shown = 0

    def show(self, page: GoldPage, text: str, f1: float) -> None:
        """Add a page with gold, its extracted text and its word-F1."""
        self._shown += 1
        entry = (-f1, -self._shown, page, text)
        if len(self._heap) < self.number:
            heapq.heappush(self._heap, entry)
        else:
            heapq.heappushpop(self._heap, entry)

    def pages(self) -> list[WorstPage]:
        """Return the pages, the worst first; equal ones in the order in which they were added."""
        return [
            WorstPage(
                dataset=page.dataset,
                page=page.id,
                url=page.url,
                page_type=page.page_type,
                f1=-negative,
                lost=tuple(unmatched_lines(page.gold or "", text)[0]),
                wrong=tuple(unmatched_lines(text, page.gold or "")[0]),
            )
            for negative, _, page, text in sorted(self._heap, reverse=True)
        ]


@dataclass(frozen=True)
class PageRow:
    """One system's figures on one page."""

    dataset: str
    page: str
    page_type: str | None
    language: str | None
    system: str
    metrics: dict[str, float]
    """The metrics by name, without those for which the page has no gold. Shares are in [0, 1];
    ``<kind>_hits``, ``_extra``, ``_missed`` and ``_right`` are counts to sum over pages."""
    confidence: float | None
    seconds: float
    """CPU time of the extraction, parsing included, evaluation excluded."""
    source: str | None = None
    """``"model"`` or the step of the fallback that found the content; None for a peer."""

    @property
    def f1(self) -> float | None:
        """Word-F1, in [0, 1]; None for a page without gold text."""
        return self.metrics.get("word_f1")

    @property
    def has_main_text(self) -> bool:
        """Whether the page's gold has text; False for a page without gold."""
        return "empty" in self.metrics


def evaluate(
    pages: Iterable[GoldPage],
    systems: Sequence[System],
    metrics: MetricSet = "core",
    worst: WorstPages | None = None,
) -> list[PageRow]:
    """Return a row per page and system; all systems run on a page before the next page.

    ``worst`` collects what the first system extracts from each page with gold text.
    """
    for system in systems:
        if system.folds is not None:
            system.folds.load()
    rows = []
    for page in pages:
        measured = PageMetrics(page, metrics)
        for system in systems:
            begin = system.clock()
            extraction = system.extract(page)
            seconds = system.clock() - begin
            row = PageRow(
                page.dataset, page.id, page.page_type, page.language, system.name,
                measured.of(system, extraction), extraction.confidence, seconds,
                extraction.labeled.source if extraction.labeled else None,
            )  # fmt: skip
            rows.append(row)
            if worst is not None and system is systems[0] and row.f1 is not None:
                worst.show(page, extraction.text, row.f1)
    return rows


def as_json(rows: Sequence[PageRow]) -> list[dict[str, Any]]:
    """Return the rows as plain data."""
    return [asdict(row) for row in rows]
