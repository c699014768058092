"""An evaluation as one HTML page, which needs no network and runs no scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from scrapy_boilernet.extractor.explain.explanation import plain
from scrapy_boilernet.extractor.templates import rendered
from scrapy_boilernet.lab.evaluation.evaluate import PageRow, WorstPage
from scrapy_boilernet.lab.evaluation.statistics import SURE
from scrapy_boilernet.lab.report import plots
from scrapy_boilernet.lab.report.markdown import against_best_peers, left_out_sentence
from scrapy_boilernet.lab.report.plots import Dot, Picture

MAX_PAGES = 100
MAX_LINES = 12
MAX_GROUPS = 16
"""Page types or languages in a picture, those with the most pages; the table has all."""
MANY_COLUMNS = 7
"""A table with more columns stands below its picture, not beside it."""
FEW_LEADS = 3
GOOD, BAD = 0.9, 0.5
MIN_SPAN = 0.02

_WEB_ADDRESS = re.compile(r"https?://[^\s\ufffd]+", re.IGNORECASE)
_MAX_ADDRESS_CHARS = 320
_KINDS = ("data set", "page type", "language")

Scores = Sequence[tuple[float | None, float]]
"""(confidence, F1) of pages with gold text."""


def html_report(
    summary: Mapping[str, Any],
    rows: Sequence[PageRow],
    worst: Sequence[WorstPage],
    command: str,
    versions: Mapping[str, str],
) -> str:
    """Return the HTML: pictures, tables and the worst pages of the first system.

    Texts, names and addresses come from hostile pages: the template escapes them, and the
    Content-Security-Policy forbids to run or load anything.
    """
    names = list(summary["systems"])
    means = {name: _means(summary, name) for name in names}
    groups = {kind: _ordered(summary["cuts"][kind], kind, names[0]) for kind in _KINDS}
    scores = {name: _scores(rows, name) for name in names}
    stated = {
        place: known for place, name in enumerate(names) if (known := _confident(scores[name]))
    }
    gaps = summary["gaps"]
    peers = {name: found for name, found in summary["systems"].items() if found != "ours"}
    return rendered(
        "lab/report/templates/report.html",
        summary=summary,
        names=names,
        means=means,
        rival=_rival(summary, names),
        left_out=left_out_sentence(summary["left_out"]) if "left_out" in summary else "",
        losses=against_best_peers(names[0], gaps) if gaps else "",
        group_tables=groups,
        spread={name: _spread([f1 for _, f1 in scores[name]]) for name in names},
        stated={names[place]: len(known) for place, known in stated.items()},
        metrics=_metrics(summary, names),
        worst=worst,
        pictures=_pictures(summary, means, groups, scores, stated),
        command=command,
        versions=[f"{name} {version}" for name, version in {**versions, **peers}.items()],
        engines=[f"{name} by {engine}" for name, engine in summary["engines"].items()],
        **_SETTINGS,
    )


def number(value: float, form: str = ".3f") -> str:
    """Return a figure, or a dash where there is none.

    >>> number(0.5), number(float("nan")), number(-0.25, "+.2f")
    ('0.500', '–', '−0.25')
    """
    # A real minus sign is as wide as the plus, so signed columns line up.
    return format(value, form).replace("-", "−") if abs(value) < float("inf") else "–"


def is_web_address(url: str) -> bool:
    """Return whether the report may link to ``url``.

    >>> is_web_address("https://example.org/"), is_web_address("javascript:alert(1)")
    (True, False)
    """
    is_plain = len(url) <= _MAX_ADDRESS_CHARS and plain(url, _MAX_ADDRESS_CHARS) == url
    return is_plain and bool(_WEB_ADDRESS.fullmatch(url))


_SETTINGS = {
    "plain": plain,
    "label": plots.label,
    "number": number,
    "is_web_address": is_web_address,
    "confidence_bins": plots.confidence_bins,
    "light": plots.LIGHT,
    "dark": plots.DARK,
    "series": plots.SERIES,
    "many_columns": MANY_COLUMNS,
    "few_leads": FEW_LEADS,
    "max_groups": MAX_GROUPS,
    "max_pages": MAX_PAGES,
    "max_lines": MAX_LINES,
    "good": GOOD,
    "bad": BAD,
    "sure": SURE,
}
"""Values and functions that the template needs for every report."""


def _means(summary: Mapping[str, Any], name: str) -> dict[str, float]:
    """Return a system's means over the data sets, with equal weights; NaN without data sets."""
    sets = [by_system[name] for by_system in summary["cuts"]["data set"].values()]
    fields = ("precision", "recall", "ms_per_page")
    means = {field: float(np.mean([found[field] for found in sets] or np.nan)) for field in fields}
    return means | {"f1": summary["macro_f1"].get(name, float("nan"))}


