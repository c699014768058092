"""What the fallback ladder gains: the pages on which a rung spoke, with it and without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scrapy_boilernet.evaluation.evaluate import PageRow


def rung_gains(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, Any]:
    """Return per system, per source other than the model: ``pages``, mean ``f1``, and ``empty``.

    ``empty``: the mean word-F1 if the text had been left empty; 1 for a page without main text,
    else 0. Systems of which the model always spoke are left out.
    """
    found: dict[str, Any] = {}
    for name in names:
        by_source: dict[str, list[PageRow]] = {}
        for row in rows:
            if row.system == name and row.source not in (None, "model"):
                by_source.setdefault(str(row.source), []).append(row)
        if by_source:
            found[name] = {source: _gain(spoken) for source, spoken in sorted(by_source.items())}
    return found


def _gain(rows: Sequence[PageRow]) -> dict[str, Any]:
    return {
        "pages": len(rows),
        "f1": float(np.mean([row.metrics["word_f1"] for row in rows])),
        "empty": float(np.mean(["empty" not in row.metrics for row in rows])),
    }
