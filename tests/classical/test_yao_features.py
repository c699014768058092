"""The 18 features: text, place and names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.counting import calls_of
from testing.synthetic import QUICK, page_of

from scrapy_boilernet.classical.yao_features import (
    LINE_CHARS,
    MOST_PER_LINE,
    MOST_PER_SENTENCE,
    MOST_WORDS,
    NAME_FLAGS,
    NUMBER_NAMES,
    NUMBERS,
    SETS,
    STEPS,
    columns_of,
    features,
    numbers,
)
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.page import Page

WORDS, PER_SENTENCE, DENSITY, LINKS, WORDS_QUOTIENT, _, _, PLACE = range(NUMBERS)
ANY_TEXT = st.text(st.characters(codec=None), max_size=200)


def one(text: str) -> np.ndarray:
    return numbers(page_of([text]))[0]


def test_there_are_18_in_the_papers_three_sets() -> None:
    assert NUMBERS + NAME_FLAGS == 18
    assert len(NUMBER_NAMES) == NUMBERS
    assert [columns_of([name]).sum() for name in SETS] == [7, 1, 10]
    assert columns_of(list(SETS)).all()


@pytest.mark.parametrize("sets", [["text", "colour"], []])
def test_other_sets_are_refused_with_those_there_are(sets: list[str]) -> None:
    with pytest.raises(ValueError, match="text, position, tokens"):
        columns_of(sets)


def test_words_and_sentences_are_counted() -> None:
    told = one("The tide pools warm. Do crabs mind? They do")
    assert told[WORDS] == 9
    assert told[PER_SENTENCE] == 3  # the last one has no end, and is one
    assert one("One sentence, as it is.")[PER_SENTENCE] == 5
    assert one("Version 2.5 of it")[PER_SENTENCE] == 5  # a point inside a number ends nothing
    assert one("“Warm.” She left.")[PER_SENTENCE] == 1.5


def test_scripts_without_spaces_have_two_characters_a_word() -> None:
    told = one("潮池很暖。螃蟹不怕。")
    assert told[WORDS] == 4
    assert told[PER_SENTENCE] == 2


def test_density_is_words_per_full_line() -> None:
    line = "tide " * 16  # 80 characters and a space that ends the line
    assert one("crabs and mussels")[DENSITY] == 3
    assert one(line + "pool")[DENSITY] == 16
    assert one(line + line + "pool crab")[DENSITY] == 16
    assert one("x" * (3 * LINE_CHARS))[DENSITY] == 0.5 * 0  # no word ends before the last line


def test_values_are_bounded() -> None:
    told = one("a " * 2000)
    assert (told[WORDS], told[PER_SENTENCE]) == (MOST_WORDS, MOST_PER_SENTENCE)
    assert told[DENSITY] == MOST_PER_LINE


def test_quotients_are_to_the_block_before() -> None:
    told = numbers(page_of(["one two", "one two three four", "***", "one"]))
    assert told[:, WORDS_QUOTIENT].tolist() == [1, 2, 0.125, 2]


def test_link_density_is_the_share_of_linked_characters() -> None:
    page = blockify("<p>abcd <a href=/>efghi</a></p><p>plain</p>")
    assert numbers(page)[:, LINKS].tolist() == [0.5, 0]


def test_the_place_goes_in_steps_from_0_to_below_1() -> None:
    places = numbers(page_of(["x"] * 1000))[:, PLACE]
    assert sorted(set(places.tolist())) == pytest.approx([step / STEPS for step in range(STEPS)])
    assert (np.diff(places) >= 0).all()
    assert numbers(page_of(["x"]))[0, PLACE] == 0


def test_names_are_flags_after_the_numbers() -> None:
    page = blockify('<div class="side-menu"><p>a</div><p>b')
    found = features(page, ("menu", "footer"))
    assert found.shape == (2, NUMBERS + 2)
    assert found[:, NUMBERS:].tolist() == [[1, 0], [0, 0]]


def test_an_empty_page_has_no_rows() -> None:
    assert features(blockify(""), ("menu",)).shape == (0, NUMBERS + 1)
    assert features(blockify(""), ()).dtype == np.float32


@QUICK
@given(st.lists(ANY_TEXT, max_size=12))
def test_any_text_has_finite_bounded_features(texts: list[str]) -> None:
    page: Page = page_of(texts)
    told, found = numbers(page), features(page, ("menu",))
    assert told.shape == (len(texts), NUMBERS)
    assert np.isfinite(told).all()
    assert (told >= 0).all()
    assert np.isfinite(found).all()
    assert found.dtype == np.float32
    assert (np.abs(found) < 10).all()


@QUICK
@given(st.lists(ANY_TEXT, min_size=2, max_size=8))
def test_what_comes_after_changes_only_the_place(texts: list[str]) -> None:
    whole, shorter = numbers(page_of(texts)), numbers(page_of(texts[:-1]))
    assert np.array_equal(whole[:-1, :PLACE], shorter[:, :PLACE])


@pytest.mark.parametrize("text", ["Some text, and then some more of it.", "word ", "x", ".)"])
@pytest.mark.parametrize("together", [True, False])
def test_work_grows_as_the_page(text: str, together: bool) -> None:
    def calls(times: int) -> int:
        page = page_of([text * times] if together else [text] * times)
        return calls_of(lambda: features(page, ("menu",)))

    assert calls(5000) < 12 * calls(500)


def test_texts_of_megabytes_have_features() -> None:
    page = page_of(["word " * 400_000, "x" * 2_000_000, ".)" * 500_000])
    assert np.isfinite(features(page, ("menu",))).all()
