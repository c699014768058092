"""Plots of an evaluation's systems, sets and pages, as SVG elements for an HTML page."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from html import escape
from io import StringIO
from math import ceil
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from scrapy_boilernet.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.report.safe_html import NAME_LENGTH, Safe, plain

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

_ROLES = {colour: role for role, colour in LIGHT.items()}
_COLOUR = re.compile(r"(?<=: )#[0-9a-f]{6}\b")
_FONT = re.compile(r"(?<=font-family: )[^;]*")
_STYLE_ATTRIBUTE = re.compile(r'(?<= style=")[^"]*')
_PLACE = re.compile(r' (?:d|x|y|transform)="[^"]*"')
_SPURIOUS = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>", re.DOTALL)
_GROUP_ID = re.compile(r'(?<=<g) id="[^"]*"')
_OPENING = re.compile(r".*?<svg[^>]*?(viewBox=\"[^\"]*\")[^>]*>", re.DOTALL)


def inline_svg(document: str, title: str) -> Safe:
    """Return an SVG document as an element of a page, named ``title`` to screen readers.

    Colours of :data:`LIGHT` become the page's custom properties, so that a dark page recolours
    the plot; ids of groups, alike in every plot, are dropped.
    """
    opening = f'<svg role="img" aria-label="{escape(title)}"'
    svg = _OPENING.sub(lambda found: f"{opening} {found[1]}>", document, count=1)
    svg = _GROUP_ID.sub("", _SPURIOUS.sub("", svg))
    svg = _STYLE_ATTRIBUTE.sub(lambda found: _page_style(found[0]), svg)
    svg = _PLACE.sub(lambda found: re.sub(r"(\.\d\d)\d+", r"\1", found[0]), svg)
    return Safe(re.sub(r"\s*\n\s*", " ", svg).strip())


def _page_style(style: str) -> str:
    style = _COLOUR.sub(lambda found: _own_colour(found[0]), style)
    return _FONT.sub("var(--font)", style)


def _own_colour(colour: str) -> str:
    role = _ROLES.get(colour)
    return f"var(--{role})" if role else colour


WIDTH = 4.1
"""Inches; narrow, so that a phone need not shrink the text."""

INK, MUTED, GRID, CARD = (LIGHT[role] for role in ("ink", "muted", "grid", "card"))

_MARKS = "osD^vPXp<>"
_STYLE: dict[Any, Any] = {
    "figure.dpi": 72, "figure.facecolor": "none", "axes.facecolor": "none",
    "svg.fonttype": "none", "text.parse_math": False,
    "font.family": ["DejaVu Sans"], "font.size": 8.5,
    "text.color": INK, "axes.labelcolor": MUTED, "xtick.color": MUTED, "ytick.color": MUTED,
    "xtick.labelsize": 8, "ytick.labelsize": 8, "ytick.labelcolor": INK,
    "xtick.major.size": 0, "ytick.major.size": 0,
    "axes.edgecolor": GRID, "axes.grid": True, "grid.color": GRID, "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False,
    "legend.frameon": False, "legend.handletextpad": 0.3, "legend.columnspacing": 1.4,
}  # fmt: skip


def drawn(title: str, height: float, draw: Callable[[Figure], None]) -> Safe:
    """Return what ``draw`` draws on a figure ``height`` inches high, as an element of a page."""
    with mpl.rc_context(), warnings.catch_warnings():
        # Names may be in any script; the reader's browser has the glyphs.
        warnings.filterwarnings("ignore", "Glyph .* missing")
        mpl.rcdefaults()
        mpl.rcParams.update({**_STYLE, "svg.hashsalt": title})
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        FigureCanvasAgg(figure)  # measures text
        draw(figure)
        document = StringIO()
        figure.savefig(document, format="svg", transparent=True)
    return inline_svg(document.getvalue(), title)


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
"""So many fit beside each other in a legend."""


class Dot(NamedTuple):
    """A figure and its interval."""

    value: float
    low: float
    high: float


def dot_plot(
    title: str, groups: Mapping[str, Mapping[str, Dot]], limits: tuple[float, float]
) -> Safe:
    """Return a row per group and in it a dot with its interval per system.

    All groups have the same systems; the axis shows what lies between ``limits``.
    """
    names = list(next(iter(groups.values())))
    lane = 0.13 if len(names) < 6 else 0.1
    columns = max(1, min(3, LEGEND_LETTERS // (5 + max(len(label(name)) for name in names))))
    height = 0.6 + len(groups) * (0.16 + lane * len(names)) + 0.19 * ceil(len(names) / columns)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        pitch = 1 / (len(names) + 1.4)
        for row, dots in enumerate(groups.values()):
            if row % 2:
                axes.axhspan(row - 0.5, row + 0.5, color=GRID, alpha=0.35, linewidth=0)
            for name, dot in dots.items():
                y = row + (names.index(name) - (len(names) - 1) / 2) * pitch
                _dot(axes, names.index(name), y, dot)
        keys = [axes.plot([], [], **mark(i), linestyle="none")[0] for i in range(len(names))]
        margin = 0.03 * (limits[1] - limits[0])
        axes.set_xlim(limits[0] - margin, limits[1] + margin)
        axes.set(ylim=(len(groups) - 0.5, -0.5), xlabel="word-F1")
        axes.set_yticks(range(len(groups)), [label(group) for group in groups])
        axes.grid(visible=False, axis="y")
        if len(names) > 1:
            figure.legend(keys, [label(n) for n in names], loc="outside upper left", ncols=columns)

    return drawn(title, height, draw)


def _dot(axes: Axes, system: int, y: float, dot: Dot) -> None:
    width = 2 if system == 0 else 1.2
    axes.plot([dot.low, dot.high], [y, y], color=colour(system), linewidth=width, alpha=0.75)
    axes.plot(dot.value, y, **mark(system), zorder=5)


def lead_plot(leads: Mapping[str, Dot]) -> Safe:
    """Return the first system's lead over each other one, with its interval, beside zero."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        axes.axvline(0, color=MUTED, linewidth=1)
        for row, dot in enumerate(leads.values()):
            _dot(axes, 0, row, dot)
            axes.annotate(
                f"{dot.value:+.3f}".replace("-", "−"), (dot.value, row), (0, 6),
                textcoords="offset points", ha="center", fontsize=8,
            )  # fmt: skip
        axes.set(ylim=(len(leads) - 0.5, -0.65), xlabel="lead in mean word-F1")
        axes.set_yticks(range(len(leads)), [label(name) for name in leads])
        axes.grid(visible=False, axis="y")
        axes.margins(x=0.12)
        axes.locator_params(axis="x", nbins=6)

    return drawn("Lead of the first system over each other one", 0.55 + 0.36 * len(leads), draw)


