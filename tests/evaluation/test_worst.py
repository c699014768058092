"""The worst pages are kept, in order, with what differs."""

from __future__ import annotations

import pytest

pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, gold_page

from scrapy_boilernet.evaluation.evaluate import WorstPage, WorstPages


def test_a_page_is_kept_with_its_differences() -> None:
    page = gold_page(1, "made", "a.com", gold="One two\nthree four\nfive", page_type="forum")
    worst = WorstPages()
    worst.show(page, "Menu\nthree four", 0.5)
    assert worst.pages() == [
        WorstPage(
            "made", "page1", "https://a.com/1", "forum", 0.5,
            lost=("One two", "five"), wrong=("Menu",),
        )
    ]  # fmt: skip


@QUICK
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=30), st.integers(0, 5))
def test_the_worst_are_kept_and_the_first_of_equal_ones(scores: list[float], number: int) -> None:
    worst = WorstPages(number)
    for n, score in enumerate(scores):
        worst.show(gold_page(0, id=f"p{n}", gold=""), "", score)
    ranked = sorted(enumerate(scores), key=lambda pair: (pair[1], pair[0]))[:number]
    assert [(page.page, page.f1) for page in worst.pages()] == [(f"p{n}", f1) for n, f1 in ranked]
