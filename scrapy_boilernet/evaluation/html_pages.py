"""The report's sections that look at single pages: their spread, confidence and time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from scrapy_boilernet.evaluation.confidence import SURE
from scrapy_boilernet.evaluation.evaluate import PageRow
from scrapy_boilernet.evaluation.html_sections import figure, section
from scrapy_boilernet.evaluation.html_tables import (
    mean_over_sets,
    spread_table,
    system,
    table,
)
from scrapy_boilernet.evaluation.html_text import Safe, interval, joined, number
from scrapy_boilernet.evaluation.plots import confidence_bins, distribution, reliability, speed

Pages = tuple[Sequence[float], Sequence[float]]
"""Confidences and F1."""


def spread_section(rows: Sequence[PageRow], names: Sequence[str]) -> Safe:
    """Return how the pages' F1 are spread, or nothing if no page has any."""
    pages = {title: [f1 for _, f1 in _pages(rows, title)] for title in names}
    if not any(pages.values()):
        return Safe("")
    words = (
        "Height: share of the pages. Below it the middle half of the pages as a bar, the median "
        "as a ring, and a thin line down to the worst tenth."
    )
    plot = figure(distribution(pages), "F1 page by page", words)
    return section("Pages", [plot, spread_table(pages)], "A mean hides the pages that fail.")


def confidence_section(
    summary: Mapping[str, Any], rows: Sequence[PageRow], names: Sequence[str]
) -> Safe:
    """Return how far stated confidence can be relied on, beside the time a page takes."""
    stated: dict[int, Pages] = {}
    for place, title in enumerate(names):
        found = [(c, f1) for c, f1 in _pages(rows, title) if c is not None and isfinite(c)]
        if found:
            stated[place] = [c for c, _ in found], [f1 for _, f1 in found]
    times = {title: mean_over_sets(summary, title, "ms_per_page") for title in names}
    beside = []
    if any(map(isfinite, times.values())):
        words = "CPU time of the extraction, parsing included; mean over the data sets."
        beside.append(figure(speed(times), "Time per page", words))
    if not stated:
        return section("Speed", beside) if beside else Safe("")
    beside.append(_confidence_table(summary, stated, names))
    words = (
        "Pages sorted by confidence, as many in each point; bars: 95 % intervals. Dashed: the "
        "confidence is the truth. A point above it is better than stated."
    )
    plot = figure(reliability(stated), "Stated confidence against true F1", words)
    return section("Confidence and speed", [plot, Safe(f"<div>{joined(beside)}</div>")])


def _confidence_table(
    summary: Mapping[str, Any], stated: Mapping[int, Pages], names: Sequence[str]
) -> Safe:
    rows = []
    for place, (confidences, _) in stated.items():
        sure = summary["sure"][names[place]]
        f1 = f"{number(sure['f1'])}{interval(*sure['interval'])}" if sure["interval"] else "–"
        pages = len(confidences)
        rows.append(
            [
                system(names[place], place),
                Safe(f"{pages:,}"),
                Safe(f"{pages // confidence_bins(pages):,}"),
                number(summary["calibration_error"][names[place]]),
                number(100 * sure["share"], ".0f"),
                Safe(f1),
            ]
        )
    head = ["system", "pages", "per point", "calibration error", "% sure", "F1 when sure"]
    note = f"sure: a confidence of {SURE} or more; calibration error: mean gap to the truth"
    return table("Confidence", note, [Safe(cell) for cell in head], rows)


def _pages(rows: Sequence[PageRow], title: str) -> list[tuple[float | None, float]]:
    """(confidence, F1) of each of a system's pages with gold text."""
    mine = [(row.confidence, row.f1) for row in rows if row.system == title]
    return [(confidence, f1) for confidence, f1 in mine if f1 is not None and isfinite(f1)]
