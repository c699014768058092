"""Pages with gold text or votes to examples, and these to windows of blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage, open_dataset
from scrapy_boilernet.evaluation.votes import read_votes, votes_file
from scrapy_boilernet.features.hashed import Bag, featurize
from scrapy_boilernet.features.words import tokens
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.page import Page
from scrapy_boilernet.progress import progress
from scrapy_boilernet.training.augment import Augmentation, restyled
from scrapy_boilernet.training.fit import Example
from scrapy_boilernet.training.gold import gold_blocks, pages_without

WINDOW_BLOCKS = 256
"""Longest window trained on; the place and tree numbers still tell of the whole page."""


@dataclass(frozen=True)
class LearningPage:
    """A page ready to learn from, with what its text is measured against."""

    source: GoldPage
    """Without its bytes, which are not needed any more."""
    page: Page
    example: Example
    restyled: Example
    """The same page in other markup, see :mod:`scrapy_boilernet.training.augment`."""
    tokens: NDArray[np.float32]
    """Tokens per block."""
    gold_tokens: int

    @property
    def targets(self) -> NDArray[np.float32]:
        """Per block the share of its tokens that the gold keeps, in [0, 1]: (blocks,)."""
        return self.example.targets


def learning_page(source: GoldPage, rng: Generator) -> LearningPage | None:
    """Return the page with soft labels, or None if it has no block or not its gold text."""
    found = gold_blocks(source, "block")
    if found is None:
        return None
    weights = np.sqrt(found.tokens + 1)
    return _prepared(
        source, found.page, found.targets, found.tokens, weights, found.gold_tokens, rng
    )


def pseudo_page(
    source: GoldPage, votes: NDArray[np.float32], trust: NDArray[np.float32], rng: Generator
) -> LearningPage | None:
    """Return a page without gold, labeled by votes; None if they are not of this page's blocks.

    ``votes``: share of the voters that keep a block, in [0, 1]; ``trust``: its weight, in [0, 1].
    """
    page = blockify(source.html, url=source.url, encoding=source.encoding)
    if not page.blocks or len(votes) != len(page.blocks):
        return None
    counts = np.array([len(tokens(block.text)) for block in page.blocks], dtype=np.float32)
    return _prepared(source, page, votes, counts, np.sqrt(counts + 1) * trust, 0, rng)


def _prepared(
    source: GoldPage,
    page: Page,
    targets: NDArray[np.float32],
    counts: NDArray[np.float32],
    weights: NDArray[np.float32],
    gold_tokens: int,
    rng: Generator,
) -> LearningPage:
    weights = (weights / max(float(np.sqrt(counts + 1).mean()), 1e-6)).astype(np.float32)
    example = Example(featurize(page), targets, weights)
    other = Example(featurize(restyled(page, rng)), targets, weights)
    return LearningPage(replace(source, html=b""), page, example, other, counts, gold_tokens)


def windows(example: Example, rng: Generator) -> Iterator[Example]:
    """Yield the example cut into windows, the cuts shifted at random."""
    length = len(example.targets)
    if length <= WINDOW_BLOCKS:
        yield example
        return
    first = int(rng.integers(WINDOW_BLOCKS // 2, WINDOW_BLOCKS + 1))
    cuts = [0, *range(first, length, WINDOW_BLOCKS), length]
    for begin, end in pairwise(cuts):
        if end - begin >= 16:
            yield _window(example, begin, end)


def _window(example: Example, begin: int, end: int) -> Example:
    bags = {}
    for name, bag in example.features.bags.items():
        low, high = bag.offsets[begin], bag.offsets[end]
        bags[name] = Bag(bag.ids[low:high], bag.offsets[begin : end + 1] - low)
    features = replace(example.features, numbers=example.features.numbers[begin:end], bags=bags)
    return Example(features, example.targets[begin:end], example.weights[begin:end])


def epoch_windows(
    pages: Sequence[LearningPage], augmentation: Augmentation, rng: Generator
) -> list[Example]:
    """Return all windows of all pages, augmented anew."""
    found = []
    for page in pages:
        example = page.restyled if rng.random() < augmentation.restyled else page.example
        found += [augmentation(window, rng) for window in windows(example, rng)]
    return found


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
