"""What the walk records of a page's markup, as plain data."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, asdict

import pytest

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.markup import CODE, EMPHASIS, STRONG, Cell, Markup, Span
from scrapy_boilernet.extractor.page import Page


def markup_of(html: str) -> Markup:
    markup = blockify(html, markup=True).markup
    assert markup is not None
    return markup


def test_a_page_has_none_unless_it_is_asked_for() -> None:
    assert blockify("<p>a").markup is None
    assert Page(None, "", (), "").markup is None


def test_leaves_have_none() -> None:
    with pytest.raises(ValueError, match="markup of 'leaf' units"):
        blockify("<p>a", units="leaf", markup=True)


def test_spans_have_links_and_marks() -> None:
    (spans,) = markup_of("<p>a <b>b <i>c</i></b><a href=d>e<code>f</code></a>").spans
    assert spans == (
        Span("a "),
        Span("b ", marks=STRONG),
        Span("c", marks=STRONG + EMPHASIS),
        Span("e", href="d"),
        Span("f", href="d", marks=CODE),
    )


def test_plain_text_needs_no_span() -> None:
    assert markup_of("<p>a<p><span>b</span> <span>c</span><p><a>d</a>").spans == ((), (), ())


def test_texts_of_one_link_are_one_span() -> None:
    assert markup_of("<p><a href=x>a <span>b</span></a>").spans == ((Span("a b", href="x"),),)


def test_neighbours_of_one_style_are_one_span() -> None:
    html = "<p><b>a</b> <b> b</b><a href=x><u>c</u> d</a><a href=y>ee</a> <u>f</u> <a>g</a>"
    assert markup_of(html).spans == (
        (
            Span("a", marks=STRONG),
            Span(" "),
            Span("b", marks=STRONG),
            Span("c d", href="x"),
            Span(" ee", href="y"),
            Span(" f g"),
        ),
    )


def test_the_same_image_twice_is_two_spans() -> None:
    image = Span("", src="b")
    (spans,) = markup_of("<p>a <img src=b><img src=b> c").spans
    assert spans == (Span("a "), image, image, Span(" c"))


def test_marks_end_at_elements_that_are_not_inline_and_links_do_not() -> None:
    html = "<b><a href=x><div>a <i>b</i></div></a>c</b>"
    assert markup_of(html).spans == (
        (Span("a ", href="x"), Span("b", href="x", marks=EMPHASIS)),
        (Span("c", marks=STRONG),),
    )


def test_images_in_and_between_blocks() -> None:
    markup = markup_of("<p>a <img src=b alt=' c  d'> e</p><div><img src=f></div><p>g<img>")
    assert markup.spans[0] == (Span("a "), Span("", src="b", alt="c d"), Span(" e"))
    (picture,) = markup.pictures
    assert (picture.before, picture.tags[-1], picture.span.src) == (1, "div", "f")


@pytest.mark.parametrize(
    ("attributes", "source"),
    [
        ("src=a", "a"),
        ("src=a data-src=b", "b"),
        ("src=data:image/png,x srcset='b 1x, c 2x'", "c"),
        ("src=/placeholder.gif data-lazy-src=c", "c"),
        ("src=/img/blank.gif", None),
        ("src=a width=1", None),
        ("alt=x", None),
        ("src='  '", None),
    ],
)
def test_an_images_address_is_the_one_that_a_reader_sees(
    attributes: str, source: str | None
) -> None:
    spans = markup_of(f"<p>a<img {attributes}></p>").spans[0]
    assert [span.src for span in spans if span.src] == ([source] if source else [])


def test_breaks_are_counted_before_each_block() -> None:
    assert markup_of("<p>a<br>b<br><br>c<p>d").breaks == (0, 1, 2, 0)


def test_numbers_rows_cells_languages_and_base() -> None:
    markup = markup_of(
        "<base href=/x/><ol start=3><li>a<li value=7>b</ol>"
        "<table><tr><td><th colspan=2 rowspan=0>c<td colspan=9999>d</table>"
        "<pre class=language-Go>e</pre>"
    )
    assert [number for _, number in markup.numbers] == [3, 7]
    assert [cells for _, cells in markup.rows] == [(Cell(), Cell(2, 1, True), Cell(100))]
    assert [index for _, index in markup.cells] == [1, 2]
    assert [name for _, name in markup.languages] == ["go"]
    assert markup.base == "/x/"


def test_it_is_plain_frozen_data() -> None:
    markup = markup_of("<p>a <b>b</b><img src=c><ol><li>d</ol>")
    assert json.loads(json.dumps(asdict(markup)))
    assert hash(markup) == hash(markup_of("<p>a <b>b</b><img src=c><ol><li>d</ol>"))
    with pytest.raises(FrozenInstanceError):
        markup.base = "x"  # type: ignore[misc]


def test_a_page_that_is_cut_off_has_the_markup_of_its_blocks() -> None:
    page = blockify("<p>a<b>b</b><br>" * 9 + "<img src=c>", max_blocks=4, markup=True)
    assert page.markup is not None
    assert len(page.blocks) == len(page.markup.spans) == len(page.markup.breaks) == 4


def test_a_page_nested_too_deep_keeps_links_and_images() -> None:
    page = blockify("<div>" * 3000 + "<p>a<a href=b>c</a><img src=d></p>", markup=True)
    assert page.flat
    assert page.markup is not None
    assert len(page.markup.spans) == len(page.blocks)
