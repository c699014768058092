"""Words of a URL's shape: what kind of page it names, never which site."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.features.words import url_words

urls = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            ["http://", "//", "/", "blog", "news.", "[", "::1", "]", "@", ":99999", "?", "#", "%2F",
             "é", "２０２４", "a-b-c", ".html", "\x00", "\n", "\ud800", "例え", "..", "product"]
        ),
        max_size=15,
    ).map("".join),
)  # fmt: skip


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://example.com", "u:0 q:False"),
        ("https://example.com/?p=3", "u:0 q:True"),
        ("https://example.com/a", "u:1 q:False slug:1 dig:False ext: p:a"),
        ("https://blog.example.com/2024/05/tide-pools-warm/",
         "u:3 q:False slug:3 dig:False ext: h:blog"),
        ("http://www.shop.example/product/Item-20240501.HTML",
         "u:2 q:False slug:2 dig:True ext:html p:product p:item p:html"),
        ("https://example.com/" + "a/" * 90, "u:5 q:False slug:1 dig:False ext:" + " p:a" * 20),
        ("https://FORUM.example.com/t", "u:1 q:False slug:1 dig:False ext: p:t h:forum"),
    ],
)  # fmt: skip
def test_the_words_of_a_url(url: str, words: str) -> None:
    assert list(url_words(url)) == words.split(" ")


@pytest.mark.parametrize("url", [None, "", "http://[::1", "//["])
def test_without_a_url_there_are_no_words(url: str | None) -> None:
    assert url_words(url) == ()


@QUICK
@given(st.sampled_from(["reef", "shore.co.uk", "www.pools", "tides"]))
def test_the_site_is_not_told(site: str) -> None:
    path = "/blog/tide-pools.html?p=1#top"
    assert url_words(f"https://{site}.org{path}") == url_words(f"http://other.example{path}")


def test_the_words_of_a_headline_are_not_told() -> None:
    words = url_words("https://example.com/news/sea-stars-leave-warm-pools")
    assert [word for word in words if word.startswith("p:")] == ["p:news"]


@QUICK
@given(urls)
def test_no_url_makes_it_raise(url: str) -> None:
    words = url_words(url)
    assert words == url_words(url)
    assert len(words) <= 46
    assert all(word.partition(":")[1] for word in words)
