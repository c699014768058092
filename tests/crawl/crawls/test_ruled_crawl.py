"""Crawls of a shop and a news site with rules: their items, and those of stored pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scrapy.cmdline import execute
from testing.benchmark_runs import needs_shipped_model
from testing.crawling import Crawl, crawl
from testing.extension import Pages
from testing.ruled_sites import PAGES, RULES

pytestmark = needs_shipped_model
SETTINGS = {
    "BOILERNET_ENABLED": True,
    "BOILERNET_ENGINE": "numpy",
    "BOILERNET_METADATA_FIELD": "metadata",
    "BOILERNET_SOURCE_FIELD": "source",
}


@pytest.fixture(scope="module")
def pages() -> Any:
    with Pages() as served:
        for path, (html, _) in PAGES.items():
            served.put(path, html)
        yield served


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rules as a file, with at most five lines per site."""
    lines = []
    for site, rule in RULES.items():
        lines += [f'["{site}"]', *(f"{key} = {json.dumps(value)}" for key, value in rule.items())]
        assert len(rule) <= 5
    file = tmp_path_factory.mktemp("sites") / "sites.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def ruled(pages: Pages, sites: Path) -> Crawl:
    return crawl("site_rules", pages.url, {**SETTINGS, "BOILERNET_SITES": str(sites)})


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        execute(["scrapy", "boilernet", *words])
    return int(ended.value.code or 0)


def test_every_item_is_right_with_rules(ruled: Crawl, pages: Pages) -> None:
    items = {item["path"]: item for item in ruled.fields()}
    assert items.keys() == PAGES.keys()
    wrong = {path for path, (_, text) in PAGES.items() if items[path]["main_text"] != text}
    assert not wrong
    counts = ruled.counts("ruled")
    assert (counts["source/site-rule"], counts.get("sites/no_match", 0)) == (30, 0)
    plain = crawl("site_rules", pages.url, SETTINGS)
    right = [item["main_text"] == PAGES[item["path"]][1] for item in plain.fields()]
    assert sum(right) < len(right)


def test_titles_authors_and_dates_are_those_of_the_rules(ruled: Crawl) -> None:
    for item in ruled.fields():
        number = int(item["path"].rpartition("/")[2])
        if "/shop/" in item["path"]:
            assert item["metadata"]["title"] == item["main_text"].splitlines()[0]
        else:
            assert item["metadata"]["authors"] == ["Mara Lind"]
            assert item["metadata"]["date_published"] == f"2026-05-{number % 28 + 1:02}"


@pytest.mark.parametrize("mode", ["process", "deferred"])
def test_other_modes_give_the_same(
    mode: str, ruled: Crawl, pages: Pages, sites: Path, tmp_path: Path
) -> None:
    own: dict[str, Any] = {**SETTINGS, "BOILERNET_SITES": str(sites), "BOILERNET_MODE": mode}
    if mode == "deferred":
        own["BOILERNET_DEFERRED_FOLDER"] = str(tmp_path / "pages")
        crawl("site_rules", pages.url, own)
        out = tmp_path / "filled.jsonl"
        assert run("fill", str(tmp_path / "pages"), "-o", str(out), "--engine", "numpy") == 0
        rows = map(json.loads, out.read_text(encoding="utf-8").splitlines())
        texts = {row["url"].removeprefix(pages.url): row["main_text"] for row in rows}
    else:
        items = crawl("site_rules", pages.url, own).fields()
        texts = {item["path"]: item["main_text"] for item in items}
    assert texts == {item["path"]: item["main_text"] for item in ruled.fields()}


def test_bulk_gives_the_same(ruled: Crawl, sites: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "pages.jsonl", tmp_path / "out.jsonl"
    lines = [
        json.dumps({"url": f"https://a.example{path}", "html": html})
        for path, (html, _) in PAGES.items()
    ]
    source.write_text("\n".join(lines), encoding="utf-8")
    given = ("--sites", str(sites), "--engine", "numpy", "--workers", "1", "-o", str(out))
    assert run("bulk", str(source), *given) == 0
    rows = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    texts = {row["url"].removeprefix("https://a.example"): row["main_text"] for row in rows}
    assert texts == {item["path"]: item["main_text"] for item in ruled.fields()}
    (tmp_path / "wrong.toml").write_text('["a.example"]\nkeep = ["p["]\n', encoding="utf-8")
    assert run("bulk", str(source), "--sites", str(tmp_path / "wrong.toml")) == 2


def test_a_site_that_changed_its_markup_is_reported(pages: Pages) -> None:
    rules = {"/shop/": {"keep": ["#article"]}}
    changed = crawl("site_rules", pages.url, {**SETTINGS, "BOILERNET_SITES": rules})
    counts = changed.counts("ruled")
    assert counts["sites/no_match"] == 30
    assert counts["domain/127.0.0.1/without_match"] == 30
    assert counts["domains_turned_bad"] == 1
    assert sum("the rule of its site found nothing" in line for line in changed.log) == 1
