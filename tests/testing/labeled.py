"""Labeled pages without a labeler, from what is kept of them."""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_boilernet.extractor.decide.kinds import block_kinds, found_in
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.options import BOILERPLATE, CONTENT, FALLBACK_STEPS, Source, Step
from scrapy_boilernet.extractor.page import Page


def from_probabilities(
    page: Page, probabilities: Sequence[float], threshold: float, confidence: float, model: str
) -> LabeledPage:
    """Return the page with every block of probability >= ``threshold`` labeled content."""
    kept = [p >= threshold for p in probabilities]
    source: Source = "model" if any(kept) else "nothing"
    return from_kept(page, kept, probabilities, threshold, confidence, model, source)


def from_kept(
    page: Page,
    kept: Sequence[bool],
    probabilities: Sequence[float],
    threshold: float,
    confidence: float,
    model: str,
    source: Source,
) -> LabeledPage:
    """Return the page with the blocks that ``kept`` marks labeled content."""
    assert len(kept) == len(page.blocks)
    step: Step = f"fallback: {source}" if source in FALLBACK_STEPS else "model"
    return LabeledPage(
        page=page,
        labels=tuple(CONTENT if keep else BOILERPLATE for keep in kept),
        kinds=block_kinds(page, kept, found_in(page, kept)),
        steps=tuple(step if keep else "model" for keep in kept),
        probabilities=tuple(map(float, probabilities)),
        confidence=confidence,
        model=model,
        threshold=threshold,
        source=source,
    )
