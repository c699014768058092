"""What all plots share: their style, the systems' colours and marks, and the way to SVG."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from io import StringIO
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from scrapy_boilernet.evaluation.html_svg import LIGHT, SERIES, inline_svg
from scrapy_boilernet.evaluation.html_text import NAME_LENGTH, Safe, plain

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
