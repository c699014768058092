"""Selectors of the content in a response, and links inside and outside of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector
from scrapy.http import HtmlResponse
from testing.labeled import from_kept
from testing.models import PAGES
from testing.reading_cases import READING_CASES
from testing.synthetic import QUICK

from scrapy_boilernet import LabeledPage
from scrapy_boilernet.extractor.html.blockify import blockify

PAGE = b"""<!DOCTYPE html><title>Pools</title><body>
<nav><a href=/>Home</a> <a href=/news>News</a></nav>
<main>They warm <a href=/night>at night</a>.
 <ul><li>North, <a href=north.html>map</a><li>South</ul>
 <a href=/card><h2>A card</h2></a>
 <div><a href=/advert>Buy</a></div>
 <p>Text <a name=x>anchor</a> <a href=/picture><img src=a.png></a>
</main><footer><a href=/imprint>Imprint</a></footer>"""
KEPT = ("They", "North", "South", "A card", "Text")


def labeled(html: bytes | str, keep: Callable[[str], bool]) -> LabeledPage:
    page = blockify(html, url="https://example.org/a/")
    kept = [keep(block.text) for block in page.blocks]
    return from_kept(page, kept, [0.5] * len(kept), 0.5, 0.5, "t", "model")


def response_of(body: bytes) -> HtmlResponse:
    return HtmlResponse("https://example.org/a/", body=body, encoding="utf-8")


def test_elements_of_the_content_in_order() -> None:
    result = labeled(PAGE, lambda text: text.startswith(KEPT))
    found = result.select(response_of(PAGE))
    assert [each.root.tag for each in found] == ["main", "li", "li", "h2", "p"]
    assert found.css("li a::text").getall() == ["map", "map"]
    assert type(found) is type(response_of(PAGE).css("li"))


def test_links_inside_and_outside_of_the_content() -> None:
    result = labeled(PAGE, lambda text: text.startswith(KEPT))
    response = response_of(PAGE)
    inside = result.select_links(response)
    assert inside.xpath("@href").getall() == ["/night", "north.html", "/card", "/picture"]
    outside = result.select_links(response, outside=True)
    assert outside.attrib["href"] == "/"
    assert outside.xpath("@href").getall() == ["/", "/news", "/advert", "/imprint"]


@pytest.mark.parametrize("name", READING_CASES)
def test_what_is_read_as_something_else_is_found(name: str) -> None:
    html = READING_CASES[name]
    result = labeled(html, bool)
    response = response_of(html.encode())
    assert len(result.select(response)) == len({block.nodes[-1] for block in result.page.blocks})
    assert len(result.select_links(response)) <= len(response.css("a[href]"))


def test_links_can_be_followed() -> None:
    result = labeled(PAGE, lambda text: text.startswith(KEPT))
    response = response_of(PAGE)
    requests = list(response.follow_all(result.select_links(response)))
    assert requests[1].url == "https://example.org/a/north.html"


def test_a_selector_may_be_given_instead_of_a_response() -> None:
    result = labeled(PAGE, lambda text: text.startswith(KEPT))
    selector = Selector(text=PAGE.decode())
    assert len(result.select(selector)) == 5
    assert len(result.select_links(selector)) == 4


def test_another_page_is_refused() -> None:
    result = labeled(PAGE, lambda text: text.startswith(KEPT))
    with pytest.raises(ValueError, match="give the response that was labeled"):
        result.select(response_of(b"<p>Another page"))
    with pytest.raises(ValueError, match="give the response that was labeled"):
        result.select_links(response_of(b"<p>Another page"))


def test_elements_that_count_as_others_are_found() -> None:
    html = "<p>Text <x-term hidden>They are</x-term> here.</p><p>North</p>"
    html += (
        "<mjx-container display=true><mjx-math data-latex='South^2'>x</mjx-math></mjx-container>"
    )
    result = labeled(html, lambda text: text.startswith(("They", "North", "South")))
    found = result.select(response_of(html.encode()))
    assert [element.root.tag for element in found] == ["x-term", "p", "mjx-container"]


def test_a_page_that_is_nested_too_deep_gives_nothing() -> None:
    deep = b"<div>" * 3000 + b"<a href=/x>text</a>"
    result = labeled(deep, lambda _: True)
    assert result.page.flat
    assert len(result.select(response_of(deep))) == 0
    assert len(result.select_links(response_of(deep), outside=True)) == 0


@pytest.mark.parametrize("name", sorted(path.stem for path in PAGES.glob("*.html")))
def test_they_are_the_elements_of_the_xpaths(name: str) -> None:
    body = (PAGES / f"{name}.html").read_bytes()
    result = labeled(body, lambda text: len(text) % 2 == 0)
    selector = Selector(body=body)
    expected = {selector.xpath(block.xpath)[0].root for block in result.content}
    found = result.select(selector)
    assert {each.root for each in found} == expected
    assert len(found) == len(expected)


@QUICK
@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<a href=x>", "</a>", "word ", "<div>", "</div>", "<img>", "</html>"]
        ),
        max_size=30,
    ).map("".join)
)
def test_each_link_is_inside_or_outside(html: str) -> None:
    result = labeled(html, lambda text: len(text) % 2 == 0)
    selector = Selector(text=html)
    both = [
        [each.root for each in result.select_links(selector, outside=outside)]
        for outside in (False, True)
    ]
    assert not set(both[0]) & set(both[1])
    assert len(both[0]) + len(both[1]) == len(selector.xpath("//a[@href]"))