def _rival(summary: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return the best other system, by its mean word-F1; None if no two can be compared."""
    f1 = summary["macro_f1"]
    first, *others = names
    known = [name for name in others if isfinite(f1.get(name, float("nan")))]
    return max(known, key=f1.__getitem__) if known and isfinite(f1[first]) else None


def _ordered(groups: Mapping[str, Any], kind: str, first: str) -> dict[str, Any]:
    """Return the groups; of page types and languages, those in the picture first, best first."""
    if kind == "data set":
        return dict(groups)
    by_pages = sorted(groups.items(), key=lambda item: -item[1]["pages"])
    drawn = sorted(by_pages[:MAX_GROUPS], key=lambda item: -item[1][first]["f1"])
    return dict([*drawn, *by_pages[MAX_GROUPS:]])


def _scores(rows: Sequence[PageRow], name: str) -> Scores:
    pairs = [(row.confidence, row.f1) for row in rows if row.system == name]
    return [(confidence, f1) for confidence, f1 in pairs if f1 is not None and isfinite(f1)]


def _confident(scores: Scores) -> list[tuple[float, float]]:
    """Return the pages with a confidence."""
    return [(stated, f1) for stated, f1 in scores if stated is not None and isfinite(stated)]


def _spread(f1: Sequence[float]) -> list[float]:
    """Return F1 at the 10 %, 25 % and 50 % quantiles, and the percentages of good and bad pages."""
    if not f1:
        return [float("nan")] * 5
    values = np.asarray(f1)
    shares = 100 * (values >= GOOD).mean(), 100 * (values < BAD).mean()
    return [*np.quantile(values, [0.1, 0.25, 0.5]).tolist(), *map(float, shares)]


def _metrics(summary: Mapping[str, Any], names: Sequence[str]) -> dict[str, dict[str, list[Any]]]:
    """Return the systems' figures per data set and metric; None where a system has none."""
    return {
        dataset: {
            metric: [by_system[name].get(metric) for name in names]
            for metric in dict.fromkeys(each for found in by_system.values() for each in found)
        }
        for dataset, by_system in summary["figures"].items()
        if any(by_system.values())
    }


def _pictures(
    summary: Mapping[str, Any],
    means: Mapping[str, Mapping[str, float]],
    groups: Mapping[str, Mapping[str, Any]],
    scores: Mapping[str, Scores],
    stated: Mapping[int, Sequence[tuple[float, float]]],
) -> dict[str, Any]:
    """Return the pictures by name, None if there is nothing to draw; for groups a list per kind."""
    points = {name: (mean["precision"], mean["recall"]) for name, mean in means.items()}
    leads = {
        name: Dot(found["lead"], *found["interval"])
        for name, found in sorted(
            summary["macro_difference"].items(), key=lambda item: float(item[1]["lead"])
        )
        if isfinite(found["lead"])
    }
    pages = {name: [f1 for _, f1 in of_system] for name, of_system in scores.items()}
    times = {name: mean["ms_per_page"] for name, mean in means.items()}
    has_point = any(isfinite(sum(point)) for point in points.values())
    return {
        "scatter": plots.precision_recall(points) if has_point else None,
        "leads": plots.lead_plot(leads) if leads else None,
        "distribution": plots.distribution(pages) if any(pages.values()) else None,
        "speed": plots.speed(times) if any(map(isfinite, times.values())) else None,
        "reliability": plots.reliability(stated) if stated else None,
        **{kind: _group_pictures(kind, groups[kind], list(means)) for kind in groups},
    }


def _group_pictures(
    kind: str, groups: Mapping[str, Mapping[str, Any]], names: Sequence[str]
) -> list[Picture]:
    """Return a picture of F1 per group and system, in two parts if its table is wide."""
    drawn = list(groups.items())[: None if kind == "data set" else MAX_GROUPS]
    dots = [
        (group, {name: Dot(found[name]["f1"], *found[name]["interval"]) for name in names})
        for group, found in drawn
    ]
    halves = len(dots) > 1 and len(names) + 2 > MANY_COLUMNS
    middle = (len(dots) + 1) // 2 if halves else len(dots)
    limits = _limits([dot for _, by_system in dots for dot in by_system.values()])
    return [
        plots.dot_plot(f"Word-F1 per {kind}", dict(part), limits)
        for part in (dots[:middle], dots[middle:])
        if part
    ]


def _limits(dots: Sequence[Dot]) -> tuple[float, float]:
    """Return a range that holds all dots and their intervals."""
    ends = [end for dot in dots for end in dot if isfinite(end)]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    return (low, high) if high - low > MIN_SPAN else (low - MIN_SPAN, high + MIN_SPAN)
