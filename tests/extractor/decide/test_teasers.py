"""Titles of teasers are kept on pages that list others."""

from __future__ import annotations

import numpy as np
import pytest
from testing.listing_pages import (
    LISTING_URLS,
    PAGE_URLS,
    TEASERS,
    TITLES,
    listing_page,
    teasers,
)

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.teasers import complete_teasers
from scrapy_boilernet.extractor.html.blockify import blockify

HOME = "https://herald.example/"
WELCOME = "<p>Written and printed in the valley since 1904.</p>"


def added(html: str, url: str = HOME, confidence: float = 1.0, keep: bool = True) -> list[str]:
    """What is added to a page of which the paragraphs are kept, or nothing."""
    page = blockify(html, url)
    kept = np.array([keep and block.tags[-1] == "p" for block in page.blocks], np.bool_)
    completed = complete_teasers(page, kept, lambda: confidence)
    return [text for text, old, new in zip(page.texts, kept, completed, strict=True) if new > old]


@pytest.mark.parametrize("name", TEASERS)
def test_titles_of_teasers_are_added_and_nothing_else(name: str) -> None:
    assert added(listing_page(name)) == [*TITLES]


@pytest.mark.parametrize("url", LISTING_URLS)
def test_the_address_says_that_a_page_lists_others(url: str) -> None:
    assert added(WELCOME + teasers("headings"), url) == [*TITLES]


@pytest.mark.parametrize("url", PAGE_URLS)
def test_on_other_pages_the_confidence_decides(url: str) -> None:
    html = WELCOME + teasers("headings")
    assert added(html, url) == []
    assert added(html, url, confidence=0.49) == [*TITLES]
    assert added(html, url, confidence=0.5) == []


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="og:type" content="article">',
        '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Rain"}</script>',
        '<script type="application/ld+json">{"@type": "Product", "name": "Bread"}</script>',
        '<script type="application/ld+json">{"@type": "QAPage"}</script>',
    ],
)
def test_a_page_that_states_what_it_is_lists_no_others(head: str) -> None:
    assert added(listing_page("headings", head), confidence=0.1) == []


@pytest.mark.parametrize(
    "html",
    [
        teasers("headings", TITLES[:2]),
        f"<nav>{teasers('list')}</nav>",
        f"<aside>{teasers('list')}</aside>",
        f"<form>{teasers('list')}</form>",
        f'<div class="sidebar-box">{teasers("headings")}</div>',
        f'<ul class="related-stories">{teasers("list")}</ul>',
        f'<div class="comments">{teasers("class")}</div>',
        f"<div hidden>{teasers('list')}</div>",
        f'<div id="onetrust-consent-sdk">{teasers("headings")}</div>',
        "".join(f'<div class="module"><h2>{title}</h2></div>' for title in TITLES),
        "".join(f'<div class="tile"><a href="/{i}">{t}</a></div>' for i, t in enumerate(TITLES)),
        "".join(
            f'<div class="entitled"><a href="/{i}">{t}</a></div>' for i, t in enumerate(TITLES)
        ),
    ],
)
def test_what_stands_beside_or_is_no_title_is_left_out(html: str) -> None:
    assert added(WELCOME + html) == []


CHAPTERS = {"Nets": ("Knots", "Floats"), "Boats": ("Oars", "Sails"), "Tides": ("Springs", "Neaps")}


def contents(outer: str, heading: str, inner: str, attributes: str = "") -> str:
    """A table of contents with links to the parts of each chapter below it."""
    entry, below = ("dd" if tag == "dl" else "li" for tag in (outer, inner))

    def link(text: str) -> str:
        return f'<a href="/{text}">{text}</a>'

    return f"<{outer} {attributes}>{{}}</{outer}>".format(
        "".join(
            f"<{entry}><{heading}>{link(chapter)}</{heading}><{inner}>"
            f"{''.join(f'<{below}>{link(part)}</{below}>' for part in parts)}</{inner}></{entry}>"
            for chapter, parts in CHAPTERS.items()
        )
    )


@pytest.mark.parametrize("outer", ["ul", "ol", "dl"])
@pytest.mark.parametrize("inner", ["ul", "ol", "dl"])
def test_links_below_titles_are_added(outer: str, inner: str) -> None:
    html = contents(outer, "h3", inner)
    every = [text for chapter, parts in CHAPTERS.items() for text in (chapter, *parts)]
    assert added(WELCOME + html) == every
    plain = html.replace("<a ", "<b ").replace("</a>", "</b>")
    assert added(WELCOME + plain + teasers("headings")) == [*TITLES]


@pytest.mark.parametrize(
    "html",
    [
        contents("ul", "p", "ul"),
        f"<nav>{contents('ul', 'h3', 'ul')}</nav>",
        contents("ul", "h3", "ul", "class=menu"),
    ],
)
def test_lists_in_other_lists_are_not_below_titles(html: str) -> None:
    parts = {part for parts in CHAPTERS.values() for part in parts}
    assert parts.isdisjoint(added(WELCOME + html + teasers("list")))


def test_nothing_is_added_to_a_page_of_which_nothing_is_kept() -> None:
    assert added(listing_page("headings"), keep=False) == []


@pytest.mark.parametrize("name", TEASERS)
def test_the_step_is_named_and_a_fixed_threshold_switches_it_off(name: str) -> None:
    result = extract(listing_page(name), HOME)
    assert {*TITLES} <= {*result.text.split("\n")}
    assert "Old two" not in result.text
    assert "teaser" not in extract(listing_page(name), HOME, threshold=0.5).steps
