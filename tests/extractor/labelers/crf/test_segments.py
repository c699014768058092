"""Segments: labels from the markup, and CleanEval's tagged text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, page_of

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.crf.segments import (
    LABELS,
    element_of,
    joined,
    markup_labels,
    segments,
    tagged_text,
    without_orphans,
)

HTML = (
    "<h1>Tide <em>pools</em></h1><p>See <a href=/>the map</a>, or (<b>here</b>).</p>"
    "<ul><li>Crabs</li><li>Snails <i>too</i></li></ul><div><a href=/x>More</a></div>"
)


def test_leaves_of_an_element_continue_its_first_leaf() -> None:
    page = blockify(HTML, units="leaf")
    labels = markup_labels(page, [True] * 10 + [False])
    assert labels == (
        "header", "continuation",
        "paragraph", "continuation", "continuation", "continuation", "continuation",
        "list", "list", "continuation", "other",
    )  # fmt: skip
    assert tagged_text(page, labels).splitlines() == [
        "<h>Tide pools", "<p>See the map, or (here).", "<l>Crabs", "<l>Snails too",
    ]  # fmt: skip


def test_blocks_are_never_continued() -> None:
    page = blockify(HTML)
    labels = markup_labels(page, [True] * 5)
    assert labels == ("header", "paragraph", "list", "list", "paragraph")


def test_the_first_kept_leaf_begins_the_segment() -> None:
    page = blockify("<p><a>Menu</a> Text <b>bold</b></p><p>Next", units="leaf")
    assert markup_labels(page, [False, True, True, True]) == (
        "other", "paragraph", "continuation", "paragraph",
    )  # fmt: skip


def test_a_leaf_after_another_element_begins_a_new_segment() -> None:
    page = blockify("<div>Above<p>Inside</p>below</div>", units="leaf")
    assert markup_labels(page, [True] * 3) == ("paragraph",) * 3


def test_a_continuation_is_joined_across_boilerplate() -> None:
    page = page_of(["One", "menu", "two"], "leaf")
    assert segments(page, ["header", "other", "continuation"]) == [("h", "One two")]


def test_a_continuation_without_a_segment_before_is_a_paragraph() -> None:
    page = page_of(["One", "two"], "leaf")
    assert tagged_text(page, ["continuation", "continuation"]) == "<p>One two"


def test_unknown_labels_and_a_wrong_number_of_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="title"):
        segments(page_of(["One"]), ["title"])
    with pytest.raises(ValueError, match="shorter"):
        segments(page_of(["One", "two"]), ["other"])


def test_a_page_without_blocks_gives_an_empty_text() -> None:
    page = blockify("", units="leaf")
    assert markup_labels(page, []) == ()
    assert tagged_text(page, []) == ""


def test_text_outside_of_block_level_elements_has_element_0() -> None:
    page = page_of(["One"])
    assert element_of(page.blocks[0]) == 3
    assert element_of(page.blocks[0]._replace(tags=("a", "b"), nodes=(1, 2))) == 0


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["a", "b"], "a b"),
        (["a", ", b"], "a, b"),
        (["the", "dog", "'s tail"], "the dog's tail"),
        (["'such", "'it"], "'such 'it"),
        (["(", "a", ")", "b"], "(a) b"),
        ([], ""),
    ],
)
def test_punctuation_decides_where_texts_are_joined_without_a_space(
    texts: list[str], wanted: str
) -> None:
    assert joined(texts) == wanted


@QUICK
@given(st.lists(st.sampled_from(LABELS)))
def test_any_labels_give_the_kept_words_in_order(labels: list[str]) -> None:
    page = page_of([f"w{i}" for i in range(len(labels))], "leaf")
    lines = tagged_text(page, labels).splitlines()
    kept = [f"w{i}" for i, label in enumerate(labels) if label != "other"]
    assert [word for line in lines for word in line[3:].split()] == kept
    assert all(line[:3] in ("<h>", "<p>", "<l>") for line in lines)
    assert without_orphans(without_orphans(labels)) == without_orphans(labels)


@QUICK
@given(st.data(), st.sampled_from(["leaf", "block"]))
def test_labels_from_the_markup_keep_exactly_the_kept_blocks(
    data: st.DataObject, units: str
) -> None:
    page = blockify(HTML, units=units)  # type: ignore[arg-type]
    size = len(page.blocks)
    kept = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    labels = markup_labels(page, kept)
    assert [label != "other" for label in labels] == kept
    assert without_orphans(labels) == labels
