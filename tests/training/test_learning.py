"""From data sets on disk to pages to learn from, and what a card says of a set."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

from testing.synthetic import article, gold_page, write_set

from scrapy_boilernet.evaluation.votes import Votes, votes_file, write_votes
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.training.examples import learning_pages, voted_set
from scrapy_boilernet.training.gold import dataset_record


def votes_on(html: bytes) -> Votes:
    page = blockify(html)
    half = np.full(len(page.blocks), 0.5, dtype=np.float32)
    return Votes(page.digest, half, half)


def test_other_markup_does_not_depend_on_the_neighbours() -> None:
    pages = [gold_page(n) for n in range(4)]
    together, alone = learning_pages(pages), learning_pages(pages[2:3])
    assert together[2] is not None
    assert alone[0] is not None
    one, other = (page.restyled.features for page in (together[2], alone[0]))
    assert np.array_equal(one.numbers, other.numbers)
    assert np.array_equal(one.bags["tags"].ids, other.bags["tags"].ids)


def test_pages_that_cannot_be_learned_from_keep_their_place() -> None:
    found = learning_pages([gold_page(1), gold_page(2, html=b""), gold_page(3)])
    assert [page is None for page in found] == [False, True, False]


def test_votes_on_other_bytes_or_other_pages_are_left_out(tmp_path: Path) -> None:
    pages = {f"p{n}": (article(n)[0], None) for n in range(4)}
    folder = write_set(tmp_path / "crawl", pages)
    changed = pages["p1"][0].replace(b"Home", b"Main")
    voted = [("p0", votes_on(pages["p0"][0])), ("p1", votes_on(changed)), ("gone", votes_on(b"x"))]
    write_votes(votes_file(tmp_path, "crawl"), voted)
    found = voted_set(str(folder), tmp_path, tmp_path)
    assert [page.source.id for page in found.pages] == ["p0"]
    assert set(found.pages[0].example.targets.tolist()) == {0.5}
    assert dataset_record(folder, voted=found.pages)["voted_pages"] == 1
