"""Selectors of site rules: they find what response.css and response.xpath find, in linear time."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest
from lxml import etree
from parsel import Selector

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.sites.numbering import Numbering
from scrapy_boilernet.extractor.sites.selectors import (
    MAX_CHARS,
    _translated,
    check,
    selector_of,
)
from scrapy_boilernet.extractor.sites.xpaths import (
    SelectorError,
    TooCostlyError,
    count_costly,
    tokens_of,
)

HANG_S = 60.0
"""Linear code takes a few seconds on a slow machine, quadratic code many minutes."""
PAGE = """<html><body><div class="a" id="x"><h1 class="name">T<span>y</span></h1><p>one<p>two
<ul><li>1<li>2<li>3</ul></div><div class="a b"><div class="a"><p>three</div><h2>Related</h2>
<ul><li><a href="u">l</a></ul></div><section role="dialog"><p title="a]b/c">x</section></body>"""
SELECTORS = """p; div p; .a .a p; .a > p; p + p; h2 ~ ul li; li:first-child; li:nth-child(2);
li:not(:first-child); div:has(h2); [role=dialog]; [role="dialog"] p; p, li; #x; h1 span::text;
a::attr(href); h2 + ul > li, p + p;
div > *; body; html > body > div.a; .a:first-child; //div; //div//p; /html/body/div;
//div[.//h2]; //p[@title='a]b/c']; (//p)[1]; //div[@class='a']/p[2]; //div[p]//li | //h1; //a/@href;
//h2[contains(., 'Rel')]/following-sibling::ul; //h1/text(); .//p; ./body/div; //ul/descendant::li;
//div[@id]/descendant-or-self::node()/p; //div/descendant-or-self::*/p; //section/..; //p[last()];
//div[count(p)=2]; //li[1]; //*[self::h1 or self::h2]; //li[position() > 1]; //div//div//p;
//div/descendant::p; //div/descendant::p[1]; //div/descendant-or-self::div/descendant::p;
.a .a p:first-child; .b; #x p; [role='dialog'] > p; .a:not(.b) > p; .b .a; .name span; .a.b;
[title="a]b/c"]; .a .name; #x > .name; //ul[li]/descendant-or-self::*[count(li) = 3]"""
BAD = {
    "div[": "not a CSS selector",
    "": "not a CSS selector",
    "p::foo": "not a CSS selector",
    "count(//p)": "must begin with /, ./ or (",
    "(1)": "computes a value",
    "//": "not an XPath",
    "//div[": "not an XPath",
    "//p[re:test(., 'x')]": "has a prefix",
    "//p[foo(.)]": "no function foo()",
    "p" * (MAX_CHARS + 1): "at most 1,000 are read",
    "p" * 1_000_000: "1,000,000 characters",
    "//a/@href": "selects strings",
    "//p/text()": "selects strings",
    "p::text": "selects strings",
    "//div[.//p[.//a]]": "takes too long",
    "(//div//p)[1]": "takes too long",
    "//a[ancestor::b/descendant::c]": "takes too long",
    "h2 ~ p:has(a)": "takes too long",
    "p" + ":first-of-type" * 11: "write a shorter one",
    "//p" + "[a" * 300 + "]" * 300: "write a shorter one",
}


def tree(html: str) -> etree._Element:
    return etree.fromstring(html.encode(), etree.HTMLParser(encoding="utf-8", huge_tree=True))


def page_of(root: Any, body: bytes = b"", elements: Any = CompiledElements) -> Numbering:
    return Numbering(root, elements([root]), body)


@pytest.mark.parametrize("elements", [Elements, CompiledElements])
@pytest.mark.parametrize("source", [one.strip() for one in SELECTORS.split(";")])
def test_a_selector_finds_what_parsel_finds(source: str, elements: Any) -> None:
    selector = Selector(PAGE)
    found = selector_of(source).find(page_of(selector.root, PAGE.encode(), elements))
    is_xpath = source.startswith(("/", "(", "./", ".//"))
    wanted = selector.xpath(source) if is_xpath else selector.css(source)
    assert [*found] == [one.root for one in wanted]
    assert wanted


@pytest.mark.parametrize("source", [one.strip() for one in SELECTORS.split(";")])
def test_css_counts_what_its_xpath_looks_at(source: str) -> None:
    xpath = _translated(source) if not source.startswith(("/", "(", "./", ".//")) else source
    assert check(source, elements_only=False) == count_costly([*tokens_of(xpath)])


