"""The 18 features: text, place and names; words of class and id that mark boilerplate."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.counting import calls_of
from testing.synthetic import QUICK, page_of

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.svm.yao_features import (
    LINE_CHARS,
    MOST_PER_LINE,
    MOST_PER_SENTENCE,
    MOST_WORDS,
    NAME_FLAGS,
    NEAR,
    NUMBER_NAMES,
    NUMBERS,
    SETS,
    STEPS,
    NamedBlocks,
    boilerplate_names,
    columns_of,
    features,
    numbers,
)
from scrapy_boilernet.extractor.page import Block, Page

WORDS, PER_SENTENCE, DENSITY, LINKS, WORDS_QUOTIENT, _, _, PLACE = range(NUMBERS)
ANY_TEXT = st.text(st.characters(codec=None), max_size=200)


def one(text: str) -> np.ndarray:
    return numbers(page_of([text]))[0]


def test_the_papers_three_sets_have_18_features() -> None:
    assert NUMBERS + NAME_FLAGS == 18
    assert len(NUMBER_NAMES) == NUMBERS
    assert [columns_of([name]).sum() for name in SETS] == [7, 1, 10]
    assert columns_of(list(SETS)).all()


@pytest.mark.parametrize("sets", [["text", "colour"], []])
def test_the_error_for_unknown_sets_names_the_known_ones(sets: list[str]) -> None:
    with pytest.raises(ValueError, match="text, position, tokens"):
        columns_of(sets)


def test_words_and_sentences_are_counted() -> None:
    found = one("The tide pools warm. Do crabs mind? They do")
    assert found[WORDS] == 9
    assert found[PER_SENTENCE] == 3  # the last sentence has no end, but counts
    assert one("One sentence, as it is.")[PER_SENTENCE] == 5
    assert one("Version 2.5 of it")[PER_SENTENCE] == 5  # a point in a number ends no sentence
    assert one("“Warm.” She left.")[PER_SENTENCE] == 1.5


def test_scripts_without_spaces_have_two_characters_a_word() -> None:
    found = one("潮池很暖。螃蟹不怕。")
    assert found[WORDS] == 4
    assert found[PER_SENTENCE] == 2


def test_density_is_words_per_full_line() -> None:
    line = "tide " * 16  # 80 characters and a space that ends the line
    assert one("crabs and mussels")[DENSITY] == 3
    assert one(line + "pool")[DENSITY] == 16
    assert one(line + line + "pool crab")[DENSITY] == 16
    assert one("x" * (3 * LINE_CHARS))[DENSITY] == 0  # no word ends before the last line


def test_values_are_bounded() -> None:
    found = one("a " * 2000)
    assert (found[WORDS], found[PER_SENTENCE]) == (MOST_WORDS, MOST_PER_SENTENCE)
    assert found[DENSITY] == MOST_PER_LINE


def test_quotients_are_to_the_block_before() -> None:
    found = numbers(page_of(["one two", "one two three four", "***", "one"]))
    assert found[:, WORDS_QUOTIENT].tolist() == [1, 2, 0.125, 2]


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
    raw, found = numbers(page), features(page, ("menu",))
    assert raw.shape == (len(texts), NUMBERS)
    assert np.isfinite(raw).all()
    assert (raw >= 0).all()
    assert np.isfinite(found).all()
    assert found.dtype == np.float32
    assert (np.abs(found) < 10).all()


@QUICK
@given(st.lists(ANY_TEXT, min_size=2, max_size=8))
def test_later_blocks_change_only_the_place(texts: list[str]) -> None:
    whole, shorter = numbers(page_of(texts)), numbers(page_of(texts[:-1]))
    assert np.array_equal(whole[:-1, :PLACE], shorter[:, :PLACE])


@pytest.mark.parametrize("text", ["Some text, and then some more of it.", "word ", "x", ".)"])
@pytest.mark.parametrize("together", [True, False])
def test_work_is_linear_in_the_page(text: str, together: bool) -> None:
    def calls(times: int) -> int:
        page = page_of([text * times] if together else [text] * times)
        return calls_of(lambda: features(page, ("menu",)))

    assert calls(5000) < 12 * calls(500)


def test_texts_of_megabytes_have_features() -> None:
    page = page_of(["word " * 400_000, "x" * 2_000_000, ".)" * 500_000])
    assert np.isfinite(features(page, ("menu",))).all()


Labeled = tuple[str, Page, np.ndarray]


def labeled(site: str, html: str, content: str = "text") -> Labeled:
    """Return a labeled page; blocks whose text is ``content`` are content."""
    page = blockify(html)
    return site, page, np.array([block.text == content for block in page.blocks], dtype=np.bool_)


def block_in(*class_words: str) -> Page:
    depth = len(class_words)
    block = Block("x", ("div",) * depth, class_words, tuple(range(1, depth + 1)), "/x", 0)
    return Page(None, "", (block,), "0" * 32)


def ordinary(site: str, menu: str = "menu") -> Labeled:
    return labeled(
        site,
        f"<body class=page><ul class={menu}><li>Home<li>News</ul><article class=post><p>text<p>text"
        "</article><footer class=footer>Terms</footer>",
    )


def test_near_ancestors_with_a_name_are_read() -> None:
    names = [f"n{chr(97 + i)}" for i in range(NEAR + 2)]
    found = NamedBlocks.of(block_in(*names, "", "")).names[0]
    assert found == set(names[-NEAR:])


def test_only_words_of_boilerplate_are_found() -> None:
    found = boilerplate_names([ordinary(f"site{i}") for i in range(4)], 10)
    words = [word for word, _ in found]
    assert words == ["menu", "footer"]  # "page" is of all blocks, "post" of content
    assert all(ratio > 0 for _, ratio in found)


def test_as_published_blocks_are_counted_and_words_ranked_by_their_ratio() -> None:
    found = boilerplate_names([ordinary(f"site{i}") for i in range(4)], 10, as_published=True)
    # Boilerplate: 12 blocks have "page", 8 "menu", 4 "footer". Content: 8 "page", 8 "post".
    wanted = {
        "menu": (9 / 28) / (1 / 20),
        "footer": (5 / 28) / (1 / 20),
        "page": 13 / 28 / (9 / 20),
    }
    assert [word for word, _ in found] == list(wanted)
    assert [weight for _, weight in found] == pytest.approx([math.log(r) for r in wanted.values()])


def test_the_number_of_words_is_limited() -> None:
    assert len(boilerplate_names([ordinary(f"site{i}") for i in range(4)], 1)) == 1


def test_a_site_counts_once_however_many_pages_it_has() -> None:
    pages = [ordinary(f"site{i}") for i in range(3)]
    many = pages + [ordinary("big", "odd")] * 50
    assert "odd" not in [word for word, _ in boilerplate_names(many, 10)]


def test_pages_without_boilerplate_give_no_words() -> None:
    assert boilerplate_names([], 10) == []
    assert boilerplate_names([labeled("a", ""), labeled("b", "<p>text")], 10) == []


def test_words_of_any_script_are_read() -> None:
    pages = [labeled(f"s{i}", "<div class=меню>a</div><p class=статья>text</p>") for i in range(3)]
    assert [word for word, _ in boilerplate_names(pages, 10)] == ["меню"]


def test_flags_and_counts_agree() -> None:
    _, page, content = ordinary("a")
    named = NamedBlocks.of(page)
    flags = named.flags(("menu", "post", "nothing"))
    assert flags.shape == (len(page.blocks), 3)
    assert flags.sum(axis=0).tolist() == [2, 2, 0]
    counts = named.counts(~content)
    assert (counts["menu"], counts["post"], counts["footer"]) == (2, 0, 1)
    assert NamedBlocks.of(blockify("")).flags(("menu",)).shape == (0, 1)
    assert named.flags(()).shape == (len(page.blocks), 0)


@QUICK
@given(st.lists(st.tuples(st.sampled_from("abc"), st.text("mno ", max_size=6), st.booleans())))
def test_any_labels_give_ranked_words(drawn: list[tuple[str, str, bool]]) -> None:
    pages = [(site, block_in(words), np.array([kept])) for site, words, kept in drawn]
    found = boilerplate_names(pages, 3)
    assert len(found) <= 3
    assert found == boilerplate_names(pages[::-1], 3)
    met = {word for _, words, kept in drawn for word in words.split() if not kept}
    assert {word for word, _ in found} <= met
