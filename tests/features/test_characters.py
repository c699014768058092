"""Kinds of characters counted for all texts at once, against the patterns text by text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.features.words import (
    CAPITAL,
    DIGIT,
    PUNCTUATION,
    STOP,
    SYMBOL,
    WORD,
    Characters,
)

PATTERNS = {
    PUNCTUATION: r"[,;:،、，；：।]",
    STOP: r"[.!?。！？؟…।]",
    DIGIT: r"\d",
    WORD: r"\w",
    CAPITAL: r"[^\W\d_a-z]",
    SYMBOL: r"[|©»›·•→▶★]",
}
TEXTS = st.lists(
    st.text(st.characters() | st.sampled_from("aB9 .,|\n😀𝟘漢É_\ud800"), min_size=1), max_size=6
)


@QUICK
@given(TEXTS)
def test_each_kind_is_counted_as_its_pattern_finds_it(texts: list[str]) -> None:
    characters = Characters(texts)
    for kind, pattern in PATTERNS.items():
        expected = [len(re.findall(pattern, text)) for text in texts]
        assert characters.count(kind).tolist() == expected, pattern


@QUICK
@given(TEXTS)
def test_capitalized_words_are_those_that_begin_with_a_letter_but_a_to_z(
    texts: list[str],
) -> None:
    expected = [len(re.findall(r"\b[^\W\d_a-z]\w*", text)) for text in texts]
    assert Characters(texts).count_capitalized().tolist() == expected
