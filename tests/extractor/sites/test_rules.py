"""The rules of sites: read from TOML or a dict; wrong ones name file, line and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_boilernet.extractor.sites.rules import SiteRule, SiteRules, SitesError

SITES = """
["shop.example"]
keep = ["#product", "section.specs"]
drop = ".also-bought"
title = "h1.name"

["https?://news\\\\.example/\\\\d+"]
drop = [".read-also"]
date = "time::attr(datetime)"

["forum.shop.example"]
keep = ".post"
inside = "model"
"""
WRONG = {
    '["a.example"]\nkeep = "#x"\n["a.example"]\ndrop = "p"': "line 3.*has each key once",
    '["a.example"]\nkeep = "#x"\n\n["WWW.A.example."]\ndrop = "p"': "line 4.*make them one rule",
    '["a.example"]\nkeep = ["#x",\n  "div["]': "line 3: 'a.example': keep 'div\\['.*not a CSS",
    '["a.example"]\nkeep = "#x"\nkepp = "p"': "line 3.*unknown key 'kepp'; known are keep, drop",
    '[a.example]\nkeep = "#x"': r'line 1.*write \["a.example"\], with quotes',
    '[www.a.example.com]\nkeep = "#x"': r'line 1.*write \["www.a.example.com"\], with quotes',
    '[a.b.c]\ndrop = "p"\n[a.b.d]\ndrop = "p"': r'line 1.*write \["a.b.c"\], with quotes',
    "[a.example]\n": r'line 1.*write \["a.example"\], with quotes',
    'a.example = "#x"': r'known are keep.*is it a domain\? Then write \["a.example"\], with quotes',
    '["a example"]\nkeep = "#x"': "line 1.*neither a domain nor a URL has white space",
    '[127.0.0.1]\nkeep = "#x"': r'line 1.*write \["127.0.0.1"\], with quotes',
    "[" + "a." * 2000 + "b]": "with quotes",
    '["a.example"]\ninside = "model"': "line 2.*no effect without keep",
    '["a.example"]\nkeep = "#x"\ninside = "most"': 'line 3.*must be "all" or "model"',
    '["a.example"]\n': "line 1.*the rule is empty",
    '["http://(a.example"]\ndrop = "p"': "line 1.*neither a domain nor a regular expression",
    '["a.example"]\ndrop = "p::text"': "line 2.*selects strings",
    '["a.example"]\ndrop = "p"\n\nkeep = ""': "line 4.*not a CSS selector",
    '["a.example"]\ndrop = "p"\n"keep" = \'p["x=\\"\'': "line 3.*not a CSS selector",
    '["a.example"]\ntitle = "b::text"\ndrop = "b::text"': "line 3.*selects strings",
    '["a.example"]\n# drop = 3\ndrop = 3': "line 3.*must be a selector",
    '["*.a.example"]\ndrop = "p"': r'line 1.*write \["a.example"\], which includes its subdomains',
    '["*"]\ndrop = "p"': "line 1.*nothing to repeat.*correct it",
    '["a.example"]\nkeep = 3': "line 2.*must be a selector, or a list",
    'keep = "p"': "is no rule",
    '["a.example"]\ndrop = ["li:has(a)", "' + "p:first-of-type, " * 10 + 'i"]': "simpler ones",
    '["a.example"]\ndrop = [' + '"p", ' * 101 + "]": "more than 100 selectors",
    "[": "no TOML",
}


@pytest.fixture
def sites(tmp_path: Path) -> SiteRules:
    file = tmp_path / "sites.toml"
    file.write_text(SITES, encoding="utf-8")
    rules = SiteRules.of(file)
    assert rules is not None
    return rules


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://shop.example/a", "shop.example"),
        ("https://WWW.Shop.example.:8080/a", "shop.example"),
        ("https://en.shop.example/", "shop.example"),
        ("https://forum.shop.example/", "forum.shop.example"),
        ("https://a.forum.shop.example/", "forum.shop.example"),
        ("https://workshop.example/", None),
        ("https://shop.example.org/", None),
        ("http://news.example/12", r"https?://news\.example/\d+"),
        ("http://news.example/about", None),
        ("http://[::1", None),
        (None, None),
        ("", None),
    ],
)
def test_a_page_has_the_rule_of_its_pattern_or_longest_domain(
    sites: SiteRules, url: str | None, key: str | None
) -> None:
    rule = sites.rule_for(url)
    assert (rule and rule.key) == key


def test_a_dict_means_what_the_file_means(sites: SiteRules) -> None:
    table = {
        "www.shop.example.": {"keep": ("#product", "section.specs"), "drop": [".also-bought"],
                         "title": ["h1.name"]},
        r"https?://news\.example/\d+": {"drop": ".read-also", "date": "time::attr(datetime)"},
        "FORUM.shop.example": {"keep": [".post"], "inside": "model"},
    }  # fmt: skip
    assert SiteRules.of(table) == sites
    assert SiteRules.of(sites) is sites
    assert SiteRules.of(None) is None
    assert SiteRules.of({"bücher.example": {"drop": "p"}}).rule_for("http://xn--bcher-kva.example/")


def test_rules_are_sent_as_plain_values_with_a_digest(sites: SiteRules) -> None:
    assert SiteRules.of_rows(sites.as_rows()) == sites
    assert SiteRules.of_rows(sites.as_rows()).digest == sites.digest
    assert SiteRules((SiteRule("a.example", drop=("p",)),)).digest != sites.digest


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_rule_is_refused_with_file_line_and_remedy(tmp_path: Path, text: str) -> None:
    file = tmp_path / "own sites.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SitesError, match=rf"own sites\.toml.*{WRONG[text]}"):
        SiteRules.of(file)


def test_a_missing_file_and_other_values_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SitesError, match=r"none\.toml: cannot be read: No such file"):
        SiteRules.of(tmp_path / "none.toml")
    with pytest.raises(SitesError, match="must be the path"):
        SiteRules.of(3)  # type: ignore[arg-type]
    with pytest.raises(SitesError, match=r"'a.example': unknown key 'kep'"):
        SiteRules.of({"a.example": {"kep": "p"}})


def test_ten_thousand_domains_load(tmp_path: Path) -> None:
    file = tmp_path / "sites.toml"
    file.write_text(
        "".join(
            f'["site{i}.example"]\nkeep = ["#product-{i}", "section.specs-{i} > .body"]\n'
            f'drop = [".also-{i}", "[role=dialog]"]\n'
            for i in range(10_000)
        ),
        encoding="utf-8",
    )
    sites = SiteRules.of(file)
    assert sites is not None
    assert sites.rule_for("https://site7777.example/").keep[0] == "#product-7777"  # type: ignore[union-attr]
