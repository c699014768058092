"""``scrapy boilernet annotations --rules``: short selectors that hold on other pages of a site."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from testing.commanding import refusal, run
from testing.museum import APPEALS, STORIES, museum_page
from testing.ruled_sites import RULED, product
from testing.sidecars import sidecar, write_sidecar

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.lab.annotations.placing import place
from scrapy_boilernet.lab.annotations.sidecar import read_sidecars
from scrapy_boilernet.lab.annotations.site_rules import derive, fit, judged

collect = import_module("scrapy_boilernet.commands.annotations")
MAIN = frozenset({"main"})


def content_of(html: str, keep: str, drop: str) -> set[str]:
    """Return the texts of the blocks that a rule keeps."""
    from scrapy_boilernet.extractor.sites.rules import SiteRule

    page = blockify(html, rule=SiteRule("a.example", keep=tuple(keep.split(", ")), drop=(drop,)))
    assert page.site is not None
    return {text for text, kept in zip(page.texts, page.site.kept, strict=True) if kept}


def annotate(folder: Path, name: str, url: str, html: str, content: set[str]) -> None:
    document = sidecar(
        html.encode(),
        lambda text: ("main" if text in content else "boilerplate", "human"),
        url=url, finished=True,
    )  # fmt: skip
    write_sidecar(folder, name, html.encode(), document)


@pytest.fixture
def museum(tmp_path: Path) -> Path:
    folder = tmp_path / "museum"
    for number in range(8):
        html = museum_page(number)
        content = content_of(html, f"main, {STORIES}", APPEALS)
        url = f"https://www.museum.example/object/{number}"
        annotate(folder, f"page{number}", url, html, content)
    return folder


def pages_of(folder: Path) -> list[Any]:
    return [judged(place(one), MAIN) for one in read_sidecars([folder])]


def test_the_shortest_selectors_keep_and_drop_what_people_did(museum: Path) -> None:
    pages = pages_of(museum)
    rule = derive(pages)
    assert (rule.keep, rule.drop) == (("main", ".related"), (".appeal",))
    assert fit(pages) == (1.0, 1.0)


def test_the_file_is_a_rule_that_extracts_what_people_kept(
    museum: Path, tmp_path: Path, tiny_model: Path
) -> None:
    out = tmp_path / "sites.toml"
    assert run(collect, museum, "--rules", "--out", out) == 0
    text = out.read_text(encoding="utf-8")
    assert text.startswith("# museum.example: 8 pages. Words on pages that did not make the rule: ")
    assert "precision 1.00, recall 1.00." in text
    html = museum_page(99)
    url = "https://museum.example/object/99"
    result = extract(html, url, sites=out, model=str(tiny_model), engine="numpy")
    assert {*result.text.splitlines()} == content_of(html, f"main, {STORIES}", APPEALS)


def test_a_shop_with_hidden_tabs_has_a_rule_of_few_lines(tmp_path: Path) -> None:
    for number in range(6):
        page = product(number)
        lines = {*page.text.replace(" | ", "\n").splitlines()}
        annotate(tmp_path, f"p{number}", f"https://shop.example{page.path}", page.html, lines)
    pages = pages_of(tmp_path)
    rule = derive(pages)
    assert len(rule.keep) + len(rule.drop) <= 4
    assert fit(pages) == (1.0, 1.0)


def test_two_sites_have_a_rule_each_and_one_page_is_not_tested(
    museum: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = RULED["/shop/3"]
    annotate(museum, "shop", "https://shop.example:8080/3", page.html, {*page.text.splitlines()})
    capsys.readouterr()
    assert run(collect, museum, "--rules") == 0
    text = capsys.readouterr().out
    assert tomllib.loads(text).keys() == {"museum.example", "shop.example"}
    assert "# shop.example: 1 page. Not tested: it needs another page of the site." in text


def test_words_that_only_one_page_calls_content_are_measured_on_it(tmp_path: Path) -> None:
    for number in range(4):
        html = museum_page(number)
        kept = content_of(html, STORIES if number == 3 else "main", "nav")
        annotate(tmp_path, f"p{number}", f"https://a.example/{number}", html, kept)
    pages = pages_of(tmp_path)
    assert derive(pages[:3]).keep == ("main",)
    precision, recall = fit(pages)
    assert 0 < precision < 1
    assert 0 < recall < 1


def test_pages_without_content_have_no_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(2):
        annotate(tmp_path, f"p{number}", f"https://a.example/{number}", museum_page(number), set())
    assert run(collect, tmp_path, "--rules") == 0
    text = capsys.readouterr().out
    assert "# No selector keeps what is content." in text
    assert tomllib.loads(text) == {}


def test_names_that_are_no_selectors_are_left_out(tmp_path: Path) -> None:
    html = (
        '<body><div id="1a" class="a:b c&quot;d -x {{y}}"><p class="">Text of the page.</p></div>'
        "<svg:rect><p>Other</p></svg:rect><p>Footer</p>"
    )
    annotate(tmp_path, "p", "https://a.example/", html, {"Text of the page."})
    (page,) = pages_of(tmp_path)
    assert {"div", "p"} <= {*page.inside}
    assert not any(set(selector) & set("{}:\"'") for selector in page.inside)


def test_a_data_set_needs_a_folder(tmp_path: Path) -> None:
    assert "name the data set to write by --out" in refusal(collect, tmp_path)
