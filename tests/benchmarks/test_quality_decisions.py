"""The variants of the benchmark of decisions, on pages with comments."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")
pytest.importorskip("matplotlib")

from testing.learned import learned

from benchmarks.common.reporting import Report
from benchmarks.quality import decisions

PAGES = [learned(number) for number in range(4)]


def test_each_variant_is_measured_on_every_page() -> None:
    logits = [np.where(page.targets > 0.5, 4, -4).astype(np.float32) for page in PAGES]
    scores = decisions.scores_of_variants(PAGES, logits)
    assert scores.keys() == decisions.VARIANTS.keys()
    report = Report("Decisions")
    _, count, means, gain = decisions.row_of("made", np.ones(4, dtype=np.bool_), scores, report)
    assert count == 4
    assert means["correlated, comments by both"] == pytest.approx(
        scores["correlated, comments by both"].mean()
    )
    assert gain[0] in "+-"
