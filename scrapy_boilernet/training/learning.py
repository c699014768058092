"""Data sets on disk to pages that are ready to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage, open_dataset
from scrapy_boilernet.evaluation.votes import read_votes, votes_file
from scrapy_boilernet.progress import progress
from scrapy_boilernet.training.examples import LearningPage, learning_page, pseudo_page
from scrapy_boilernet.training.sets import pages_without


@dataclass(frozen=True)
class VotedSet:
    """A set without gold that trains by votes."""

    folder: Path
    pages: tuple[LearningPage, ...]


def learning_pages(pages: Sequence[GoldPage], label: str = "align") -> list[LearningPage | None]:
    """Return the pages with soft labels; None for those that cannot be learned from."""
    return [learning_page(page, _draw_of(page)) for page in progress(pages, len(pages), label)]


def voted_set(path: str, cache: Path, votes_folder: Path, without: Sequence[str] = ()) -> VotedSet:
    """Return the pages of a set that have votes; raises ``DatasetError`` if none has.

    ``without``: options ``SET:SRC``, whose pages are left out.
    """
    folder = open_dataset(Path(path), cache)
    votes = read_votes(votes_file(votes_folder, folder.name))
    pages = [page for page in pages_without(folder, without) if page.id in votes]
    found = []
    for page in progress(pages, len(pages), f"votes on {folder.name}"):
        mine = votes[page.id]
        learned = pseudo_page(page, mine.shares, mine.trust, _draw_of(page))
        if learned is not None and learned.page.digest == mine.digest:
            found.append(learned)
    if not found:
        raise DatasetError(
            f"no votes in {votes_folder} are on the pages of {folder}; vote on this very set"
        )
    return VotedSet(folder, tuple(found))


def _draw_of(page: GoldPage) -> np.random.Generator:
    """A generator per page, so that its other markup does not depend on its neighbours."""
    return np.random.default_rng(crc32(f"{page.dataset}/{page.id}".encode()))
