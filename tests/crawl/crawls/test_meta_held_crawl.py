"""Items that hold a response's meta, with the result in it, reach every feed."""

from __future__ import annotations

import csv
import json
import marshal
import pickle
import xml.etree.ElementTree as ET
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from testing.crawling import Crawl, crawl
from testing.item_crawls import SETTINGS, reader_of_all
from testing.loopback import Site

SPIDERS = ("meta", "meta_process", "meta_deferred")
ITEMS_PER_PAGE, PAGES, LABELED = 11, 3, 2
MAX_SHOWN_CHARACTERS = 700


@pytest.fixture(scope="module")
def feeds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("feeds")


def held(site: Site, folder: Path, *formats: str) -> Crawl:
    feeds = {f"{folder.as_uri()}/%(name)s.{each}": {"format": each} for each in formats}
    given = {
        "BOILERNET_DEFERRED_FOLDER": str(folder / "stored"),
        "BOILERNET_LABELS_FIELD": None,
        # Else a CSV feed has the columns of its first item, which may be unlabeled.
        "FEED_EXPORT_FIELDS": ["path", "holds", "meta", "main_text", "shown", "boilernet_page"],
    }
    return crawl("meta_held", site.url, {**SETTINGS, **given, "FEEDS": feeds})


@pytest.fixture(scope="module")
def result(site: Site, feeds: Path) -> Crawl:
    return held(site, feeds, "json", "jsonlines", "csv", "xml", "pickle")


@pytest.fixture(scope="module")
def marshal_result(site: Site, feeds: Path) -> Crawl:
    return held(site, feeds / "with_marshal", "marshal", "json", "xml")


READERS: dict[str, Callable[[bytes], list[Any]]] = {
    "json": json.loads,
    "jsonlines": lambda feed: [json.loads(line) for line in feed.splitlines()],
    "csv": lambda feed: list(csv.DictReader(StringIO(feed.decode(), newline=""))),
    "xml": lambda feed: list(ET.fromstring(feed)),
    "pickle": reader_of_all(pickle.load),
}


@pytest.mark.parametrize("spider", SPIDERS)
@pytest.mark.parametrize("kind", READERS)
def test_every_item_is_in_the_feed(result: Crawl, feeds: Path, kind: str, spider: str) -> None:
    feed = (feeds / f"{spider}.{kind}").read_bytes()
    assert len(READERS[kind](feed)) == ITEMS_PER_PAGE * PAGES
    assert "Its wheel turned until 1911." in feed.decode(errors="replace") or "deferred" in spider


@pytest.mark.parametrize("spider", SPIDERS)
def test_every_item_is_in_a_feed_in_marshal(
    marshal_result: Crawl, feeds: Path, spider: str
) -> None:
    items = reader_of_all(marshal.load)((feeds / "with_marshal" / f"{spider}.marshal").read_bytes())
    assert len(items) == ITEMS_PER_PAGE * PAGES


def test_no_item_fails(result: Crawl, marshal_result: Crawl) -> None:
    for each in (result, marshal_result):
        assert [line for line in each.log if " ERROR: " in line] == []
        for spider in SPIDERS[:2]:
            assert each.counts(spider)["items/labeled"] == ITEMS_PER_PAGE * LABELED


def test_the_result_is_a_short_string(result: Crawl, feeds: Path) -> None:
    assert {item["shown"] <= MAX_SHOWN_CHARACTERS for item in result.fields()} == {True}
    items = json.loads((feeds / "meta.json").read_bytes())
    (item,) = [i for i in items if (i["path"], i["holds"]) == ("/article", "result")]
    assert item["meta"].startswith("<LabeledPage source='model' confidence=")
