"""The blockifier on any input: total, repeatable, losing no text, each XPath finding its block."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from parsel import Selector

from scrapy_boilernet import Page
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import decode
from scrapy_boilernet.extractor.html.invisible import ZERO_WIDTH
from scrapy_boilernet.extractor.html.sentences import COUNTS_AS
from scrapy_boilernet.extractor.html.walk import SKIPPED_LEAF_TAGS, SKIPPED_TAGS

ENCODINGS = [
    None, "", " ", "utf-8", "UTF8", "latin-1", "utf-16", "utf-32", "utf-7", "shift_jis", "gb18030",
    "euc-kr", "hz", "hex", "idna", "punycode", "rot13", "zlib", "base64", "undefined", "mbcs",
    "unicode_escape", "nonsense", "x-user-defined", "a;b", "a\nb", "\x00", "é", "utf-8\ud800",
]  # fmt: skip
PREFIXES = [
    b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\x00\x00\xfe\xff", b"<meta charset=hex>",
    b"<meta charset=utf-16>", b"<meta charset=nonsense>", b"<?xml version='1.0' encoding='zlib'?>",
]  # fmt: skip
TAGS = (
    "html head title body div p span a b br table tr td li ul script style svg noscript "
    "textarea select option iframe frameset template form button h1 pre ruby rt fb:like x-y o:p "
    "1x é meta base image plaintext"
).split()
PIECES = [
    "text", " ", "\n", "\u00a0", "é", "潮", "\x00", "\x0b", "&amp;", "&#0;", "&#xD800;", "&lt",
    "<", ">", "<!-- c -->", "<!--", "-->", "<?pi x?>", "<![CDATA[c]]>", "</", "<!DOCTYPE html>",
    "\u200b",
]  # fmt: skip
ATTRIBUTES = [
    "", " hidden", " class='aB c'", " id=x", " style='display:none'", " =", " a=\"<p>", " /",
]  # fmt: skip

tag_soup = st.lists(
    st.one_of(
        st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES)),
        st.builds("</{}>".format, st.sampled_from(TAGS)),
        st.sampled_from(PIECES),
    ),
    max_size=40,
).map("".join)
any_units = st.sampled_from(["block", "leaf"])


def readable(root: Any, units: str) -> list[str]:
    """The text nodes below ``root`` that the units are made of, white space collapsed."""
    skipped = SKIPPED_LEAF_TAGS if units == "leaf" else SKIPPED_TAGS
    ancestors = sorted(skipped) + (["title[parent::head]"] if units == "leaf" else [])
    outside = " or ".join(f"ancestor::{tag}" for tag in ancestors)
    nodes = root.xpath(f"descendant-or-self::node()/self::text()[not({outside})]").getall()
    return [" ".join(node.split()) for node in nodes if node.split()]


def unspaced(texts: list[str]) -> str:
    return "".join("".join(texts).split())


def unsigned(*texts: str) -> str:
    """Return the texts without the signs that superscripts, notes and ruby are written with."""
    return re.sub(r"[][()^_]", "", unicodedata.normalize("NFKC", unspaced([*texts])))


def check_xpaths(page: Page, html: str) -> None:
    selector = Selector(text=html, type="html")
    for block in page.blocks:
        found = selector.xpath(block.xpath)
        assert len(found) == 1, block.xpath
        own = found[0].root
        bare = own.tag == "div" and own.getparent().tag == "body" and not own.items()
        counts_as = block.tags[-1] == COUNTS_AS  # an unknown element in a sentence
        assert own.tag == block.tags[-1] or counts_as or (bare and block.tags[-1] == "body")
        assert unsigned(block.text) in unsigned(*readable(found[0], page.units))


@pytest.mark.parametrize("name", ["article.html", "forum.html", "japanese.html"])
@pytest.mark.parametrize("units", ["block", "leaf"])
def test_each_xpath_finds_its_block_on_real_pages(
    name: str, units: Any, read_page: Callable[[str], bytes]
) -> None:
    html = decode(read_page(name))
    page = blockify(html, units=units)
    assert len(page.blocks) > 4
    check_xpaths(page, html)


@pytest.mark.parametrize("units", ["block", "leaf"])
def test_odd_names_deep_pages_and_second_roots_have_xpaths_too(units: Any) -> None:
    for html in (
        "<div><p>A</p><fb:like>B<o:p>C</o:p></fb:like><p>D</p><é>E</é><x-y>F</x-y></div>",
        "<div>" * 150 + "A<p>B</p>" + "<span>" * 150 + "C",
        "<html><p>A</p></html><p>B</p><p>C</p></html>" + "<div>" * 90 + "D",
        "<html><body><p>A</p></body></html>\n<html><body><p>B</p><p>C</p></body></html>",
    ):
        page = blockify(html, units=units)
        assert len(page.blocks) > 2
        check_xpaths(page, html)


@given(html=tag_soup, units=any_units)
@example(html="<title></html>", units="leaf")
@settings(max_examples=300, deadline=None)
def test_tag_soup_loses_no_text_and_keeps_its_order(html: str, units: Any) -> None:
    html = html.replace("\x0b", "")  # U+FFFD in a block, and nothing in parsel's tree
    html = html.translate(dict.fromkeys(map(ord, ZERO_WIDTH)))  # no text, if it stands alone
    assume("<frameset" not in html)  # browsers show no text of a page of frames
    assume("<pre" not in html or "<button" not in html)  # which is no part of the code
    page = blockify(html, units=units)
    found = [block.text for block in page.blocks]
    expected = readable(Selector(text=html, type="html").xpath("/*"), units)
    if units == "leaf":
        assert found == expected
    if any(block.hidden for block in page.blocks):  # hidden text stands behind the text around it
        assert Counter(unsigned(*found)) == Counter(unsigned(*expected))
    else:
        assert unsigned(*found) == unsigned(*expected)


@given(html=tag_soup, units=any_units)
@settings(max_examples=200, deadline=None)
def test_each_xpath_finds_its_block_in_tag_soup(html: str, units: Any) -> None:
    html = html.replace("\x0b", "")  # which makes elements of its own behind an </html>
    assume("<frameset" not in html)  # the blocks of such a page are not of the response's tree
    check_xpaths(blockify(html, units=units), html)


@given(html=tag_soup, units=any_units, limit=st.integers(1, 5))
@settings(max_examples=200, deadline=None)
def test_blocks_of_tag_soup_keep_what_is_promised_of_them(
    html: str, units: Any, limit: int
) -> None:
    page = blockify(html, units=units, max_blocks=limit)
    assert len(page.blocks) <= limit
    for block in page.blocks:
        assert block.text == " ".join(block.text.split()) != ""
        assert 0 <= block.link_chars <= len(block.text)
        assert len(block.tags) == len(block.class_words) == len(block.nodes) > 0
        assert list(block.nodes) == sorted(set(block.nodes))


@given(
    prefix=st.sampled_from(PREFIXES),
    body=st.one_of(st.binary(max_size=80), tag_soup.map(lambda text: text.encode())),
    encoding=st.sampled_from(ENCODINGS),
    units=any_units,
)
@settings(max_examples=400, deadline=None)
def test_any_bytes_under_any_encoding_give_the_same_page_twice(
    prefix: bytes, body: bytes, encoding: str | None, units: Any
) -> None:
    page = blockify(prefix + body, encoding=encoding, units=units)
    assert page == blockify(prefix + body, encoding=encoding, units=units)


@given(html=st.text(alphabet=st.characters(exclude_categories=()), max_size=60), units=any_units)
@settings(max_examples=200, deadline=None)
def test_any_text_gives_a_page_even_with_lone_surrogates(html: str, units: Any) -> None:
    for block in blockify(f"<p>{html}", units=units).blocks:
        block.text.encode()


@pytest.mark.parametrize("units", ["block", "leaf"])
def test_a_page_of_several_megabytes_is_read_to_its_limit(units: Any) -> None:
    row = "<div class='row odd'><p>Tide pools warm at night. <a href=/x>More</a></p></div>"
    html = (row * 50_000).encode()
    assert len(html) > 3_000_000
    page = blockify(html, units=units)
    assert (len(page.blocks), page.truncated) == (5000, True)


def test_one_block_of_several_megabytes_is_kept_whole() -> None:
    (block,) = blockify("<p>" + "tide " * 1_000_000).blocks
    assert len(block.text) == 5 * 1_000_000 - 1
