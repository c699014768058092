"""What both engines share: a model's featuriser, and its estimate of a page's word-F1."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.features import Features, featurize
from scrapy_boilernet.labelers.spec import ModelSpec
from scrapy_boilernet.page import Page, Units
from scrapy_boilernet.paper_features import CountVocabulary


def featurizer_of(spec: ModelSpec) -> Callable[[Page], Features]:
    """Return the function from a page to the arrays that the model was trained on."""
    if spec.featurizer["kind"] == "hashed":
        return featurize
    vocabulary = CountVocabulary(
        tuple(spec.featurizer["words"]),
        tuple(spec.featurizer["tags"]),
        bool(spec.featurizer["unknown_overwrites"]),
    )
    return partial(CountVocabulary.featurize, vocabulary)


def expected_f1(
    probabilities: NDArray[np.float32], words: NDArray[np.float64], threshold: float
) -> float:
    """Return the word-F1 that the probabilities promise if each is true: 2TP / (2TP + FP + FN).

    ``words``: words per block. 0.0 for a page where nothing is expected or kept.
    """
    p = probabilities.astype(np.float64)
    kept = p >= threshold
    hits = float((words * p * kept).sum())
    extra = float((words * (1 - p) * kept).sum())
    missed = float((words * p * ~kept).sum())
    total = 2 * hits + extra + missed
    return 2 * hits / total if total else 0.0


def block_words(page: Page) -> NDArray[np.float64]:
    """Return the length of each block in words of six characters: what it weighs in a page."""
    return np.array([len(block.text) / 6 for block in page.blocks], dtype=np.float64)


class ModelLabeler(ABC):
    """A labeler of one model, a page at a time; an engine adds how a page is scored.

    A page at a time, so that its scores cannot depend on its neighbours.
    """

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        self.name = spec.name
        self.units: Units = spec.units
        self.threshold = spec.threshold
        self._featurize = featurizer_of(spec)

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1]."""
        empty = np.zeros(0, dtype=np.float32)
        return [self._score(self._featurize(page)) if page.blocks else empty for page in pages]

    def confidence(self, page: Page, probabilities: NDArray[np.float32], threshold: float) -> float:
        """Return the expected word-F1 at ``threshold``, after the model's calibration; in [0, 1].

        0.0 where nothing is kept.
        """
        raw = expected_f1(probabilities, block_words(page), threshold)
        expected, true = zip((0.0, 0.0), *self.spec.confidence, strict=True)
        return float(np.clip(np.interp(raw, expected, true), 0.0, 1.0))

    @abstractmethod
    def _score(self, features: Features) -> NDArray[np.float32]:
        """Return P(content) of each of a page's blocks, of which there is at least one."""
