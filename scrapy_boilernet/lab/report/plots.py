"""Pictures of an evaluation's systems, sets and pages, in colours for light and dark pages."""

from __future__ import annotations

import re
import warnings
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from math import ceil
from operator import itemgetter
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from lxml import etree
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from scrapy_boilernet.extractor.explain.explanation import plain
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval

LIGHT = {
    "ink": "#1b2026", "muted": "#5d6873", "grid": "#dde2e8", "card": "#fefefe", "page": "#f4f6f8",
    "s0": "#d55e00", "s1": "#0072b2", "s2": "#009e73", "s3": "#aa4499", "s4": "#3f97d3",
    "s5": "#8a6d00", "s6": "#882255", "s7": "#44aa99", "s8": "#707070", "s9": "#332288",
}  # fmt: skip
DARK = {
    "ink": "#e8ebee", "muted": "#9aa5b1", "grid": "#343b44", "card": "#1b2027", "page": "#12161b",
    "s0": "#ff8a3d", "s1": "#5bb0f0", "s2": "#2fcf9f", "s3": "#e08bd2", "s4": "#9ad8ff",
    "s5": "#dcc04a", "s6": "#e0799b", "s7": "#7fe0d0", "s8": "#b4b4b4", "s9": "#a79cff",
}  # fmt: skip
"""The page's colours by role; s0 to s9 are the systems', after Okabe and Ito, and Tol."""

SERIES = 10
NAME_LENGTH = 28
WIDTH = 4.1
"""Inches; narrow, so that a phone need not shrink the text."""

INK, MUTED, GRID, CARD = (LIGHT[role] for role in ("ink", "muted", "grid", "card"))

_MARKS = "osD^vPXp<>"
_MEASURED_FONT = "DejaVu Sans"
_FONTS = 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif'
_ROLES = {colour: role for role, colour in LIGHT.items()}
_COLOUR = re.compile("|".join(_ROLES))
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
_STYLE: dict[Any, Any] = {
    "figure.dpi": 72, "svg.fonttype": "none", "text.parse_math": False,
    "font.family": [_MEASURED_FONT], "font.size": 8.5,
    "text.color": INK, "axes.labelcolor": MUTED, "xtick.color": MUTED, "ytick.color": MUTED,
    "xtick.labelsize": 8, "ytick.labelsize": 8, "ytick.labelcolor": INK,
    "xtick.major.size": 0, "ytick.major.size": 0,
    "axes.edgecolor": GRID, "axes.grid": True, "grid.color": GRID, "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False,
    "legend.frameon": False, "legend.handletextpad": 0.3, "legend.columnspacing": 1.4,
}  # fmt: skip


class Picture(NamedTuple):
    """One picture in the colours of a light and of a dark page, each a ``data:`` address."""

    title: str
    """The content of the picture, for readers who do not see it."""
    light: str
    dark: str


def drawn(title: str, height: float, draw: Callable[[Figure], None]) -> Picture:
    """Return the picture that ``draw`` draws on a figure ``height`` inches high."""
    with mpl.rc_context(), warnings.catch_warnings():
        # Names may be in any script; the reader's browser has the glyphs.
        warnings.filterwarnings("ignore", "Glyph .* missing")
        mpl.rcdefaults()
        mpl.rcParams.update({**_STYLE, "svg.hashsalt": title})
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        FigureCanvasAgg(figure)  # measures text
        draw(figure)
        svg = BytesIO()
        figure.savefig(svg, format="svg", transparent=True, metadata=_NO_METADATA)
    return Picture(title, _address(svg.getvalue(), LIGHT), _address(svg.getvalue(), DARK))


def _address(svg: bytes, colours: Mapping[str, str]) -> str:
    """Return the picture with the colours of :data:`LIGHT` replaced, and its texts outlined."""
    outline = f"paint-order: stroke; stroke: {colours['card']}; stroke-width: 2.5px"
    document = etree.fromstring(svg)
    for element in document.iterfind(".//*[@style]"):
        style = _COLOUR.sub(lambda match: colours[_ROLES[match[0]]], element.get("style", ""))
        element.set("style", style.replace(f"'{_MEASURED_FONT}'", f"{_FONTS}; {outline}"))
    return "data:image/svg+xml;base64," + b64encode(etree.tostring(document)).decode()


