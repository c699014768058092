"""Label scores of both classes, of blocks and of leaves, against cases counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.labeled import from_probabilities
from testing.synthetic import QUICK, page_of

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.metrics import (
    Score,
    block_counts,
    label_counts,
    label_scores,
    labels_from_text,
    leaf_labels,
    leaf_labels_from_text,
    own_labels,
)


def test_label_scores_are_of_both_classes() -> None:
    labels = np.array([1, 1, 1, 0, 0, 0, 0], dtype=bool)
    gold = np.array([1, 0, 0, 1, 0, 0, 0], dtype=bool)
    content, boilerplate = label_scores(labels, gold)
    assert content == Score(1 / 3, 1 / 2, 2 / 5)
    assert boilerplate == Score(3 / 4, 3 / 5, 6 / 9)


def test_labels_that_are_all_right_score_1() -> None:
    gold = np.array([True, False, True])
    assert label_scores(gold, gold) == (Score(1, 1, 1), Score(1, 1, 1))


def test_a_class_that_does_not_occur_scores_0() -> None:
    gold = np.array([True, True])
    assert label_scores(gold, gold)[1] == Score(0, 0, 0)


@QUICK
@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=20))
def test_classes_swap_when_labels_are_turned_round(pairs: list[tuple[bool, bool]]) -> None:
    both = np.array(pairs, dtype=bool).reshape(-1, 2)
    content, boilerplate = label_scores(both[:, 0], both[:, 1])
    assert label_scores(~both[:, 0], ~both[:, 1]) == (boilerplate, content)


def labeled(page: Page, kept: list[bool]) -> LabeledPage:
    return from_probabilities(page, [float(k) for k in kept], 0.5, 0.5, "made")


@QUICK
@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=20))
def test_counts_add_up_to_the_labels(pairs: list[tuple[bool, bool]]) -> None:
    both = np.array(pairs, dtype=bool).reshape(-1, 2)
    assert sum(label_counts(both[:, 0], both[:, 1])) == len(pairs)


def test_blocks_are_content_if_gold_keeps_more_than_half_of_them() -> None:
    page = page_of(["menu", "one two three four", "half of it", "* * *", "alpha beta"])
    gold = "one two three\nalpha"  # 3 of 4 tokens; 1 of 2 is not more than half
    counts = block_counts(page, np.array([True, True, False, True, False]), gold)
    assert counts == (1, 1, 0, 2)


def test_a_text_keeps_the_blocks_of_which_it_has_more_than_half() -> None:
    page = page_of(["menu", "one two three", "four five", "- -"])
    assert labels_from_text(page, "two three five").tolist() == [False, True, False, False]
    assert labels_from_text(page, "").tolist() == [False] * 4
    assert labels_from_text(page_of([]), "a").tolist() == []


def test_a_peer_that_gives_the_gold_text_has_no_wrong_block() -> None:
    page = page_of(["menu", "one two three", "four five"])
    gold = "one two three\nfour five"
    assert block_counts(page, labels_from_text(page, gold), gold) == (2, 0, 0, 1)


def test_own_labels_are_those_of_the_page() -> None:
    assert own_labels(labeled(page_of(["a", "b"]), [True, False])).tolist() == [True, False]


def test_leaves_take_the_label_of_the_block_that_holds_them() -> None:
    html = "<p>Some <b>bold</b> text</p><ul><li>Home</li><li>News</li></ul><p>Last</p>"
    blocks, leaves = blockify(html), blockify(html, units="leaf")
    assert [leaf.text for leaf in leaves.blocks] == ["Some", "bold", "text", "Home", "News", "Last"]
    found = leaf_labels(leaves, labeled(blocks, [True, False, True, False]))
    assert found.tolist() == [True, True, True, False, True, False]


def test_a_leaf_across_two_blocks_takes_the_label_of_its_greater_part() -> None:
    leaves = page_of(["one two three", "four five"], "leaf")
    found = leaf_labels(leaves, labeled(page_of(["one two", "three four five"]), [True, False]))
    assert found.tolist() == [True, False]
    tie = leaf_labels(leaves, labeled(page_of(["one two three four", "five"]), [True, False]))
    assert tie.tolist() == [True, False]


def test_a_leaf_that_no_block_holds_is_boilerplate() -> None:
    leaves = page_of(["gone", "* *"], "leaf")
    assert leaf_labels(leaves, labeled(page_of(["here"]), [True])).tolist() == [False, False]


def test_a_leaf_without_tokens_takes_the_label_before_it() -> None:
    leaves = page_of(["*", "menu", "|", "read this", ".", "...", "imprint"], "leaf")
    expected = [False, False, False, True, True, True, False]
    blocks = page_of(["menu", "read this.", "imprint"])
    assert leaf_labels(leaves, labeled(blocks, [False, True, False])).tolist() == expected
    assert leaf_labels_from_text(leaves, "Read this.").tolist() == expected
    assert leaf_labels_from_text(page_of([], "leaf"), "a").tolist() == []
