"""Words of any script, kinds of characters, and words of a URL."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.features.texts import token_hashes
from scrapy_boilernet.extractor.features.words import (
    CAPITAL,
    DIGIT,
    PUNCTUATION,
    STOP,
    SYMBOL,
    WORD,
    Characters,
    tokens,
    url_words,
)


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


def test_scripts_side_by_side_are_split() -> None:
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


urls = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            ["http://", "//", "/", "blog", "news.", "[", "::1", "]", "@", ":99999", "?", "#", "%2F",
             "é", "２０２４", "a-b-c", ".html", "\x00", "\n", "\ud800", "例え", "..", "product"]
        ),
        max_size=15,
    ).map("".join),
)  # fmt: skip


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://example.com", "u:0 q:False"),
        ("https://example.com/?p=3", "u:0 q:True"),
        ("https://example.com/a", "u:1 q:False slug:1 dig:False ext: p:a"),
        ("https://blog.example.com/2024/05/tide-pools-warm/",
         "u:3 q:False slug:3 dig:False ext: h:blog"),
        ("http://www.shop.example/product/Item-20240501.HTML",
         "u:2 q:False slug:2 dig:True ext:html p:product p:item p:html"),
        ("https://example.com/" + "a/" * 90, "u:5 q:False slug:1 dig:False ext:" + " p:a" * 20),
        ("https://FORUM.example.com/t", "u:1 q:False slug:1 dig:False ext: p:t h:forum"),
    ],
)  # fmt: skip
def test_the_words_of_a_url(url: str, words: str) -> None:
    assert list(url_words(url)) == words.split(" ")


@pytest.mark.parametrize("url", [None, "", "http://[::1", "//["])
def test_without_a_url_there_are_no_words(url: str | None) -> None:
    assert url_words(url) == ()


@QUICK
@given(st.sampled_from(["reef", "shore.co.uk", "www.pools", "tides"]))
def test_the_site_is_not_among_the_words(site: str) -> None:
    path = "/blog/tide-pools.html?p=1#top"
    assert url_words(f"https://{site}.org{path}") == url_words(f"http://other.example{path}")


def test_the_words_of_a_headline_are_not_among_them() -> None:
    words = url_words("https://example.com/news/sea-stars-leave-warm-pools")
    assert [word for word in words if word.startswith("p:")] == ["p:news"]


@QUICK
@given(urls)
def test_no_url_makes_it_raise(url: str) -> None:
    words = url_words(url)
    assert words == url_words(url)
    assert len(words) <= 46
    assert all(word.partition(":")[1] for word in words)


@given(st.text())
@QUICK
def test_tokens_and_their_hashes_are_alike(text: str) -> None:
    words, hashes = tokens(text), token_hashes(text).tolist()
    assert len(words) == len(hashes)
    assert len(set(zip(words, hashes, strict=True))) == len(set(words)) == len(set(hashes))
