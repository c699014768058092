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
    f"{OURS}, onnx": OURS,
    f"{OURS}, onnx, with markdown and metadata": "+ Markdown and metadata",
}
"""How the charts call the systems that the reports name otherwise."""
LEFT_OUT = ("open", f"{OURS}, torch", f"{OURS}, numpy", "lxml.html parse")
WIDTH, LABELS, RIGHT, ROW = 640, 216, 54, 30
"""Pixels: of the chart, of the names, right of the axis, and of a row."""
GREEN, GREY, INK, MUTED, GRID = "#1b6e3c", "#7b8a94", "#17332a", "#47605a", "#dde5e0"


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
    bottom = 12 + ROW * len(shown)

    def x(value: float) -> float:
        share = (value - limits[0]) / (limits[1] - limits[0])
        return round(LABELS + share * (WIDTH - LABELS - RIGHT), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 50}" '
        f'font-family="system-ui, sans-serif" font-size="14" role="img">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{bottom + 50}" fill="#ffffff"/>',
    ]
    for tick in ticks:
        parts += [
            f'<line x1="{x(tick)}" y1="8" x2="{x(tick)}" y2="{bottom}" stroke="{GRID}"/>',
            _text(x(tick), bottom + 18, f"{tick:g}", MUTED, "middle"),
        ]
    parts.append(_text((LABELS + WIDTH - RIGHT) / 2, bottom + 40, axis, MUTED, "middle"))
    for number, row in enumerate(shown):
        parts += _row(row, 12 + ROW * number + ROW / 2, x)
    return "\n".join([*parts, "</svg>", ""])


def _row(row: Row, y: float, x: Callable[[float], float]) -> list[str]:
    name = NAMES.get(row.name, row.name)
    ours = row.name in NAMES
    color, weight = (GREEN, "600") if ours else (GREY, "400")
    ink = GREEN if ours else INK
    drawn = [_text(LABELS - 10, y + 5, name, ink, "end", weight)]
    if row.parts:
        drawn += [
            f'<circle cx="{x(part)}" cy="{y}" r="4" fill="{color}" opacity=".3"/>'
            for part in row.parts
        ]
        drawn.append(f'<circle cx="{x(row.value)}" cy="{y}" r="7" fill="{color}"/>')
        drawn.append(_text(WIDTH - 8, y + 5, f"{row.value:.3f}"[1:], ink, "end", weight))
        return drawn
    width = x(row.value) - x(0)
    drawn += [
        f'<rect x="{x(0)}" y="{y - 9}" width="{width:.1f}" height="18" rx="3" fill="{color}"/>',
        _text(x(row.value) + 8, y + 5, f"{row.value:.1f}", ink, "start", weight),
    ]
    return drawn


def _text(x: float, y: float, text: str, fill: str, anchor: str, weight: str = "400") -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-weight="{weight}" fill="{fill}">'
        f"{escape(text)}</text>"
    )


CHARTS = {"quality.svg": quality, "speed.svg": speed}


def main() -> None:
    """Write the charts."""
    for name, draw in CHARTS.items():
        (DOCS / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
