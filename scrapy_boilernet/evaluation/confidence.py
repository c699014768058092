"""How far the confidence that a system states can be relied on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scrapy_boilernet.evaluation.evaluate import PageRow
from scrapy_boilernet.evaluation.statistics import bootstrap_interval, calibration_error

SURE = 0.9
"""A page with at least this confidence counts as sure."""


def calibration(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, float]:
    """Return the expected calibration error over all pages of each system with confidence."""
    return {
        name: calibration_error(*_columns(stated))
        for name in names
        if (stated := _stated(rows, name))
    }


def sure_pages(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, Any]:
    """Return per system with confidence the ``share`` of sure pages, their mean ``f1`` and its
    ``interval``; the last two are None if no page is sure.
    """
    found = {}
    for name in names:
        if stated := _stated(rows, name):
            sure = [
                f1 for confidence, f1 in zip(*_columns(stated), strict=True) if confidence >= SURE
            ]
            found[name] = {
                "share": len(sure) / len(stated),
                "f1": float(np.mean(sure)) if sure else None,
                "interval": bootstrap_interval(sure) if sure else None,
            }
    return found


def _stated(rows: Sequence[PageRow], name: str) -> list[PageRow]:
    return [row for row in rows if row.system == name and row.confidence is not None]


def _columns(rows: Sequence[PageRow]) -> tuple[list[float], list[float]]:
    """Confidences and word-F1."""
    return [row.confidence or 0.0 for row in rows], [row.f1 or 0.0 for row in rows]
