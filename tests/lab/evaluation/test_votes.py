"""The vote: shares and trust by hand, and files of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.evaluation.peers import PEERS
from scrapy_boilernet.lab.evaluation.votes import (
    MIN_TRUST,
    VOTERS,
    Votes,
    read_vote_records,
    read_votes,
    vote,
    votes_file,
    write_votes,
)

MENU, STORY, COMMENT = (
    "Home News Sport Weather",
    "Tide pools along the shore are warming",
    "I agree with all",
)
PAGE = blockify(f"<nav>{MENU}</nav><p>{STORY}</p><div>{COMMENT}</div>")


def test_shares_are_weighted_and_trust_falls_where_voters_are_split() -> None:
    with_comment = f"{STORY}\n{COMMENT}"
    texts = {"trafilatura": STORY, "readability-lxml": with_comment, "resiliparse": with_comment}
    found = vote(PAGE, texts)
    assert found is not None
    assert found.digest == PAGE.digest
    assert found.shares == pytest.approx([0, 1, (1.0 + 0.8) / (1.5 + 1.0 + 0.8)])
    split = float(np.std([0, 1, 1]))
    assert found.trust == pytest.approx([1, 1, max(MIN_TRUST, 1 - 1.2 * split)])


def test_voters_that_find_next_to_nothing_do_not_count() -> None:
    texts = {"trafilatura": STORY, "magic-html": "", "resiliparse": STORY, "rs-trafilatura": "Home"}
    assert vote(PAGE, texts) is None
    found = vote(PAGE, texts | {"magic-html": STORY})
    assert found is not None
    assert found.shares.tolist() == [0, 1, 0]


def test_a_page_without_blocks_is_not_voted_on() -> None:
    assert vote(blockify(""), dict.fromkeys(VOTERS, STORY)) is None


@QUICK
@given(st.lists(st.sampled_from([MENU, STORY, COMMENT, f"{MENU} {STORY}", "words of another page",
                                 "a b c d e f g", "Tide pools warming along the"]),
                min_size=3, max_size=len(VOTERS)))  # fmt: skip
def test_shares_and_trust_stay_in_range(found: list[str]) -> None:
    votes = vote(PAGE, dict(zip(VOTERS, found, strict=False)))
    if votes is None:
        assert sum(len(text.split()) >= 5 for text in found) < 3
        return
    assert votes.shares.shape == votes.trust.shape == (3,)
    assert votes.shares.dtype == votes.trust.dtype == np.float32
    assert ((votes.shares >= 0) & (votes.shares <= 1)).all()
    assert ((votes.trust >= np.float32(MIN_TRUST)) & (votes.trust <= 1)).all()


def test_voters_are_peers() -> None:
    assert VOTERS.keys() <= PEERS.keys()


def test_votes_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = votes_file(tmp_path / "new", "mine")
    shares, trust = np.float32([0, 0.25, 1]), np.float32([1, 0.2, 0.5])
    write_votes(file, [("a/ü", Votes("d1", shares, trust)), ("b", Votes("d2", trust, shares))])
    found = read_votes(file)
    assert list(found) == ["a/ü", "b"]
    assert found["a/ü"].digest == "d1"
    assert np.array_equal(found["a/ü"].shares, shares)
    assert np.array_equal(found["b"].trust, shares)


def test_an_id_may_hold_line_ends_of_other_kinds(tmp_path: Path) -> None:
    file = votes_file(tmp_path, "mine")
    row = '{"id": "a\u2028b", "digest": "d", "shares": [1], "trust": [1]}'
    file.write_text(row, encoding="utf-8")
    assert list(read_votes(file)) == ["a\u2028b"]


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"id": "a"}', '{"id": "a", "digest": "d", "shares": ["x"], "trust": [1]}', "3"],
)
def test_a_garbled_or_missing_file_is_refused_with_the_remedy(tmp_path: Path, text: str) -> None:
    file = votes_file(tmp_path, "mine")
    with pytest.raises(DatasetError, match="scrapy boilernet vote"):
        read_votes(file)
    file.write_text(text + "\n")
    with pytest.raises(DatasetError, match=r"mine\.votes\.jsonl.*scrapy boilernet vote"):
        read_votes(file)


def test_a_record_that_is_garbled_is_named_and_none_says_nothing(tmp_path: Path) -> None:
    assert read_vote_records(tmp_path) == {}
    for text in ("{}", "no JSON", "[]"):
        (tmp_path / "votes.json").write_text(text)
        with pytest.raises(DatasetError, match=r"votes\.json.*make it with"):
            read_vote_records(tmp_path)