def colour(system: int) -> str:
    """Return the colour of the system of that number."""
    return LIGHT[f"s{system % SERIES}"]


def mark(system: int) -> dict[str, Any]:
    """Return how the system's points are drawn; the first system's are the boldest."""
    return {
        "color": colour(system),
        "marker": _MARKS[system % len(_MARKS)],
        "markersize": 6.5 if system == 0 else 5,
        "markeredgecolor": CARD,
        "markeredgewidth": 0.6,
    }


def label(text: str) -> str:
    """Return a name as a plot shows it."""
    return plain(text, NAME_LENGTH)


HISTOGRAM_BINS = 40
CONFIDENCE_BINS = 15
PAGES_PER_BIN = 10
LEGEND_LETTERS = 54
"""Letters that fit beside each other in a legend."""


class Dot(NamedTuple):
    """A figure and its interval."""

    value: float
    low: float
    high: float


def dot_plot(
    title: str, groups: Mapping[str, Mapping[str, Dot]], limits: tuple[float, float]
) -> Picture:
    """Return a picture with a row per group, and in it a dot with its interval per system.

    All groups have the same systems. ``limits``: the ends of the axis.
    """
    names = list(next(iter(groups.values())))
    lane = 0.13 if len(names) < 6 else 0.1
    columns = max(1, min(3, LEGEND_LETTERS // (5 + max(len(label(name)) for name in names))))
    height = 0.6 + len(groups) * (0.16 + lane * len(names)) + 0.19 * ceil(len(names) / columns)

    def draw(figure: Figure) -> None:
        axes = _axes_with_rows(figure, list(groups))
        pitch = 1 / (len(names) + 1.4)
        for row, dots in enumerate(groups.values()):
            if row % 2:
                axes.axhspan(row - 0.5, row + 0.5, color=GRID, alpha=0.35, linewidth=0)
            for system, dot in enumerate(dots.values()):
                _dot(axes, system, row + (system - (len(names) - 1) / 2) * pitch, dot)
        keys = [axes.plot([], [], **mark(i), linestyle="none")[0] for i in range(len(names))]
        margin = 0.03 * (limits[1] - limits[0])
        axes.set_xlim(limits[0] - margin, limits[1] + margin)
        axes.set(ylim=(len(groups) - 0.5, -0.5), xlabel="word-F1")
        if len(names) > 1:
            figure.legend(keys, [label(n) for n in names], loc="outside upper left", ncols=columns)

    return drawn(title, height, draw)


def _axes_with_rows(figure: Figure, names: Sequence[str]) -> Axes:
    """Return axes whose rows, at 0, 1, 2 and so on, have these names."""
    axes = figure.subplots()
    axes.set_yticks(range(len(names)), [label(name) for name in names])
    axes.grid(visible=False, axis="y")
    return axes


def _dot(axes: Axes, system: int, y: float, dot: Dot) -> None:
    width = 2 if system == 0 else 1.2
    axes.plot([dot.low, dot.high], [y, y], color=colour(system), linewidth=width, alpha=0.75)
    axes.plot(dot.value, y, **mark(system), zorder=5)


def lead_plot(leads: Mapping[str, Dot]) -> Picture:
    """Return a picture of the first system's lead over each other one, with its interval."""

    def draw(figure: Figure) -> None:
        axes = _axes_with_rows(figure, list(leads))
        axes.axvline(0, color=MUTED, linewidth=1)
        for row, dot in enumerate(leads.values()):
            _dot(axes, 0, row, dot)
            axes.annotate(
                f"{dot.value:+.3f}".replace("-", "−"), (dot.value, row), (0, 6),
                textcoords="offset points", ha="center", fontsize=8,
            )  # fmt: skip
        axes.set(ylim=(len(leads) - 0.5, -0.65), xlabel="lead in mean word-F1")
        axes.margins(x=0.12)
        axes.locator_params(axis="x", nbins=6)

    return drawn("Lead of the first system over each other one", 0.55 + 0.36 * len(leads), draw)


def distribution(pages: Mapping[str, Sequence[float]]) -> Picture:
    """Return a picture of the distribution of F1 per system: a histogram over quartiles.

    At least one system must have a page.
    """

    def draw(figure: Figure) -> None:
        axes = _axes_with_rows(figure, list(pages))
        shares = [
            np.histogram(f1, HISTOGRAM_BINS, (0, 1))[0] / max(1, len(f1)) for f1 in pages.values()
        ]
        scale = 0.66 / max(share.max() for share in shares)
        edges = np.linspace(0, 1, HISTOGRAM_BINS + 1)
        for row, (share, f1) in enumerate(zip(shares, pages.values(), strict=True)):
            axes.stairs(
                row - share * scale, edges, baseline=row, fill=True, color=colour(row),
                alpha=0.9 if row == 0 else 0.5,
            )  # fmt: skip
            if len(f1):
                _quartiles(axes, row, f1)
        axes.set(ylim=(len(pages) - 0.6, -0.75), xlim=(-0.01, 1.01), xlabel="word-F1 of a page")

    return drawn("How the pages' F1 are spread, per system", 0.5 + 0.62 * len(pages), draw)


def _quartiles(axes: Axes, row: int, f1: Sequence[float]) -> None:
    tenth, low, median, high = np.quantile(f1, [0.1, 0.25, 0.5, 0.75])
    y = row + 0.12
    axes.plot([tenth, high], [y, y], color=colour(row), linewidth=1)
    axes.plot([low, high], [y, y], color=colour(row), linewidth=3.5, solid_capstyle="butt")
    axes.plot(median, y, "o", color=CARD, markeredgecolor=colour(row), markersize=5)


def reliability(pages: Mapping[int, Sequence[tuple[float, float]]]) -> Picture:
    """Return a picture of true F1 against stated confidence.

    ``pages``: (confidence, F1) by system number. Points are means of about equally many pages.
    """

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        lowest = 1.0
        for system, pairs in pages.items():
            ordered = np.array(sorted(pairs, key=itemgetter(0)))
            bins = np.array_split(ordered, confidence_bins(len(pairs)))
            xs, ys = np.array([b.mean(axis=0) for b in bins]).T
            spans = np.array([bootstrap_interval(b[:, 1].tolist()) for b in bins]).T
            axes.vlines(xs, *spans, color=colour(system), linewidth=1.4, alpha=0.6)
            axes.plot(xs, ys, **mark(system), linewidth=1)
            lowest = min(lowest, *xs, float(spans.min()))
        axes.axline((0, 0), slope=1, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
        low = max(lowest - 0.04, -0.02)
        axes.set(xlim=(low, 1.01), ylim=(low, 1.01), box_aspect=0.95)
        axes.set(xlabel="stated confidence, mean", ylabel="true word-F1, mean")

    return drawn("Stated confidence against true F1", 4.0, draw)


def confidence_bins(pages: int) -> int:
    """Return the number of points for this number of pages."""
    return max(1, min(CONFIDENCE_BINS, pages // PAGES_PER_BIN))


def speed(milliseconds: Mapping[str, float]) -> Picture:
    """Return a picture with a bar per system: CPU time per page."""

    def draw(figure: Figure) -> None:
        axes = _axes_with_rows(figure, list(milliseconds))
        values, rows = list(milliseconds.values()), range(len(milliseconds))
        bars = axes.barh(rows, values, height=0.62, color=[colour(row) for row in rows])
        axes.bar_label(bars, [f"{value:.1f} ms" for value in values], padding=4, color=INK)
        axes.set(ylim=(len(values) - 0.5, -0.5), xlabel="CPU milliseconds per page")
        axes.margins(x=0.17)

    return drawn("CPU time per page", 0.5 + 0.3 * len(milliseconds), draw)


Array = NDArray[np.float64]

DIRECTIONS = 16
DISTANCES = (8.0, 12.0, 18.0, 27.0, 38.0, 52.0, 70.0, 92.0)


def place(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    inside: ArrayLike,
    taken: Sequence[ArrayLike] = (),
    radius: float = 5.0,
) -> list[Array]:
    """Return a box of each size near its point, clear of points, ``taken`` and other boxes.

    The nearest free place wins, or the one that overlaps least. Boxes: left, bottom, right, top.
    """
    placed: list[Array] = []
    for point, size in zip(points, sizes, strict=True):
        # A label close to another point would seem to belong to that point.
        margins = [radius if each == point else 2 * radius for each in points]
        around = [(x - m, y - m, x + m, y + m) for (x, y), m in zip(points, margins, strict=True)]
        boxes = _candidates(point, size, radius)
        outside = size[0] * size[1] - _overlaps(boxes, [inside])
        cost = outside + _overlaps(boxes, [*around, *taken, *placed])
        placed.append(boxes[cost.round(6).argmin()])
    return placed


def _candidates(point: tuple[float, float], size: tuple[float, float], radius: float) -> Array:
    """Return boxes around the point, the nearest first, each ring beginning at its right."""
    step = np.arange(DIRECTIONS)
    # Right, left, then steeper: names are read best beside their points.
    turns = np.where(step % 2, DIRECTIONS + step - 1, step) * np.pi / DIRECTIONS
    distance, turn = (axis.ravel() for axis in np.meshgrid(DISTANCES, turns, indexing="ij"))
    half = np.divide(size, 2)
    away = np.cos(turn) * (distance + half[0]), np.sin(turn) * (distance + radius / 2 + half[1])
    centres = point + np.column_stack(away)
    return np.hstack([centres - half, centres + half])


def _overlaps(boxes: Array, others: Sequence[ArrayLike]) -> Array:
    """Return per box the sum of the areas that it shares with the others."""
    boxes, all_others = boxes[:, None], np.array(others)
    begin, end = np.maximum(boxes, all_others)[..., :2], np.minimum(boxes, all_others)[..., 2:]
    area: Array = (end - begin).clip(0).prod(axis=2).sum(axis=1)
    return area


LEADER_FROM = 14.0
"""A label farther from its point than this, in points, is connected to it by a line."""


def precision_recall(points: Mapping[str, tuple[float, float]]) -> Picture:
    """Return a scatter of (precision, recall) per system over lines of equal F1."""
    names = {i: name for i, name in enumerate(points) if np.isfinite(points[name]).all()}
    xy = np.array([points[name] for name in names.values()])

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        _frame(axes, xy)
        figure.draw_without_rendering()
        taken = _equal_f1_lines(axes)
        for i, (x, y) in zip(names, xy, strict=True):
            style = mark(i)
            axes.plot(x, y, **{**style, "markersize": style["markersize"] + 3}, zorder=9 - i / 99)
        _add_labels(axes, names, xy, taken)

    return drawn("Precision against recall per system", 4.0, draw)


def _frame(axes: Axes, xy: Array) -> None:
    """Limit the axes to a square around the points, with space for their labels."""
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


def _equal_f1_lines(axes: Axes) -> list[ArrayLike]:
    """Draw the lines; return the boxes of their labels."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2) if (right - left) / s < 9)
    boxes: list[ArrayLike] = []
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
        boxes.append(text.get_window_extent().extents)
    return boxes


def _add_labels(
    axes: Axes, names: Mapping[int, str], xy: Array, taken: Sequence[ArrayLike]
) -> None:
    """Put each name near its point, where it covers as little as possible."""
    texts = [
        axes.annotate(
            label(name), point, (0, 0), textcoords="offset points", color=colour(i),
            fontweight="bold" if i == 0 else "normal", ha="left", va="bottom", zorder=20,
        )
        for (i, name), point in zip(names.items(), xy, strict=True)
    ]  # fmt: skip
    pixels = [(float(x), float(y)) for x, y in axes.transData.transform(xy)]
    sizes = [(box.width, box.height) for box in (text.get_window_extent() for text in texts)]
    boxes = place(pixels, sizes, axes.bbox.extents, taken)
    for i, text, (x, y), box in zip(names, texts, pixels, boxes, strict=True):
        # Browsers' fonts are narrower than the one measured: the text hugs the side by the point.
        left_of = (box[0] + box[2]) / 2 < x
        position = (box[2 if left_of else 0] - x, box[1] - y)
        text.set(position=position, ha="right" if left_of else "left", in_layout=False)
        end = np.clip((x, y), box[:2], box[2:])
        if np.hypot(end[0] - x, end[1] - y) > LEADER_FROM:
            line = axes.transData.inverted().transform([(x, y), (end[0], end[1])])
            axes.plot(*line.T, color=colour(i), linewidth=0.7, zorder=8)
