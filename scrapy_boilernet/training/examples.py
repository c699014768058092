"""Pages with gold to examples: windows of blocks, and what augmentation does to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.feature_numbers import GROUPS
from scrapy_boilernet.features import BAG_ROWS, Bag, Features, featurize
from scrapy_boilernet.page import Page
from scrapy_boilernet.training.align import soft_labels
from scrapy_boilernet.training.datasets import GoldPage
from scrapy_boilernet.training.fit import Example

WINDOW_BLOCKS = 256
"""Longest window trained on; the place and tree numbers still tell of the whole page."""
MIN_GOLD_RECALL = 0.5
"""Pages that show less of their gold text than this are not learned from: the gold is not there."""


@dataclass(frozen=True)
class LearningPage:
    """A page ready to learn from, with what its text is measured against."""

    source: GoldPage
    page: Page
    example: Example
    tokens: NDArray[np.float32]
    """Tokens per block."""
    gold_tokens: int


def learning_page(source: GoldPage, gold_tokens: int) -> LearningPage | None:
    """Return the page with soft labels, or None if it has no block or not its gold text."""
    page = blockify(source.html, url=source.url, encoding=source.encoding)
    shares, counts = soft_labels(page, source.gold or "")
    found = float((shares * counts).sum())
    if not page.blocks or (gold_tokens and found < MIN_GOLD_RECALL * gold_tokens):
        return None
    weights = np.sqrt(counts + 1)
    example = Example(featurize(page), shares, weights / weights.mean())
    return LearningPage(source, page, example, counts, gold_tokens)


def windows(example: Example, rng: np.random.Generator) -> Iterator[Example]:
    """Yield the example cut into windows, the cuts shifted at random."""
    length = len(example.targets)
    if length <= WINDOW_BLOCKS:
        yield example
        return
    first = int(rng.integers(WINDOW_BLOCKS // 2, WINDOW_BLOCKS + 1))
    cuts = [0, *range(first, length, WINDOW_BLOCKS), length]
    for begin, end in pairwise(cuts):
        if end - begin >= 16:
            yield _window(example, begin, end)


def _window(example: Example, begin: int, end: int) -> Example:
    bags = {}
    for name, bag in example.features.bags.items():
        low, high = bag.offsets[begin], bag.offsets[end]
        bags[name] = Bag(bag.ids[low:high], bag.offsets[begin : end + 1] - low)
    features = Features(example.features.numbers[begin:end], bags)
    return Example(features, example.targets[begin:end], example.weights[begin:end])


@dataclass(frozen=True)
class Augmentation:
    """Probabilities of losing inputs, so that no single kind of evidence is relied on.

    ``*_value`` drops a share of the distinct hashed values of a window, as if the site used
    other names; ``*_all`` drops the whole kind of input.
    """

    words_value: float = 0.4
    words_all: float = 0.2
    classes_value: float = 0.5
    classes_all: float = 0.25
    tags_value: float = 0.2
    tree_all: float = 0.35
    place_all: float = 0.25

    def __call__(self, example: Example, rng: np.random.Generator) -> Example:
        """Return the example with inputs dropped at random."""
        bags = dict(example.features.bags)
        for name, value, everything in (
            ("words", self.words_value, self.words_all),
            ("classes", self.classes_value, self.classes_all),
            ("tags", self.tags_value, 0.0),
        ):
            share = 1.0 if rng.random() < everything else value * rng.random() * 2
            bags[name] = _thinned(bags[name], rng.random(BAG_ROWS[name]) >= share)
        numbers = example.features.numbers.copy()
        for group, share in (("tree", self.tree_all), ("place", self.place_all)):
            if rng.random() < share:
                numbers[:, GROUPS[group]] = 0
        return Example(Features(numbers, bags), example.targets, example.weights)


def _thinned(bag: Bag, kept_values: NDArray[np.bool_]) -> Bag:
    keep = kept_values[bag.ids]
    offsets = np.concatenate([[0], np.cumsum(keep)])[bag.offsets]
    return Bag(bag.ids[keep], offsets)


def epoch_windows(
    pages: Sequence[LearningPage], augmentation: Augmentation, rng: np.random.Generator
) -> list[Example]:
    """Return all windows of all pages, augmented anew."""
    return [augmentation(window, rng) for page in pages for window in windows(page.example, rng)]
