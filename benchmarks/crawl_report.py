"""The tables and plots of ``crawl.py``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from measuring import spread
from reporting import Report

Crawls = dict[str, list[dict[str, Any]]]
"""Per variant the results of its crawls."""

FIGURES: tuple[tuple[str, Callable[[dict[str, Any]], float], int], ...] = (
    ("pages per second", lambda r: r["responses"] / r["seconds"], 1),
    ("CPU ms per page, main process", lambda r: r["cpu_seconds"] / r["responses"] * 1000, 1),
    ("reactor lag, median (ms)", lambda r: r["lag_p50_ms"], 1),
    ("reactor lag, 95th percentile (ms)", lambda r: r["lag_p95_ms"], 1),
    ("reactor lag, largest (ms)", lambda r: r["lag_max_ms"], 1),
    ("resident memory, peak (MB)", lambda r: r["peak_kb"] / 1000, 0),
    ("resident memory, end (MB)", lambda r: r["end_kb"] / 1000, 0),
    ("workers' memory, peak (MB)", lambda r: r["workers_peak_kb"] / 1000, 0),
    ("workers' memory, end (MB)", lambda r: r["workers_end_kb"] / 1000, 0),
    ("server busy (%)", lambda r: r["server_cpu_seconds"] / r["seconds"] * 100, 0),
)
"""Per row its title, the figure of a crawl, and its digits."""
COUNTS = {
    "responses": "responses",
    "items that callbacks yielded": "items_in",
    "items that came out": "items_out",
    "with main text": "with_text",
    "with an empty main text": "empty_text",
    "without the field": "no_field",
}
_REPORTED = (10_000, 50_000)


def write_table(report: Report, crawls: Crawls) -> None:
    """Add the figures of every variant, medians of its crawls, and the counts of its last."""
    names = list(crawls)
    rows = [
        [title, *(spread([figure(row) for row in crawls[name]], digits) for name in names)]
        for title, figure, digits in FIGURES
    ]
    if "without" in names:
        rows.insert(1, ["ratio to the crawl without", *_ratios(crawls)])
    report.text("Median of the crawls, in brackets the least and the greatest:")
    report.table(["", *names], rows)
    report.text("Counts of the last crawl of each:")
    last = {name: rows[-1] for name, rows in crawls.items()}
    counts = [[title, *(f"{last[name][key]:,}" for name in names)] for title, key in COUNTS.items()]
    stats = sorted({stat for row in last.values() for stat in row["stats"]})
    for stat in stats:
        values = [last[name]["stats"].get(stat, "") for name in names]
        counts.append(
            [f"`{stat}`", *(str(round(v, 2) if isinstance(v, float) else v) for v in values)]
        )
    report.table(["", *names], counts)


def _ratios(crawls: Crawls) -> list[str]:
    """Pages per second over those of the crawl without, round by round."""
    speeds = {
        name: [row["responses"] / row["seconds"] for row in rows] for name, rows in crawls.items()
    }
    alone = speeds["without"]
    return [spread([s / a for s, a in zip(own, alone, strict=True)]) for own in speeds.values()]


def write_memory(report: Report, crawls: Crawls) -> None:
    """Add the resident memory of each variant after 10,000 and 50,000 responses and at the end."""
    rows = []
    for name, results in crawls.items():
        for responses, main_kb, workers_kb in _chosen(results[0]["memory_kb"]):
            numbers = (main_kb / 1000, workers_kb / 1000)
            rows.append([name, f"{responses:,}", *(f"{number:.0f}" for number in numbers)])
    report.table(["", "responses", "main process (MB)", "workers (MB)"], rows)
    growth = {name: _growth_kb(results[0]["memory_kb"]) for name, results in crawls.items()}
    report.text(
        "Growth over the second half of the crawl, kB per 1,000 responses: "
        + ", ".join(f"{name} {value:.0f}" for name, value in growth.items())
        + "."
    )


def _chosen(samples: list[list[int]]) -> list[list[int]]:
    """The first sample, those that are reported, and the last."""
    wanted = {samples[0][0], *_REPORTED, samples[-1][0]} if samples else set()
    return [sample for sample in samples if sample[0] in wanted]


def _growth_kb(samples: list[list[int]]) -> float:
    """The growth of all processes together per 1,000 responses, from the medians of two quarters.

    NaN where there are fewer than four samples.
    """
    quarter = len(samples) // 4
    if not quarter:
        return float("nan")
    third, last = samples[2 * quarter : 3 * quarter], samples[-quarter:]
    (x0, y0), (x1, y1) = (
        (median(s[0] for s in part), median(s[1] + s[2] for s in part)) for part in (third, last)
    )
    return (y1 - y0) / (x1 - x0) * 1000


def plot_memory(crawls: Crawls, file: Path) -> None:
    """Write the plot of resident memory over responses."""
    from drawing import panels  # needs matplotlib

    lines = {}
    for name, results in crawls.items():
        samples = results[0]["memory_kb"]
        x = [sample[0] / 1000 for sample in samples]
        lines[name] = {"main process": (x, [sample[1] / 1000 for sample in samples])}
        if any(sample[2] for sample in samples):
            lines[name]["workers"] = (x, [sample[2] / 1000 for sample in samples])
    panels(file, lines, ("responses, thousands", "resident memory, MB"))


def plot_speed(crawls: Crawls, file: Path) -> None:
    """Write the plot of pages per second, with the range of the rounds."""
    from drawing import bars  # needs matplotlib

    speeds = {name: [r["responses"] / r["seconds"] for r in rows] for name, rows in crawls.items()}
    values = {name: median(own) for name, own in speeds.items()}
    bars(file, values, {n: (min(s), max(s)) for n, s in speeds.items()}, "pages per second")
