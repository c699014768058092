"""The plot of a card: a model's confidence against the word-F1 that it had."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import NDArray

PLOT_BINS = 12


def write_calibration_plot(
    file: Path, confidences: NDArray[np.float64], truths: NDArray[np.float64]
) -> None:
    """Write an SVG: a dot per bin of equally many pages, and how the confidences spread."""
    order = np.argsort(confidences, kind="stable")
    bins = [part for part in np.array_split(order, PLOT_BINS) if len(part)]
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "boilernet", "font.size": 10}):
        figure = Figure(figsize=(5, 5), layout="constrained")
        upper, lower = figure.subplots(2, 1, height_ratios=[4, 1], sharex=True)
        upper.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        upper.plot(
            [confidences[part].mean() for part in bins],
            [truths[part].mean() for part in bins],
            marker="o", color="#0072b2",
        )  # fmt: skip
        upper.set(ylabel="mean word-F1", ylim=(0, 1), xlim=(0, 1))
        upper.set_title(f"{len(truths):,} pages that were not trained on", fontsize=10)
        lower.hist(confidences, bins=40, range=(0, 1), color="#0072b2")
        lower.set(xlabel="confidence", ylabel="pages")
        figure.savefig(file, format="svg", metadata={"Date": None})
