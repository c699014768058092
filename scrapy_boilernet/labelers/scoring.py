"""What all engines share: a model's featuriser, threshold and estimate of word-F1."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.choices import Favor
from scrapy_boilernet.decision import choose_threshold, moved_threshold
from scrapy_boilernet.features import Features, featurize
from scrapy_boilernet.labelers.batches import WINDOW_BLOCKS, like_lengths, windows
from scrapy_boilernet.labelers.spec import ModelSpec
from scrapy_boilernet.page import Page, Units
from scrapy_boilernet.paper_features import CountVocabulary


def featurizer_of(spec: ModelSpec) -> Callable[[Page], Features]:
    """Return the function from a page to the arrays that the model was trained on."""
    if spec.featurizer["kind"] == "hashed":
        return partial(featurize, bags=tuple(spec.architecture.bags))
    vocabulary = CountVocabulary(
        tuple(spec.featurizer["words"]),
        tuple(spec.featurizer["tags"]),
        bool(spec.featurizer["unknown_overwrites"]),
    )
    return partial(CountVocabulary.featurize, vocabulary)


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


class ModelLabeler(ABC):
    """A labeler of one model; an engine adds how a page is scored, or several at once."""

    window_blocks = WINDOW_BLOCKS
    """Blocks of pages that are held as arrays at once."""

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        self.name = spec.name
        self.units: Units = spec.units
        self._featurize = featurizer_of(spec)

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1].

        Pages of like length are scored together, which moves a probability by 1e-6 at most; a graph
        of 8 bits has one at a time.
        """
        found = windows(pages, self.window_blocks)
        return [scores for window in found for scores in self._score_window(window)]

    def _score_window(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        scores = [np.zeros(0, dtype=np.float32)] * len(pages)
        filled = [i for i, page in enumerate(pages) if page.blocks]
        features = [self._featurize(pages[i]) for i in filled]
        for group in like_lengths([len(found.numbers) for found in features]):
            together = self._score_many([features[n] for n in group])
            for n, found in zip(group, together, strict=True):
                scores[filled[n]] = found
        return scores

    def threshold_for(
        self, page: Page, probabilities: NDArray[np.float32], favor: Favor = "balanced"
    ) -> float:
        """Return the probability from which the page's blocks are content, in [0, 1].

        The model's one threshold, or the page's own above the model's floor, as its spec says.
        """
        if self.spec.decision == "fixed":
            return moved_threshold(self.spec.threshold, favor)
        return choose_threshold(probabilities, block_words(page), self.spec.threshold, favor)

    def confidence(
        self, page: Page, probabilities: NDArray[np.float32], kept: NDArray[np.bool_]
    ) -> float:
        """Return the expected word-F1 of what ``kept`` marks, after the calibration; in [0, 1].

        0.0 where nothing is kept.
        """
        if not kept.any():
            return 0.0
        raw = expected_f1_of(probabilities, block_words(page), kept)
        expected, true = zip((0.0, 0.0), *self.spec.confidence, strict=True)
        return float(np.clip(np.interp(raw, expected, true), 0.0, 1.0))

    @classmethod
    @abstractmethod
    def load(cls, folder: Path) -> Self:
        """Return the labeler of the model in ``folder``; raises ``ModelError`` if it is broken."""

    @abstractmethod
    def _score(self, features: Features) -> NDArray[np.float32]:
        """Return P(content) of each of a page's blocks, of which there is at least one."""

    def _score_many(self, pages: Sequence[Features]) -> list[NDArray[np.float32]]:
        """Return the same of several pages; here one by one, where an engine has no better way."""
        return [self._score(features) for features in pages]
