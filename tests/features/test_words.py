"""Words of any script without a word list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.features.words import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t", []),
        ("... !? — « »", []),
        ("Don't panic!", ["don", "t", "panic"]),
        ("re-use snake_case v2.0", ["re", "use", "snake_case", "v2", "0"]),
        ("1,800 m²", ["1", "800", "m²"]),
        ("MIXED Case", ["mixed", "case"]),
    ],
)
def test_words_are_lower_case_runs_of_word_characters(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Größe naïve", ["größe", "naïve"]),
        ("Вода тёплая", ["вода", "тёплая"]),
        ("Η θάλασσα", ["η", "θάλασσα"]),
        ("مياه دافئة", ["مياه", "دافئة"]),
        ("מים חמים", ["מים", "חמים"]),
        ("바다 온도", ["바다", "온도"]),
    ],
)
def test_scripts_with_spaces_give_whole_words(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("Han", "潮汐池"),
        ("rare Han", "𠀀𠀁"),
        ("Hiragana", "しお"),
        ("Katakana", "ノート"),
        ("Thai", "น้ำ"),
        ("Lao", "ນ້ຳ"),
        ("Khmer", "ទឹក"),
        ("Myanmar", "ရေ"),
    ],
)
def test_scripts_without_spaces_give_single_characters(script: str, text: str) -> None:
    assert tokens(text) == list(text)


def test_scripts_side_by_side_are_parted() -> None:
    assert tokens("iPhone用ケース3個") == ["iphone", "用", "ケ", "ー", "ス", "3", "個"]


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=80))
def test_tokens_are_parts_of_the_lower_case_text_in_order(text: str) -> None:
    rest = text.lower()
    for token in tokens(text):
        assert token
        assert not any(character.isspace() for character in token)
        _, found, rest = rest.partition(token)
        assert found


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_space_ends_a_token(before: str, after: str) -> None:
    assert tokens(f"{before} {after}") == tokens(before) + tokens(after)
