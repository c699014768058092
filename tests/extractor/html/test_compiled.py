"""The compiled modules give the same as those in Python."""

from __future__ import annotations

import copy
import gc
import os
import re
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree
from testing.models import PAGE_FILES
from testing.reading_cases import READING_CASES
from testing.soup import bodies
from testing.soup_cases import encoded, soup_cases
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.features.table import Columns
from scrapy_boilernet.extractor.html import elements, scan, tree
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.elements import Elements
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.html.markup import MarkupWalk
from scrapy_boilernet.extractor.html.readings import readings_of, signs_in
from scrapy_boilernet.extractor.html.tree import plain_tree
from scrapy_boilernet.extractor.html.walk import Walk
from scrapy_boilernet.extractor.page import LazyBlocks


@pytest.mark.skipif("BOILERNET_TEST_COMPILED" not in os.environ, reason="need not be compiled")
def test_all_is_compiled_where_it_should_be() -> None:
    names = ("paths", "walk", "markup", "elements", "scan")
    modules = [
        *(f"html.compiled_{name}" for name in names),
        "features.compiled",
        "labelers.boilernet.compiled_network",
    ]
    assert all(find_spec(f"scrapy_boilernet.extractor.{name}") for name in modules)


compiled_walk = pytest.importorskip("scrapy_boilernet.extractor.html.compiled_walk")
compiled_markup = pytest.importorskip("scrapy_boilernet.extractor.html.compiled_markup")
compiled_scan = pytest.importorskip("scrapy_boilernet.extractor.html.compiled_scan")
(
    count_nodes, count_unmatched_ends, may_be_malformed, may_have_many_attributes,
    SignFinder, count_continuations, places_of_digits,
) = scan.in_python  # fmt: skip

SOUP = soup_cases()
SPACES = [chr(code) for code in range(0x110000) if chr(code).isspace()]
FORMS = [
    '<p class="{}" id=a><b hidden>x</b> y</p>',
    '<div><div role="{}" itemprop="headline"><p>x<i>y</i>',
    '<p style="{}">x <a href=/a>link</a><a href=/b>next</a> z</p>',
    "<table><tr><td>{}<th colspan=2>b<td><ol start=3><li>c<li value=9>d</ol></table>",
    "<pre class=lang-py>a\n  {}\n<code>b</code></pre><p>c<br><br>d",
    '<p>a <img src="{}" alt="b c" width=90 height=90> d <img src=/e.png></p><img src=/f.png>',
    "<o:p>{}</o:p><x-y>a</x-y><x-y>b</x-y><1x>c</1x>",
    "<p>a<!-- {} -->b<script>c</script>d<svg><p>e</p></svg>f",
    '<p>one<b hidden>x <!-- -->y<img src=/a.png></b><img src=/b.png>two<a href=/c> th<i style="{}">'
    "z</i>ree</a><!-- --> <b class='sr-only'> v</b><b>four</b> five<b hidden>w</b><b>six</b>",
    '<p>a<sup class="{}">1<img src=/a.png>2</sup><i>b</i><sub> n+1</sub><ruby><rb>c</rb><rt>d</rt>'
    "<rt>e</rt></ruby><a href=/b><sup>3<sub>4</sub></sup></a><span hidden>x<sup>5</sup>6</span>e",
    "<p>x 10<sup><!-- -->{}</sup>, b<sub>{}</sub>c <ruby>d<rt>{}</rt></ruby><sup>{}</sup>",
    "<pre>a<sup>2</sup>\n b<a href=/c><sup><!-- -->1</sup></a> c<sub>{}</sub></pre>",
    "<div>a<template shadowrootmode={}><p>b<b>c</b></p>d</template>e<template>f</template>g",
    "<p>a<math><mi>{}</mi><msup><mi>b</mi></msup></math>c<img class=latex alt='{} \\\\pi'><b>d</b>",
    "<p>a</p><div class=katex-display><math alttext='{}^2'></math><a href=/b>x</a></div>b<p>c",
    "<p>a<span class=MathJax>{}</span><script type=math/tex>{}</script><sup>2</sup><b>{}</b>",
    "<x>a<math><p>b<math><mi>{}</mi></math><sub><math>{}</math></sub></x><i hidden><math>c</math>",
    "<p>a<sup><a href=#n id=r>1</a></sup> {}<p id=n><a href=#r>[1]</a> b<i>{}</i>",
    "<pre>a\n <i class='{}'>b</i><i hidden>1</i>c\n<div hidden>d</div> e</pre>",
]
VALUES = st.one_of(
    st.sampled_from((
        "", "camelCase_snake-42 HTMLParser aB ABc", "é été", "x" * 300, "İ Σ", "display : NONE",
        "sr-only", "opacity: 0", "d-none d-md-block", "d-none", "visibility:hidden", "color:none",
        "x Publİ", "PUBLISHED By-Line", "publi",
        "a" * 199 + "Bc dE", "main main Main", "a b cd cd",
    )),
    st.text(st.characters(blacklist_categories=("Cs",)), max_size=30),
)  # fmt: skip


