"""Rules of sites: a shop and a newspaper in a crawl, after a deferred crawl, and in ``bulk``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings
from testing import loopback
from testing.commanding import refusal, run
from testing.crawling import Crawl, crawl
from testing.loopback import Site, html_page
from testing.ruled_sites import ANSWERS, RULED, RULES
from testing.warcs import warc_of

from scrapy_boilernet.commands import bulk, extract, fill


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "sites.toml"
    file.write_text(RULES, encoding="utf-8")
    return file


@pytest.fixture
def settings(tiny_model: Path, rules: Path) -> dict[str, Any]:
    own = {
        "ENABLED": True, "ENGINE": "numpy", "MODEL": str(tiny_model), "METADATA_FIELD": "metadata",
        "SITES": str(rules), "SOURCE_FIELD": "source",
    }  # fmt: skip
    return {f"BOILERNET_{name}": value for name, value in own.items()}


@pytest.fixture
def ruled(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    for path, answer in ANSWERS.items():
        monkeypatch.setitem(loopback.ANSWERS, path, answer)
    return site


def check(found: Iterable[tuple[str, str, dict[str, Any]]]) -> None:
    """Check the paths, texts and metadata of all pages."""
    seen = set()
    for path, text, metadata in found:
        page = RULED[path]
        seen.add(path)
        assert text == page.text
        if page.title:
            assert (metadata["title"], metadata["sources"]["title"]) == (page.title, "site-rule")
        if page.authors:
            assert tuple(metadata["authors"]) == page.authors
            assert metadata["date_published"] == page.date
    assert seen == RULED.keys()


def of_items(items: Iterable[dict[str, Any]]) -> Iterable[tuple[str, str, dict[str, Any]]]:
    return ((item["path"], item["main_text"], item["metadata"]) for item in items)


def warnings_of(result: Crawl) -> list[str]:
    """Return the package's warnings and errors; Scrapy has its own about some reactors."""
    loud = (line for line in result.log if " ERROR: " in line or " WARNING: " in line)
    return [line for line in loud if line.startswith("scrapy_boilernet")]


@pytest.mark.parametrize("mode", ["thread", "process"])
def test_items_of_a_crawl_are_right(ruled: Site, settings: dict[str, Any], mode: str) -> None:
    result = crawl("ruled", ruled.url, {**settings, "BOILERNET_MODE": mode})
    check(of_items(result.fields()))
    counts = result.counts("ruled")
    assert counts["source/site-rule"] == counts["pages"] == len(RULED)
    assert not any(name.startswith("sites/") for name in counts)
    assert warnings_of(result) == []


def test_items_of_a_deferred_crawl_are_the_same(
    ruled: Site, settings: dict[str, Any], tmp_path: Path
) -> None:
    pages, items, out = tmp_path / "pages", tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    stored = {"BOILERNET_MODE": "deferred", "BOILERNET_DEFERRED_FOLDER": str(pages)}
    result = crawl("ruled", ruled.url, {**settings, **stored})
    items.write_text("".join(f"{json.dumps(one)}\n" for one in result.fields()), encoding="utf-8")
    parser_options = (str(pages), "--items", items, "-o", out)
    assert run_with(fill, settings, *parser_options) == 0
    check(of_items(map(json.loads, out.open(encoding="utf-8"))))


def run_with(action: Any, settings: dict[str, Any], *arguments: str | Path) -> int:
    parser = argparse.ArgumentParser()
    action.add_arguments(parser)
    return int(action.run(parser.parse_args([*map(str, arguments)]), Settings(settings)))


def test_records_of_a_stored_crawl_are_the_same(
    tiny_model: Path, rules: Path, tmp_path: Path
) -> None:
    warc, out = tmp_path / "crawl.warc.gz", tmp_path / "pages.jsonl"
    warc.write_bytes(
        warc_of([(f"http://127.0.0.1{path}", page.html.encode()) for path, page in RULED.items()])
    )
    given = ("--with", "metadata", "--workers", "1", "--model", tiny_model, "--engine", "numpy")
    assert run(bulk, warc, "-o", out, "--sites", rules, *given) == 0
    rows = [json.loads(line) for line in out.open(encoding="utf-8")]
    check((r["url"].removeprefix("http://127.0.0.1"), r["main_text"], r["metadata"]) for r in rows)


def test_a_run_with_other_rules_is_not_resumed(
    tiny_model: Path, rules: Path, tmp_path: Path
) -> None:
    pages, out = tmp_path / "crawl.warc.gz", tmp_path / "pages.jsonl"
    pages.write_bytes(warc_of([("http://127.0.0.1/news-1", b"<p>Text")] * 3))
    given = (pages, "-o", out, "--workers", "1", "--model", tiny_model, "--engine", "numpy")
    assert run(bulk, *given, "--sites", rules, "--limit", "1") == 0
    rules.write_text(f"{RULES}\n['other.example']\ndrop = 'nav'", encoding="utf-8")
    assert "BOILERNET_SITES" in refusal(bulk, *given, "--sites", rules, "--resume")


def test_one_page_on_the_command_line(
    tiny_model: Path, rules: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "page.html"
    page = RULED["/shop/7"]
    file.write_text(page.html, encoding="utf-8")
    given = (file, "--url", "http://a.example/shop/7", "--model", tiny_model, "--engine", "numpy")
    assert run(extract, *given, "--sites", rules) == 0
    assert capsys.readouterr().out.strip() == page.text
    rules.write_text('["a.example"]\nkep = "p"', encoding="utf-8")
    assert "sites.toml, line 2: 'a.example': unknown key 'kep'" in refusal(
        extract, *given, "--sites", rules
    )


def test_a_site_that_changes_its_markup_is_reported(
    ruled: Site, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10, 30):
        changed = loopback.Answer(html_page("New", "The product has moved.").encode())
        monkeypatch.setitem(loopback.ANSWERS, f"/shop/{number}", changed)
    result: Crawl = crawl("ruled", ruled.url, {**settings, "CONCURRENT_REQUESTS": 1})
    counts = result.counts("ruled")
    assert counts["sites/no_match"] == counts["sites/no_match/127.0.0.1"] == 20
    assert counts["sites/changed"] == 1
    (warning,) = warnings_of(result)
    assert "127.0.0.1: keep of its rule in BOILERNET_SITES found nothing on" in warning
    assert f"look at {ruled.url}/shop/" in warning


@pytest.mark.parametrize("mode", ["thread", "process"])
def test_a_part_of_the_pages_that_is_lost_is_reported(
    ruled: Site, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    for number, path in enumerate(RULED):
        hidden = " hidden" if number >= 44 else ""
        lead = f'<div class="lead"{hidden}><p>The bridge of Brede opens again.</p></div>'
        page = f"<body>{lead}<main><p>The council decided on part {number}.</p></main></body>"
        monkeypatch.setitem(loopback.ANSWERS, path, loopback.Answer(page.encode()))
    own = {
        "BOILERNET_MODE": mode, "BOILERNET_SITES": None, "BOILERNET_THRESHOLD": 0,
        "CONCURRENT_REQUESTS": 1,
    }  # fmt: skip
    result = crawl("ruled", ruled.url, {**settings, **own})
    assert result.counts("ruled")["templates_lost"] == 1
    (warning,) = warnings_of(result)
    assert (
        "127.0.0.1: the model drops what it kept before: html > body > div > p (lead) "
        '"The bridge of Brede opens again.", dropped on 16 of the last 20 pages with it; before: '
        "kept on 40 of 40 pages."
    ) in warning
    assert warning.endswith(f"look at {ruled.url}{[*RULED][-1]}")
