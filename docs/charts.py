"""Draws the charts of docs/results.md from the tables of the reports.

python docs/charts.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parent
OURS = "scrapy-boilernet"
NAMES = {
    "default": OURS,
    f"{OURS}, numpy": OURS,
    f"{OURS}, numpy, with markdown and metadata": "+ Markdown and metadata",
}
"""How the charts call the systems that the reports name otherwise."""
LEFT_OUT = ("open", f"{OURS}, torch", f"{OURS}, onnx", "lxml.html parse")
WIDTH, LABELS, RIGHT, ROW = 680, 240, 60, 30
"""Pixels: of the chart, of the names, right of the axis, and of a row."""
STYLE = """<style>
.paper { fill: #ffffff } .grid { stroke: #dde5e0 } .ink { fill: #17332a } .muted { fill: #47605a }
.ours { fill: #1b6e3c } .other { fill: #7b8a94 } .pale { opacity: .3 }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1110 } .grid { stroke: #2b3833 } .ink { fill: #e0e8e4 } .muted { fill: #a3b5ac }
.ours { fill: #56c585 } .other { fill: #93a3ac } .pale { opacity: .45 } }
</style>"""


class Row(NamedTuple):
    """A system: its value, and those of the parts that the value is the mean of."""

    name: str
    value: float
    parts: tuple[float, ...] = ()


def table(report: str, first: str) -> list[list[str]]:
    """Return the cells of the report's first table whose first column has this name."""
    lines = (DOCS / "results" / report).read_text(encoding="utf-8").splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(f"| {first} |"))
    rows = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip(" *") for cell in line.strip("|").split("|")])
    return [rows[0], *rows[2:]]


def quality() -> str:
    """Return the chart of the word-F1 of all systems on the sets that they never saw."""
    header, *lines = table("quality/tests.md", "data set")
    rows = []
    for column, name in enumerate(header[2:], 2):
        *parts, mean = (float(line[column].split()[0]) for line in lines)
        rows.append(Row(name, mean, tuple(parts)))
    axis = "word-F1: mean of eight data sets; pale: each of them"
    return chart("Quality", axis, rows, (0.59, 1.0), (0.6, 0.7, 0.8, 0.9, 1.0), best_first=-1)


def speed() -> str:
    """Return the chart of the CPU time of all systems."""
    _, *lines = table("speed/extraction.md", "system")
    rows = [Row(line[0], float(line[2])) for line in lines]
    axis = "CPU time per page, as a multiple of parsing it with lxml"
    return chart("Speed", axis, rows, (0, 55), (0, 10, 20, 30, 40, 50), best_first=1)


def sets() -> str:
    """Return the chart of our word-F1 on each set, beside the best extractor there."""
    rows = []
    known = {line[0]: line[3] for line in table("quality/beside-trafilatura.md", "data set")[1:]}
    for report in ("quality/tests.md", "quality/folds.md"):
        header, *lines = table(report, "data set")
        for name, _, ours, *others in lines[:-1]:
            peers = [one for one, title in zip(others, header[3:], strict=True) if title != "open"]
            peers += [known[name]] if name in known else []
            best = max((float(one.split()[0]) for one in peers), default=0.0)
            rows.append((name, float(ours.split()[0]), best, report != "quality/tests.md"))
    rows.sort(key=lambda row: (row[3], -row[1]))
    bottom, x = 12 + ROW * len(rows), _scale((0.59, 1.0))
    parts = _axes("Quality by set", bottom, (0.6, 0.7, 0.8, 0.9, 1.0), x, (
        "word-F1; grey: the best other extractor; *: five models, each on domains that it never saw"
    ))  # fmt: skip
    for number, (name, ours, best, is_fold) in enumerate(rows):
        y = 12 + ROW * number + ROW / 2
        parts.append(_text(LABELS - 10, y + 5, name + " *" * is_fold, "ink", "end"))
        if best:
            parts.append(_dot(x(best), y, 6, "other"))
        parts.append(_dot(x(ours), y, 7, "ours"))
        parts.append(_text(WIDTH - 8, y + 5, f"{ours:.3f}"[1:], "ours", "end", "600"))
    return "\n".join([*parts, "</svg>", ""])


def chart(
    title: str,
    axis: str,
    rows: Sequence[Row],
    limits: tuple[float, float],
    ticks: Sequence[float],
    best_first: int,
) -> str:
    """Return an SVG with a row per system, bars without parts and dots with them.

    ``best_first``: 1 if the least value is the best, -1 if the greatest is.
    """
    shown = sorted(
        (row for row in rows if row.name not in LEFT_OUT), key=lambda row: best_first * row.value
    )
    bottom, x = 12 + ROW * len(shown), _scale(limits)
    parts = _axes(title, bottom, ticks, x, axis)
    for number, row in enumerate(shown):
        parts += _row(row, 12 + ROW * number + ROW / 2, x)
    return "\n".join([*parts, "</svg>", ""])


def _scale(limits: tuple[float, float]) -> Callable[[float], float]:
    """Return what places a value between these limits, in pixels."""

    def x(value: float) -> float:
        share = (value - limits[0]) / (limits[1] - limits[0])
        return round(LABELS + share * (WIDTH - LABELS - RIGHT), 1)

    return x


def _axes(
    title: str, bottom: int, ticks: Sequence[float], x: Callable[[float], float], axis: str
) -> list[str]:
    """Return the beginning of an SVG, with the lines behind the values and the axis' name."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 50}" '
        f'font-family="system-ui, sans-serif" font-size="14" role="img">',
        f"<title>{title}</title>",
        STYLE,
        f'<rect width="{WIDTH}" height="{bottom + 50}" class="paper"/>',
    ]
    for tick in ticks:
        parts += [
            f'<line x1="{x(tick)}" y1="8" x2="{x(tick)}" y2="{bottom}" class="grid"/>',
            _text(x(tick), bottom + 18, f"{tick:g}", "muted", "middle"),
        ]
    return [*parts, _text(WIDTH / 2, bottom + 40, axis, "muted", "middle")]


def _row(row: Row, y: float, x: Callable[[float], float]) -> list[str]:
    name = NAMES.get(row.name, row.name)
    ours = row.name in NAMES
    color, weight = ("ours", "600") if ours else ("other", "400")
    ink = "ours" if ours else "ink"
    drawn = [_text(LABELS - 10, y + 5, name, ink, "end", weight)]
    if row.parts:
        drawn += [_dot(x(part), y, 4, f"{color} pale") for part in row.parts]
        drawn.append(_dot(x(row.value), y, 7, color))
        drawn.append(_text(WIDTH - 8, y + 5, f"{row.value:.3f}"[1:], ink, "end", weight))
        return drawn
    width = x(row.value) - x(0)
    drawn += [
        f'<rect x="{x(0)}" y="{y - 9}" width="{width:.1f}" height="18" rx="3" class="{color}"/>',
        _text(x(row.value) + 8, y + 5, f"{row.value:.1f}", ink, "start", weight),
    ]
    return drawn


def _dot(x: float, y: float, radius: int, kind: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" class="{kind}"/>'


def _text(x: float, y: float, text: str, kind: str, anchor: str, weight: str = "400") -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-weight="{weight}" class="{kind}">'
        f"{escape(text)}</text>"
    )


CHARTS = {"quality.svg": quality, "sets.svg": sets, "speed.svg": speed}


def main() -> None:
    """Write the charts."""
    for name, draw in CHARTS.items():
        (DOCS / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
