"""Addresses of a page's links and images."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.output.urls import (
    IMAGE_SCHEMES,
    LINK_SCHEMES,
    SafeUrls,
    base_url,
    safe_url,
)

_PIECES = st.sampled_from(
    ["/", "//", ".", "..", "a", "B1", "?", "#", ";", ":", "=", "&", "%20", "%", " ", "\\", "'", "é",
     "http:", "mailto:", "@", "[", "]", "(", ",", "\n"]
)  # fmt: skip
ADDRESSES = st.one_of(
    st.lists(_PIECES, max_size=9).map("".join),
    st.lists(_PIECES, max_size=9).map(lambda pieces: "/" + "".join(pieces)),
)
BASES = [
    "", "http://a.test", "https://a.test/b/c?d=/e#f", "http://a.test/b/../c//d/", "http:///x",
    "http://[::1]:80/x", "http://u:p'@a.test:99/x;y", "http://a.test\\b/", "HTTP://A.TEST/",
]  # fmt: skip


@pytest.mark.parametrize("base", BASES)
@given(url=ADDRESSES)
def test_addresses_that_need_no_parsing_are_what_parsing_gives(base: str, url: str) -> None:
    for schemes in (LINK_SCHEMES, IMAGE_SCHEMES):
        urls = SafeUrls(base, schemes)
        assert urls[url] == safe_url(url, base, schemes)
        assert urls == {url: urls[url]}


def test_addresses_below_the_site_and_beside_the_page() -> None:
    urls = SafeUrls(base_url("https://a.test/b/c", ""), LINK_SCHEMES)
    given_and_safe = {
        "/d/e.html?f=g;h#i": "https://a.test/d/e.html?f=g;h#i",
        "/d/../e": "https://a.test/e",
        "/d e": "https://a.test/d%20e",
        "d": "https://a.test/b/d",
        "//b.test/x": "https://b.test/x",
        "javascript:x": "",
        "/" + "x" * 5_000: "",
    }
    assert {url: urls[url] for url in given_and_safe} == given_and_safe
