"""The report's tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from scrapy_boilernet.evaluation.html_svg import SERIES
from scrapy_boilernet.evaluation.html_text import Safe, interval, joined, name, number

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
