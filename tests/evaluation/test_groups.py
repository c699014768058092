"""Groups of pages that must not be split: registered domains and near-duplicates."""

from __future__ import annotations

import numpy as np
import pytest
from testing.synthetic import sentence

from scrapy_boilernet.evaluation.datasets import GoldPage
from scrapy_boilernet.evaluation.splits import domain, groups, held_out, near_duplicates


def page(name: str, url: str | None = None, gold: str | None = None) -> GoldPage:
    return GoldPage("set", name, b"", gold, url=url)


def long_text(seed: int, words: int = 200) -> str:
    return sentence(np.random.default_rng(seed), words)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.example.com/a?b=1", "example.com"),
        ("http://News.BBC.co.uk:8080/story", "bbc.co.uk"),
        ("https://a.b.example.com.au/", "example.com.au"),
        ("http://192.168.0.1/x", "192.168.0.1"),
        ("http://localhost/x", "localhost"),
    ],
)
def test_the_domain_is_the_registered_one(url: str, expected: str) -> None:
    assert domain(page("p", url)) == expected


def test_a_page_without_url_is_a_domain_of_its_own() -> None:
    assert domain(page("p1")) == "set/p1"
    assert domain(page("p1")) != domain(page("p2"))


def test_a_host_kept_in_the_id_counts_where_there_is_no_url() -> None:
    assert domain(page("20120110_www.example.co.uk_ab12cd")) == "example.co.uk"


@pytest.mark.parametrize("url", ["http://[::1/broken", "http://[bad]/"])
def test_a_url_that_cannot_be_read_counts_as_none(url: str) -> None:
    assert domain(page("p1", url)) == "set/p1"


def test_texts_that_share_most_shingles_are_near_duplicates() -> None:
    text = long_text(1)
    edited = text + " And a new ending that the other one lacks."
    assert near_duplicates([text, long_text(2), edited]) == [(0, 2)]


def test_a_text_inside_a_longer_one_is_a_near_duplicate() -> None:
    assert near_duplicates([long_text(1, 100), long_text(1, 100) + long_text(2, 400)]) == [(0, 1)]


def test_different_empty_and_tiny_texts_are_not_near_duplicates() -> None:
    assert near_duplicates([long_text(1), long_text(2), "", "", "a b", "a b"]) == []


def test_text_without_spaces_is_compared_too() -> None:
    rng = np.random.default_rng(0)
    text = "".join(chr(code) for code in rng.integers(0x4E00, 0x9F00, size=200))
    other = "".join(chr(code) for code in rng.integers(0x4E00, 0x9F00, size=200))
    assert near_duplicates([text, other, text[:150]]) == [(0, 2)]


def test_many_copies_of_one_text_are_still_near_duplicates() -> None:
    assert near_duplicates([long_text(1)] * 25)


def test_pages_of_one_domain_share_a_group() -> None:
    found = groups(
        [page("a", "https://x.example.org/1"), page("b", "https://other.net/"),
         page("c", "https://y.example.org/2")]
    )  # fmt: skip
    assert found[0] == found[2] != found[1]


def test_groups_are_joined_through_domains_and_near_duplicates_alike() -> None:
    text = long_text(1)
    found = groups(
        [
            page("a", "https://one.com/1", long_text(3)),
            page("b", "https://one.com/2", text),
            page("c", "https://two.com/1", text + " More."),
            page("d", "https://two.com/2", long_text(4)),
            page("e", "https://three.com/", long_text(5)),
        ]
    )
    assert len(set(found[:4])) == 1
    assert found[4] not in found[:4]


def test_held_out_is_a_fixed_draw_of_about_one_in_so_many() -> None:
    names = [f"site{n}.com" for n in range(1000)]
    drawn = [held_out(name, 5) for name in names]
    assert drawn == [held_out(name, 5) for name in names]
    assert 150 < sum(drawn) < 250


def test_a_salt_makes_an_independent_draw() -> None:
    names = [f"site{n}.com" for n in range(1000)]
    both = sum(held_out(name, 5) and held_out(name, 5, "salt:") for name in names)
    assert 10 < both < 80
