"""Embeddings looked up in NumPy, and pages that are scored together."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.models import random_tensors
from testing.synthetic import QUICK, TINY, page_of

from scrapy_boilernet.extractor.features.hashed import Bag, Features
from scrapy_boilernet.extractor.labelers.boilernet import scoring
from scrapy_boilernet.extractor.labelers.boilernet.scoring import Encoder, like_lengths, windows

few = st.lists(st.integers(0, 19), max_size=3)
many = st.lists(st.integers(0, 19), min_size=20, max_size=40)
WITH_PAGE = replace(TINY, page_bag=(20, 5))
TENSORS = random_tensors(WITH_PAGE, seed=1)


def bag_of(blocks: list[list[int]]) -> Bag:
    ids = np.array([number for block in blocks for number in block], dtype=np.int64)
    return Bag(ids, np.cumsum([0, *map(len, blocks)], dtype=np.int64))


def reduced(name: str, ids: list[int], mode: str) -> np.ndarray:
    table = TENSORS[f"{name}.weight"].astype(np.float64)
    total = sum((table[number] for number in ids), np.zeros(table.shape[1]))
    return total / max(len(ids), 1) if mode == "mean" else total


@QUICK
@given(
    st.lists(few | many, min_size=1, max_size=4), st.lists(st.integers(0, 3)), few,
    st.sampled_from(["mean", "sum"]),
)  # fmt: skip
def test_a_row_has_its_bags_the_pages_bag_and_its_numbers(
    kinds: list[list[int]], more: list[int], head: list[int], mode: str
) -> None:
    blocks = kinds + [kinds[number % len(kinds)] for number in more]  # many share their ids
    numbers = np.random.default_rng(0).normal(size=(len(blocks), 5)).astype(np.float32)
    places = [*range(len(kinds)), *(number % len(kinds) for number in more)]
    shared = bag_of(kinds), np.array(places, dtype=np.int64)
    bags = {"tags": replace(bag_of(blocks), shared=shared), "words": bag_of(blocks[::-1])}
    page = Features(numbers, bags, head=np.array(head, dtype=np.int64))
    found = Encoder(replace(WITH_PAGE, bag_mode=mode), TENSORS).encode(page)
    wanted = [
        np.concatenate(
            [
                reduced("bags.tags", block, mode),
                reduced("bags.words", other, mode),
                reduced("page_bag", head, mode),
                row,
            ]
        )
        for block, other, row in zip(blocks, blocks[::-1], numbers, strict=True)
    ]
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.array(wanted), rtol=0, atol=1e-4)


@pytest.mark.parametrize("blocks", [[[]], [[], []], [[], [1], []], [[1], [1]]])
def test_blocks_without_ids_have_zeros(blocks: list[list[int]]) -> None:
    numbers = np.zeros((len(blocks), 5), dtype=np.float32)
    page = Features(numbers, {"tags": bag_of(blocks), "words": bag_of(blocks)})
    found = Encoder(TINY, TENSORS).encode(page)
    assert found.any(axis=1).tolist() == [bool(block) for block in blocks]


lengths = st.lists(st.integers(0, 200), max_size=30)


@QUICK
@given(lengths)
def test_each_page_is_in_one_group_and_little_is_padded(found: list[int]) -> None:
    groups = like_lengths(found)
    assert sorted(i for group in groups for i in group) == list(range(len(found)))
    for group in groups:
        longest = max(found[i] for i in group)
        assert found[group[0]] == longest
        assert min(found[i] for i in group) >= 0.8 * longest


@QUICK
@given(lengths)
def test_windows_keep_the_order_and_their_bound(found: list[int]) -> None:
    pages = [page_of(["a"] * length) for length in found]
    with patch.object(scoring, "WINDOW_BLOCKS", 150):
        cut = list(windows(pages))
    assert [page for window in cut for page in window] == pages
    for window in cut:
        assert window
        assert len(window) == 1 or sum(len(page.blocks) for page in window) <= 150
    for one, other in pairwise(cut):  # no window is cut short
        assert sum(len(page.blocks) for page in (*one, other[0])) > 150
