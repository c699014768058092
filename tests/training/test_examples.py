"""Examples: windows cover a page, augmentation only takes away and keeps arrays valid."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.feature_numbers import GROUPS
from scrapy_boilernet.features import NUMBERS, Bag, featurize
from scrapy_boilernet.tokens import tokens
from scrapy_boilernet.training.examples import (
    WINDOW_BLOCKS,
    Augmentation,
    epoch_windows,
    learning_page,
    windows,
)
from scrapy_boilernet.training.fit import Example

from .synthetic import QUICK, article, gold_page, page_of

NOTHING_LOST = Augmentation(0, 0, 0, 0, 0, 0, 0)
EVERYTHING_LOST = Augmentation(1, 1, 1, 1, 1, 1, 1)


def example(length: int) -> Example:
    """An example whose targets number its blocks; no two blocks have the same words."""
    page = page_of(f"word{i} other{i}" for i in range(length))
    order = np.arange(length, dtype=np.float32)
    return Example(featurize(page), order, order + 1)


def ids_of(bag: Bag, block: int) -> list[int]:
    return bag.ids[bag.offsets[block] : bag.offsets[block + 1]].tolist()


def check_valid(found: Example) -> None:
    length = len(found.targets)
    assert found.weights.shape == (length,)
    assert found.features.numbers.shape == (length, NUMBERS)
    for bag in found.features.bags.values():
        assert bag.offsets.shape == (length + 1,)
        assert bag.offsets[0] == 0
        assert bag.offsets[-1] == len(bag.ids)
        assert (np.diff(bag.offsets) >= 0).all()


@pytest.mark.parametrize("length", [1, 100, WINDOW_BLOCKS])
def test_a_page_that_fits_is_one_window(length: int) -> None:
    whole = example(length)
    assert list(windows(whole, np.random.default_rng(0))) == [whole]


@QUICK
@given(st.integers(WINDOW_BLOCKS + 1, 900), st.integers(0, 99))
def test_windows_cover_all_blocks_in_order_but_a_tiny_rest(length: int, seed: int) -> None:
    found = list(windows(example(length), np.random.default_rng(seed)))
    order = np.concatenate([window.targets for window in found])
    assert order.tolist() == list(range(len(order)))
    assert length - len(order) < 16
    assert all(16 <= len(window.targets) <= WINDOW_BLOCKS for window in found)


def test_windows_keep_what_belongs_to_each_block() -> None:
    whole = example(700)
    for window in windows(whole, np.random.default_rng(3)):
        check_valid(window)
        for i in (0, len(window.targets) - 1):
            block = int(window.targets[i])
            assert window.weights[i] == block + 1
            assert (window.features.numbers[i] == whole.features.numbers[block]).all()
            for name, bag in window.features.bags.items():
                assert ids_of(bag, i) == ids_of(whole.features.bags[name], block)


def test_cuts_are_shifted_at_random() -> None:
    rng, whole = np.random.default_rng(0), example(600)
    assert len({len(next(windows(whole, rng)).targets) for _ in range(10)}) > 1


@QUICK
@given(st.integers(0, 9999))
def test_augmentation_keeps_shapes_and_leaves_bags_that_are_subsets(seed: int) -> None:
    whole = example(40)
    found = Augmentation()(whole, np.random.default_rng(seed))
    check_valid(found)
    assert found.targets is whole.targets
    for name, bag in found.features.bags.items():
        before = whole.features.bags[name]
        for block in range(40):
            left = iter(ids_of(before, block))
            assert all(value in left for value in ids_of(bag, block))  # in their order


def test_augmentation_drops_a_value_everywhere_or_nowhere() -> None:
    html, gold = article(1)
    page = learning_page(gold_page(1, html=html, gold=gold), len(tokens(gold)))
    assert page is not None
    before = page.example.features.bags["classes"].ids.tolist()
    some_value = Augmentation(0, 0, 0.5, 0, 0, 0, 0)
    after = some_value(page.example, np.random.default_rng(2)).features.bags["classes"].ids.tolist()
    assert 0 < len(after) < len(before)
    assert all(after.count(value) == before.count(value) for value in set(after))


def test_augmentation_of_nothing_changes_nothing() -> None:
    whole = example(30)
    found = NOTHING_LOST(whole, np.random.default_rng(0))
    assert (found.features.numbers == whole.features.numbers).all()
    for name, bag in found.features.bags.items():
        assert (bag.ids == whole.features.bags[name].ids).all()
        assert (bag.offsets == whole.features.bags[name].offsets).all()


def test_augmentation_of_everything_leaves_the_texts_own_numbers() -> None:
    whole = example(30)
    before = whole.features.numbers.copy()
    found = EVERYTHING_LOST(whole, np.random.default_rng(0))
    check_valid(found)
    assert not len(found.features.bags["words"].ids)
    assert not len(found.features.bags["classes"].ids)
    assert not found.features.numbers[:, GROUPS["place"]].any()
    assert not found.features.numbers[:, GROUPS["tree"]].any()
    assert (found.features.numbers[:, GROUPS["text"]] == before[:, GROUPS["text"]]).all()
    assert (whole.features.numbers == before).all()


def test_a_learning_page_has_soft_labels_and_weights_of_mean_1() -> None:
    source = gold_page(1)
    page = learning_page(source, len(tokens(source.gold or "")))
    assert page is not None
    assert page.source is source
    assert len(page.example.targets) == len(page.page.blocks) == len(page.tokens)
    assert page.example.weights.mean() == pytest.approx(1, abs=1e-5)
    assert page.example.weights.dtype == page.example.targets.dtype == "float32"
    assert float((page.example.targets * page.tokens).sum()) == page.gold_tokens


def test_longer_blocks_weigh_more() -> None:
    page = learning_page(gold_page(1, html=b"<p>one</p><p>a b c d e f g h</p>", gold="one"), 1)
    assert page is not None
    assert page.example.weights[1] / page.example.weights[0] == pytest.approx((9 / 2) ** 0.5)


def test_a_page_that_does_not_show_its_gold_is_not_learned_from() -> None:
    shown = gold_page(1, html=b"<p>one two</p>", gold="one two three four")
    assert learning_page(shown, 4) is not None
    assert learning_page(gold_page(1, html=b"<p>one</p>", gold="one two three four"), 4) is None
    assert learning_page(gold_page(1, html=b"", gold=""), 0) is None


def test_a_page_with_empty_gold_teaches_boilerplate() -> None:
    page = learning_page(gold_page(1, gold=""), 0)
    assert page is not None
    assert not page.example.targets.any()


def test_an_epoch_has_the_windows_of_all_pages() -> None:
    pages = [learning_page(p, len(tokens(p.gold or ""))) for p in (gold_page(1), gold_page(2))]
    found = epoch_windows([p for p in pages if p], Augmentation(), np.random.default_rng(0))
    assert [len(e.targets) for e in found] == [len(p.page.blocks) for p in pages if p]
