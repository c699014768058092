"""Scores of texts against cases counted by hand, and what holds for any text."""

from __future__ import annotations

import pytest

pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.lab.evaluation import metrics
from scrapy_boilernet.lab.evaluation.metrics import (
    Score,
    cleaneval_lcs_score,
    cleaneval_score,
    cleaneval_words,
    lcs_score,
    rouge_lsum_score,
    token_set_score,
    word_score,
)

TEXT = st.text(alphabet="ab c東京,\n", max_size=30)
SCORES = [word_score, token_set_score, lcs_score, cleaneval_score, cleaneval_lcs_score]


@pytest.mark.parametrize(
    ("text", "gold", "precision", "recall", "f1"),
    [
        ("a b c", "a b c", 1, 1, 1),
        ("c B a!", "A, b: C", 1, 1, 1),
        ("a b", "a b c d", 1, 1 / 2, 2 / 3),
        ("a b c d", "a b", 1 / 2, 1, 2 / 3),
        ("a a a b", "a b b", 2 / 4, 2 / 3, 4 / 7),
        ("a b", "c d", 0, 0, 0),
        ("東京都", "京都", 2 / 3, 1, 4 / 5),
        ("ภาษา", "ภา", 2 / 4, 1, 2 / 3),
        ("한국 사람", "한국", 1 / 2, 1, 2 / 3),
    ],
)
def test_words_are_counted_as_a_bag(
    text: str, gold: str, precision: float, recall: float, f1: float
) -> None:
    assert vars(word_score(text, gold)) == pytest.approx(vars(Score(precision, recall, f1)))


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [("", "", 1), ("...", " ", 1), ("a", "", 0), ("", "a", 0), ("-", "a", 0)],
)
def test_empty_gold_wants_an_empty_text(text: str, gold: str, expected: float) -> None:
    assert word_score(text, gold) == Score(expected, expected, expected)


@QUICK
@given(TEXT, TEXT)
def test_scores_lie_between_0_and_1_and_swap_with_the_texts(text: str, gold: str) -> None:
    one, other = word_score(text, gold), word_score(gold, text)
    assert all(0 <= value <= 1 for value in vars(one).values())
    assert (one.precision, one.recall) == (other.recall, other.precision)
    assert one.f1 == other.f1
    assert min(one.precision, one.recall) - 1e-12 <= one.f1
    assert one.f1 <= max(one.precision, one.recall) + 1e-12


@pytest.mark.parametrize("score", SCORES)
def test_a_text_is_all_like_itself_and_an_empty_one_is_nothing_like_it(score: object) -> None:
    assert score("One two\nthree.", "One two\nthree.") == Score(1, 1, 1)
    assert score("", "") == Score(1, 1, 1)
    assert score("", "one") == score("one", "") == Score(0, 0, 0)


@QUICK
@given(st.sampled_from(SCORES), TEXT, TEXT)
def test_all_scores_lie_between_0_and_1(score: object, text: str, gold: str) -> None:
    assert all(0 <= value <= 1 for value in vars(score(text, gold)).values())
    assert score(text, text) == Score(1, 1, 1)


@QUICK
@given(st.sampled_from([token_set_score, lcs_score, cleaneval_lcs_score]), TEXT, TEXT)
def test_exact_scores_swap_with_the_texts(score: object, text: str, gold: str) -> None:
    one, other = score(text, gold), score(gold, text)
    assert (one.precision, one.recall, one.f1) == (other.recall, other.precision, other.f1)


@QUICK
@given(TEXT, TEXT)
def test_order_can_only_lose_words_and_a_heuristic_only_more(text: str, gold: str) -> None:
    assert lcs_score(text, gold).f1 <= word_score(text, gold).f1
    assert cleaneval_score(text, gold).f1 <= cleaneval_lcs_score(text, gold).f1


def test_scores_of_a_text_tokenize_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    tokens = metrics.tokens
    monkeypatch.setattr(metrics, "tokens", lambda text: read.append(text) or tokens(text))
    for text in ("one text of a system", "another one"):
        for score in (word_score, token_set_score, lcs_score):
            score(text, "the gold text of a page")
    assert sorted(read) == ["another one", "one text of a system", "the gold text of a page"]


def test_token_sets_count_a_word_once() -> None:
    assert token_set_score("a a a b", "a b b c") == Score(1, 2 / 3, 4 / 5)


def test_the_longest_common_subsequence_minds_the_order() -> None:
    assert lcs_score("c a b", "a b c d") == Score(2 / 3, 2 / 4, 4 / 7)
    assert lcs_score("b a", "a b") == Score(1 / 2, 1 / 2, 1 / 2)


def test_cleaneval_compares_words_as_they_are_written() -> None:
    assert cleaneval_score("Dogs bark, loudly", "Dogs bark loudly") == Score(2 / 3, 2 / 3, 2 / 3)
    assert cleaneval_score("dogs", "Dogs") == Score(0, 0, 0)


def test_cleaneval_drops_url_lines_and_control_characters() -> None:
    assert cleaneval_words("URL: http://a.com/\nOne\x07two\n  URL\nthree") == [
        "One",
        "two",
        "three",
    ]


def test_difflib_leaves_out_frequent_words_where_the_exact_score_does_not() -> None:
    # 200 words and more: a word in over 1 % of the places is no anchor for difflib.
    text = " ".join(["the"] * 300)
    assert cleaneval_score(text, f"Now {text}").f1 == 0
    assert cleaneval_lcs_score(text, f"Now {text}") == Score(1, 300 / 301, 600 / 601)


def test_difflib_reads_no_more_words_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "MAX_DIFFLIB_WORDS", 3)
    assert cleaneval_score("a b c d e", "a b c x y") == Score(1, 1, 1)
    assert cleaneval_lcs_score("a b c d e", "a b c x y") == Score(3 / 5, 3 / 5, 3 / 5)


def test_rouge_is_none_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "_rouge_scorer", lambda: None)
    assert rouge_lsum_score("a", "a") is None


def test_rouge_takes_lines_for_sentences_and_minds_letter_case() -> None:
    pytest.importorskip("rouge_score")
    # Line by line: "a b" is in the text whole, of "c d" only "d" is; two of three and two of four.
    found = rouge_lsum_score("a b\nD d", "a b\nc d")
    assert found == Score(3 / 4, 3 / 4, pytest.approx(3 / 4))
    assert rouge_lsum_score("A b", "a b") == Score(1 / 2, 1 / 2, 1 / 2)
    assert rouge_lsum_score("c d\na b", "a b\nc d") == Score(1, 1, 1)


def test_rouge_of_empty_gold_is_as_the_benchmark_has_it() -> None:
    pytest.importorskip("rouge_score")
    assert rouge_lsum_score("", " ") == Score(1, 1, 1)
    assert rouge_lsum_score("a", "") == Score(0, 1, 0)
    assert rouge_lsum_score("", "a") == Score(0, 0, 0)


def test_rouge_reads_no_more_words_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rouge_score")
    monkeypatch.setattr(metrics, "MAX_ROUGE_WORDS", 3)
    assert rouge_lsum_score("a b\nc d\ne", "a b\nc x") == Score(1, 1, 1)
