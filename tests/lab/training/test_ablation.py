"""Inputs that are always dropped in training do not change the scores of the model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

from testing.learned import SMALL, learned

from scrapy_boilernet.extractor.features.hashed import Bag, Features
from scrapy_boilernet.extractor.labelers.boilernet.torch_engine import TorchLabeler
from scrapy_boilernet.lab.training.boilernet import (
    DefaultOptions,
    dropped_inputs,
    train_default,
    with_changes,
)

CHANGES = ["augmentation.words_all=1", "augmentation.numbers_all.tree=1"]
WITHOUT_PAGE_WORDS = ["augmentation.head_all=1", "augmentation.url_all=1"]


def scored(options: DefaultOptions, features: Features) -> list[float]:
    train, validation = [learned(n) for n in range(6)], [learned(100), learned(101)]
    spec, tensors = train_default("mine", train, validation, options, lambda _line: None)
    return list(TorchLabeler(spec, tensors)._score(features))


def without_words(features: Features) -> Features:
    bag = features.bags["words"]
    nothing = Bag(bag.ids[:0], np.zeros_like(bag.offsets))
    return replace(features, bags=dict(features.bags, words=nothing))


def test_inputs_that_are_always_dropped_in_training_do_not_change_scores() -> None:
    features = learned(7).example.features
    options = with_changes(SMALL, CHANGES)
    assert scored(options, features) == scored(options, without_words(features))
    assert scored(SMALL, features) != scored(SMALL, without_words(features))


def test_the_default_recipe_always_drops_nothing() -> None:
    assert dropped_inputs(DefaultOptions()) == []


def test_page_words_are_always_dropped_if_head_and_url_are() -> None:
    before = sum(DefaultOptions().columns[name] for name in ("tags", "classes", "words"))
    changed = with_changes(DefaultOptions(), WITHOUT_PAGE_WORDS)
    assert dropped_inputs(changed) == [slice(before, before + 16)]
    assert dropped_inputs(with_changes(DefaultOptions(), WITHOUT_PAGE_WORDS[:1])) == []
