"""The fallback: each step on a page written for it, on other pages, and a page with nothing."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.standins import LINES, Says, options_of

from scrapy_boilernet import LabeledPage
from scrapy_boilernet.extractor.decide.fallback import fall_back
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import FALLBACK_STEPS, fallback_steps_of
from scrapy_boilernet.extractor.page import Page

PARAGRAPHS = "".join(f"<p>{line}</p>" for line in LINES)
NOISE = "<nav><a href=/>Home</a></nav><footer><p>All rights are reserved by the owners.</footer>"


def page_of(main: str, head: str = "") -> Page:
    return blockify(f"<html><head><title>Pools</title>{head}</head><body>{main}{NOISE}</body>")


def with_body(text: str) -> str:
    body = json.dumps({"@type": "NewsArticle", "articleBody": text})
    return f'<script type="application/ld+json">{body}</script>'


CLAIMED = page_of(f"<div>{PARAGRAPHS}</div>", with_body(" ".join(LINES)))
IN_MAIN = page_of(f"<main>{PARAGRAPHS}<p>Too short.</p></main>")
BARE = page_of(f"<div>{PARAGRAPHS}</div>")
MANY = page_of(f"<p>{LINES[0]}</p>" * 78)
MANY_IN_MAIN = page_of(f"<main>{PARAGRAPHS}</main>" + f"<p>{LINES[0]}</p>" * 80)
EVERY = page_of(f"<main>{PARAGRAPHS}</main>", with_body(" ".join(LINES)))


def label(page: Page, probability: float = 0.01, **options: Any) -> LabeledPage:
    return label_page(page, Says(probability), options_of(**options))


def kept_texts(result: LabeledPage) -> list[str]:
    return [block.text for block in result.content]


def test_json_ld_names_the_blocks_that_it_is_made_of() -> None:
    result = label(CLAIMED)
    assert result.source == "json-ld"
    assert kept_texts(result) == LINES
    assert result.threshold == 0.2
    assert result.confidence == 0.123456


@pytest.mark.parametrize(
    "body",
    [
        " ".join(LINES[:1]),  # a teaser
        " ".join([*LINES, *(f"other{n}" for n in range(200))]),  # shown in part only
        "",
        " ".join(f"other{n}" for n in range(100)),
    ],
)
def test_json_ld_that_the_page_does_not_show_is_not_used(body: str) -> None:
    result = label(page_of(f"<div>{PARAGRAPHS}</div>", with_body(body)))
    assert result.source == "nothing"


def test_lower_threshold_takes_over_where_something_comes_near_the_floor() -> None:
    result = label(MANY, 0.1)
    assert result.source == "lower-threshold"
    assert result.threshold == pytest.approx(0.1)
    assert len(result.content) == len(MANY.blocks)
    assert label(MANY, 0.099).source == "nothing"
    assert label(MANY, 0.1, fallback=["hidden", "json-ld"]).source == "nothing"


def test_lower_threshold_leaves_alone_pages_of_few_blocks() -> None:
    few = page_of(f"<p>{LINES[0]}</p>" * 77)
    assert len(few.blocks) == 79
    assert label(few, 0.19).source == label(BARE, 0.19).source == "nothing"
    assert label(MANY, 0.19).source == "lower-threshold"


def test_lower_threshold_leaves_alone_the_entries_of_an_index() -> None:
    entries = "".join(f"<li><a href=#f{n}>lower_threshold_{n}()</a>" for n in range(100))
    assert label(page_of(f"<h1>Index</h1><ul>{entries}</ul>"), 0.19).source == "nothing"


def test_main_element_gives_its_paragraphs_without_what_is_short() -> None:
    result = label(IN_MAIN)
    assert result.source == "main-element"
    assert kept_texts(result) == LINES


@pytest.mark.parametrize(
    "main",
    [
        f"<div id=main>{PARAGRAPHS}</div>",
        f"<main><nav>{PARAGRAPHS}</nav></main>",
        f"<aside><article>{PARAGRAPHS}</article></aside>",
        f"<main><form>{PARAGRAPHS}</form></main>",
        f"<main hidden>{PARAGRAPHS}</main>",
        f"<article><noscript>{PARAGRAPHS}</noscript></article>",
        f"<main><a href=/>{PARAGRAPHS.replace('<p>', '<b>').replace('</p>', '</b>')}</a></main>",
        f"<main><p>{LINES[0]}</p></main>",
    ],
)
def test_main_element_leaves_alone_what_is_no_text_of_its_own(main: str) -> None:
    assert label(page_of(main)).source == "nothing"


def test_a_form_around_the_whole_page_is_layout() -> None:
    assert label(page_of(f"<form><main>{PARAGRAPHS}</main></form>")).source == "main-element"


def test_steps_are_tried_in_order_and_only_those_asked_for() -> None:
    assert label(EVERY, 0.1).source == "json-ld"
    in_both = label(MANY_IN_MAIN, 0.1, fallback=["main-element", "lower-threshold"])
    assert in_both.source == "lower-threshold"
    assert label(MANY_IN_MAIN, 0.09).source == "main-element"
    assert label(EVERY, 0.1, fallback=["main-element"]).source == "main-element"
    assert label(EVERY, 0.1, fallback=[]).source == "nothing"


@pytest.mark.parametrize("page", [CLAIMED, IN_MAIN, BARE, EVERY])
def test_no_step_finds_anything_where_the_model_keeps_something(page: Page) -> None:
    result = label(page, 0.2)
    assert result.source == "model"
    assert [*result.content] == [block for block in page.blocks if "footer" not in block.tags]


def test_a_page_with_text_but_without_result_says_nothing() -> None:
    for result in (label(BARE), label(EVERY, fallback=False)):
        assert (result.source, result.text, result.confidence) == ("nothing", "", 0.0)
        assert result.threshold == 0.2
    assert label(blockify("")).source == "nothing"


def test_a_threshold_of_the_users_is_never_lowered() -> None:
    assert label(BARE, 0.1, threshold=0.15).source == "nothing"
    assert label(IN_MAIN, 0.1, threshold=0.15).source == "main-element"


def test_content_that_a_setting_drops_whole_leaves_nothing() -> None:
    page = blockify("<title>Tide pools at night</title><h1>Tide pools at night</h1>")
    assert label(page, 0.9).source == "model"
    dropped = label(page, 0.9, title="drop")
    assert (dropped.source, dropped.text, dropped.confidence) == ("nothing", "", 0.0)


@given(
    st.lists(st.floats(0, 0.5, width=32), min_size=4, max_size=4),
    st.sets(st.sampled_from(FALLBACK_STEPS)),
)
def test_source_says_nothing_exactly_where_nothing_is_kept(
    probabilities: list[float], steps: set[str]
) -> None:
    page = page_of("<article><p>Short.</p></article>")
    given_ones = np.array(probabilities[: len(page.blocks)], dtype=np.float32)
    found = fall_back(page, given_ones, 0.6, "balanced", fallback_steps_of(sorted(steps)))
    assert (found.source == "nothing") == (not found.kept.any())
    assert found.source == "nothing" or found.source in steps
    assert found.kept.shape == (len(page.blocks),)


def test_the_steps_that_a_value_names() -> None:
    assert fallback_steps_of(True) == FALLBACK_STEPS
    assert fallback_steps_of(False) == fallback_steps_of([]) == ()
    assert fallback_steps_of(["main-element", "json-ld"]) == ("json-ld", "main-element")
    for wrong in ("json-ld", ["ladder"], None, 3, ["json-ld", None]):
        with pytest.raises(ValueError, match="True, False or a list of hidden, json-ld") as caught:
            fallback_steps_of(wrong)  # type: ignore[arg-type]
        assert repr(wrong) in str(caught.value)
