"""Rewritten pages: the same text in the same order, and never nested too deep for libxml2."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from testing.models import PAGE_FILES
from testing.soup import bodies
from testing.soup_cases import encoded, soup_cases
from testing.synthetic import QUICK, article

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.html.tree import MAX_DEPTH, flatten, plain_tree
from scrapy_boilernet.extractor.html.walk import Walk
from scrapy_boilernet.extractor.page import Block, Page

LOST_DEPTH = 2_000
DEEP = "<div>" * 2_100
"""Makes a page that libxml2 does not read whole."""
BELOW = "<div>" * (MAX_DEPTH + 9)
"""What follows is written below the deepest level."""


def blocks_of(body: bytes) -> list[Block]:
    return [*Walk("block").blocks(plain_tree(body), 10**6)[0]]


def texts_of(html: str) -> list[str]:
    return [block.text for block in blocks_of(flatten(html.encode()))]


def below(html: str) -> list[str]:
    return texts_of(BELOW + html)


def deep(html: str) -> Page:
    page = blockify(DEEP + html)
    assert page.flat
    return page


def depth_of(roots: list[etree._Element]) -> int:
    depths: dict[etree._Element | None, int] = {None: 0}
    for element in _every(roots):
        depths[element] = depths.get(element.getparent(), 0) + 1
    return max(depths.values())


def _every(roots: list[etree._Element]) -> Iterator[etree._Element]:
    for root in roots:
        yield from root.iter(etree.Element)


@pytest.mark.parametrize("path", PAGE_FILES, ids=lambda path: path.name)
def test_an_ordinary_page_has_the_same_blocks(path: Path) -> None:
    body = to_utf8(path.read_bytes())
    before, after = blocks_of(body), blocks_of(flatten(body))
    assert [block.text for block in after] == [block.text for block in before]
    assert [block.link_chars for block in after] == [block.link_chars for block in before]
    assert [block.tags for block in after] == [block.tags for block in before]
    assert [block.class_words for block in after] == [block.class_words for block in before]


@given(
    st.lists(st.sampled_from((
        "<p>tide ", "<p>pool</p>", "<div>", "</div>", "<ul><li>one<li>two</ul>",
        "<a href=/>sea</a>",
        "<b>warm</b> ", "<br>", "<table><tr><td>1<td>2<tr><td>3</table>", "<h2>Title</h2>",
        "<!-- c -->", "<script>no</script>", "&amp; &lt;b&gt; ", "<span class='a > b'>x</span>",
        "<dl><dt>a<dd>b</dl>", "<pre>a\n b</pre>", "<img src=x alt='>'>",
    )), max_size=12)
)  # fmt: skip
@QUICK
def test_well_formed_parts_in_any_order_have_the_same_text(parts: list[str]) -> None:
    html = "".join(parts).encode()
    before = [(block.text, block.link_chars) for block in blocks_of(html)]
    assert [(block.text, block.link_chars) for block in blocks_of(flatten(html))] == before


pieces = st.sampled_from((
    b"<div>", b"<a>", b"<b>", b"<p>", b"<ul><li>", b"<table><tr><td>", b"<span ", b"</div>",
    b"</a>",
    b"<svg>", b"<x-y>", b"<noscript>", b"<form>", b"<select>", b"<font>", b"<a b='", b"'", b"<!--",
    b"-->", b"<html>", b"<body>", b"<head>", b"<title>", b"</title>", b"<template>", b"<button>",
    b"<center>", b"<h1>", b"</p>", b"</br>", b"<li>", b"<dd>", b"x", b"<nobr>", b"<\xc3\xa9>",
    b"<p/>",
    b"<option>", b"<ruby><rt>", b"<math>", b"<object>", b"<frameset>", b"<plaintext>", b"</html>",
))  # fmt: skip


@given(
    runs=st.lists(st.tuples(pieces, st.sampled_from((1, 2, 600, 2_500))), min_size=1, max_size=6)
)
@settings(QUICK, max_examples=25)
def test_nothing_that_repeats_is_deep(runs: list[tuple[bytes, int]]) -> None:
    body = b"".join(piece * times for piece, times in runs)
    assert depth_of(plain_tree(flatten(body))) < LOST_DEPTH


@given(body=st.one_of(bodies(), st.binary(max_size=200)), times=st.sampled_from((1, 3, 700)))
@QUICK
def test_no_bytes_raise_or_are_deep(body: bytes, times: int) -> None:
    body = to_utf8(body * times)[:30_000]
    found = flatten(body)
    assert depth_of(plain_tree(found)) < LOST_DEPTH
    flatten(found)


@pytest.mark.parametrize("rule", soup_cases())
def test_every_case_below_the_deepest_level_gives_blocks(rule: str) -> None:
    for block in blocks_of(flatten(BELOW.encode() + encoded(soup_cases()[rule]))):
        assert block.text == " ".join(block.text.split()) != ""
        assert block.text.encode()
        assert 0 <= block.link_chars <= len(block.text)


def test_elements_are_nested_no_deeper_than_the_limit() -> None:
    found = depth_of(plain_tree(flatten(DEEP.encode() + b"tide")))
    assert MAX_DEPTH <= found <= MAX_DEPTH + 3  # html, body, and what holds the text


def test_list_items_cells_and_paragraphs_end_each_other() -> None:
    assert texts_of("<ul><li>a<li>b<ul><li>c<li>d</ul><li>e</ul>f") == [*"abcdef"]
    assert texts_of("<table><tr><td>a<th>b<tr><td>c<tbody><tr><td>d</table>e") == [*"abcde"]
    assert texts_of("<dl><dt>a<dd>b<dt>c</dl>d<p>e<p>f<h2>g</h2>h") == [*"abcdefgh"]
    written = flatten(b"<ul><li>a<li>b</ul><p>c<p>d").decode()
    assert written.startswith("<ul><li>a</li><li>b</li></ul><p>c</p><p>d")


def test_the_same_below_the_deepest_level() -> None:
    html = (
        "<ul><li>one<li>two</ul><table><tr><td>a<td>b<tr><td>c</table><p>tide<p>pool<div>sea</div>x"
    )
    texts = [block.text for block in deep(html).blocks]
    assert texts == ["one", "two", "a", "b", "c", "tide", "pool", "sea", "x"]


def test_links_below_the_deepest_level_are_links() -> None:
    page = deep("<p>tide <a href=/>pool <b>warm</b></a> sea</p><a>all</a><a>About</a> us")
    found = [(block.text, block.link_chars) for block in page.blocks]
    assert found[0] == ("tide pool warm sea", len("poolwarm") + 1)
    assert sum(chars for _, chars in found[1:]) == len("allAbout")


@pytest.mark.parametrize("before", ["", DEEP])
def test_head_words_title_and_json_ld_survive(before: str) -> None:
    script = '{"@type": "NewsArticle", "articleBody": "Tide <b>pools</b> \\"warm\\" </p> 1 < 2"}'
    html = f"""<html class=single><head><title>Tide &amp; <b>pool</b></title>
    <meta property="og:type" content='article "x"'><meta name=description content="Warm > cold">
    <link rel=next href=/2><script type="application/ld+json">{script}</script></head>
    <body class='post wide'><p itemtype="https://schema.org/Recipe">sea</p>"""
    plain, page = blockify(html), blockify(html + before)
    assert page.flat == bool(before)
    assert (page.title, page.head.description) == ("Tide & <b>pool</b>", "Warm > cold")
    assert page.head.article_body == 'Tide <b>pools</b> "warm" </p> 1 < 2'
    assert set(plain.head.words) == set(page.head.words)
    assert {"og:type:article x", "ld:newsarticle", "r:next", "b:single", "b:wide", "it:recipe"} <= {
        *page.head.words
    }


@pytest.mark.parametrize(
    "html",
    [
        "<script>no</script>", "<style>no</style>", "<SCRIPT>no</Script >",
        "<script>'<p>no'</script>",
        "<script type=a>no</p>", "<style>no", "<script><!-- no --></script>", "<!-- no -->",
        "<!-- no",
        "<!-- <p>no</p> -->", "<!-->", "<!--->", "<!---->", "<!doctype no>", "<?no?>",
        "<![CDATA[no]]>",
        "</3no>", "<textarea>no", "<iframe>no</iframe>",
        '<script type="application/ld+json">no</script>', "<p class='no'>", '<p title="> no">',
        "<p no",
    ],
)  # fmt: skip
def test_what_is_not_shown_is_no_text(html: str) -> None:
    assert texts_of(f"<p>tide</p>{html}") == below(f"<p>tide</p>{html}") == ["tide"]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<!-- no -->pool", "pool"), ("<!-- no --!>pool", "pool"), ("<!-->pool", "pool"),
        ("<script>no</script>pool", "pool"), ("<style>no</style\n>pool", "pool"),
        ("<script>'</scripts>' no</script>pool", "pool"), ("a < b", "a < b"), ("a <3 b", "a <3 b"),
        ("&amp;&lt;b&gt; &copy;", "&<b> ©"), ("<p a='>'>pool", "pool"), ('<p a=">">pool', "pool"),
        ("<script a/>pool", "pool"), ('<p a=b="c>pool', "pool"), ("</q a='>no'>pool", "pool"),
        ("<script><!--<script></script>no</script>pool", "pool"),
        ("<p a=b'>pool", "pool"), ('<p a""">pool', "pool"), ("<p =>pool", "pool"),
        ("<p/>pool", "pool"), ("<p\x00>pool", "pool"), ("<p a=\x00'b'>pool", "pool"),
        ("<é>po</é>ol", "<é>pool"), ("<x'y>pool", "pool"), ("<textarea>no</textarea>pool", "pool"),
        ("<plaintext>pool", "pool"), ("<title>no</title>pool", "pool"), ("<p>pool</q></b></p>",
        "pool"),
        ("po<b>ol", "pool"), ("<p>p\u200bo", "p\u200bo"),
    ],
)  # fmt: skip
def test_what_is_shown_is_text(html: str, text: str) -> None:
    assert texts_of(f"<p>tide</p>{html}") == below(f"<p>tide</p>{html}") == ["tide", text]


