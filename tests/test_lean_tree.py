"""The lean tree against the tree that libxml2 builds itself: the same page comes of both."""

from __future__ import annotations

import re
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lxml import etree
from soup import mutated_cases, soups
from soup_cases import encoded, soup_cases
from synthetic import QUICK

from scrapy_boilernet import parse
from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.lean_tree import READ_ATTRIBUTES, LeanTree
from scrapy_boilernet.page import Page, Units

_ODD_NAME = re.compile(r"</?[a-zA-Z][^\s/>]*['\"<&\x00-\x1f\ufffe\uffff]")
"""Names that lxml refuses; the lean tree has others in their place."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
both_units = pytest.mark.parametrize("units", ["block", "leaf"])


def page_by(lean: bool, html: bytes | str, units: Units) -> Page:
    with patch.object(parse, "has_many_attributes", lambda _: lean):
        return blockify(html, units=units)


def plain(page: Page) -> Page:
    """The page as it is without characters that XML has not."""
    blocks = (block._replace(text=_xml(block.text)) for block in page.blocks)
    title, description = _xml(page.title), _xml(page.head.description)
    head = replace(page.head, description=description)
    return replace(page, blocks=tuple(blocks), title=title, head=head)


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)


def check(html: bytes | str, units: Units) -> None:
    assert page_by(True, html, units) == plain(page_by(False, html, units))


@both_units
@pytest.mark.parametrize("rule", soup_cases())
def test_every_case_gives_the_same_page(rule: str, units: Units) -> None:
    text = soup_cases()[rule]
    if _ODD_NAME.search(text):
        assert len(page_by(True, text, units).blocks) == len(page_by(False, text, units).blocks)
    else:
        check(encoded(text), units)


@both_units
@given(source=st.one_of(soups, mutated_cases()))
@QUICK
def test_soup_gives_the_same_page(units: Units, source: str) -> None:
    assume(not _ODD_NAME.search(source))
    check(encoded(source), units)


names = st.sampled_from(
    (*sorted(READ_ATTRIBUTES), "data-x", "href", "CLASS", "xml:lang", "a:b", "é")
)
values = st.sampled_from((
    "", "x", "true", "display:none", "article:author", "next", "https://schema.org/Recipe",
    "main Text", "a > b", "&lt;b", "\x0c", "é",
))  # fmt: skip
tags = st.sampled_from("p div a li meta link html body script section span h1".split())
elements = st.builds(
    lambda tag, given: f"<{tag} {' '.join(f'{k}={v!r}' for k, v in given.items())}>tide {tag}",
    tags,
    st.dictionaries(names, values, max_size=5),
)


@both_units
@given(parts=st.lists(elements, min_size=1, max_size=6))
@QUICK
def test_attributes_that_are_read_give_the_same_page(units: Units, parts: list[str]) -> None:
    check("<body>pool" + "".join(parts), units)


@both_units
@pytest.mark.parametrize(
    "html",
    [
        "", "x", "\x00", "</p>", "<!-- c -->", "<!-- c -->x", "<?pi?>", "<!DOCTYPE html>",
        "<!DOCTYPE html><!-- c --><?pi x?><title>Tide</title>", "<title>Tide",
        "<!-- a --><html><p>x</html><!-- b --><p>y", "<p>a</p></html><div>b</div></html>c",
        "<p>a</html><!-- c --><p>b</html><!-- c --><p itemtype=z>c", "<p>a<!-- c -->b<?pi?>c",
        "<p>a</html>b<script>c</script>d</body>e", "<fb:like>x<fb:like>y", "<a:b:c>x<a:b:c>y",
        "<:a>x", "<a:>x", "<é>x</é>", "<p xmlns=a>x", "<svg xlink:href=a>x</svg>y", "<p CLASS=A>x",
        "<html itemtype=a><p itemtype='b/c'>x", "<p>\ufffe\uffff\x01\x7f\x85 x",
        "<p class='\x01'>x",
        '<script type="application/ld+json">{"@type": "Recipe", "articleBody": "Tide"}</script>',
        "<body><div><p>x</p></div></body>", "<body><div class=a><p>x</p></div></body>",
        "<div id=a id=b class=c CLASS=d>x",
        "<p hidden>x<p aria-hidden=true>y<p style=display:none>z",
    ],
)  # fmt: skip
def test_odd_pages_give_the_same_page(html: str, units: Units) -> None:
    check(html, units)


@both_units
@pytest.mark.parametrize("attribute", ["data-x=1", "href='/'", "lang=en"])
def test_a_div_of_attributes_that_nobody_reads_is_not_the_body(
    attribute: str, units: Units
) -> None:
    check(f"<body><div {attribute}><p>x</p></div></body>", units)


@pytest.mark.parametrize("name", ["p'q", 'p"q', "p<q", "p&q", "p\x01q", "p\uffffq"])
def test_an_element_of_a_name_that_lxml_refuses_has_its_text(name: str) -> None:
    page = page_by(True, f"<p>tide</p><{name}>pool</{name}><p>sea", "block")
    assert [block.text for block in page.blocks] == ["tide", "pool", "sea"]


def lean_roots(html: str) -> list[etree._Element]:
    parser = etree.HTMLParser(target=LeanTree())
    return etree.fromstring(html, parser)  # type: ignore[no-any-return]


def test_only_attributes_that_are_read_are_in_the_tree() -> None:
    (root,) = lean_roots("<p class=a href=b data-c=d id=e>tide")
    assert root.find(".//p").get("class") == "a"
    assert root.find(".//p").get("id") == "e"
    assert not {"href", "data-c"} & {*root.find(".//p").keys()}


def test_what_comments_say_is_not_in_the_tree() -> None:
    (root,) = lean_roots("<p>tide<!-- a -- b --->pool<!--\x01-->")
    assert [comment.text for comment in root.iter(etree.Comment)] == ["", ""]


def test_a_page_without_elements_has_no_roots() -> None:
    assert lean_roots("<!-- c -->") == []
