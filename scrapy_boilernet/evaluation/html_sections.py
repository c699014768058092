"""The report's sections from the summary: a plot, what it shows, and its figures as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from scrapy_boilernet.evaluation.html_scatter import precision_recall
from scrapy_boilernet.evaluation.html_tables import (
    MANY_COLUMNS,
    figure_table,
    group_table,
    mean_over_sets,
    overview,
)
from scrapy_boilernet.evaluation.html_text import Safe, joined, name
from scrapy_boilernet.evaluation.plots import Dot, dot_plot, lead_plot

MAX_GROUPS = 16
"""So many page types or languages are drawn, those with the most pages; the table has all."""
FEW_LEADS = 3
MIN_SPAN = 0.02

Dots = Mapping[str, Mapping[str, Dot]]
"""Per group and system."""


def section(title: str, parts: Sequence[Safe], words: str = "") -> Safe:
    """Return a section of parts side by side."""
    text = f"<p>{words}</p>" if words else ""
    return Safe(f'<section><h2>{title}</h2>{text}<div class="pair">{joined(parts)}</div></section>')


def figure(plot: Safe, title: str, words: str) -> Safe:
    """Return a plot with its caption."""
    return Safe(f"<figure>{plot}<figcaption><b>{title}</b>{words}</figcaption></figure>")


def overall_section(summary: Mapping[str, Any]) -> Safe:
    """Return precision against recall and the leads, both over all data sets."""
    points = {
        title: (
            mean_over_sets(summary, title, "precision"),
            mean_over_sets(summary, title, "recall"),
        )
        for title in summary["systems"]
    }
    leads = {
        title: Dot(found["lead"], *found["interval"])
        for title, found in sorted(
            summary["macro_difference"].items(), key=lambda item: float(item[1]["lead"])
        )
        if isfinite(found["lead"])
    }
    scatter, beside = [], [overview(summary)]
    if any(isfinite(x + y) for x, y in points.values()):
        words = (
            "Means over the data sets. A system up and to the right keeps more of the main text "
            "and less of the rest. Grey lines join equal F1 of the two means."
        )
        scatter.append(figure(precision_recall(points), "Precision against recall", words))
    if leads:
        words = "Right of zero it is the better one. 95 % intervals, paired by page."
        title = f"Lead of {name(next(iter(points)))} in mean word-F1"
        # A long table is as high as both plots together, a short one as high as one.
        place, column = (1, scatter) if len(leads) > FEW_LEADS else (0, beside)
        column.insert(place, figure(lead_plot(leads), title, words))
    return section("Overall", [Safe(f"<div>{joined(part)}</div>") for part in (scatter, beside)])


def groups_section(summary: Mapping[str, Any], kind: str, title: str) -> Safe:
    """Return the systems' F1 per data set, page type or language, or nothing without any."""
    groups = summary["cuts"][kind]
    if not groups:
        return Safe("")
    first = next(iter(summary["systems"]))
    drawn = groups
    if kind != "data set":
        groups = dict(sorted(groups.items(), key=lambda item: -item[1]["pages"]))
        drawn = dict(list(groups.items())[:MAX_GROUPS])
        drawn = dict(sorted(drawn.items(), key=lambda item: -item[1][first]["f1"]))
    dots = {
        group: {s: Dot(found[s]["f1"], *found[s]["interval"]) for s in summary["systems"]}
        for group, found in drawn.items()
    }
    left = len(groups) - len(drawn)
    words = "Bars: 95 % intervals."
    if left:
        words += f" These are the {len(drawn)} with the most pages; the table has {left} more."
    plots = [
        figure(dot_plot(f"Word-F1 per {kind}", part, _limits(dots)), f"Word-F1 per {kind}", words)
        for part in _halves(dots)
    ]
    return section(title, [*plots, group_table(summary, kind, {**drawn, **groups})])


def _limits(dots: Dots) -> tuple[float, float]:
    """What all of the dots and their intervals lie between."""
    ends = [
        end for group in dots.values() for dot in group.values() for end in dot if isfinite(end)
    ]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    return (low, high) if high - low > MIN_SPAN else (low - MIN_SPAN, high + MIN_SPAN)


def _halves(dots: Dots) -> list[Dots]:
    """The groups in two parts, side by side, if their table is too wide to stand there."""
    groups = list(dots.items())
    if len(groups) < 2 or len(groups[0][1]) + 2 <= MANY_COLUMNS:
        return [dots]
    half = (len(groups) + 1) // 2
    return [dict(groups[:half]), dict(groups[half:])]


def figures_section(summary: Mapping[str, Any]) -> Safe:
    """Return all metrics, folded away per data set."""
    parts = [
        f"<details><summary>{name(dataset)}</summary>{figure_table(found)}</details>"
        for dataset, found in summary["figures"].items()
        if any(found.values())
    ]
    return Safe(f"<section><h2>All metrics</h2>{joined(parts)}</section>" if parts else "")
