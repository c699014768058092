"""Gold text to soft block labels: exact cases, and what holds for any page and gold."""

from __future__ import annotations

import pytest

pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, article, page_of

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.lab.evaluation import align
from scrapy_boilernet.lab.evaluation.align import soft_labels

TEXTS = st.lists(st.text(alphabet="ab cd,東京", min_size=1, max_size=20), max_size=8)


def shares(texts: list[str], gold: str) -> list[float]:
    return [round(float(share), 4) for share in soft_labels(page_of(texts), gold)[0]]


def test_gold_with_all_text_keeps_every_block() -> None:
    assert shares(["Alpha beta.", "Gamma delta"], "alpha BETA\ngamma, delta!") == [1, 1]


def test_gold_with_other_words_keeps_no_block() -> None:
    assert shares(["alpha beta", "gamma"], "something else") == [0, 0]


def test_a_partially_kept_block_has_the_share_of_its_tokens() -> None:
    assert shares(["menu", "one two three four", "end"], "two three four") == [0, 0.75, 0]


def test_counts_are_tokens_per_block() -> None:
    counts = soft_labels(page_of(["one two three", "- | -", "東京 tower"]), "one")[1]
    assert counts.tolist() == [3, 0, 3]


def test_a_block_without_tokens_takes_the_label_before_it() -> None:
    assert shares(["* * *", "one", "---", "menu", "|"], "one") == [0, 1, 1, 0, 0]


def test_a_phrase_said_twice_is_kept_once_in_the_order_of_the_gold() -> None:
    texts = ["Breaking story", "alpha beta", "Breaking story", "gamma delta"]
    found = shares(texts, "alpha beta\nBreaking story\ngamma delta")
    assert found == [0, 1, 1, 1]


def test_gold_that_repeats_a_phrase_keeps_each_of_its_blocks() -> None:
    texts = ["menu", "chorus line", "verse one", "chorus line"]
    assert shares(texts, "chorus line verse one chorus line") == [0, 1, 1, 1]


def test_text_without_spaces_is_aligned_by_character() -> None:
    assert shares(["首页", "東京は日本の首都です。", "版权"], "東京は日本の首都です") == [0, 1, 0]
    assert shares(["東京大阪"], "東京") == [0.5]


def test_empty_gold_keeps_nothing() -> None:
    assert shares(["one", "two"], "") == [0, 0]


def test_a_page_without_blocks_has_no_labels() -> None:
    found, counts = soft_labels(page_of([]), "gold")
    assert found.shape == counts.shape == (0,)


def test_a_page_is_aligned_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(align, "MAX_TOKENS", 3)
    found, counts = soft_labels(page_of(["a b", "c d", "e f"]), "a b c d e f")
    assert found.tolist() == [1, 0.5, 0]
    assert counts.tolist() == [2, 2, 2]


def test_an_article_is_separated_from_what_is_around_it() -> None:
    html, gold = article(3)
    page = blockify(html)
    found, _ = soft_labels(page, gold)
    inside = ["article" in block.tags for block in page.blocks]
    assert found.tolist() == [float(kept) for kept in inside]


@QUICK
@given(TEXTS, st.text(alphabet="ab cd,東京", max_size=60))
def test_shares_lie_between_0_and_1_for_any_page(texts: list[str], gold: str) -> None:
    found, counts = soft_labels(page_of(texts), gold)
    assert found.shape == counts.shape == (len(texts),)
    assert found.dtype == counts.dtype == "float32"
    assert ((found >= 0) & (found <= 1)).all()
    assert (counts >= 0).all()


@QUICK
@given(st.lists(st.tuples(st.integers(1, 9), st.booleans()), max_size=12))
def test_gold_made_of_some_blocks_gives_exactly_these(made: list[tuple[int, bool]]) -> None:
    words = iter(f"word{n}" for n in range(200))
    texts = [" ".join(next(words) for _ in range(length)) for length, _ in made]
    gold = "\n".join(text for text, (_, kept) in zip(texts, made, strict=True) if kept)
    assert shares(texts, gold) == [float(kept) for _, kept in made]
