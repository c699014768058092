"""The same page in two data sets: found by its bytes or its URL, and by nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, gold_page

from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.same_pages import has_page, keys_of

PAGES = [gold_page(n, "news", f"paper{n}.com") for n in range(4)]
KEYS = keys_of(PAGES)


def at(url: str | None, number: int = 9) -> GoldPage:
    return gold_page(number, "crawl", url=url)


@QUICK
@given(st.integers(0, 3), st.sampled_from([None, "https://mirror.org/page"]))
def test_the_same_bytes_are_the_same_page_wherever_they_are(number: int, url: str | None) -> None:
    assert has_page(KEYS, replace(PAGES[number], dataset="crawl", id="other", url=url))


@QUICK
@given(
    st.integers(0, 3),
    st.sampled_from(["http://", "https://", "HTTPS://", ""]),
    st.sampled_from(["", "/", "#top", "/#comments/2"]),
)
def test_the_same_url_is_the_same_page_whatever_its_bytes(
    number: int, scheme: str, end: str
) -> None:
    assert has_page(KEYS, at(f"{scheme}paper{number}.com/{number}{end}"))


@pytest.mark.parametrize(
    "url",
    [
        None, "", "#top", "https://", "https://paper1.com/", "https://paper1.com/12",
        "https://paper1.com/1?page=2", "https://www.paper1.com/1", "https://mirror.org/paper1.com/1",
    ],
)  # fmt: skip
def test_other_bytes_at_another_url_are_another_page(url: str | None) -> None:
    assert not has_page(KEYS, at(url))


def test_pages_without_bytes_or_url_are_not_the_same() -> None:
    bare = [gold_page(n, html=b"", url=url) for n, url in enumerate((None, "", "https:///"))]
    assert keys_of(bare) == frozenset()
    assert not any(has_page(KEYS | keys_of(bare), page) for page in bare)
