"""Lost paragraphs and wrong lines against cases counted by hand."""

from __future__ import annotations

import pytest

pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.lab.evaluation import align, page_metrics
from scrapy_boilernet.lab.evaluation.page_metrics import completeness_metrics, unmatched_lines

FIRST = "one two three four five six seven eight nine ten"
SECOND = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu"
GOLD = f"A title\n{FIRST}\n\n{SECOND}\n"


def test_a_whole_text_loses_nothing() -> None:
    assert completeness_metrics(GOLD, GOLD) == {"loses_paragraph": 0, "paragraph_loss": 0}


def test_a_missing_paragraph_is_counted_and_a_missing_title_is_not() -> None:
    assert completeness_metrics(FIRST, GOLD) == {"loses_paragraph": 1, "paragraph_loss": 1 / 2}
    assert completeness_metrics(f"{FIRST}\n{SECOND}", GOLD)["loses_paragraph"] == 0


@pytest.mark.parametrize(("words", "lost"), [(4, 1), (5, 0)])
def test_a_paragraph_is_lost_with_less_than_half_of_it(words: int, lost: int) -> None:
    text = " ".join(FIRST.split()[:words])
    assert completeness_metrics(text, FIRST)["loses_paragraph"] == lost


def test_words_in_another_order_are_not_kept() -> None:
    assert completeness_metrics(" ".join(FIRST.split()[::-1]), FIRST)["paragraph_loss"] == 1


def test_a_gold_without_paragraphs_has_none_to_lose() -> None:
    assert completeness_metrics("", "Nine words are one too few for a paragraph") == {}
    assert completeness_metrics("", "") == {}


def test_an_empty_text_loses_all() -> None:
    assert completeness_metrics("", GOLD) == {"loses_paragraph": 1, "paragraph_loss": 1}


def test_lines_that_the_other_text_lacks_are_named_in_their_order() -> None:
    text = f"Menu\n{FIRST}\n* *\nSign in"
    assert unmatched_lines(text, GOLD) == (["Menu", "Sign in"], 3)
    assert unmatched_lines(GOLD, text) == (["A title", SECOND], 3)


def test_lines_beyond_what_is_aligned_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(align, "MAX_TOKENS", 15)
    monkeypatch.setattr(page_metrics, "MAX_TOKENS", 15)
    assert unmatched_lines(GOLD, GOLD) == ([], 2)


@QUICK
@given(st.text(alphabet="ab \n.", max_size=60), st.text(alphabet="ab \n.", max_size=60))
def test_lines_are_found_in_what_was_given(text: str, other: str) -> None:
    lines, looked_at = unmatched_lines(text, other)
    assert len(lines) <= looked_at <= len(text.splitlines())
    assert set(lines) <= set(text.splitlines())
    assert unmatched_lines(text, text)[0] == []
