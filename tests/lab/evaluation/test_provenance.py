"""How many test pages are close to pages that were learned from, by domain and by text."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("rapidfuzz")

from testing.synthetic import article, gold_page, write_set

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.evaluation.provenance import (
    Compared,
    by_gold,
    by_text,
    overlap_record,
    overlap_with,
)


def voted(number: int, host: str | None = None) -> Compared:
    """A page without gold, compared by all of its text."""
    return by_text(gold_page(number, "crawl", host, gold=None))


def test_domains_and_near_duplicates_are_counted_by_gold_and_by_votes_apart() -> None:
    tests = [
        by_gold(gold_page(1, "exam", "www.daily.com")),
        by_gold(gold_page(2, "exam", "sport.weekly.co.uk")),
        by_gold(gold_page(3, "exam", "far.org")),
        by_gold(gold_page(4, "exam")),
    ]
    gold = [by_gold(gold_page(10, "mine", "news.daily.com")), by_gold(gold_page(11, "mine"))]
    votes = [voted(20, "weekly.co.uk"), voted(21, "daily.com"), voted(4), voted(3, "far.com")]
    assert overlap_record({"exam": tests}, gold, votes) == {
        "pages": {"gold": 2, "votes": 4},
        "without_domain": {"gold": 1, "votes": 1},
        "sets": {
            "exam": {
                "test_pages": 4,
                "without_domain": 1,
                "on_domain": {"gold": 1, "votes": 2},
                "near_duplicates": {"gold": 0, "votes": 2},
            }
        },
    }


def test_equal_texts_and_the_very_page_are_all_counted() -> None:
    tests = [by_gold(gold_page(n, "exam", gold=article(7)[1])) for n in range(5)]
    learned = [by_gold(gold_page(n, "mine", gold=article(7)[1])) for n in range(30)]
    (row,) = overlap_record({"exam": tests}, learned, [])["sets"].values()
    assert row["near_duplicates"] == {"gold": 5, "votes": 0}
    short = by_gold(gold_page(1, "exam", gold="Too short"))
    (row,) = overlap_record({"exam": [short]}, [], [short])["sets"].values()
    assert row["near_duplicates"] == {"gold": 0, "votes": 1}


def test_pages_without_a_host_share_no_domain() -> None:
    (row,) = overlap_record({"exam": [by_gold(gold_page(1))]}, [by_gold(gold_page(2))], [])[
        "sets"
    ].values()
    assert (row["on_domain"]["gold"], row["without_domain"]) == (0, 1)


def test_a_page_without_gold_is_compared_by_its_blocks() -> None:
    page = gold_page(5, gold=None)
    read = blockify(page.html)
    assert by_gold(page) == by_text(page) == by_text(page, read)
    assert "Terms of use" in by_text(page).text
    assert "Terms of use" not in by_gold(gold_page(5)).text


def test_other_sets_give_their_test_parts_and_none_comes_twice(tmp_path: Path) -> None:
    rows = [{"id": f"p{n}", "split": "test" if n else "train"} for n in range(3)]
    exam = write_set(tmp_path / "exam", {f"p{n}": article(n) for n in range(3)}, rows)
    found = overlap_with([str(exam)], tmp_path, {"mine": []})
    assert [page.key for page in found["exam"]] == [("exam", "p1"), ("exam", "p2")]
    assert found["mine"] == []
    assert overlap_with([str(exam)], tmp_path, {"exam": []}) == {"exam": []}
    rows = [{"id": "p0", "split": "train"}]
    bare = write_set(tmp_path / "bare", {"p0": article(0)}, rows)
    with pytest.raises(DatasetError, match="no page in its test part"):
        overlap_with([str(bare)], tmp_path, {})
