"""Every feed format of Scrapy writes the plugin's values like plain ones."""

from __future__ import annotations

import copy
import csv
import json
import marshal
import pickle
from pathlib import Path

import pytest
from testing import crawling
from testing.item_crawls import SETTINGS, environment, reader_of_all, text_of
from testing.loopback import Site

from scrapy_boilernet.crawl.item_values import MAX_SHOWN_CHARACTERS, BlockLabels, MainText

PAGES = 3
BLOCKS = 11
FORMATS = ("json", "jsonlines", "csv", "xml", "pickle")


@pytest.fixture(scope="module")
def feeds(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the feeds in all formats but Marshal, which has a crawl of its own."""
    return crawl(site, tmp_path_factory.mktemp("feeds"), *FORMATS)


def crawl(site: Site, folder: Path, *formats: str) -> Path:
    feeds = {f"{folder.as_uri()}/%(name)s.{each}": {"format": each} for each in formats}
    settings = {**SETTINGS, "ITEMS_PAGES": PAGES, "CONCURRENT_REQUESTS": 1, "FEEDS": feeds}
    result = crawling.crawl("items_feeds", site.url, settings, environment=environment())
    assert not [line for line in result.log if " ERROR: " in line]
    return folder


@pytest.mark.parametrize("name", ["json", "jsonlines", "csv", "xml"])
def test_feed_is_that_of_plain_values_byte_by_byte(feeds: Path, name: str) -> None:
    found = (feeds / f"as_it_is.{name}").read_bytes()
    assert found == (feeds / f"plain.{name}").read_bytes()
    assert found.count(b"Sentence 8 of feeds-2.") >= 2  # in the text and in the labels


def test_feed_in_pickle_holds_plain_lists_and_texts(feeds: Path) -> None:
    read = reader_of_all(pickle.load)
    found = read((feeds / "as_it_is.pickle").read_bytes())
    assert found == read((feeds / "plain.pickle").read_bytes())
    assert {(type(item["block_labels"]), type(item["main_text"])) for item in found} == {
        (list, str)
    }


def test_feed_in_marshal_holds_what_the_others_hold(
    site: Site, feeds: Path, tmp_path: Path
) -> None:
    folder = crawl(site, tmp_path, "marshal")
    read = reader_of_all(marshal.load)
    found = read((folder / "as_it_is.marshal").read_bytes())
    assert found == read((folder / "plain.marshal").read_bytes())
    assert found == json.loads((feeds / "as_it_is.json").read_bytes())


def test_feeds_have_every_page_with_its_rows(feeds: Path) -> None:
    items = json.loads((feeds / "as_it_is.json").read_bytes())
    assert [item["main_text"] for item in items] == [text_of(f"feeds-{n}") for n in range(PAGES)]
    assert {len(item["block_labels"]) for item in items} == {BLOCKS}
    with (feeds / "as_it_is.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["block_labels"] for row in rows] == [str(item["block_labels"]) for item in items]


def test_long_main_text_is_short_in_a_log_and_whole_everywhere_else() -> None:
    plain = "A sentence. " * 500
    text = MainText(plain)
    assert f"{ {'main_text': text} }" == "{'main_text': <6000 characters>}"
    assert (text, str(text), f"{text}", json.dumps(text)) == (
        plain,
        plain,
        plain,
        json.dumps(plain),
    )
    for same in (copy.copy(text), copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert (same, type(same)) == (plain, str)


def test_short_main_text_is_shown_in_a_log() -> None:
    short = "It's short." + "x" * (MAX_SHOWN_CHARACTERS - 11)
    assert repr(MainText(short)) == repr(short)


def test_block_labels_as_a_string_have_every_row() -> None:
    rows = [{"text": "Text", "label": "content"}]
    assert (str(BlockLabels(rows)), f"{BlockLabels(rows)}") == (str(rows), str(rows))
