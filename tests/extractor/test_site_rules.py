"""Rules of sites: how they are read, what they select, and what becomes of a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.explain.explanation import explain
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.extractor.labeling import extract
from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.extractor.site_rules import SiteRuleError, read_site_rules

URL = "https://www.shop.example/boats/7"
PRODUCT = """<title>Red boat | Shop</title><nav><a href=/>Home</a> <a href=/boats>Boats</a></nav>
<div id=product><h1 class=name>Red boat</h1><p>A boat for <span class=ad>BUY NOW</span> two.</p>
<div class=tab hidden><p>Weight: 12 kg</p></div><ul class=also-bought><li>Oar<li>Sail</ul>
<p class=by>By Mara Lind and Jo Ek</p><time datetime=2026-05-01>1 May</time></div>
<footer><p>All rights reserved.</p></footer>"""
RULE = {"keep": ["#product"], "drop": [".also-bought", ".ad", ".by", "time"]}


def text_of(rule: dict[str, Any], html: str = PRODUCT, url: str = URL, **options: Any) -> str:
    return extract(html, url, engine="numpy", sites={"shop.example": rule}, **options).text


def test_keep_and_drop_decide_and_hidden_text_inside_counts() -> None:
    assert text_of(RULE).splitlines() == ["Red boat", "A boat for two.", "Weight: 12 kg"]
    assert "Weight: 12 kg" in text_of({"keep": [".tab"], "drop": ["h1"]})


@pytest.mark.parametrize(
    "selectors",
    [["#product"], ["//div[@id='product']"], [".//div[@id='product']"], ["body > div#product"],
     ["h1", "p", ".tab", "ul", "time"], ["div:has(h1)"], ["#product, .none"]],
)  # fmt: skip
def test_selectors_are_css_or_xpath(selectors: list[str]) -> None:
    kept = text_of({"keep": selectors}).splitlines()
    assert {"Red boat", "Weight: 12 kg"} <= {*kept}
    assert "Home" not in " ".join(kept)


def test_without_keep_the_model_decides_about_the_rest() -> None:
    article = "".join(f"<p>{'The tide leaves pools behind that warm up in the sun. ' * 4}" * 4)
    html = f"<h1>Pools</h1>{article}<p class=promo>{'Read our newsletter every day. ' * 5}</p>"
    plain = extract(html, URL, engine="numpy")
    ruled = extract(html, URL, engine="numpy", sites={"shop.example": {"drop": [".promo"]}})
    assert "newsletter" not in ruled.text
    assert ruled.source == plain.source == "model"
    assert ruled.labels[:-1] == plain.labels[:-1]


def test_what_is_kept_may_be_left_to_the_model() -> None:
    both = {"keep": ["#product"], "inside": "model"}
    every = text_of({"keep": ["#product"]}).splitlines()
    assert {*text_of(both).splitlines()} < {*every}


def test_a_keep_that_finds_nothing_leaves_the_page_to_the_model() -> None:
    rule = {"keep": ["#gone"], "drop": ["footer"]}
    result = extract(PRODUCT, URL, engine="numpy", sites={"shop.example": rule})
    plain = extract(PRODUCT, URL, engine="numpy")
    assert result.source == plain.source
    assert result.text == plain.text.replace("\nAll rights reserved.", "")


def test_xpaths_and_probabilities_stay_those_of_the_page() -> None:
    result = extract(PRODUCT, URL, engine="numpy", sites={"shop.example": RULE})
    plain = extract(PRODUCT, URL, engine="numpy")
    xpaths = [block.xpath for block in plain.page.blocks if not block.xpath.endswith("/time[1]")]
    assert [block.xpath for block in result.page.blocks] == xpaths
    assert len(result.probabilities) == len(xpaths)


def test_title_author_and_date_overrule_the_metadata() -> None:
    rule = {"title": "h1.name", "author": ".by", "date": "time"}
    found = extract(
        PRODUCT, URL, engine="numpy", sites={"shop.example": rule}, formats=("metadata",)
    ).metadata
    assert found
    assert (found.title, found.authors, found.date_published) == (
        "Red boat", ("Mara Lind", "Jo Ek"), "2026-05-01",
    )  # fmt: skip
    assert {found.sources[name] for name in ("title", "authors", "date_published")} == {"site-rule"}
    other = {"title": "title::text", "date": "//time/@datetime", "author": "//nothing"}
    found = extract(
        PRODUCT, URL, engine="numpy", sites={"shop.example": other}, formats=("metadata",)
    ).metadata
    assert found
    assert (found.title, found.date_published) == ("Red boat | Shop", "2026-05-01")


def test_explain_names_the_selector() -> None:
    rule = read_site_rules({"shop.example": RULE}).rule_for(URL)
    page = blockify(PRODUCT, URL, site=rule)
    labeler = load_labeler("default", "numpy")
    explanation = explain(page, labeler, LabelOptions(site=rule))
    notes = {explanation.note(i) for i in range(len(page.blocks))}
    assert {"kept by: site rule #product", "dropped by: site rule .also-bought"} <= notes


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://shop.example/a", "shop.example"), ("http://www.shop.example:80/", "shop.example"),
        ("https://old.shop.example/", "old.shop.example"),
        ("https://a.old.shop.example/", "old.shop.example"),
        ("https://shop.example/print/7", r"/print/\d+"), ("https://shop.example.org/", None),
        ("https://workshop.example/", None), ("http://[::1", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_a_page_gets_the_rule_of_its_url(url: str | None, site: str | None) -> None:
    rules = read_site_rules({
        "shop.example": {"keep": ["p"]}, "old.shop.example": {"keep": ["p"]},
        r"/print/\d+": {"keep": ["p"]},
    })  # fmt: skip
    rule = rules.rule_for(url)
    assert (rule.site if rule else None) == site


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"kep": ["p"]}, "unknown key 'kep'; known: keep, drop"),
        ({"keep": ["p["]}, r"keep has the selector 'p\['"),
        ({"drop": ["//p["]}, "Invalid expression"), ({"drop": [" "]}, "empty selector"),
        ({"keep": ["p" * 1_001]}, "1,001 characters"), ({"keep": ["p"] * 101}, "more than 100"),
        ({"keep": ["p::text"]}, "selects no elements"), ({"keep": 5}, "list of selectors"),
        ({"keep": [5]}, "list of selectors"), ({"title": ["h1"]}, "one selector"),
        ({"keep": ["p"], "inside": "all of it"}, "'all' or 'model'"), ({}, "has no rule"),
        ("p", "must be a table"), ({"keep": ["//a[.//b[.//c]]"]}, "without nesting"),
    ],
)  # fmt: skip
def test_a_wrong_rule_is_refused_with_its_line(table: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(SiteRuleError, match=words):
        read_site_rules({"a.example": table})
    if isinstance(table, dict) and all(isinstance(v, list) for v in table.values()) and table:
        ((key, value),) = table.items()
        file = tmp_path / "sites.toml"
        lines = ["# mine", "", '["b.example"]', "keep = ['p']", '["a.example"]', f"{key} = {value}"]
        file.write_text("\n".join(lines), encoding="utf-8")
        with pytest.raises(SiteRuleError, match=rf"sites\.toml, line 5: .*{words}"):
            read_site_rules(file)


@pytest.mark.parametrize("second", ["A.example", "www.a.example", "a.example."])
def test_two_rules_for_one_domain_are_refused(second: str) -> None:
    with pytest.raises(SiteRuleError, match="same domain"):
        read_site_rules({"a.example": {"keep": ["p"]}, second: {"keep": ["p"]}})
    with pytest.raises(SiteRuleError, match=r"write 'a\.example'"):
        read_site_rules({"*.a.example": {"keep": ["p"]}})
    with pytest.raises(SiteRuleError, match="neither a domain nor"):
        read_site_rules({"a/(": {"keep": ["p"]}})


def test_a_broken_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sites.toml"
    for text in ("[", '["a.example"]\nkeep = ["p"]\n["a.example"]\n'):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(SiteRuleError, match="no TOML"):
            read_site_rules(file)


@pytest.mark.parametrize("selector", ["p ~ p", "p:nth-child(2n+1)", "//p[following::p]"])
def test_selectors_that_could_take_long_are_left_out_of_large_pages(selector: str) -> None:
    rule = read_site_rules({"shop.example": {"keep": [selector]}}).rule_for(URL)
    small, large = ("<div>" + "<p>a</p>" * number + "</div>" for number in (5, 20_000))
    page = blockify(small, URL, site=rule)
    assert page.site
    assert (page.site.keeps, page.site.skipped) == (True, ())
    page = blockify(large, URL, site=rule)
    assert page.site
    assert (page.site.keeps, page.site.skipped) == (False, (selector,))


SELECTORS = st.sampled_from(["div", "p", "b", "#x", ".y", "p > b", "//p", "*"])
PARTS = st.sampled_from(["<div>", "</div>", "<p id=x>", "a ", "<b class=y>", "</b>", "<p>b"])


@given(st.lists(SELECTORS, max_size=4), st.lists(PARTS, max_size=30))
def test_on_any_page_a_block_counts_if_it_is_in_an_element(
    selectors: list[str], parts: list[str]
) -> None:
    rule = read_site_rules({"shop.example": {"keep": selectors}} if selectors else {}).rule_for(URL)
    plain = blockify("".join(parts))
    page = blockify("".join(parts), URL, site=rule)
    assert [b.text for b in page.blocks] == [b.text for b in plain.blocks]
    for selector, places in page.site.keep if page.site else ():
        tag = {"#x": "/p", ".y": "", "p > b": "/p", "//p": "/p", "b": ""}.get(selector, selector)
        inside = {i for i, block in enumerate(page.blocks) if tag == "*" or tag in block.xpath}
        assert {*places} <= inside
        if selector in ("div", "p", "//p", "*"):
            assert {*places} == inside
