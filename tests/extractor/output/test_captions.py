"""Markdown and HTML write pictures with their captions, whether or not these are content."""

from __future__ import annotations

from typing import Any

import pytest
from testing.labeled import from_probabilities

from scrapy_boilernet import LabeledPage, extract
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.output.formats import with_formats

URL = "https://example.org/harbour.html"
TEXT = "The blue boat was painted in the harbour by its crew, with the colour that was left over."
CAPTION = "The blue boat in the summer of 1964."
PICTURE = "![](https://example.org/boat.jpg)"


def made(body: str, *left_out: str, **options: Any) -> LabeledPage:
    """Return the page with Markdown and HTML; blocks with one of these texts are not kept."""
    html = f"<title>Boats</title><article><p>{TEXT}{body}<p>{TEXT}</article>"
    page = blockify(html, url=URL, markup=True)
    scores = [0.0 if block.text in left_out else 1.0 for block in page.blocks]
    labeled = from_probabilities(page, scores, 0.5, 1, "test")
    return with_formats(labeled, ("markdown", "html"), **options)


@pytest.mark.parametrize(
    "body",
    [
        f"<figure><img src=boat.jpg><figcaption>{CAPTION}</figcaption></figure>",
        "<figure><a href=big.jpg><img src=boat.jpg></a>"
        f"<figcaption><p>{CAPTION}</p></figcaption></figure>",
        f"<div class=wp-caption><img src=boat.jpg><p class=wp-caption-text>{CAPTION}</p></div>",
        f"<div class=photo><img src=boat.jpg><div class=caption>{CAPTION}</div></div>",
        f"<p><img src=boat.jpg></p><p class=bildunterschrift>{CAPTION}</p>",
    ],
)
def test_a_caption_stands_below_its_picture(body: str) -> None:
    result = made(body, CAPTION)
    markdown = (result.markdown or "").replace(f"[{PICTURE}](https://example.org/big.jpg)", PICTURE)
    assert markdown == f"{TEXT}\n\n{PICTURE}\n\n{CAPTION}\n\n{TEXT}"
    assert CAPTION in (result.html or "")
    assert CAPTION not in result.text
    assert CAPTION not in (made(body, CAPTION, beside=("title",)).markdown or "")


def test_each_picture_of_a_gallery_has_its_own() -> None:
    one = "<figure><img src={0}.jpg><figcaption>Boat {0} of them</figcaption></figure>"
    body = f"<div class=gallery>{one.format(1)}{one.format(2)}</div>"
    markdown = made(body, "Boat 1 of them", "Boat 2 of them").markdown or ""
    lines = markdown.split("\n\n")[1:-1]
    assert lines == [
        "![](https://example.org/1.jpg)", "Boat 1 of them",
        "![](https://example.org/2.jpg)", "Boat 2 of them",
    ]  # fmt: skip


def test_a_caption_above_its_picture_stays_there() -> None:
    body = f"<figure><figcaption>{CAPTION}</figcaption><img src=boat.jpg></figure>"
    assert (made(body, CAPTION).markdown or "").split("\n\n")[1:3] == [CAPTION, PICTURE]


@pytest.mark.parametrize(
    "body",
    [
        f"<figure><figcaption>{CAPTION}</figcaption></figure>",  # of a picture that scripts load
        f"<figure><img src=boat.jpg><figcaption hidden>{CAPTION}</figcaption></figure>",
        f"<img src=boat.jpg><p>{TEXT}</p><p class=caption>{CAPTION}</p>",
    ],
)
def test_other_captions_are_left_out(body: str) -> None:
    assert CAPTION not in (made(body, CAPTION).markdown or "")


@pytest.mark.parametrize(("captions", "has"), [("model", True), ("keep", True), ("drop", False)])
def test_the_option_drop_leaves_it_out_of_all_formats(captions: Any, has: bool) -> None:
    figure = f"<figure><img src=boat.jpg><figcaption>{CAPTION}</figcaption></figure>"
    html = f"<title>Boats</title><p>{TEXT}</p><p>{TEXT}</p>{figure}" + f"<p>{TEXT}</p>" * 3
    result = extract(html, URL, captions=captions, formats=("markdown", "html"))
    assert (CAPTION in (result.markdown or "")) == has
    assert (CAPTION in (result.html or "")) == has


def test_chunks_join_to_the_markdown_with_captions() -> None:
    figure = f"<figure><img src=boat.jpg><figcaption>{CAPTION}</figcaption></figure>"
    result = made(figure, CAPTION)
    for size in (8, 40, 500):
        joined = "".join(
            (result.markdown or "")[one.start : one.end] for one in result.chunks(size)
        )
        assert joined == result.markdown


FULL_SIZE = [
    "<a href=/big>{}</a>",
    "<div class=links><a href=/big class=btn>{}</a></div>",
    "<ol class=links-for-figure><li><a href=/big>{}</a></ol>",
]


@pytest.mark.parametrize("link", FULL_SIZE)
@pytest.mark.parametrize(
    "words", ["Full size image", "Download high-res image (300KB)", "Bild vergrößern", "拡大表示"]
)
def test_links_to_a_larger_image_cost_no_picture_and_no_caption(link: str, words: str) -> None:
    for figure in (
        f"<figure><img src=boat.jpg>{link}<figcaption>{CAPTION}</figcaption></figure>",
        f"<figure><div><img src=boat.jpg>{link}</div><p class=captions>{CAPTION}</p></figure>",
    ):
        for left_out in ((words, CAPTION), (words,)):
            markdown = made(figure.format(words), *left_out).markdown
            assert markdown == f"{TEXT}\n\n{PICTURE}\n\n{CAPTION}\n\n{TEXT}"
    under = f"<figure><figcaption>{CAPTION}</figcaption><img src=boat.jpg>{link}</figure>"
    markdown = made(under.format(words), words, CAPTION).markdown
    assert markdown == f"{TEXT}\n\n{CAPTION}\n\n{PICTURE}\n\n{TEXT}"


@pytest.mark.parametrize(
    "body",
    [
        "<figure><img src=boat.jpg><a href=/b>Another boat</a></figure>",
        "<figure><img src=boat.jpg><a href=/b>Another boat</a><p>A boat</p></figure>",
        "<figure><img src=boat.jpg><a href=/b>Another boat</a><p class=caption><a href=/b>A boat"
        "</a></figure>",
        "<div><img src=boat.jpg><a href=/b>Another boat</a><p class=caption>A boat</div>",
    ],
)
def test_pictures_of_teasers_stay_out(body: str) -> None:
    assert made(body, "Another boat", "A boat").markdown == f"{TEXT}\n\n{TEXT}"
