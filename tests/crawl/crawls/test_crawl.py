"""One crawl over every kind of page and item."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from testing.crawling import REACTOR, Crawl, crawl
from testing.loopback import ANSWERS, MAX_BYTES, PARAGRAPHS, Site

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html.blockify import MAX_BLOCKS

ARTICLE = "Home\nThe mill on the river\nIts wheel turned until 1911.\nNow it grinds again."


@pytest.fixture(scope="module")
def result(site: Site, tiny_model: Path) -> Crawl:
    settings = {
        "ROBOTSTXT_OBEY": True,
        "BOILERNET_ENABLED": True,
        "BOILERNET_ENGINE": "numpy",
        "BOILERNET_MODEL": str(tiny_model),
        "BOILERNET_THRESHOLD": 0,  # every block is content, so that the texts are known
        "BOILERNET_MAX_BYTES": MAX_BYTES,
        "BOILERNET_OVER_MAX_BYTES": "skip",
    }
    return crawl("every_page", site.url, settings)


def only(result: Crawl, name: str) -> dict[str, Any]:
    (fields,) = result.fields(name=name)
    return fields


@pytest.mark.parametrize("name", ["article", "copy", "redirect", "again", "source"])
def test_item_gets_the_text_labels_and_confidence_of_its_page(result: Crawl, name: str) -> None:
    fields = only(result, name)
    assert fields["main_text"] == ARTICLE
    assert [row["text"] for row in fields["block_labels"]] == ARTICLE.split("\n")
    assert {row["label"] for row in fields["block_labels"]} == {"content"}
    assert 0 <= fields["main_text_confidence"] <= 1


def test_labels_are_those_of_extract_on_the_same_bytes_and_url(
    result: Crawl, site: Site, tiny_model: Path
) -> None:
    options = {"model": str(tiny_model), "threshold": 0.0, "engine": "numpy"}
    page = extract(ANSWERS["/article"].body, url=f"{site.url}/article", **options)
    rows = [{key: row[key] for key in row if key != "xpath"} for row in page.block_labels()]
    assert only(result, "article")["block_labels"] == rows


def test_equal_items_of_two_post_pages_at_one_url_get_their_own_texts(result: Crawl) -> None:
    texts = {fields["main_text"].split("\n")[1] for fields in result.fields(name="post")}
    assert texts == {"Results for anna", "Results for bob"}


def test_all_items_of_one_page_and_of_every_kind_are_filled(result: Crawl) -> None:
    items = [item for item in result.items if item["fields"]["name"] == "several"]
    kinds = {"ScrapyItem", "DataclassItem", "AttrsItem", "PydanticItem"}
    assert {item["class"] for item in items} == kinds
    assert {item["fields"]["main_text"] for item in items} == {
        "Home\nSeveral\nOne page, four items."
    }


def test_items_of_an_asynchronous_callback_are_filled(result: Crawl) -> None:
    assert [fields["number"] for fields in result.fields(name="async")] == [1, 2]
    assert {fields["main_text"] for fields in result.fields(name="async")} == {
        "Home\nAsync\nItems of an asynchronous callback."
    }


def test_gzipped_page_is_labeled_after_decompression(result: Crawl) -> None:
    assert only(result, "gzip")["main_text"] == "Home\nZipped\nText that came compressed."


def test_page_in_another_encoding_than_declared_still_gives_text(result: Crawl) -> None:
    text = only(result, "broken")["main_text"]
    assert text.startswith("Home\nBroken\nUn caf")
    assert text.endswith(" au lait.")


def test_page_of_four_megabytes_is_labeled_up_to_the_limit_of_blocks(result: Crawl) -> None:
    labels = only(result, "big")["block_labels"]
    assert len(labels) == MAX_BLOCKS
    assert labels[-1]["text"].startswith("A paragraph of a long page")


@pytest.mark.parametrize("name", ["empty", "zero"])
def test_page_without_text_gives_an_empty_text(result: Crawl, name: str) -> None:
    fields = only(result, name)
    assert (fields["main_text"], fields["block_labels"]) == ("", [])
    assert fields["main_text_confidence"] == 0


@pytest.mark.parametrize(
    "name",
    ["huge", "missing", "plain", "json", "image", "off", "bad key", "bad type", "target"],
)
def test_item_of_an_unlabeled_page_is_left_as_it_was(result: Crawl, name: str) -> None:
    assert only(result, name) == {"name": name}


def test_overrides_of_a_request_hold_for_its_item_alone(result: Crawl) -> None:
    fields = only(result, "strict")  # threshold 1, another text field, no labels, the source
    assert set(fields) == {"name", "body", "main_text_confidence", "found_by"}
    assert (fields["body"], fields["found_by"]) == ("", "nothing")


def test_fallback_finds_what_the_model_leaves_out_unless_a_request_switches_it_off(
    result: Crawl,
) -> None:
    found, off = only(result, "fallback"), only(result, "no fallback")
    assert (found["found_by"], off["found_by"]) == ("main-element", "nothing")
    assert found["main_text"] == "\n".join(PARAGRAPHS)
    assert off["main_text"] == ""


def test_title_and_favor_of_a_request_hold(result: Crawl) -> None:
    assert only(result, "no title")["main_text"] == ARTICLE.replace("The mill on the river\n", "")
    kinds = [row["kind"] for row in only(result, "article")["block_labels"]]
    assert kinds == ["main", "title", "main", "main"]


def test_items_without_the_fields_come_through_as_they_were(result: Crawl) -> None:
    assert result.fields(name="bare") == [{"name": "bare"}] * 2


@pytest.mark.parametrize("name", ["article", "redirect", "several", "gzip", "broken", "big"])
def test_callback_finds_the_result_and_its_xpaths_find_the_elements(
    result: Crawl, name: str
) -> None:
    seen = result.stats["every_page"][f"seen/{name}"]
    assert seen["result"]
    assert set(seen["matches"]) == {1}
    # Scrapy may take another encoding for that of a page that names none.
    assert seen["texts_match"] or name == "broken"


@pytest.mark.parametrize("name", ["huge", "missing", "plain", "off", "target"])
def test_callback_finds_no_result_of_an_unlabeled_page(result: Crawl, name: str) -> None:
    assert result.stats["every_page"][f"seen/{name}"] == {"result": False}


def test_counts_are_exact(result: Crawl) -> None:
    article, other = 4, 3  # blocks; other: two posts, several, async, gzip, broken
    long = len(PARAGRAPHS) + 2  # fallback, no fallback
    stats = result.stats["every_page"]
    assert result.counts("every_page") == {
        "pages": 19,
        "pages_without_content": 4,  # empty, zero, strict, no fallback
        "source/model": 14,
        "source/main-element": 1,
        "source/nothing": 4,
        "truncated": 1,
        "truncated/blocks": 1,
        "blocks/content": 7 * article - 1 + 6 * other + MAX_BLOCKS + len(PARAGRAPHS),
        "blocks/boilerplate": article + 1 + 2 * long - len(PARAGRAPHS),  # strict, no title
        "cache/hits": 8,  # copy, redirect, again, strict, bare, source, no title; no fallback
        "cache/misses": 11,
        "items/labeled": 22,
        "items/not_wanted": 2,
        "items/unlabeled": 9,
        "skipped/content_type": 4,  # plain twice, json, image
        "skipped/status": 1,
        "skipped/robots_txt": 1,
        "skipped/too_large": 1,
        "skipped/off": 1,
        "skipped/bad_override": 2,
        "domain/127.0.0.1/pages": 19,
        "domain/127.0.0.1/empty_share": round(4 / 19, 3),
        "domain/127.0.0.1/mean_confidence": stats["boilernet/domain/127.0.0.1/mean_confidence"],
        "model": stats["boilernet/model"],
    }


def test_errors_in_the_log_are_one_per_cause(result: Crawl) -> None:
    errors = [line for line in result.log if " ERROR: " in line]
    assert all(line.startswith("scrapy_boilernet.crawl.runtime ERROR: ") for line in errors)
    assert sum("left unlabeled" in line for line in errors) == 2
    assert len(errors) == 2


def test_the_log_and_a_stat_say_which_model_labels(result: Crawl) -> None:
    model = result.stats["every_page"]["boilernet/model"]
    assert re.fullmatch(r"tiny [\w.]+ [0-9a-f]{12}", model)
    assert sum(f"Pages are labeled by the model {model}" in line for line in result.log) == 1


def test_nothing_is_labeled_in_the_thread_of_the_reactor(result: Crawl) -> None:
    stats = result.stats["every_page"]
    (labeling,) = stats["threads/labeling"]
    assert labeling.startswith("boilernet")
    assert labeling != stats["threads/reactor"]


def test_no_deprecated_part_of_scrapy_is_used(result: Crawl) -> None:
    assert result.deprecations == []


def test_reactor_is_the_wanted_one(result: Crawl) -> None:
    names = {"asyncio": "AsyncioSelectorReactor", "select": "SelectReactor", "none": "none"}
    assert result.reactor == names.get(REACTOR, result.reactor)


def test_torch_engine_labels_as_the_numpy_engine(site: Site, tiny_model: Path) -> None:
    pytest.importorskip("torch")
    settings = {
        "BOILERNET_ENABLED": True,
        "BOILERNET_ENGINE": "torch",
        "BOILERNET_MODEL": str(tiny_model),
    }
    (item,) = crawl("one_page", site.url, settings).items
    url = f"{site.url}/article"
    page = extract(ANSWERS["/article"].body, url, model=str(tiny_model), engine="numpy")
    found = [row["probability"] for row in item["fields"]["block_labels"]]
    assert found == pytest.approx(page.probabilities, abs=1e-3)
