"""Inputs dropped at random, so that no single kind of evidence is relied on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scrapy_boilernet.feature_numbers import GROUPS
from scrapy_boilernet.features import BAG_ROWS, PAGE_ROWS, Bag
from scrapy_boilernet.training.fit import Example


@dataclass(frozen=True)
class Augmentation:
    """Probabilities of losing inputs.

    ``*_value`` drops a share of the distinct hashed values of a window, as if the site used
    other names; ``*_all`` drops the whole kind of input.
    """

    words_value: float = 0.4
    words_all: float = 0.2
    classes_value: float = 0.5
    classes_all: float = 0.25
    tags_value: float = 0.2
    head_value: float = 0.3
    head_all: float = 0.3
    url_all: float = 0.65
    numbers_all: dict[str, float] = field(
        default_factory=lambda: {
            "place": 0.25, "tree": 0.35, "claims": 0.3, "kin": 0.3, "headings": 0.3,
        }
    )  # fmt: skip
    """Per group of numbers."""
    restyled: float = 0.25
    """How often a page is read in other markup."""

    def __call__(self, example: Example, rng: Generator) -> Example:
        """Return the example with inputs dropped at random."""
        features = example.features
        bags = dict(features.bags)
        for name, value, everything in (
            ("words", self.words_value, self.words_all),
            ("classes", self.classes_value, self.classes_all),
            ("tags", self.tags_value, 0.0),
        ):
            share = 1.0 if rng.random() < everything else value * rng.random() * 2
            bags[name] = _thinned(bags[name], rng.random(BAG_ROWS[name]) >= share)
        numbers = features.numbers.copy()
        for group, share in self.numbers_all.items():
            if rng.random() < share:
                numbers[:, GROUPS[group]] = 0
        head, url = self._page_words(example, rng)
        thinned = replace(features, numbers=numbers, bags=bags, head=head, url=url)
        return Example(thinned, example.targets, example.weights)

    def _page_words(
        self, example: Example, rng: Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        head, url = example.features.head, example.features.url
        if rng.random() < self.head_all:
            head = head[:0]
        if rng.random() < self.url_all:
            url = url[:0]
        kept = rng.random(PAGE_ROWS) >= self.head_value * rng.random() * 2
        return head[kept[head]], url[kept[url]]


def _thinned(bag: Bag, kept_values: NDArray[np.bool_]) -> Bag:
    keep = kept_values[bag.ids]
    offsets = np.concatenate([[0], np.cumsum(keep)])[bag.offsets]
    return Bag(bag.ids[keep], offsets)
