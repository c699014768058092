"""Training examples from pages with gold text or votes, and windows of their blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.hashed import Bag, featurize
from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.datasets import DatasetError, GoldPage
from scrapy_boilernet.lab.evaluation.same_pages import has_page
from scrapy_boilernet.lab.evaluation.votes import read_votes, votes_file
from scrapy_boilernet.lab.training.augment import Augmentation, restyled
from scrapy_boilernet.lab.training.fit import Example
from scrapy_boilernet.lab.training.gold import GoldBlocks, gold_blocks
from scrapy_boilernet.lab.training.varied import Variations, Varier
from scrapy_boilernet.workers.progress import progress

WINDOW_BLOCKS = 256
"""The longest window to train on. Its numbers of place and tree are those of the whole page."""


@dataclass(frozen=True)
class LearningPage:
    """A page that can train or validate."""

    source: GoldPage
    """The page's data, without its bytes."""
    page: Page
    example: Example
    restyled: Example
    """The same page in other markup, see :mod:`scrapy_boilernet.lab.training.augment`."""
    tokens: NDArray[np.float32]
    """Tokens per block."""
    gold_tokens: int

    @property
    def targets(self) -> NDArray[np.float32]:
        """Per block the share of its tokens that the gold keeps, in [0, 1]: (blocks,)."""
        return self.example.targets


@dataclass(frozen=True)
class VotedSet:
    """A data set without gold that trains by votes."""

    folder: Path
    pages: tuple[LearningPage, ...]
    beside_gold: int
    """The number of pages with votes that do not train, since a set with gold also has them."""


def learning_pages(pages: Sequence[GoldPage], label: str = "align") -> list[LearningPage | None]:
    """Return :func:`learning_page` of each page."""
    return [learning_page(page, _draw_of(page)) for page in progress(pages, len(pages), label)]


def learning_page(source: GoldPage, rng: Generator) -> LearningPage | None:
    """Return the page with soft labels; None if it has no blocks or too little gold text."""
    gold = gold_blocks(source, "block")
    return None if gold is None else learning_page_of(gold, rng)


def learning_page_of(gold: GoldBlocks, rng: Generator) -> LearningPage:
    """Return the page prepared to train."""
    weights = np.sqrt(gold.tokens + 1)
    return _prepared(
        gold.source, gold.page, gold.targets, gold.tokens, weights, gold.gold_tokens, rng
    )


def varied_pages(
    pages: Sequence[LearningPage],
    sources: Iterable[GoldPage],
    variations: Variations,
    seed: int,
) -> list[LearningPage]:
    """Return the variations that are drawn for the pages, with texts of these pages only.

    ``sources``: the pages with their bytes, perhaps among others.
    """
    if not any(asdict(variations).values()):
        return []
    with_bytes = {(source.dataset, source.id): source for source in sources}
    varier = Varier(variations, pages, seed)
    made = []
    for page in progress(pages, len(pages), "vary"):
        source = with_bytes[page.source.dataset, page.source.id]
        gold = GoldBlocks(page.source, page.page, page.targets, page.tokens, page.gold_tokens)
        varied = varier.varied(source, gold)
        if varied is not None:
            made.append(learning_page_of(varied.gold, _draw_of(source)))
    return made


def voted_set(
    folder: Path, chosen: Sequence[GoldPage], votes_folder: Path, gold_keys: frozenset[str]
) -> VotedSet:
    """Return the pages of a set that have votes and are in no set with gold.

    ``chosen``: the set's pages; ``gold_keys``: keys of the pages with gold. Raises ``DatasetError``
    if no page is left.
    """
    votes = read_votes(votes_file(votes_folder, folder.name))
    voted = [page for page in chosen if page.id in votes]
    pages = [page for page in voted if not has_page(gold_keys, page)]
    if voted and not pages:
        raise DatasetError(
            f"--voted {folder}: the sets with gold have all its {len(voted)} pages with votes, and "
            "a page with gold does not train by votes; leave out this --voted"
        )
    learned_pages = []
    for page in progress(pages, len(pages), f"votes on {folder.name}"):
        page_votes = votes[page.id]
        learned = pseudo_page(page, page_votes.shares, page_votes.trust, _draw_of(page))
        if learned is not None and learned.page.digest == page_votes.digest:
            learned_pages.append(learned)
    if not learned_pages:
        raise DatasetError(
            f"no votes in {votes_folder} are for the pages of {folder}; run scrapy boilernet vote "
            "on this set"
        )
    return VotedSet(folder, tuple(learned_pages), len(voted) - len(pages))


def pseudo_page(
    source: GoldPage, votes: NDArray[np.float32], trust: NDArray[np.float32], rng: Generator
) -> LearningPage | None:
    """Return a page labeled by votes; None if it has another number of blocks than votes.

    ``votes``: the share of the voters that keep each block; ``trust``: the weight of each block.
    Both are in [0, 1], of shape (blocks,).
    """
    page = blockify(source.html, url=source.url, encoding=source.encoding)
    if not page.blocks or len(votes) != len(page.blocks):
        return None
    counts = np.array([len(tokens(block.text)) for block in page.blocks], dtype=np.float32)
    return _prepared(source, page, votes, counts, np.sqrt(counts + 1) * trust, 0, rng)


def epoch_windows(
    pages: Sequence[LearningPage], augmentation: Augmentation, rng: Generator
) -> list[Example]:
    """Return the windows of all pages, with new random augmentations."""
    examples = []
    for page in pages:
        example = page.restyled if rng.random() < augmentation.restyled else page.example
        examples += [augmentation(window, rng) for window in windows(example, rng)]
    return examples


def windows(example: Example, rng: Generator) -> Iterator[Example]:
    """Yield the example in windows, cut at random places; windows under 16 blocks are dropped."""
    length = len(example.targets)
    if length <= WINDOW_BLOCKS:
        yield example
        return
    first = int(rng.integers(WINDOW_BLOCKS // 2, WINDOW_BLOCKS + 1))
    cuts = [0, *range(first, length, WINDOW_BLOCKS), length]
    for begin, end in pairwise(cuts):
        if end - begin >= 16:
            yield _window(example, begin, end)


def _draw_of(page: GoldPage) -> np.random.Generator:
    """Return a generator seeded by the page, so that its draws do not depend on other pages."""
    return np.random.default_rng(crc32(f"{page.dataset}/{page.id}".encode()))


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
    restyled_example = Example(featurize(restyled(page, rng)), targets, weights)
    return LearningPage(
        replace(source, html=b""), page, example, restyled_example, counts, gold_tokens
    )


def _window(example: Example, begin: int, end: int) -> Example:
    bags = {}
    for name, bag in example.features.bags.items():
        low, high = bag.offsets[begin], bag.offsets[end]
        bags[name] = Bag(bag.ids[low:high], bag.offsets[begin : end + 1] - low)
    features = replace(example.features, numbers=example.features.numbers[begin:end], bags=bags)
    return Example(features, example.targets[begin:end], example.weights[begin:end])
