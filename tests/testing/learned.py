"""Made-up pages that are ready to learn from; for the tests that need torch."""

from __future__ import annotations

from functools import cache

import numpy as np

from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.training.boilernet import DefaultOptions
from scrapy_boilernet.lab.training.examples import LearningPage, learning_page
from scrapy_boilernet.lab.training.fit import Example

from .synthetic import LONG_MENU, article, gold_page, page_of, random_features

SMALL = DefaultOptions(
    epochs=12,
    patience=12,
    batch_windows=3,
    learning_rate=0.02,
    columns={"tags": 4, "classes": 4, "words": 4, "page": 2},
    dense=12,
    hidden=8,
    layers=1,
    dropout=0.1,
)
"""A recipe that takes a second."""


def prepared(source: GoldPage) -> LearningPage | None:
    """Return the page ready to learn from; its augmentation is always the same."""
    return learning_page(source, np.random.default_rng(0))


@cache
def learned(number: int, dataset: str = "made") -> LearningPage:
    """Return article ``number`` with a menu of more words than the article."""
    html, gold = article(number, 3, LONG_MENU)
    found = prepared(gold_page(number, dataset, html=html, gold=gold))
    assert found is not None
    return found


def toy(dataset: str, targets: list[float]) -> LearningPage:
    """Return a page with ten tokens per block and nothing to learn from."""
    wanted = np.array(targets, dtype=np.float32)
    features = random_features(len(targets), np.random.default_rng(0))
    example = Example(features, wanted, np.ones_like(wanted))
    sizes = np.full(len(targets), 10, dtype=np.float32)
    page = page_of(["one word and a word and three words again one"] * len(targets))
    source = gold_page(1, dataset)
    return LearningPage(source, page, example, example, sizes, int(10 * sum(targets)))
