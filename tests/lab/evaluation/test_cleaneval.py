"""CleanEval's official scores."""

from __future__ import annotations

import pytest

pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.lab.evaluation import cleaneval
from scrapy_boilernet.lab.evaluation.align import numbered
from scrapy_boilernet.lab.evaluation.cleaneval import (
    MAX_WORDS,
    OfficialScore,
    official_score,
    read_segments,
    tag_score,
)

GOLD = [("h", "Tide pools"), ("p", "See the map, or here."), ("l", "Crabs"), ("l", "Snails")]
CLEANED = "<h>Tide pools\n<p>See the map, or here.\n<l>Crabs\n<l>Snails"
SEGMENTS = st.lists(
    st.tuples(st.sampled_from("hpl"), st.text("ab \n", min_size=1, max_size=8)), max_size=6
)


def lines(segments: list[tuple[str, str]]) -> str:
    return "\n".join(f"<{tag}>{' '.join(text.split())}" for tag, text in segments)


def test_the_gold_itself_scores_100() -> None:
    score = official_score(CLEANED, GOLD)
    assert (score.text, score.markup, score.total) == (100, 100, 100)
    assert tag_score(CLEANED, GOLD).f1 == 1


def test_text_only_knows_no_tags() -> None:
    score = official_score("<p>" + CLEANED.replace("\n<p>", " ").replace("\n<l>", " ")[3:], GOLD)
    assert score.text == 100
    assert score.markup == 0 or score.markup < 30


def test_words_too_many_or_missing_cost_by_the_longer_text() -> None:
    assert official_score("<p>a b c d", [("p", "a b")]).text == 50
    assert official_score("<p>a b", [("p", "a b c d")]).text == 50
    assert official_score("<p>a X c d", [("p", "a b c d")]).text == 75


def test_a_segment_that_only_ends_right_is_half_valid() -> None:
    score = official_score("<p>a b\n<p>c d", [("p", "a b"), ("h", "c d")])
    assert score == OfficialScore(100, 75)
    split = official_score("<p>a\n<p>b c d", [("p", "a b c d")])
    assert split == OfficialScore(100, 50)


def test_an_added_segment_costs_text_but_not_the_validity_of_others() -> None:
    score = official_score("<p>menu\n<p>a b c", [("p", "a b c")])
    assert score == OfficialScore(75, 75)


def test_a_missing_bullet_does_not_move_the_begin() -> None:
    score = official_score("<l>Fast\n<l>Slow", [("l", "* Fast"), ("l", "* Slow")])
    assert score == OfficialScore(50, 50)


def test_empty_texts() -> None:
    assert official_score("", []) == OfficialScore(100, 100)
    assert official_score("", GOLD) == official_score(CLEANED, []) == OfficialScore(0, 0)
    assert official_score("<p>x", [("p", "y")]) == OfficialScore(0, 0)
    assert tag_score("", []).f1 == 1
    assert tag_score("", GOLD).f1 == 0


def test_lines_without_a_tag_go_on() -> None:
    assert read_segments("one\ntwo\n<H>three\n\nfour") == [("p", " one two"), ("h", "three four")]


def test_other_tags_are_paragraphs() -> None:
    assert official_score("<p>a b", [("?", "a b")]).markup == 100
    assert tag_score("<p>a b", [("?", "a b")]).f1 == 1


def test_tags_may_be_scored_without_their_kind() -> None:
    cleaned = CLEANED.replace("<l>", "<p>")
    assert tag_score(cleaned, GOLD).f1 == pytest.approx(0.5)
    assert tag_score(cleaned, GOLD, labeled=False).f1 == 1


@QUICK
@given(SEGMENTS, SEGMENTS)
def test_scores_are_in_their_range(
    ours: list[tuple[str, str]], gold: list[tuple[str, str]]
) -> None:
    score = official_score(lines(ours), gold)
    assert 0 <= score.markup <= score.text <= 100
    assert 0 <= tag_score(lines(ours), gold).f1 <= 1
    assert official_score(lines(gold), gold) == OfficialScore(100, 100)
    mirrored = official_score(lines(gold), ours)
    assert mirrored.text == pytest.approx(score.text)


def test_long_pages_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    def noted(one: list[str], other: list[str]) -> tuple[list[int], list[int]]:
        compared.extend((len(one), len(other)))
        return numbered(one, other)

    monkeypatch.setattr(cleaneval, "numbered", noted)
    gold = [("p", f"word{i} and more of it") for i in range(10_000)]
    score = official_score(lines(gold[::2]), gold)
    assert 0 < score.text < 100
    assert compared == [MAX_WORDS] * 2
