"""The paper's featurizer: counts of frequent words and tags, each with an unknown slot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_boilernet import Page
from scrapy_boilernet.extractor.features.counts import CountVocabulary, paper_words
from scrapy_boilernet.extractor.html.blockify import blockify


def leaves(html: str | bytes) -> Page:
    return blockify(html, units="leaf")


def vectors(vocabulary: CountVocabulary, page: Page) -> list[list[int]]:
    """The count vector of each leaf, as the paper writes it."""
    bag = vocabulary.featurize(page).bags["counts"]
    rows = np.zeros((len(page.blocks), vocabulary.size), dtype=int)
    for i, (begin, end) in enumerate(zip(bag.offsets[:-1], bag.offsets[1:], strict=True)):
        np.add.at(rows[i], bag.ids[begin:end], 1)
    return [list(map(int, row)) for row in rows]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("Don't, it's 9!", ["do", "n't", ",", "it", "'s", "9", "!"]),
        ("We'll see: I'm, you're, they've, he'd",
         ["we", "'ll", "see", ":", "i", "'m", ",", "you", "'re", ",", "they", "'ve", ",", "he",
          "'d"]),
        ("well-known fact.", ["well-known", "fact", "."]),
        ("© 2021 Ünïcode", ["©", "2021", "ünïcode"]),
        ("can't CAN'T", ["ca", "n't", "ca", "n't"]),
    ],
)  # fmt: skip
def test_words_and_punctuation_marks_are_split(text: str, words: list[str]) -> None:
    assert paper_words(text) == words


def test_the_papers_vocabulary_has_1052_slots() -> None:
    words = " ".join(f"w{i}" for i in range(1500))
    tags = "".join(f"<x{i}>a</x{i}>" for i in range(80))
    vocabulary = CountVocabulary.of([leaves(f"<p>{words}</p>{tags}")])
    assert (len(vocabulary.words), len(vocabulary.tags)) == (1000, 50)
    assert vocabulary.size == 1052


def test_a_small_collection_gives_a_smaller_vocabulary() -> None:
    vocabulary = CountVocabulary.of([leaves("<p>one two</p>")])
    assert vocabulary.words == ("one", "two")
    assert set(vocabulary.tags) == {"html", "body", "p"}
    assert vocabulary.size == 2 + 3 + 2


def test_the_most_frequent_words_and_tags_are_kept() -> None:
    page = leaves("<p>tap tap tap leak leak drip</p><div><p>tap</p></div>")
    vocabulary = CountVocabulary.of([page, page], words=2, tags=3)
    assert vocabulary.words == ("tap", "leak")
    assert set(vocabulary.tags) == {"html", "body", "p"}


def test_slots_hold_counts_unknown_words_first_then_words_then_tags() -> None:
    vocabulary = CountVocabulary(words=("tap", "leak"), tags=("p", "body"))
    page = leaves("<p>Tap tap drip drip drop leak</p><div>tap</div>")
    assert vectors(vocabulary, page) == [
        [3, 2, 1, 1, 1, 1],  # unknown: drip, drip, drop; tags: html unknown, p, body
        [0, 1, 0, 2, 0, 1],  # tags: html, div unknown, body
    ]


def test_unknown_words_overwrite_each_other_only_when_asked() -> None:
    page = leaves("<p>drip drip drop tap</p>")
    sums = CountVocabulary(("tap",), ("html", "body", "p"))
    last = CountVocabulary(("tap",), ("html", "body", "p"), unknown_overwrites=True)
    assert vectors(sums, page) == [[3, 1, 0, 1, 1, 1]]
    assert vectors(last, page) == [[1, 1, 0, 1, 1, 1]]


@given(st.lists(st.text(max_size=30), max_size=8), st.integers(0, 5), st.integers(0, 3))
@settings(max_examples=100, deadline=None)
def test_a_leafs_counts_sum_to_its_words_and_tags(parts: list[str], words: int, tags: int) -> None:
    page = leaves("".join(f"<p><i>{part}</i>x y" for part in parts))
    vocabulary = CountVocabulary.of([page], words=words, tags=tags)
    for block, row in zip(page.blocks, vectors(vocabulary, page), strict=True):
        assert sum(row[: len(vocabulary.words) + 1]) == len(paper_words(block.text))
        assert sum(row[len(vocabulary.words) + 1 :]) == len(block.tags)


def test_the_counts_of_a_real_page_are_those_of_its_words(
    read_page: Callable[[str], bytes],
) -> None:
    page = leaves(read_page("article.html"))
    vocabulary = CountVocabulary.of([page], words=20, tags=5)
    expected = Counter(word for block in page.blocks for word in paper_words(block.text))
    totals = np.sum(vectors(vocabulary, page), axis=0)
    for slot, word in enumerate(vocabulary.words, 1):
        assert totals[slot] == expected[word]


@pytest.mark.parametrize("html", ["", "<p>tap", "<p>a<p>b" * 2500])
def test_shapes_and_types_hold_for_pages_of_any_size(html: str) -> None:
    page = leaves(html)
    vocabulary = CountVocabulary(("tap",), ("p",))
    found = vocabulary.featurize(page)
    bag = found.bags["counts"]
    assert (found.numbers.shape, found.numbers.dtype) == ((len(page.blocks), 0), np.float32)
    assert bag.ids.dtype == bag.offsets.dtype == np.int64
    assert len(bag.offsets) == len(page.blocks) + 1
    assert ((bag.ids >= 0) & (bag.ids < vocabulary.size)).all()
