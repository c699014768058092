"""The plot of precision against recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from numpy.typing import NDArray

from scrapy_boilernet.evaluation.html_canvas import GRID, MUTED, colour, drawn, label, mark
from scrapy_boilernet.evaluation.html_labels import Box, place
from scrapy_boilernet.evaluation.html_text import Safe

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
