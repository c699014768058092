"""Crawls whose items get Markdown, HTML, metadata and posts, in every mode and by the caches."""

from __future__ import annotations

import argparse
import functools
import json
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings
from testing.crawling import Crawl, crawl
from testing.loopback import ANSWERS, Answer, Site

from scrapy_boilernet import ModelError
from scrapy_boilernet.commands import fill
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.modes import mode_of

FIELDS = {"MARKDOWN_FIELD": "markdown", "HTML_FIELD": "html", "METADATA_FIELD": "meta"}
COMMENTS = (
    "<div class=comment id=comment-1><b class=fn>Ann</b> <time datetime=2024-05-07>May 7</time>"
    "<div class=comment-content><p>We saw it as children.</p></div></div>"
)
TABLE = "| year | sacks |\n| --- | --- |\n| 1910 | 40 |"


@pytest.fixture(scope="module")
def settings(tiny_model: Path) -> dict[str, Any]:
    own = {
        "ENABLED": True, "ENGINE": "numpy", "MODEL": str(tiny_model), "THRESHOLD": 0,
        "LABELS_FIELD": None, **FIELDS,
    }  # fmt: skip
    return {f"BOILERNET_{name}": value for name, value in own.items()}


@pytest.fixture(scope="module")
def run(site: Site, settings: dict[str, Any]) -> Any:
    @functools.cache
    def crawled(mode: str, **more: Any) -> Crawl:
        given = {f"BOILERNET_{name}": value for name, value in {"MODE": mode, **more}.items()}
        return crawl("formats", site.url, {**settings, **given})

    return crawled


def by_name(result: Crawl) -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in result.fields()}


def check_items(items: dict[str, dict[str, Any]], site: Site) -> None:
    for name in ("plain", "filled"):
        item = items[name]
        assert (
            f"# The mill\n\nIts **wheel** turned until [1911]({site.url}/1911)." in item["markdown"]
        )
        assert item["markdown"].endswith(TABLE)
        assert "<td>1910</td>" in item["html"]
        found = item["meta"]
        assert (found["title"], found["authors"]) == ("The mill", ["Jo Waters"])
        assert found["date_published"] == "2024-05-06T07:08:09+02:00"
        assert (found["language"], found["site_name"]) == ("en", "River news")
        assert found["sources"]["authors"] == "json-ld"
    assert items["own"]["md"] == items["plain"]["markdown"].replace("?plain", "?own")
    assert not {"markdown", "html", "meta"} & items["own"].keys()
    assert items["declared"].keys() == {"name", "main_text", "meta"}
    assert items["declared"]["meta"]["title"] == "The mill"
    assert items["set"]["markdown"] == "mine"
    assert items["set"]["html"] == items["plain"]["html"]


@pytest.mark.parametrize("mode", ["thread", "process"])
def test_items_get_the_formats_that_have_a_field(run: Any, mode: str, site: Site) -> None:
    result = run(mode)
    check_items(by_name(result), site)
    assert result.counts("formats")["items/labeled"] == 5
    assert result.counts("formats")["fields/kept"] == 1
    assert [line for line in result.log if " ERROR: " in line] == []


@pytest.mark.parametrize("mode", ["thread", "process"])
def test_pages_are_counted_whose_markdown_would_be_too_large(
    site: Site, settings: dict[str, Any], mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    quoted = f"<h1>The mill</h1>{'<blockquote>' * 55}<p>Its wheel turned until 1911."
    monkeypatch.setitem(ANSWERS, "/mill", Answer(quoted.encode()))
    result = crawl("formats", site.url, {**settings, "BOILERNET_MODE": mode})
    assert result.counts("formats")["formats/shortened"] == 5
    assert by_name(result)["plain"]["markdown"].count("> ") == 20


def test_pages_labeled_after_the_crawl_have_the_formats(
    run: Any, site: Site, settings: dict[str, Any], tmp_path: Path
) -> None:
    items, out = tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    deferred = run("deferred", DEFERRED_FOLDER=str(tmp_path / "pages"), MODEL="not needed")
    stored = [item for item in deferred.fields() if "boilernet_page" in item]
    items.write_text("".join(f"{json.dumps(item)}\n" for item in stored), encoding="utf-8")
    parser = argparse.ArgumentParser()
    fill.add_arguments(parser)
    pages = [str(tmp_path / "pages")]
    options = parser.parse_args([*pages, "--items", str(items), "-o", str(out)])
    assert fill.run(options, Settings(settings)) == 0
    found = {row["name"]: row for row in map(json.loads, out.open(encoding="utf-8"))}
    assert found.keys() == {"plain", "own", "set", "filled"}  # a class must declare the key
    for name in ("plain", "filled"):
        assert found[name]["markdown"].endswith(TABLE)
        assert found[name]["meta"]["authors"] == ["Jo Waters"]
    assert found["set"]["markdown"] == "mine"
    options = parser.parse_args([*pages, "--with", "markdown,metadata", "-o", str(out)])
    assert fill.run(options, Settings(settings)) == 0
    rows = [json.loads(line) for line in out.open(encoding="utf-8")]
    assert len(rows) == 5
    assert all(row["main_text_markdown"].endswith(TABLE) for row in rows)
    assert all(row["metadata"]["title"] == "The mill" for row in rows)


@pytest.mark.parametrize("mode", ["thread", "process", "inline"])
def test_a_model_that_gives_no_markdown_is_refused_at_the_start(
    settings: dict[str, Any], tiny_paper_model: Path, mode: str
) -> None:
    leaves = {"BOILERNET_MODEL": str(tiny_paper_model), "BOILERNET_MODE": mode}
    with pytest.raises(
        ModelError, match="labels 'leaf' units, from which neither Markdown nor HTML"
    ):
        mode_of(Config.from_settings({**settings, **leaves}))


@pytest.mark.parametrize("mode", ["thread", "process"])
def test_items_get_the_posts_of_a_page(
    site: Site, settings: dict[str, Any], mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"<h1>The mill</h1><p>Its wheel turned until 1911, and then it stood.{COMMENTS}"
    monkeypatch.setitem(ANSWERS, "/mill", Answer(page.encode()))
    own = {"BOILERNET_MODE": mode, "BOILERNET_POSTS_FIELD": "posts"}
    (post,) = by_name(crawl("formats", site.url, {**settings, **own}))["plain"]["posts"]
    assert (post["author"], post["date"], post["number"]) == ("Ann", "2024-05-07", 1)
    assert post["markdown"] == post["text"] == "We saw it as children."
