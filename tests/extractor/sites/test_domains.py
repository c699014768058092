"""The known domain of a URL."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.sites.domains import longest_domain

KNOWN = {"example.com", "news.example.com", "org"}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://news.example.com/a", "news.example.com"),
        ("https://a.b.news.example.com:8080/a", "news.example.com"),
        ("https://shop.example.com./", "example.com"),
        ("https://a.org/", "org"),
        ("https://example.net/", None),
        ("https://notexample.com/", None),
        ("nothing", None),
        ("http://[::1", None),
    ],
)
def test_the_longest_known_domain(url: str, expected: str | None) -> None:
    assert longest_domain(url, KNOWN) == expected


def test_a_host_that_no_name_can_have_is_in_no_domain() -> None:
    """Else it takes a minute."""
    assert longest_domain(f"https://{'a.' * 300_000}example.com/", KNOWN) is None
