"""Numbers of the subtrees that a block stands in: a wrapper without content changes nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.features.hashed import featurize
from scrapy_boilernet.extractor.features.numbers import (
    BLOCK_NUMBERS,
    GROUPS,
    SAME_TAGS_NUMBERS,
)
from scrapy_boilernet.extractor.html.blockify import blockify

SUBTREES = slice(0, -len(SAME_TAGS_NUMBERS))
"""The rest is of paths of the same tags, which a wrapper does change."""
Tree = list["Tree | str"]

leaves = st.sampled_from(["Tide pools", "warm", "<a href=/>Sign in</a>", "the sea stars leave"])
trees = st.recursive(leaves, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=12)


def tree_numbers(html: str) -> np.ndarray:
    return featurize(blockify(html)).numbers[:, GROUPS["tree"]]


def markup(tree: Tree | str, wrappers: list[int]) -> str:
    """The tree as nested divs, each inside as many more as ``wrappers`` says next."""
    inner = (
        f"<p>{tree}</p>" if isinstance(tree, str) else "".join(markup(t, wrappers) for t in tree)
    )
    more = wrappers.pop() if wrappers else 0
    return "<div>" * (1 + more) + inner + "</div>" * (1 + more)


@QUICK
@given(trees, st.lists(st.integers(0, 2), max_size=20))
def test_wrappers_anywhere_change_no_subtree(tree: Tree | str, wrappers: list[int]) -> None:
    plain, wrapped = tree_numbers(markup(tree, [])), tree_numbers(markup(tree, wrappers))
    np.testing.assert_array_equal(plain[:, SUBTREES], wrapped[:, SUBTREES])


def test_a_wrapper_around_the_page_changes_nothing_at_all() -> None:
    inner = "<ul><li>One two</li><li>Three</li></ul><p>Four five six.</p>"
    plain, wrapped = (tree_numbers(f"<body>{wrap}{inner}") for wrap in ("", "<div><div>"))
    np.testing.assert_array_equal(plain, wrapped)


def test_the_nearest_subtrees_come_first_and_the_last_is_repeated() -> None:
    found = tree_numbers(
        "<ul><li>one two</li><li><a href=/>three four</a></li></ul><p>five six</p>"
    )

    def subtree(words: float, links: float, blocks: float, page: float = 6) -> list[float]:
        return [words / page, links / words, math.log1p(words / blocks) / 4, math.log1p(blocks) / 6]

    item, linked, items, page = (
        subtree(2, 0, 1),
        subtree(2, 2, 1),
        subtree(4, 2, 2),
        subtree(6, 2, 3),
    )
    assert found[0, SUBTREES] == pytest.approx([*item, *items, *page, *page, *page])
    assert found[1, SUBTREES] == pytest.approx([*linked, *items, *page, *page, *page])
    assert found[2, SUBTREES] == pytest.approx([*item, *page, *page, *page, *page])
    assert found[0, -3:] == pytest.approx([2 / 6, 0, math.log1p(2) / 4])


def test_a_page_without_blocks_has_no_rows() -> None:
    assert tree_numbers("").shape == (0, len(BLOCK_NUMBERS["tree"]))
