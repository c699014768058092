"""Pages over a limit: skipped or cut, counted, and their items go through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from testing.crawling import Crawl, crawl
from testing.loopback import ANSWERS, Answer, Site, html_page
from testing.responses import process, response_of
from testing.standins import counts, new_runtime

from scrapy_boilernet.settings.config import META_RESULT

BODY = b"<p>One</p><p>Two</p><p>Three</p><p>Four</p>"
CUT = BODY.index(b"<p>Three")
WHOLE = html_page("Whole", "One paragraph.", "Another one.")
"""A page of four blocks."""


def texts_of(runtime: Any, **override: Any) -> list[str] | None:
    """Texts of the blocks, or None if the page stays unlabeled."""
    meta = process(runtime, response_of(BODY), {"boilernet": override}).meta
    return [block.text for block in meta[META_RESULT].page.blocks] if META_RESULT in meta else None


def test_a_page_of_too_many_bytes_can_be_skipped() -> None:
    runtime = new_runtime(max_bytes=CUT, over_max_bytes="skip")
    assert texts_of(runtime) is None
    assert counts(runtime) == {"skipped/too_large": 1}


def test_the_end_of_a_page_of_too_many_bytes_is_cut_off_by_default() -> None:
    runtime = new_runtime(max_bytes=CUT)
    assert texts_of(runtime) == ["One", "Two"]
    found = counts(runtime)
    assert (found["truncated"], found["truncated/bytes"], found["pages"]) == (1, 1, 1)
    assert "truncated/blocks" not in found


@pytest.mark.parametrize("excess", ["cut", "skip"])
def test_a_page_of_as_many_bytes_and_blocks_as_may_be_is_whole(excess: str) -> None:
    limits = {"max_bytes": len(BODY), "max_blocks": 4}
    runtime = new_runtime(**limits, over_max_bytes=excess, over_max_blocks=excess)
    assert texts_of(runtime) == ["One", "Two", "Three", "Four"]
    assert "truncated" not in counts(runtime)


def test_a_page_that_is_cut_is_marked_as_truncated() -> None:
    runtime = new_runtime(max_bytes=CUT, over_max_bytes="cut")
    assert process(runtime, response_of(BODY)).meta[META_RESULT].page.truncated
    assert not process(runtime, response_of(BODY[:CUT])).meta[META_RESULT].page.truncated


def test_blocks_of_a_page_of_too_many_are_cut_off_by_default() -> None:
    runtime = new_runtime(max_blocks=3)
    assert texts_of(runtime) == ["One", "Two", "Three"]
    found = counts(runtime)
    assert (found["truncated"], found["truncated/blocks"]) == (1, 1)
    assert "truncated/bytes" not in found


def test_a_page_of_too_many_blocks_can_be_skipped(caplog: pytest.LogCaptureFixture) -> None:
    runtime = new_runtime(max_blocks=3, over_max_blocks="skip")
    assert texts_of(runtime) is None
    assert counts(runtime) == {"skipped/too_many_blocks": 1}
    assert caplog.records == []  # nothing went wrong


def test_skipping_for_blocks_harms_no_other_page() -> None:
    runtime = new_runtime(max_blocks=3, over_max_blocks="skip")
    assert texts_of(runtime) is None
    assert texts_of(runtime, max_blocks=4) == ["One", "Two", "Three", "Four"]
    assert texts_of(runtime, over_max_blocks="cut") == ["One", "Two", "Three"]
    assert texts_of(runtime) is None  # also from the cache of blocks
    assert counts(runtime)["skipped/too_many_blocks"] == 2


def test_overrides_choose_for_their_page_alone() -> None:
    runtime = new_runtime(max_bytes=CUT, over_max_bytes="skip")
    assert texts_of(runtime, over_max_bytes="cut") == ["One", "Two"]
    assert texts_of(runtime, over_max_bytes="cut", max_bytes=CUT - 11) == ["One"]
    assert texts_of(runtime, max_bytes=1_000, max_blocks=1, over_max_blocks="skip") is None
    assert texts_of(runtime) is None


def test_a_wrong_word_for_a_limit_leaves_the_page_unlabeled() -> None:
    runtime = new_runtime()
    for name in ("over_max_bytes", "over_max_blocks"):
        assert texts_of(runtime, **{name: "drop"}) is None
    assert counts(runtime) == {"skipped/bad_override": 2}


def test_a_character_that_is_cut_in_two_does_not_matter() -> None:
    body = "<p>Łódź</p><p>潮だまり</p>".encode()
    for end in range(1, len(body)):
        runtime = new_runtime(max_bytes=end, over_max_bytes="cut")
        result = process(runtime, response_of(body)).meta[META_RESULT]
        assert result.page.truncated
        assert len(result.labels) <= 2


PAGES = [
    ("whole", "/whole", None),
    ("large", "/large", None),
    ("large, cut", "/large", {"over_max_bytes": "cut"}),
    ("many", "/many", None),
    ("many, skip", "/many", {"over_max_blocks": "skip"}),
    ("both", "/large", {"over_max_bytes": "cut", "over_max_blocks": "skip", "max_blocks": 2}),
    ("hidden", "/hidden", None),
    ("hidden, model", "/hidden", {"hidden": "model"}),
    ("deep", "/deep", None),
    ("wrong", "/whole", {"hidden": "keep"}),
]
ADDED = {
    "/whole": WHOLE,
    "/large": WHOLE.replace("</main>", f"</main>{'<p>no</p>' * 500}"),
    "/many": html_page("Many", *"abcdefgh"),
    "/hidden": WHOLE.replace("</main>", "<p hidden>Unseen.</p></main>"),
    "/deep": "<div>" * 2_100 + "<p>tide" + "</div>" * 2_100,
}


@pytest.fixture(scope="module")
def result(tiny_model: Path) -> Iterator[Crawl]:
    settings = {
        "BOILERNET_ENABLED": True,
        "BOILERNET_ENGINE": "numpy",
        "BOILERNET_MODEL": str(tiny_model),
        "BOILERNET_THRESHOLD": 0,
        "BOILERNET_OVER_MAX_BYTES": "skip",
        "BOILERNET_MAX_BLOCKS": 8,
        "OVERRIDDEN_PAGES": [
            (
                name,
                path,
                {"max_bytes": len(WHOLE), **(override or {})} if path == "/large" else override,
            )
            for name, path, override in PAGES
        ],
    }
    with pytest.MonkeyPatch.context() as patch, Site() as site:
        for path, html in ADDED.items():
            patch.setitem(ANSWERS, path, Answer(html.encode()))
        yield crawl("overridden", site.url, settings)


def fields_of(result: Crawl, name: str) -> dict[str, Any]:
    (fields,) = result.fields(name=name)
    return fields


def test_every_item_of_the_crawl_goes_through(result: Crawl) -> None:
    assert {fields["name"] for fields in result.fields()} == {name for name, *_ in PAGES}
    assert len(result.items) == len(PAGES)


@pytest.mark.parametrize("name", ["large", "many, skip", "both", "wrong"])
def test_the_item_of_a_page_that_is_skipped_is_left_as_it_was(result: Crawl, name: str) -> None:
    assert fields_of(result, name) == {"name": name}


def test_pages_that_are_cut_have_the_text_up_to_there(result: Crawl) -> None:
    whole = "Home\nWhole\nOne paragraph.\nAnother one."
    assert fields_of(result, "whole")["main_text"] == whole
    assert fields_of(result, "large, cut")["main_text"].startswith(whole)
    assert fields_of(result, "many")["main_text"] == "Home\nMany\na\nb\nc\nd\ne\nf"


def test_text_that_the_page_hides_is_left_out_unless_a_request_has_it_otherwise(
    result: Crawl,
) -> None:
    assert "Unseen." not in fields_of(result, "hidden")["main_text"]
    assert fields_of(result, "hidden, model")["main_text"].endswith("\nUnseen.")
    kinds = [row["kind"] for row in fields_of(result, "hidden")["block_labels"]]
    assert kinds[-1] == "hidden"


def test_a_deep_page_has_its_text_and_is_counted(result: Crawl) -> None:
    assert fields_of(result, "deep")["main_text"] == "tide"
    assert result.counts("overridden")["flat"] == 1


def test_what_became_of_the_pages_is_counted(result: Crawl) -> None:
    found = result.counts("overridden")
    assert found["pages"] == 6
    assert found["skipped/too_large"] == 1
    assert found["skipped/too_many_blocks"] == 2
    assert found["skipped/bad_override"] == 1
    assert (found["truncated"], found["truncated/bytes"], found["truncated/blocks"]) == (2, 1, 1)
    assert (found["items/labeled"], found["items/unlabeled"]) == (6, 4)
    assert not [name for name in found if name.startswith("errors/")]
    assert result.deprecations == []
