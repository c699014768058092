"""What an explanation says of the rule of a page's site."""

from __future__ import annotations

from typing import Any

import pytest
from testing.standins import Half

from scrapy_boilernet.extractor.explain.explanation import explain
from scrapy_boilernet.extractor.explain.html import html_page
from scrapy_boilernet.extractor.explain.text import Look, text_lines
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.sites.rules import SiteRules

URL = "https://shop.example/1"
PAGE = """<nav><p>Menu</p></nav><div id=product><h1>Kettle</h1><p class=text>It boils.</p>
<p class=text>Of <b>steel</b>.</p></div><div class=more><p>More kettles.</p></div>"""


def lines_of(rule: dict[str, Any], url: str | None = URL, key: str = "shop.example") -> list[str]:
    sites = SiteRules.of({key: rule})
    assert sites is not None
    page = blockify(PAGE, url, rule=sites.rule_for(url))
    return [*explain(page, Half(), sites=sites).rule]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"keep": "#product", "drop": [".text", ".alsobought"]},
         ["keep #product: 1 block", "drop .text: 2 blocks", "drop .alsobought: no other block"]),
        ({"keep": ["#product", ".text"]},
         ["keep #product: 3 blocks", "keep .text: no other block"]),
        ({"keep": "#product", "drop": "#product"},
         ["keep #product: no block that drop leaves", "drop #product: 3 blocks"]),
        ({"keep": "#prodcut"},
         ["keep #prodcut: no block", "keep found no block, so the model decides"]),
        ({"keep": "b", "drop": "nav"},
         ["keep b: no block", "drop nav: 1 block", "keep found no block, so the model decides"]),
        ({"drop": [".nowhere", "nav"]}, ["drop .nowhere: no block", "drop nav: 1 block"]),
        ({"title": "h1"}, ["only for the metadata"]),
    ],
)  # fmt: skip
def test_each_selector_says_how_many_blocks_it_found(
    rule: dict[str, Any], expected: list[str]
) -> None:
    assert lines_of(rule) == ["shop.example", *expected]


@pytest.mark.parametrize(
    ("url", "key", "said"),
    [
        (URL, "shop.exmaple", "none: of 1 rules, no domain or pattern is that of this address"),
        (URL, "http://shop.example/", "none: of 1 rules"),
        (None, "shop.example", "is that of a page without an address"),
    ],
)
def test_a_page_without_a_rule_says_so(url: str | None, key: str, said: str) -> None:
    (line,) = lines_of({"drop": "p"}, url, key)
    assert said in line


def test_a_pattern_is_named_and_no_rules_say_nothing() -> None:
    assert lines_of({"drop": "nav"}, key="/[0-9]+$") == ["/[0-9]+$", "drop nav: 1 block"]
    assert explain(blockify(PAGE, URL), Half()).rule == ()


def test_text_and_html_show_the_rule() -> None:
    sites = SiteRules.of({"shop.example": {"keep": "#product", "drop": ".more"}})
    assert sites is not None
    found = explain(blockify(PAGE, URL, rule=sites.rule_for(URL)), Half(), sites=sites)
    lines = [*text_lines(found, [], 0, Look())]
    begin = lines.index("rule:       shop.example")
    assert lines[begin + 1] == " " * 12 + "keep #product: 3 blocks"
    assert "drop .more: 1 block" in html_page(found, 3)
