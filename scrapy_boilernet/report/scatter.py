"""The plot of precision against recall, with labels that do not cover each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import cos, pi, sin

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from numpy.typing import NDArray

from scrapy_boilernet.report.plots import GRID, MUTED, colour, drawn, label, mark
from scrapy_boilernet.report.safe_html import Safe

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""

DIRECTIONS = 16
DISTANCES = (8.0, 12.0, 18.0, 27.0, 38.0, 52.0, 70.0, 92.0)


def place(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    inside: Box,
    taken: Sequence[Box] = (),
    radius: float = 5.0,
) -> list[Box]:
    """Return a box of each size near its point, clear of points, ``taken`` and other boxes.

    The nearest free place wins; if there is none, the one that overlaps least.
    """
    placed: list[Box] = []
    for point, size in zip(points, sizes, strict=True):
        best, least = (0.0, 0.0, 0.0, 0.0), float("inf")
        # Close to another point a label would be taken for that one's.
        obstacles = [_around(p, radius if p == point else 2 * radius) for p in points]
        obstacles += [*taken, *placed]
        for box in _candidates(point, size, radius):
            cost = sum(_overlap(box, other) for other in obstacles)
            cost += _area(box) - _overlap(box, inside)
            if cost < least - 1e-6:
                best, least = box, cost
            if least <= 0:
                break
        placed.append(best)
    return placed


def _candidates(point: tuple[float, float], size: tuple[float, float], radius: float) -> list[Box]:
    """Boxes around the point, near ones first, beginning at its right."""
    (x, y), (width, height) = point, size
    found = []
    for distance, step in product(DISTANCES, range(DIRECTIONS)):
        # Right, left, then ever steeper: names read best beside their points.
        turn = (step // 2 if step % 2 == 0 else DIRECTIONS // 2 + step // 2) * 2 * pi / DIRECTIONS
        dx, dy = cos(turn), sin(turn)
        middle = x + dx * (distance + width / 2)
        centre = y + dy * (distance + radius / 2 + height / 2)
        found.append(
            (middle - width / 2, centre - height / 2, middle + width / 2, centre + height / 2)
        )
    return found


def _around(point: tuple[float, float], radius: float) -> Box:
    x, y = point
    return x - radius, y - radius, x + radius, y + radius


def _overlap(a: Box, b: Box) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    return width * height if width > 0 and height > 0 else 0.0


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


Points = NDArray[np.float64]

LEADER_FROM = 14.0
"""A label farther from its point than this, in points, is tied to it by a line."""


def precision_recall(points: Mapping[str, tuple[float, float]]) -> Safe:
    """Return a scatter of (precision, recall) per system over lines of equal F1."""
    known = {i: (n, p) for i, (n, p) in enumerate(points.items()) if np.isfinite(p).all()}
    names = {i: name for i, (name, _) in known.items()}
    xy = np.array([point for _, point in known.values()], dtype=np.float64)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        _frame(axes, xy)
        figure.draw_without_rendering()
        taken = _equal_f1_lines(axes)
        for i, (x, y) in zip(known, xy, strict=True):
            style = mark(i)
            axes.plot(x, y, **{**style, "markersize": style["markersize"] + 3}, zorder=9 - i / 99)
        _add_labels(axes, names, xy, taken)

    return drawn("Precision against recall per system", 4.0, draw)


def _frame(axes: Axes, xy: Points) -> None:
    """A square window around the points, with room for their labels."""
    half = max(0.04, float(np.ptp(xy, axis=0).max()) * 0.75)
    middle = (xy.min(axis=0) + xy.max(axis=0)) / 2
    left, bottom = np.maximum(np.minimum(middle - half, 1.004 - 2 * half), -0.004)
    axes.set(
        xlim=(left, min(left + 2 * half, 1.004)), ylim=(bottom, min(bottom + 2 * half, 1.004)),
        xlabel="precision", ylabel="recall", box_aspect=0.95,
    )  # fmt: skip
    axes.grid(visible=False)
    axes.spines["left"].set_visible(True)
    axes.locator_params(nbins=6)


def _equal_f1_lines(axes: Axes) -> list[Box]:
    """Draw the lines and return where their labels are."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2) if (right - left) / s < 9)
    boxes = []
    for f1 in np.arange(step, 1, step):
        precision = np.linspace(max(left, f1 / 2 + 1e-6), right, 400)
        recall = f1 * precision / (2 * precision - f1)
        seen = (recall >= bottom) & (recall <= top)
        if seen.sum() < 40:
            continue
        x, y = precision[seen], recall[seen]
        axes.plot(x, y, color=GRID, linewidth=1, zorder=1)
        text = axes.annotate(
            f"F1 {f1:.2f}", (x[-1], y[-1]), (-1, 1), textcoords="offset points",
            ha="right", va="bottom", fontsize=7, color=MUTED,
        )  # fmt: skip
        boxes.append(_box(text))
    return boxes


def _add_labels(axes: Axes, names: Mapping[int, str], xy: Points, taken: Sequence[Box]) -> None:
    """Put each name where it covers nothing, in reading distance of its point."""
    texts = [
        axes.annotate(
            label(name), point, (0, 0), textcoords="offset points", color=colour(i),
            fontweight="bold" if i == 0 else "normal", ha="left", va="bottom", zorder=20,
        )
        for (i, name), point in zip(names.items(), xy, strict=True)
    ]  # fmt: skip
    pixels = [(float(x), float(y)) for x, y in axes.transData.transform(xy)]
    sizes = [(b[2] - b[0], b[3] - b[1]) for b in map(_box, texts)]
    left, bottom, right, top = axes.bbox.extents
    boxes = place(pixels, sizes, (left, bottom, right, top), taken)
    for i, text, (x, y), box in zip(names, texts, pixels, boxes, strict=True):
        # Browsers' fonts are narrower than the one measured: the text hugs the side by the point.
        left_of = (box[0] + box[2]) / 2 < x
        text.set(position=(box[2 if left_of else 0] - x, box[1] - y))
        text.set_horizontalalignment("right" if left_of else "left")
        text.set_in_layout(False)
        end = (min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3]))
        if np.hypot(end[0] - x, end[1] - y) > LEADER_FROM:
            line = axes.transData.inverted().transform([(x, y), end])
            axes.plot(*line.T, color=colour(i), linewidth=0.7, zorder=8)


def _box(text: Text) -> Box:
    left, bottom, right, top = text.get_window_extent().extents
    return float(left), float(bottom), float(right), float(top)
