"""The benchmarks' plots: small, with units, in colours that most colour-blind readers tell apart.

Needs matplotlib, so a benchmark imports this module only when it draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from scrapy_boilernet.lab.report.plots import LIGHT, colour, mark

WIDTH_INCHES = 6.0
_PANEL_INCHES = 2.2
_DASHES = ("-", "--", ":")
"""They distinguish series where there are more of them than colours."""
_STYLE: dict[Any, Any] = {
    "font.size": 9, "figure.facecolor": LIGHT["card"], "axes.facecolor": LIGHT["card"],
    "text.color": LIGHT["ink"], "axes.labelcolor": LIGHT["ink"], "axes.edgecolor": LIGHT["grid"],
    "axes.grid": True, "grid.color": LIGHT["grid"], "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False,
    "legend.frameon": False, "legend.fontsize": 8, "svg.hashsalt": "scrapy-boilernet",
}  # fmt: skip

Line = tuple[Sequence[float], Sequence[float]]
"""Abscissas and ordinates."""


def bars(
    file: Path,
    values: Mapping[str, float],
    ranges: Mapping[str, tuple[float, float]],
    axis: str,
    logarithmic: bool = False,
) -> None:
    """Draw a bar per name, in ascending order, with its range; dots if the axis is logarithmic."""
    names = sorted(values, key=lambda name: values[name])
    figure = _figure(0.8 + 0.28 * len(names))
    axes = figure.subplots()
    for row, name in enumerate(names):
        own = colour(0) if name.startswith("scrapy-boilernet") else colour(1)
        if logarithmic:  # a bar's length would mean nothing
            axes.plot(values[name], row, "o", color=own, markersize=7)
        else:
            axes.barh(row, values[name], color=own, height=0.62)
        axes.plot(ranges[name], [row, row], color=LIGHT["ink"], linewidth=1.2)
        axes.annotate(
            f"{values[name]:.1f}", (max(values[name], ranges[name][1]), row), (7, 0),
            textcoords="offset points", va="center", fontsize=8,
        )  # fmt: skip
    axes.set_yticks(range(len(names)), names)
    axes.set(xlabel=axis, ylim=(len(names) - 0.4, -0.6))
    if logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(mpl.ticker.FormatStrFormatter("%g"))
    axes.margins(x=0.12)
    axes.grid(visible=logarithmic, axis="y")
    _save(figure, file)


def panels(
    file: Path,
    lines: Mapping[str, Mapping[str, Line]],
    axes_names: tuple[str, str],
    logarithmic: bool = False,
) -> None:
    """Draw a panel per key of ``lines``, and in it a line per name; one legend for all."""
    columns = min(2, len(lines))
    rows = ceil(len(lines) / columns)
    names = list(dict.fromkeys(name for panel in lines.values() for name in panel))
    figure = _figure(0.6 + _PANEL_INCHES * rows + 0.17 * ceil(len(names) / 3))
    grid = figure.subplots(rows, columns, squeeze=False, sharex=logarithmic, sharey=logarithmic)
    for axes, (title, panel) in zip(grid.flat, lines.items(), strict=False):
        _panel(axes, title, panel, names, logarithmic)
    for axes in grid.flat[len(lines) :]:
        axes.set_visible(False)
    figure.supxlabel(axes_names[0], fontsize=9)
    figure.supylabel(axes_names[1], fontsize=9)
    handles = [mpl.lines.Line2D([], [], **_look(i)) for i in range(len(names))]
    figure.legend(handles, names, loc="outside upper left", ncols=3)
    _save(figure, file)


def fan(
    file: Path, lines: Sequence[Line], mean: Line, label: str, axes_names: tuple[str, str]
) -> None:
    """Draw a thin line per subject and a thick one for their mean, around a line at zero.

    ``label``: the name of the mean in the legend.
    """
    figure = _figure(3.2)
    axes = figure.subplots()
    axes.axhline(0, color=LIGHT["ink"], linewidth=0.8)
    for x, y in lines:
        axes.plot(x, y, color=colour(1), linewidth=0.7, alpha=0.6, marker=".", markersize=3)
    axes.plot(*mean, color=colour(0), linewidth=2.6, marker="o", label=label)
    axes.set(xlabel=axes_names[0], ylabel=axes_names[1], xticks=mean[0])
    axes.legend(loc="upper left")
    _save(figure, file)


def _panel(
    axes: Axes, title: str, panel: Mapping[str, Line], names: Sequence[str], logarithmic: bool
) -> None:
    for name, (x, y) in panel.items():
        axes.plot(x, y, **_look(names.index(name)))
    if logarithmic and any(len(x) for x, _ in panel.values()):
        axes.set(xscale="log", yscale="log")
    elif not logarithmic:
        axes.set_ylim(bottom=0)
    axes.set_title(title, fontsize=9, loc="left")


def _look(series: int) -> dict[str, Any]:
    dashes = _DASHES[series // 10 % len(_DASHES)]
    return {**mark(series), "markersize": 4, "linewidth": 1.2, "linestyle": dashes}


def _figure(height: float) -> Figure:
    mpl.rcParams.update(_STYLE)
    figure = Figure(figsize=(WIDTH_INCHES, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _save(figure: Figure, file: Path) -> None:
    figure.savefig(file, dpi=150, metadata={"Date": None} if file.suffix == ".svg" else None)
