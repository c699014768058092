"""Pages that are scored together: all of them, in bounds, each with pages of like length."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, page_of

from scrapy_boilernet.labelers.scoring import like_lengths, windows

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
    cut = list(windows(pages, 150))
    assert [page for window in cut for page in window] == pages
    for window in cut:
        assert window
        assert len(window) == 1 or sum(len(page.blocks) for page in window) <= 150
    for one, other in pairwise(cut):  # no window is cut short
        assert sum(len(page.blocks) for page in (*one, other[0])) > 150
