"""The code that all engines share: featurizer, batches, and embeddings looked up in NumPy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.pooling import pooled
from scrapy_boilernet.extractor.decide.threshold import Decider
from scrapy_boilernet.extractor.features.counts import CountVocabulary
from scrapy_boilernet.extractor.features.hashed import Bag, Features, featurize
from scrapy_boilernet.extractor.labelers.base import Reason
from scrapy_boilernet.extractor.labelers.boilernet.occlusion import occluded_reasons
from scrapy_boilernet.extractor.labelers.model_folder import Tensors
from scrapy_boilernet.extractor.labelers.spec import Architecture, ModelSpec
from scrapy_boilernet.extractor.page import Page

WINDOW_BLOCKS = 5000
"""Blocks of pages that are held as arrays at once. The longest page has as many by default, so a
batch takes about the memory of such a page."""
_MIN_SHARE = 0.8
"""The least share of the longest page's blocks that a page in its group has. A shorter one costs
more in padding than the batch saves."""


def windows(pages: Sequence[Page]) -> Iterator[list[Page]]:
    """Yield all pages in order, in runs of at most 5,000 blocks, or of one longer page."""
    window: list[Page] = []
    blocks = 0
    for page in pages:
        if window and blocks + len(page.blocks) > WINDOW_BLOCKS:
            yield window
            window, blocks = [], 0
        window.append(page)
        blocks += len(page.blocks)
    if window:
        yield window


def like_lengths(lengths: Sequence[int]) -> list[list[int]]:
    """Return the indices of ``lengths``, longest first, in groups that need little padding.

    >>> like_lengths([50, 99, 100, 20, 41])
    [[2, 1], [0, 4], [3]]
    """
    groups: list[list[int]] = []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if groups and lengths[i] >= _MIN_SHARE * lengths[groups[-1][0]]:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


Array = NDArray[np.float32]


class Encoder:
    """Looks up a model's embeddings."""

    def __init__(self, architecture: Architecture, tensors: Tensors) -> None:
        self._mode = architecture.bag_mode
        self._tables = {name: _table(tensors, f"bags.{name}") for name in architecture.bags}
        self._page_table = _table(tensors, "page_bag") if architecture.page_bag else None

    def encode(self, features: Features) -> Array:
        """Return per block its bags, the page's bag and its numbers: (blocks, width)."""
        columns = [_bag(self._tables[n], features.bags[n], self._mode) for n in self._tables]
        if self._page_table is not None:
            ids = features.page
            whole = Bag(ids, np.array([0, len(ids)], dtype=np.int64))
            row = _bag(self._page_table, whole, self._mode)
            columns.append(np.repeat(row, len(features.numbers), axis=0))
        return np.concatenate([*columns, features.numbers], axis=1)


def _table(tensors: Tensors, name: str) -> Array:
    return np.ascontiguousarray(tensors[f"{name}.weight"], dtype=np.float32)


def _bag(table: Array, bag: Bag, mode: str) -> Array:
    """Return the sum or mean of the table's rows for each block's ids; zeros without ids."""
    if bag.shared is not None:
        once, places = bag.shared
        return _reduced(table, once, mode).take(places, axis=0)
    return _reduced(table, bag, mode)


def _reduced(table: Array, bag: Bag, mode: str) -> Array:
    out = row_sums(table, bag.ids, bag.offsets, mode == "mean")
    return _row_sums(table, bag.ids, bag.offsets, mode == "mean") if out is None else out


def _row_sums(
    table: Array, ids: NDArray[np.int64], offsets: NDArray[np.int64], is_mean: bool
) -> Array:
    """Return the sum, or the mean, of the rows ``ids[offsets[i]:offsets[i + 1]]`` of the table for
    each i, zeros for none: (offsets - 1, columns).
    """
    lengths = np.diff(offsets)
    filled = lengths > 0
    out = np.zeros((len(filled), table.shape[1]), dtype=np.float32)
    if filled.any():
        rows = table.take(ids, axis=0)  # with an axis it is quicker than table[ids]
        out[filled] = np.add.reduceat(rows, offsets[:-1][filled], axis=0)
    if is_mean:
        out /= np.maximum(lengths, 1)[:, None].astype(np.float32)
    return out


try:
    from scrapy_boilernet.extractor.features.compiled import row_sums
except ImportError:  # not compiled
    row_sums = _row_sums


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
    """A labeler of one model; an engine adds the method that scores a page, or several at once."""

    reason_unit = (
        "how much this input adds to the block's log-odds: above 0 for content, below 0 against it"
    )

    def __init__(self, spec: ModelSpec) -> None:
        super().__init__(
            spec.name, spec.units, spec.threshold, spec.decision, spec.confidence,
            spec.judges_comments,
        )  # fmt: skip
        self.spec = spec
        self._featurize = featurizer_of(spec)

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1].

        Torch and ONNX Runtime score pages of similar length together, which changes a probability
        by at most 1e-6. NumPy's engine and graphs of 8 bits score one page at a time.
        """
        return [scores for window in windows(pages) for scores in self._score_window(window)]

    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return per block how much its logit falls without each kind of input, by falling
        absolute value.
        """

        def score(features: Features) -> NDArray[np.float32]:
            return pooled(page, self._score(features), self.spec.template_share)

        return occluded_reasons(page, self._featurize(page), self.spec, score)

    def _score_window(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        scores = [np.zeros(0, dtype=np.float32)] * len(pages)
        filled = [i for i, page in enumerate(pages) if page.blocks]
        features = [self._featurize(pages[i]) for i in filled]
        for group in like_lengths([len(arrays.numbers) for arrays in features]):
            together = self._score_many([features[n] for n in group])
            for n, arrays in zip(group, together, strict=True):
                page = pages[filled[n]]
                scores[filled[n]] = pooled(page, arrays, self.spec.template_share)
        return scores

    @classmethod
    @abstractmethod
    def load(cls, folder: Path) -> Self:
        """Return the labeler of the model in ``folder``; raises ``ModelError`` if it is broken."""

    @abstractmethod
    def _score(self, features: Features) -> NDArray[np.float32]:
        """Return P(content) of each block of a page that has at least one block."""

    def _score_many(self, pages: Sequence[Features]) -> list[NDArray[np.float32]]:
        """Return the same for several pages; one by one, unless an engine overrides it."""
        return [self._score(features) for features in pages]