def distribution(pages: Mapping[str, Sequence[float]]) -> Safe:
    """Return per system how its pages' F1 are spread: a histogram over quartiles.

    At least one system must have a page.
    """

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
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
        axes.set_yticks(range(len(pages)), [label(name) for name in pages])
        axes.grid(visible=False, axis="y")

    return drawn("How the pages' F1 are spread, per system", 0.5 + 0.62 * len(pages), draw)


def _quartiles(axes: Axes, row: int, f1: Sequence[float]) -> None:
    tenth, low, median, high = np.quantile(f1, [0.1, 0.25, 0.5, 0.75])
    y = row + 0.12
    axes.plot([tenth, high], [y, y], color=colour(row), linewidth=1)
    axes.plot([low, high], [y, y], color=colour(row), linewidth=3.5, solid_capstyle="butt")
    axes.plot(median, y, "o", color=CARD, markeredgecolor=colour(row), markersize=5)


def reliability(pages: Mapping[int, tuple[Sequence[float], Sequence[float]]]) -> Safe:
    """Return true F1 against stated confidence, each point as many pages.

    ``pages`` maps a system's number to its pages' (confidences, F1).
    """

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        lowest = 1.0
        for system, (confidences, f1) in pages.items():
            order = np.argsort(confidences, kind="stable")
            x, y = np.asarray(confidences)[order], np.asarray(f1)[order]
            bins = np.array_split(np.arange(len(x)), confidence_bins(len(x)))
            xs, ys = [x[b].mean() for b in bins], [y[b].mean() for b in bins]
            spans = np.array([bootstrap_interval(y[b].tolist()) for b in bins]).T
            axes.vlines(xs, *spans, color=colour(system), linewidth=1.4, alpha=0.6)
            axes.plot(xs, ys, **mark(system), linewidth=1)
            lowest = min(lowest, *xs, float(spans.min()))
        axes.axline((0, 0), slope=1, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
        low = max(lowest - 0.04, -0.02)
        axes.set(xlim=(low, 1.01), ylim=(low, 1.01), box_aspect=0.95)
        axes.set(xlabel="stated confidence, mean", ylabel="true word-F1, mean")

    return drawn("Stated confidence against true F1", 4.0, draw)


def confidence_bins(pages: int) -> int:
    """Return how many points so many pages make."""
    return max(1, min(CONFIDENCE_BINS, pages // PAGES_PER_BIN))


def speed(milliseconds: Mapping[str, float]) -> Safe:
    """Return a bar per system: CPU time per page."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        values = list(milliseconds.values())
        bars = axes.barh(
            range(len(values)), values, height=0.62, color=[colour(i) for i in range(len(values))]
        )
        axes.bar_label(bars, [f"{value:.1f} ms" for value in values], padding=4, color=INK)
        axes.set(ylim=(len(values) - 0.5, -0.5), xlabel="CPU milliseconds per page")
        axes.set_yticks(range(len(values)), [label(name) for name in milliseconds])
        axes.margins(x=0.17)
        axes.grid(visible=False, axis="y")

    return drawn("CPU time per page", 0.5 + 0.3 * len(milliseconds), draw)
