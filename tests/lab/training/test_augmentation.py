"""Augmentation drops inputs, keeps arrays valid and does not change the targets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, article

from scrapy_boilernet.extractor.features.hashed import NUMBERS, Features, featurize
from scrapy_boilernet.extractor.features.numbers import GROUPS
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.lab.training.augment import Augmentation
from scrapy_boilernet.lab.training.fit import Example

HEAD = b"""<meta property="og:type" content="article"><meta name="description" content="Pools">
<script type="application/ld+json">{"@type": "Article"}</script>"""
NOTHING = dict.fromkeys(Augmentation().numbers_all, 0.0)
EVERYTHING = dict.fromkeys(NOTHING, 1.0)
NOTHING_DROPPED = Augmentation(0, 0, 0, 0, 0, 0, 0, 0, NOTHING, 0)
EVERYTHING_DROPPED = replace(
    NOTHING_DROPPED, words_all=1, classes_all=1, head_all=1, url_all=1, numbers_all=EVERYTHING
)


def example() -> Example:
    html = article(1)[0].replace(b"<head>", b"<head>" + HEAD)
    page = blockify(html, "https://www.shore.example/blog/2024/tide-pools-warm.html")
    order = np.arange(len(page.blocks), dtype=np.float32)
    return Example(featurize(page), order, order + 1)


def applied(augmentation: Augmentation, seed: int = 0) -> tuple[Features, Features]:
    """Return the features before and after, and check targets and weights."""
    whole = example()
    found = augmentation(whole, np.random.default_rng(seed))
    assert found.targets is whole.targets
    assert found.weights is whole.weights
    assert np.array_equal(whole.features.numbers, example().features.numbers)
    return whole.features, found.features


def remains(before: list[int], after: list[int]) -> bool:
    """Whether ``after`` is ``before`` without some entries, in the same order."""
    left = iter(before)
    return all(value in left for value in after)


@QUICK
@given(st.integers(0, 9999))
def test_arrays_stay_valid_and_lose_entries_only(seed: int) -> None:
    before, after = applied(Augmentation(), seed)
    blocks = len(before.numbers)
    assert after.numbers.shape == (blocks, NUMBERS)
    assert np.logical_or(after.numbers == before.numbers, after.numbers == 0).all()
    for name, bag in after.bags.items():
        old = before.bags[name]
        assert bag.offsets.shape == (blocks + 1,)
        assert (bag.offsets[0], bag.offsets[-1]) == (0, len(bag.ids))
        for i in range(blocks):
            mine, theirs = (b.ids[b.offsets[i] : b.offsets[i + 1]].tolist() for b in (bag, old))
            assert remains(theirs, mine)
    assert remains(before.head.tolist(), after.head.tolist())
    assert remains(before.url.tolist(), after.url.tolist())


def test_a_share_of_0_keeps_everything() -> None:
    before, after = applied(NOTHING_DROPPED)
    assert np.array_equal(after.numbers, before.numbers)
    assert np.array_equal(after.page, before.page)
    for name, bag in after.bags.items():
        assert np.array_equal(bag.ids, before.bags[name].ids)
        assert np.array_equal(bag.offsets, before.bags[name].offsets)


def test_a_share_of_1_drops_all_except_the_texts_numbers_and_the_tags() -> None:
    before, after = applied(EVERYTHING_DROPPED)
    assert [len(after.bags[name].ids) for name in ("words", "classes")] == [0, 0]
    assert np.array_equal(after.bags["tags"].ids, before.bags["tags"].ids)
    assert (len(before.head) > 0, len(before.url) > 0, len(after.page)) == (True, True, 0)
    assert np.array_equal(after.numbers[:, GROUPS["text"]], before.numbers[:, GROUPS["text"]])
    assert not after.numbers[:, GROUPS["text"].stop :].any()


@pytest.mark.parametrize("group", sorted(NOTHING))
def test_a_group_of_numbers_can_be_dropped_alone(group: str) -> None:
    before, after = applied(replace(NOTHING_DROPPED, numbers_all=NOTHING | {group: 1.0}))
    changed = np.flatnonzero((before.numbers != after.numbers).any(axis=0))
    assert set(changed.tolist()) <= set(range(NUMBERS)[GROUPS[group]])


def test_every_group_of_numbers_except_the_texts_can_be_dropped() -> None:
    assert {*NOTHING, "text"} == set(GROUPS)


@pytest.mark.parametrize("name", ["words", "classes", "tags"])
def test_a_value_is_dropped_everywhere_or_nowhere(name: str) -> None:
    some = replace(NOTHING_DROPPED, **{f"{name}_value": 0.5})
    before, after = applied(some, seed=2)
    old, new = before.bags[name].ids.tolist(), after.bags[name].ids.tolist()
    assert 0 < len(new) < len(old)
    assert all(new.count(value) == old.count(value) for value in set(new))


def test_words_of_the_head_are_dropped_one_by_one_or_all() -> None:
    sizes = {len(applied(Augmentation(), seed)[1].head) for seed in range(40)}
    assert 0 in sizes
    assert len(sizes) > 5
