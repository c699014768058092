"""Headings that are links to the home page, which are no headlines of other pages."""

from __future__ import annotations

from time import perf_counter

import pytest

from scrapy_boilernet.extractor.decide.headline import find_title
from scrapy_boilernet.extractor.html.blockify import blockify

URL = "https://www.coast.example/tides/pools.html"


def headline(html: str, url: str | None = URL) -> list[str]:
    page = blockify(html, url)
    return [page.texts[i] for i in sorted(find_title(page, [True] * len(page.blocks)))]


@pytest.mark.parametrize(
    "name",
    [
        "<h1><a href=/>The Coast</a></h1>",
        "<h1><a href='https://www.coast.example/'>The Coast</a></h1>",
        "<h1><a href='http://coast.example'>The Coast</a></h1>",
        "<h1><a href='//COAST.example/index.php'>The <b>Coast</b></a></h1>",
        "<a href=/><h1>The Coast</h1></a>",
        "<a href=/><div><h2>The Coast</h2></div></a>",
        "<h2><span><a href=' / '>The Coast</a></span></h2>",
    ],
)
def test_the_name_of_the_site_is_no_headline(name: str) -> None:
    title = "<title>Pools - The Coast</title>"
    assert headline(f"{title}{name}<h1>Pools</h1><p>Water.") == ["Pools"]
    assert headline(f"{title}{name}<p>Water.") == []


@pytest.mark.parametrize(
    ("heading", "url"),
    [
        ("<h1><a href=/>The Coast</a></h1>", "https://coast.example/"),
        ("<h1><a href=/>The Coast</a></h1>", "https://coast.example/index.html"),
        ("<h1><a href=/>The Coast</a></h1>", None),
        ("<h1><a href=/>The Coast</a></h1>", "not an address"),
        ("<h1><a href=/tides/>The Coast</a></h1>", URL),
        ("<h1><a href='/?p=7'>The Coast</a></h1>", URL),
        ("<h1><a href=''>The Coast</a></h1>", URL),
        ("<h1><a href='#'>The Coast</a></h1>", URL),
        ("<h1><a>The Coast</a></h1>", URL),
        ("<h1><a href='https://harbour.example/'>The Coast</a></h1>", URL),
        ("<h1><a href=/tides/pools.html>The Coast</a></h1>", URL),
        ("<h1>The Coast <a href=/>home</a></h1>", URL),
    ],
)
def test_other_headings_are_headlines(heading: str, url: str | None) -> None:
    text = headline(f"<title>The Coast</title>{heading}<p>Water.", url)
    assert len(text) == 1
    assert text[0].startswith("The Coast")


def test_many_and_long_links_take_linear_time() -> None:
    link = "<h1><a href='" + "/" * 1_000_000 + "'>A</a></h1>"
    begin = perf_counter()
    blockify("<a href=/>" * 20_000 + link * 3 + "<h2>" * 20_000, "http://" + "a/" * 500_000)
    assert perf_counter() - begin < 5
