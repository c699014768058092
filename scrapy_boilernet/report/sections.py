"""The sections of an evaluation's HTML page: tables, plots and what they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from scrapy_boilernet.evaluation.evaluate import PageRow
from scrapy_boilernet.evaluation.statistics import SURE
from scrapy_boilernet.report.plots import (
    SERIES,
    Dot,
    confidence_bins,
    distribution,
    dot_plot,
    lead_plot,
    reliability,
    speed,
)
from scrapy_boilernet.report.safe_html import Safe, interval, joined, name, number
from scrapy_boilernet.report.scatter import precision_recall

MANY_COLUMNS = 7
"""A table with more stands below its plot, not beside it."""
GOOD, BAD = 0.9, 0.5


def system(title: str, place: int) -> Safe:
    """Return a system's name with its colour; ``place`` is its number."""
    return Safe(f'<span class="sys s{place % SERIES}">{name(title)}</span>')


def table(
    title: str, note: str, head: Sequence[Safe], rows: Sequence[Sequence[Safe]], mean: bool = False
) -> Safe:
    """Return a table in a card that scrolls by itself where it is too wide."""
    lines = []
    for row in rows:
        kind = ' class="mean"' if mean and row is rows[-1] else ""
        cells = "".join(f"<td>{cell}</td>" for cell in row[1:])
        lines.append(f'<tr{kind}><th scope="row">{row[0]}</th>{cells}</tr>')
    wide = " wide" if len(head) > MANY_COLUMNS else ""
    heading = f"<b>{title}</b>" if title else ""
    heads = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    return Safe(
        f'<figure class="card{wide}"><figcaption>{heading}{note}</figcaption>'
        '<div class="scroll" tabindex="0"><table>'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>{joined(lines)}</tbody></table></div></figure>"
    )


def mean_over_sets(summary: Mapping[str, Any], title: str, field: str) -> float:
    """Return a system's mean of a figure over the data sets; NaN if there is none."""
    values = [found[title][field] for found in summary["cuts"]["data set"].values()]
    return float(np.mean(values)) if values else float("nan")


def overview(summary: Mapping[str, Any]) -> Safe:
    """Return the systems with their means over the data sets, and the first one's leads."""
    names = list(summary["systems"])
    compared = len(names) > 1
    rows = []
    for place, title in enumerate(names):
        lead = [_lead(summary["macro_difference"].get(title))] if compared else []
        means = [
            number(mean_over_sets(summary, title, field), form)
            for field, form in (("precision", ".3f"), ("recall", ".3f"), ("ms_per_page", ".1f"))
        ]
        rows.append([system(title, place), number(summary["macro_f1"][title]), *lead, *means])
    leads = [Safe(f"lead of {name(names[0])}")] if compared else []
    head = [Safe("system"), Safe("F1"), *leads, Safe("precision"), Safe("recall")]
    note = "mean word-F1 and the rest over the data sets, each set counting the same"
    return table("Systems", note, [*head, Safe("ms per page")], rows)


def _lead(found: Mapping[str, Any] | None) -> Safe:
    if found is None:
        return Safe("")
    low, high = found["interval"]
    return Safe(f"{number(found['lead'], '+.3f')}{interval(low, high, '+.3f')}")


def group_table(
    summary: Mapping[str, Any], kind: str, groups: Mapping[str, Mapping[str, Any]]
) -> Safe:
    """Return word-F1 per group and system; for data sets with the mean over them."""
    names = list(summary["systems"])
    rows = []
    for group, found in groups.items():
        cells = [
            Safe(f"{number(found[title]['f1'])}{interval(*found[title]['interval'])}")
            for title in names
        ]
        rows.append([name(group), Safe(f"{found['pages']:,}"), *cells])
    of_sets = kind == "data set"
    if of_sets:
        means = [number(summary["macro_f1"][title]) for title in names]
        rows.append([Safe("mean over sets"), Safe(""), *means])
    head = [Safe(kind), Safe("pages"), *(system(title, i) for i, title in enumerate(names))]
    return table(f"Word-F1 per {kind}", "with 95 % intervals", head, rows, mean=of_sets)


def spread_table(pages: Mapping[str, Sequence[float]]) -> Safe:
    """Return per system how many pages went well and badly, and the quantiles of F1."""
    rows = []
    for place, (title, values) in enumerate(pages.items()):
        f1 = np.asarray(values)
        cells = [Safe("–")] * 5
        if len(f1):
            quantiles = np.quantile(f1, [0.1, 0.25, 0.5])
            shares = 100 * (f1 >= GOOD).mean(), 100 * (f1 < BAD).mean()
            cells = [*(number(q) for q in quantiles), *(number(s, ".1f") for s in shares)]
        rows.append([system(title, place), *cells])
    head = ["system", "worst 10&nbsp;% below", "worst 25&nbsp;% below", "median"]
    head += [f"% of pages ≥&nbsp;{GOOD}", f"% of pages &lt;&nbsp;{BAD}"]
    note = "all sets' pages together"
    return table("Good pages and bad", note, [Safe(cell) for cell in head], rows)


def figure_table(by_system: Mapping[str, Mapping[str, Any]]) -> Safe:
    """Return all figures of one data set."""
    known = dict.fromkeys(figure for found in by_system.values() for figure in found)
    rows = [
        [
            Safe(name(figure.replace("_", " "))),
            *(_figure_cell(found.get(figure), figure) for found in by_system.values()),
        ]
        for figure in known
    ]
    head = [Safe("metric"), *(system(title, i) for i, title in enumerate(by_system))]
    return table("", "with 95 % intervals", head, rows)


def _figure_cell(found: Mapping[str, Any] | None, figure: str) -> Safe:
    if found is None:
        return Safe("–")
    if figure == "empty":
        return number(found["value"], ".0f")
    return Safe(f"{number(found['value'])}{interval(*found['interval'])}")


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
