"""The pages that an extraction did worst on, with what it lost and what it kept wrongly."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from scrapy_boilernet.evaluation.completeness import unmatched_lines
from scrapy_boilernet.evaluation.datasets import GoldPage


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
    """Keeps the worst of the pages that it is shown; bounded by their number."""

    def __init__(self, number: int = 20) -> None:
        self.number = number
        self._heap: list[tuple[float, int, GoldPage, str]] = []  # the best of the kept comes first
        self._shown = 0

    def show(self, page: GoldPage, text: str, f1: float) -> None:
        """Take note of a page with gold, its extracted text and its word-F1."""
        self._shown += 1
        entry = (-f1, -self._shown, page, text)
        if len(self._heap) < self.number:
            heapq.heappush(self._heap, entry)
        else:
            heapq.heappushpop(self._heap, entry)

    def pages(self) -> list[WorstPage]:
        """Return the worst pages, the worst first; of equal ones the first shown."""
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
