"""What all engines share: a model's featuriser and its batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.features import Features, featurize
from scrapy_boilernet.labelers.batches import WINDOW_BLOCKS, like_lengths, windows
from scrapy_boilernet.labelers.deciding import Decider
from scrapy_boilernet.labelers.occlusion import occluded_reasons
from scrapy_boilernet.labelers.reasons import Reason
from scrapy_boilernet.labelers.spec import ModelSpec
from scrapy_boilernet.page import Page
from scrapy_boilernet.paper_features import CountVocabulary


def featurizer_of(spec: ModelSpec) -> Callable[[Page], Features]:
    """Return the function from a page to the arrays that the model was trained on."""
    if spec.featurizer["kind"] == "hashed":
        return partial(featurize, bags=tuple(spec.architecture.bags))
    vocabulary = CountVocabulary(
        tuple(spec.featurizer["words"]),
        tuple(spec.featurizer["tags"]),
        bool(spec.featurizer["unknown_overwrites"]),
        str(spec.featurizer.get("unread", "")),
    )
    return partial(CountVocabulary.featurize, vocabulary)


class ModelLabeler(Decider, ABC):
    """A labeler of one model; an engine adds how a page is scored, or several at once."""

    reason_unit = "change of the block's log-odds if the page had not this input"
    window_blocks = WINDOW_BLOCKS
    """Blocks of pages that are held as arrays at once."""

    def __init__(self, spec: ModelSpec) -> None:
        super().__init__(spec.name, spec.units, spec.threshold, spec.decision, spec.confidence)
        self.spec = spec
        self._featurize = featurizer_of(spec)

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1].

        Pages of like length are scored together, which moves a probability by 1e-6 at most; a graph
        of 8 bits has one at a time.
        """
        found = windows(pages, self.window_blocks)
        return [scores for window in found for scores in self._score_window(window)]

    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return per block what its logit loses without each kind of input, the most first."""
        return occluded_reasons(page, self._featurize(page), self.spec, self._score)

    def _score_window(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        scores = [np.zeros(0, dtype=np.float32)] * len(pages)
        filled = [i for i, page in enumerate(pages) if page.blocks]
        features = [self._featurize(pages[i]) for i in filled]
        for group in like_lengths([len(found.numbers) for found in features]):
            together = self._score_many([features[n] for n in group])
            for n, found in zip(group, together, strict=True):
                scores[filled[n]] = found
        return scores

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