@pytest.mark.parametrize("source", BAD, ids=lambda source: source[:40])
def test_a_wrong_selector_is_refused_with_the_reason(source: str) -> None:
    with pytest.raises(SelectorError, match=BAD[source].replace("(", r"\(").replace(")", r"\)")):
        check(source, elements_only=True)


def test_a_hostile_selector_is_refused_at_once() -> None:
    begin = process_time()
    for source in ("div " * 300_000, ":not(" * 300_000, "(" * 900, "/" * 999, "[" * 1_000_000):
        with pytest.raises(SelectorError):
            check(source, elements_only=True)
    assert process_time() - begin < HANG_S


HOSTILE = {
    "many siblings": "<p class=a><i>x</i>" * 40_000,
    "deep": ("<div class=a>" * 500 + "<p>x" + "</div>" * 500) * 100,
    "deep above many": "<div class=a>" * 1_900 + "<p>x" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_selector_takes_linear_time_on_a_hostile_page(name: str) -> None:
    root = tree(f"<body>{HOSTILE[name]}")
    page = page_of(root)
    begin = process_time()
    for source in (
        "div p",
        ".a .a .a p",
        "div > p",
        "p + p",
        "p:first-child",
        "//div//div//*[@id]",
        "//div/descendant::p",
        ".a .a p:first-child",
        "//div/descendant-or-self::*[@class]/descendant::p",
    ):
        selector_of(source).find(page)
    for source in ("p ~ p", "p:nth-child(3)", "div:has(p)", "//div/descendant::p[1]"):
        with pytest.raises(TooCostlyError):
            selector_of(source).find(page)
    assert process_time() - begin < HANG_S


def test_costly_predicates_are_evaluated_on_pages_of_usual_size() -> None:
    root = tree("<body>" + "<p class=a><i>x</i>" * 4_000)
    page = page_of(root)
    begin = process_time()
    assert len(selector_of("p ~ p").find(page)) == 3_999
    assert len(selector_of("p + p").find(page)) == 3_999
    assert len(selector_of("p:first-child").find(page)) == 1
    assert len(selector_of("//p[.//i]").find(page)) == 4_000
    assert process_time() - begin < HANG_S


def test_many_results_of_one_step_are_too_costly() -> None:
    root = tree("<body>" + "<p>x" * 4_000)
    with pytest.raises(TooCostlyError):
        selector_of("//p/following-sibling::p[position() > 1]").find(page_of(root))


@pytest.mark.parametrize("elements", [Elements, CompiledElements])
@pytest.mark.parametrize(
    "source",
    [
        ".hit",
        "#hit",
        "[role=hit]",
        ".Hit",
        ".hit > i",
        ".around .hit",
        ".hit.big",
        ".hit:not(.small)",
        ".hit:has(> i)",
        ".hit, .Hit",
        "[role=hit] + p",
    ],
)
@pytest.mark.parametrize("count", [1, 3, 49, 200])
def test_names_find_what_xpath_finds(source: str, elements: Any, count: int) -> None:
    hits = "<p class='hit big'><i>x</i></p><p id=hit role=hit>y</p><p class=Hit>z</p>" * count
    others = "<b class=hitting>a</b><b class='white hit-list' id=hits role=whit>b</b>" * 5
    root = tree(f"<body><div class=around>{others}{hits}</div>{others}")
    after = tree("<div class=hit><p class=hit id=hit role=hit><i>c</i></p></div>")
    page = Numbering(root, elements([root, after]), b"hit Hit big around")
    xpath = Selector(root=root, type="html").css(source)
    assert [*selector_of(source).find(page)] == [one.root for one in xpath]
    assert xpath


def test_an_element_of_another_page_has_no_place() -> None:
    for elements in (Elements, CompiledElements):
        with pytest.raises(KeyError):
            elements([tree("<p>a")]).places([tree("<p>b")])


@pytest.mark.parametrize("elements", [Elements, CompiledElements])
def test_ranges_leave_out_what_is_inside(elements: Any) -> None:
    root = tree("<body><div><p>a<i>b</i></p><!-- c --><p>d</p></div><ul><li>e</ul>")
    found = elements([root])
    div, p, ul, li = (root.find(f".//{tag}") for tag in ("div", "p", "ul", "li"))
    assert found.places([li, div]) == [7, 2]
    assert found.ranges([li, p, div]) == [(2, 5), (7, 7)]
    assert found.ranges([ul, p]) == [(3, 4), (6, 7)]
    assert found.ranges([]) == []
