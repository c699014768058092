"""What labelers share once a page is scored: its threshold, and what its labels are worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.choices import Favor
from scrapy_boilernet.decision import choose_threshold, moved_threshold
from scrapy_boilernet.labelers.spec import Decision
from scrapy_boilernet.page import Page, Units


def expected_f1(
    probabilities: NDArray[np.float32], words: NDArray[np.float64], threshold: float
) -> float:
    """Return the word-F1 that the probabilities promise for the blocks from ``threshold`` up.

    ``words``: words per block. 0.0 for a page where nothing is expected or kept.
    """
    return expected_f1_of(probabilities, words, probabilities.astype(np.float64) >= threshold)


def expected_f1_of(
    probabilities: NDArray[np.float32], words: NDArray[np.float64], kept: NDArray[np.bool_]
) -> float:
    """Return the word-F1 that the probabilities promise for the blocks that ``kept`` marks.

    2TP / (2TP + FP + FN) if each probability is true; 0.0 where nothing is expected or kept.
    """
    p = probabilities.astype(np.float64)
    hits = float((words * p * kept).sum())
    extra = float((words * (1 - p) * kept).sum())
    missed = float((words * p * ~kept).sum())
    total = 2 * hits + extra + missed
    return 2 * hits / total if total else 0.0


def block_words(page: Page) -> NDArray[np.float64]:
    """Return the length of each block in words of six characters: what it weighs in a page."""
    chars = [len(block.text) for block in page.blocks]
    return np.array(chars, dtype=np.float64) / 6


class Decider:
    """The decision and the confidence of a labeler, by what its model says of them."""

    reason_unit = ""
    """What a weight of its reasons is, for people; "" if it gives none."""

    def __init__(
        self,
        name: str,
        units: Units,
        threshold: float,
        decision: Decision = "fixed",
        confidence: Sequence[tuple[float, float]] = ((0.0, 0.0), (1.0, 1.0)),
    ) -> None:
        """See :class:`scrapy_boilernet.labelers.spec.ModelSpec` for what these are."""
        self.name = name
        self.units: Units = units
        self._threshold = threshold
        self._decision = decision
        self._confidence = tuple(confidence)

    def threshold_for(
        self, page: Page, probabilities: NDArray[np.float32], favor: Favor = "balanced"
    ) -> float:
        """Return the probability from which the page's blocks are content, in [0, 1].

        The model's one threshold, or the page's own above the model's floor, as its spec says.
        """
        if self._decision == "fixed":
            return moved_threshold(self._threshold, favor)
        return choose_threshold(probabilities, block_words(page), self._threshold, favor)

    def confidence(
        self, page: Page, probabilities: NDArray[np.float32], kept: NDArray[np.bool_]
    ) -> float:
        """Return the expected word-F1 of what ``kept`` marks, after the calibration; in [0, 1].

        0.0 where nothing is kept.
        """
        if not kept.any():
            return 0.0
        raw = expected_f1_of(probabilities, block_words(page), kept)
        expected, true = zip((0.0, 0.0), *self._confidence, strict=True)
        return float(np.clip(np.interp(raw, expected, true), 0.0, 1.0))