@pytest.mark.parametrize("name", ["template", "svg", "select", "object", "math"])
def test_elements_that_are_left_out_are_left_out_below_the_deepest_level(name: str) -> None:
    assert texts_of(f"<p>tide</p><{name}>no</{name}>") == ["tide"]
    assert below(f"<p>tide</p><{name}>no</{name}>") == ["tide"]


def test_text_that_browsers_show_as_it_stands_is_text() -> None:
    assert texts_of("<p>tide</p><xmp>warm <b></xmp>sea") == ["tide", "warm <b>", "sea"]


def test_a_title_that_does_not_end_is_the_title() -> None:
    page = deep("<p>tide</p><title>pool <b>warm")
    assert ([block.text for block in page.blocks], page.title) == (["tide"], "pool <b>warm")


def test_attributes_are_written_unambiguously() -> None:
    html = b"<p class='a \"b\" > c' ID=d data-x=1 class=e hidden style = display:none href='/'>x"
    (element,) = plain_tree(flatten(html))[0].iter("p")
    assert dict(element.attrib) == {
        "class": 'a "b" > c', "id": "d", "hidden": "", "style": "display:none", "href": "/",
    }  # fmt: skip


def test_hiding_and_noscript_survive() -> None:
    html = "<p HIDDEN>a</p><p style='display:none'>b</p><noscript>c</noscript><p>d"
    blocks = blockify(html + DEEP).blocks
    assert [(block.text, block.hidden, block.noscript) for block in blocks] == [
        ("a", True, False), ("b", True, False), ("c", False, True), ("d", False, False),
    ]  # fmt: skip


def test_an_article_before_what_is_nested_deep_is_the_same() -> None:
    html = article(3)[0]
    end = html.index(b"</body>")
    whole = blockify(html[:end] + DEEP.encode() + b"end")
    plain = blockify(html)
    assert whole.flat
    assert [block.text for block in whole.blocks] == [*(b.text for b in plain.blocks), "end"]
    assert [b.tags for b in whole.blocks[:-1]] == [b.tags for b in plain.blocks]