def walked(walk: Any, roots: list[etree._Element], most: int) -> tuple[Any, ...]:
    blocks, more = walk.blocks(roots, most)
    seen = walk.seen()
    tags = {tag: n for tag, n in seen.tags.items() if isinstance(tag, str) and n}
    return blocks, more, tags, seen.noted, seen.item_types, walk.markup(most)


def check(body: bytes, most: int = 10**6) -> None:
    """The walks give the same, and so do the elements and the scans."""
    roots = plain_tree(body)
    readings = readings_of(roots, body, signs_in(body), markup=True)
    for units, read in (("block", readings), ("block", {}), ("leaf", {})):
        assert walked(compiled_walk.CompiledWalk(units, None, read), roots, most) == walked(
            Walk(units, None, read), roots, most
        )
    assert walked(compiled_markup.CompiledMarkupWalk(None, readings), roots, most) == walked(
        MarkupWalk(None, readings), roots, most
    )
    one, other = elements.CompiledElements(roots), Elements(roots)
    assert one is not other
    assert len(one) == len(other)
    for name in ("class", "id", "itemprop", "rel"):
        assert one.values(name) == other.values(name)
        for part in ("a", "-", "li"):
            assert one.values(name, part) == other.values(name, part)
        assert one.having((name,)) == other.having((name,))
        for chars in (5, 300):
            words = ("author", "by-line", "main", "publi", "case_")
            assert one.naming(name, words, chars) == other.naming(name, words, chars)
        words = ("li", "lin", "link", "list", "no", "nav")  # they begin alike
        assert one.naming(name, words, 300) == other.naming(name, words, 300)
    assert one.numbered_links() == other.numbered_links()
    found = [other[place] for place in range(len(other) - 1, -1, -3)]
    assert one.places(found) == other.places(found)
    assert one.ranges(found) == other.ranges(found)
    assert one.ranges(found[::7]) == other.ranges(found[::7])
    for tags in (("a", "time", "p"), ("div",), ("h1", "h2", "nav"), ("li", "ul"), ()):
        assert one.of_tags(tags) == other.of_tags(tags)
        assert one.inside(tags) == other.inside(tags)
        assert one.inside(tags, ("a", "p")) == other.inside(tags, ("a", "p"))
    for names in (("class", "id"), ("role", "data-type", "style"), ("clas",), ()):
        assert one.having(names) == other.having(names)
    for place in range(0, len(one), 1 + len(one) // 20):
        assert one[place] is other[place]
    assert compiled_scan.count_nodes(body) == count_nodes(body)
    for most in (0, 3):
        found = compiled_scan.count_unmatched_ends(body, most)
        assert found in (count_unmatched_ends(body, most), -1)
    if compiled_scan.may_be_malformed(body):
        assert may_be_malformed(body)


@pytest.mark.parametrize("name", READING_CASES)
@pytest.mark.parametrize("most", [0, 1, 4, 10**6])
def test_readings_are_walked_alike(name: str, most: int) -> None:
    check(READING_CASES[name].encode(), most)


@pytest.mark.parametrize("file", PAGE_FILES, ids=lambda file: file.name)
def test_pages_give_the_same(file: Path) -> None:
    body = to_utf8(file.read_bytes())
    check(body)
    check(body, most=7)


@pytest.mark.parametrize("name", SOUP)
def test_soup_gives_the_same(name: str) -> None:
    check(to_utf8(encoded(SOUP[name])))


@settings(QUICK, max_examples=150)
@given(bodies())
def test_any_page_gives_the_same(html: tuple[Any, ...] | str | bytes) -> None:
    check(to_utf8(html[0] if isinstance(html, tuple) else html))


TAGS = st.lists(st.sampled_from((
    b"<p>", b"</p>", b"</P x>", b"<DIV/>", b"</div", b"<a<b>", b"</a\x0b>", b"<", b"</", b"< p>",
    b"</x-y>", b"<" + b"n" * 70 + b">",
    b"</" + b"n" * 70 + b">", b"text", b"<\xc3\x89>", b"</p\xc3\x89>", b"</p\xc3\xa9>",
)))  # fmt: skip


@settings(QUICK, max_examples=300)
@given(TAGS, st.sampled_from((1, 40, 400)))
def test_unmatched_end_tags_are_counted_alike(tags: list[bytes], names: int) -> None:
    body = b"".join(tags) + b"".join(b"</n%d>" % number for number in range(names))
    found = compiled_scan.count_unmatched_ends(body, 0)
    assert found in (count_unmatched_ends(body, 0), -1)
    assert found >= 0 or names == 400 or any(b"n" * 70 in tag for tag in tags)
    assert scan.count_unmatched_ends(body, 0) == count_unmatched_ends(body, 0)


@settings(QUICK, max_examples=300)
@given(st.lists(st.one_of(st.binary(max_size=9), st.text(max_size=9).map(str.encode))))
@example([b"\xed\xa0\x80", b"\xed\x9f\xbf"])
@example([b"abcdefgh\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80"])
@example([b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xc1\xbf", b"\xc2", b"\xef\xbf\xbd"])
def test_continuation_bytes_are_counted_alike(parts: list[bytes]) -> None:
    for body in (*parts, b"".join(parts)):
        assert compiled_scan.count_continuations(body) == count_continuations(body)


def test_long_names_of_end_tags_are_not_counted_by_compiled_code() -> None:
    long = b"n" * 70
    assert compiled_scan.count_unmatched_ends(b"<%b></p>" % long, 0) == 1
    assert compiled_scan.count_unmatched_ends(b"<p></%b>" % long, 0) == -1
    for body in (b"<%b<b></b>" % long, b"<%b</b>x" % long):
        assert compiled_scan.count_unmatched_ends(body, 0) == count_unmatched_ends(body, 0)


DECLARATIONS = st.lists(st.tuples(
    st.sampled_from((
        "display", "visibility", "opacity", "font-size", "FONT-SIZE ", "text-indent", "left",
        "position", "transform", "clip", "clip-path", "overflow", "height", "width", "color",
        "background", "background-color", "text-decoration", "float", "letter-spacing",
    )),
    st.sampled_from((
        "none", " NONE", "hidden", "collapse", "0", " .0", "+0px", "-0", "1", "0.9em", "12px",
        "-9999px", "-999em", "-5px", "-12em", "absolute", "translateX( -9999px)", "scale(0)",
        "rect(0 0 0 0)", "inset(50%)", "clip", "red", "#fff", "white", "transparent",
        "rgba(1,2,3,0)", "rgb(0 0 0)", "n\\6fne", "/**/none", "0 !important",
    )),
), max_size=4)  # fmt: skip


@settings(QUICK, max_examples=500)
@given(DECLARATIONS, st.sampled_from(("", 'bgcolor="#fff"', 'color="white"', "aria-hidden=false")))
def test_styles_hide_alike(declarations: list[tuple[str, str]], others: str) -> None:
    style = ";".join(f"{name}:{value}" for name, value in declarations)
    check(f'<p>a</p><p style="{style}" {others}>b</p><p>c<b style="{style}">d</b></p>'.encode())


@settings(QUICK, max_examples=300)
@given(st.sampled_from(FORMS), VALUES, st.sampled_from(SPACES))
def test_any_attribute_and_any_white_space_give_the_same(form: str, value: str, space: str) -> None:
    html = form.replace("{}", value.replace('"', "").replace("<", ""))
    check(to_utf8(html))
    check(to_utf8(html.replace(" ", space)))


def test_every_white_space_is_recognized() -> None:
    every = [chr(code) for code in range(1, 0x110000) if not 0xD800 <= code < 0xE000]
    some = [char for char in every if char.isspace() or ord(char) % 97 == 0 or ord(char) < 0x3100]
    check("".join(f"<p>a{char}b<i>{char}</i>" for char in some if char not in "<&").encode())


@pytest.mark.parametrize("deep", [10, 70, 300])
def test_deep_and_wide_pages_give_the_same(deep: int) -> None:
    check(b"<div class=x>" * deep + b"<p>a<b>c</b></p>" * 300 + b"</div>" * deep + b"<p>b")
    check(b"".join(b"<t%d>a</t%d><t%d-x>b</t%d-x>" % (i, i, i, i) for i in range(150)))
    check(b"<a href=/x>" * deep + b"a<b>c</b> d")


@settings(QUICK, max_examples=300)
@given(
    st.lists(
        st.sampled_from((
            b"<p ", b"a ", b'b="', b'"', b"'", b">", b"=", b"/", b"<", b"</p>", b"x" * 40, b"\n",
        ))
    ),
    st.integers(4, 40),
)  # fmt: skip
def test_no_tag_of_many_attributes_is_overlooked(parts: list[bytes], window: int) -> None:
    body = b"".join(parts)
    given = (body, window, 4, 8, 5)
    if not may_have_many_attributes(*given):
        assert not compiled_scan.may_have_many_attributes(*given)
    elif not compiled_scan.may_have_many_attributes(*given):  # then no tag has more than five
        assert tree.up_to_tag_of_more(5).fullmatch(body)


PAGE = """<title>t</title><div><p>one <a href=/>two</a><p hidden>three</p><noscript>four</noscript>
<pre>five
 six</pre><ul><li>seven<li><b>eight</b> nine</ul>"""


def blocks_of(html: str, **how: Any) -> LazyBlocks:
    """Blocks whose tree is gone."""
    blocks = blockify(html, **how).blocks
    assert isinstance(blocks, LazyBlocks)
    gc.collect()
    return blocks


def test_lazy_blocks_are_as_good_as_a_tuple() -> None:
    blocks = blocks_of(PAGE)
    made = tuple(blocks)
    assert made == tuple(Walk("block").blocks(plain_tree(PAGE.encode()), 100)[0])
    assert len(blocks) == len(made) == 6
    assert blocks == made
    assert made == blocks
    assert blocks == blocks_of(PAGE)
    assert blocks != made[1:]
    assert blocks != "none"
    assert hash(blocks) == hash(made)
    assert repr(blocks) == repr(made)
    assert [blocks[0], blocks[-1], blocks[2:4], blocks[::-2]] == [
        made[0], made[-1], made[2:4], made[::-2],
    ]  # fmt: skip
    assert blocks + made[:1] == made[:1] + blocks[1:] + made[:1]
    assert made[3] in blocks
    assert copy.deepcopy(blocks) == made
    assert type(copy.copy(blocks)) is tuple
    for place in (6, -7):
        with pytest.raises(IndexError):
            blocks[place]


def test_lazy_blocks_have_the_columns_of_their_blocks() -> None:
    lazy = blockify(PAGE)
    whole = replace(lazy, blocks=lazy.blocks[:])
    assert type(whole.blocks) is tuple
    assert lazy == whole
    assert (lazy.texts, lazy.hidden, lazy.paths) == (whole.texts, whole.hidden, whole.paths)
    for name in ("nodes", "depths", "chars", "link_chars", "hidden", "noscript"):
        one, other = (getattr(Columns.of(page), name) for page in (lazy, whole))
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()


def test_a_page_of_few_blocks_of_many_has_those() -> None:
    html = "<p>a" * 50
    page = blockify(html, max_blocks=7)
    assert page.over_max_blocks
    assert len(page.blocks) == len(page.texts) == 7
    assert page.blocks == blockify(html).blocks[:7]
    assert not blockify(html, max_blocks=50).over_max_blocks
    assert blockify("<p>a", max_blocks=0).blocks == ()


def test_blocks_of_a_flat_page_have_no_xpath() -> None:
    page = blockify("<div>" * 2_100 + "deep")
    assert page.flat
    assert {block.xpath for block in page.blocks} == {""}


def test_a_walk_is_made_once() -> None:
    roots = plain_tree(b"<p>One<p>Two")
    walk = compiled_walk.CompiledWalk("block")
    with pytest.raises(ValueError, match="no walk"):
        walk.seen()
    blocks, _ = walk.blocks(roots, 10)
    with pytest.raises(ValueError, match="made once"):
        walk.blocks(roots, 10)
    walk.seen()
    with pytest.raises(ValueError, match="done"):
        walk.seen()
    assert [block.text for block in blocks] == ["One", "Two"]


def test_words_that_elements_are_named_by_have_two_letters() -> None:
    with pytest.raises(ValueError, match="two characters"):
        elements.CompiledElements(plain_tree(b"<p class=a>One")).naming("class", ("a",), 9)


@given(
    st.sets(st.text("aBc<'é", min_size=1, max_size=5).map(str.encode), min_size=1, max_size=8),
    st.text("abcC<'é", max_size=40).map(str.encode),
)
@settings(QUICK, max_examples=300)
@example({b"<ma", b"mat", b"at", b"h"}, b"<<MaTh>")
@example({b"abab", b"bab", b"abc"}, b"ababab")
@example({b"a"}, b"")
def test_signs_are_found_alike_and_in_any_case(signs: set[bytes], body: bytes) -> None:
    expected = {sign.lower() for sign in signs if sign.lower() in body.lower()}
    assert SignFinder(signs)(body) == compiled_scan.SignFinder(signs)(body) == expected


@given(
    st.sets(st.text("aBcé", min_size=1, max_size=5).map(str.encode), min_size=1, max_size=8),
    st.lists(st.text("abcCéÉ\n\0", max_size=9)),
)
@settings(QUICK, max_examples=300)
@example({b"ab", b"bab"}, ["", "abab", "AB\nb", "b"])
@example({b"a"}, [])
def test_lines_with_signs_are_found_alike(signs: set[bytes], texts: list[str]) -> None:
    lower, expected = {sign.lower() for sign in signs}, dict[bytes, list[int]]()
    for number, text in enumerate(texts):
        for sign in lower if len(text) <= 7 else ():
            if sign in text.lower().encode():
                expected.setdefault(sign, []).append(number)
    for finder in (SignFinder, compiled_scan.SignFinder):
        assert finder(signs).lines(texts, 7) == expected


@given(st.lists(st.text("12年٣ aé", max_size=6)))
def test_digits_are_found_alike(found: list[str]) -> None:
    search = re.compile(r"[\d年](?:\d|(?<=年))").search
    expected = [i for i, text in enumerate(found) if len(text) <= 4 and search(text)]
    assert places_of_digits(found, 4, search) == expected
    assert compiled_scan.places_of_digits(found, 4, search) == expected


@pytest.mark.parametrize(
    ("address", "is_numbered"),
    [("/a/2", True), ("/a/2/", True), ("/2/a", False), ("?p=2 ", True), ("", False), ("/é", True),
     ("/2//", False), ("/x&#50;", True)],
)  # fmt: skip
def test_links_that_may_end_in_a_number_are_found_alike(address: str, is_numbered: bool) -> None:
    roots = plain_tree(f"<a href='{address}'>One</a>".encode())
    one, other = elements.CompiledElements(roots).numbered_links(), Elements(roots).numbered_links()
    assert one == other
    assert bool(one) == is_numbered
