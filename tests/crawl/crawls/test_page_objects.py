"""Crawls whose callbacks ask scrapy-poet for the main text, the labeled page and Zyte's items."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from testing.crawling import Crawl, crawl, python_path
from testing.loopback import MAX_BYTES, PARAGRAPHS, Site

pytest.importorskip("scrapy_poet")
pytest.importorskip("zyte_common_items")

DOCUMENT = Path(__file__).parents[3] / "docs" / "page-objects.md"
PROVIDERS = ("MainTextProvider", "LabeledPageProvider", "zyte.PageContentProvider",
             "zyte.ArticleProvider")  # fmt: skip
BEFORE = {"scrapy_poet.Addon": 300, "scrapy_boilernet.Addon": 500}
AFTER = {"scrapy_boilernet.Addon": 300, "scrapy_poet.Addon": 500}
ARTICLE = "Home\nThe mill on the river\nIts wheel turned until 1911.\nNow it grinds again."


def crawled(site: Site, model: Path, **settings: Any) -> Crawl:
    providers = {f"scrapy_boilernet.page_objects.{name}": 500 for name in PROVIDERS}
    return crawl(
        "page_objects",
        site.url,
        {
            "ADDONS": BEFORE,
            "BOILERNET_ENABLED": True,
            "BOILERNET_ENGINE": "numpy",
            "BOILERNET_MODEL": str(model),
            "BOILERNET_THRESHOLD": 0,  # every block is content, so that the texts are known
            "BOILERNET_MAX_BYTES": MAX_BYTES,
            "BOILERNET_OVER_MAX_BYTES": "skip",
            "SCRAPY_POET_PROVIDERS": providers,
            **settings,
        },
    )


@pytest.fixture(scope="module", params=["poet's add-on first", "ours first", "processes"])
def result(site: Site, tiny_model: Path, request: pytest.FixtureRequest) -> Crawl:
    settings: dict[str, dict[str, Any]] = {
        "poet's add-on first": {"ADDONS": BEFORE},
        "ours first": {"ADDONS": AFTER},
        "processes": {"BOILERNET_MODE": "process"},
    }
    return crawled(site, tiny_model, **settings[request.param])


def only(result: Crawl, spider: str, path: str) -> dict[str, Any]:
    items = [item["fields"] for item in result.items if item["spider"] == spider]
    (fields,) = [fields for fields in items if fields["path"] == path]
    return fields


def test_callback_gets_all_four_inputs_of_one_labeling(result: Crawl, site: Site) -> None:
    fields, url = only(result, "asking", "/article"), f"{site.url}/article"
    text, markdown, html, title = fields["page"]
    assert fields["shared"]
    assert text == fields["text"] == fields["main_text"] == ARTICLE
    assert title == "The mill on the river"
    assert markdown.endswith("\n\n# The mill on the river\n\nIts wheel turned until 1911.\n\n"
                             "Now it grinds again.")  # fmt: skip
    assert fields["content"] == [url, title, ARTICLE]
    assert fields["article"] == [url, title, ARTICLE]
    assert fields["body"] == html
    assert "<h1>The mill on the river</h1>" in html


def test_all_inputs_obey_the_rule_of_a_site(site: Site, tiny_model: Path) -> None:
    rule = {"keep": "main", "drop": "main p:last-child", "title": "main p"}
    result = crawled(site, tiny_model, BOILERNET_SITES={"127.0.0.1": rule})
    fields, kept = only(result, "asking", "/article"), "\n".join(ARTICLE.split("\n")[1:3])
    title = "Its wheel turned until 1911."
    assert fields["text"] == fields["main_text"] == fields["page"][0] == kept
    assert fields["page"][3] == title
    assert fields["content"][1:] == fields["article"][1:] == [title, kept]
    assert only(result, "asking", "/redirect")["source"] == "site-rule"


def test_only_the_formats_that_a_callback_needs_are_made(result: Crawl, site: Site) -> None:
    fields = only(result, "asking", "/redirect")
    assert fields["url"] == f"{site.url}/article"
    assert "# The mill on the river" in fields["markdown"]
    assert fields["html"] is None


def test_page_object_gets_its_input(result: Crawl) -> None:
    assert only(result, "asking", "/several")["text"] == "Home\nSeveral\nOne page, four items."


def test_page_is_downloaded_for_a_callback_with_a_dummy_response(result: Crawl) -> None:
    assert only(result, "asking", "/long")["text"] == "\n".join(["Home", "Long", *PARAGRAPHS])


def test_no_page_is_labeled_twice(result: Crawl) -> None:
    counts = result.counts("asking")
    assert (counts["pages"], counts["items/labeled"]) == (5, 5)


@pytest.mark.parametrize(
    ("path", "stat"),
    [("/missing", "skipped/status"), ("/json", "skipped/content_type"),
     ("/huge", "skipped/too_large")],
)  # fmt: skip
def test_page_without_labels_goes_to_the_errback(result: Crawl, path: str, stat: str) -> None:
    fields = only(result, "asking", path)
    assert fields["error"] == "NotLabeledError"
    assert fields["message"].endswith(f"{path}: it counts as boilernet/{stat}")
    assert f"scrapy_boilernet.page_objects INFO: {fields['message']}" in result.log


def test_page_that_a_callback_asks_for_counts_as_requested(result: Crawl) -> None:
    assert only(result, "requested", "/article")["text"] == ARTICLE
    assert only(result, "requested", "/several") == {"path": "/several", "labeled": False}
    assert result.counts("requested")["pages"] == 1


@pytest.mark.parametrize(
    ("spider", "remedy"),
    [
        ("off", "set BOILERNET_ENABLED = True"),
        ("wrong_order", "its order must be above scrapy_poet.InjectionMiddleware's, such as 544"),
        ("left_alone", "request.meta['boilernet'] is False; leave it out"),
    ],
)
def test_an_input_that_the_settings_leave_unlabeled_is_an_error(
    result: Crawl, spider: str, remedy: str
) -> None:
    fields = only(result, spider, "/article")
    assert fields["error"] == "ConfigError"
    assert remedy in fields["message"]
    assert "pages" not in result.counts(spider)


def test_callback_that_asks_for_nothing_is_called_where_the_plugin_is_off(result: Crawl) -> None:
    assert only(result, "off", "/several") == {"path": "/several", "labeled": False}


def test_the_deferred_mode_is_an_error(site: Site, tiny_model: Path, tmp_path: Path) -> None:
    settings = {"BOILERNET_MODE": "deferred", "BOILERNET_DEFERRED_FOLDER": str(tmp_path)}
    fields = only(crawled(site, tiny_model, **settings), "asking", "/article")
    assert fields["error"] == "ConfigError"
    assert "BOILERNET_MODE = 'deferred' labels pages after the crawl" in fields["message"]


def test_scrapy_poets_cache_gives_the_same_inputs(
    site: Site, tiny_model: Path, tmp_path: Path
) -> None:
    settings = {"SCRAPY_POET_CACHE": str(tmp_path / "cache")}
    first, again = (crawled(site, tiny_model, **settings) for _ in range(2))
    for path in ("/article", "/redirect", "/several", "/long"):
        assert only(again, "asking", path) == only(first, "asking", path)
    assert again.stats["asking"]["poet/cache/hit"] == 7  # four inputs, and one of three pages
    assert "poet/cache/firsthand" not in again.stats["asking"]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True,
        env={**os.environ, **python_path()}, check=False, timeout=300,
    )  # fmt: skip


def test_the_documents_page_object_is_saved_as_a_fixture_and_tested(
    site: Site, tiny_model: Path, tmp_path: Path
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    settings, page_object = blocks[:2]
    model = f'BOILERNET_MODEL = {str(tiny_model)!r}\nBOILERNET_ENGINE = "numpy"\n'
    project = tmp_path / "project"
    (project / "spiders").mkdir(parents=True)
    files = {
        tmp_path / "scrapy.cfg": "[settings]\ndefault = project.settings\n",
        project / "__init__.py": "",
        project / "spiders/__init__.py": "",
        project / "settings.py": f'SPIDER_MODULES = ["project.spiders"]\n{settings}{model}',
        project / "pages.py": page_object,
    }
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    name = "project.pages.StoryPage"
    saved = run(tmp_path, "scrapy", "savefixture", name, f"{site.url}/article")
    assert saved.returncode == 0, saved.stderr
    folder = tmp_path / "fixtures" / name / "test-1"
    inputs = [path.name for path in (folder / "inputs").iterdir()]
    assert inputs == ["scrapy_boilernet.page_objects.MainText.json"]
    tested = run(tmp_path, "pytest", "fixtures", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout
    output = folder / "output.json"
    output.write_text(output.read_text("utf-8").replace('"lead": "', '"lead": "Not '), "utf-8")
    assert run(tmp_path, "pytest", "fixtures", "-p", "no:cacheprovider").returncode != 0
