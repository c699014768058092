"""Words of class and id as Yao and Zuo (2013) read them, and which of them tell boilerplate.

They rank the words by naive Bayes, a multinomial event model with Laplace smoothing, by
P(word | boilerplate) / P(word | content), and keep the ten that speak most for boilerplate, since
the names that content goes by vary more. Ours are: each site counts as one, so that none decides by
its size; and a word's log ratio counts as often as boilerplate bears it, its part of the divergence
between the classes, since ten rare words would tell of few blocks
(the recipe ``svm-published-names`` ranks them as published).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.columns import Paths
from scrapy_boilernet.page import Page

NEAR = 30
"""Of a block's ancestors, the innermost so many that bear any name are read: all, but in mazes."""
MIN_SITE_SHARE, MIN_SITES = 0.02, 2
"""A word must be met on such a share of the sites and on so many."""
SMOOTHING = 1.0
"""What Laplace smoothing adds to each word's count, where a site counts as one."""


@dataclass(frozen=True)
class NamedBlocks:
    """The names of a page's blocks; blocks of one place in the page share them."""

    names: tuple[frozenset[str], ...]
    """Per different place the words that its near ancestors bear."""
    places: NDArray[np.int64]
    """Per block the number of its place: (blocks,)."""

    @classmethod
    def of(cls, page: Page) -> Self:
        """Return the names of the page's blocks."""
        paths = Paths.of([block.class_words for block in page.blocks])
        return cls(tuple(_near_names(path) for path in paths.values), paths.places)

    def flags(self, wanted: Sequence[str]) -> NDArray[np.bool_]:
        """Return which blocks bear which of the ``wanted`` words: (blocks, len(wanted))."""
        table = np.array(
            [[word in names for word in wanted] for names in self.names], dtype=np.bool_
        )
        return table.reshape(len(self.names), len(wanted))[self.places]

    def counts(self, chosen: NDArray[np.bool_]) -> Counter[str]:
        """Return per word how many of the ``chosen`` blocks, (blocks,), bear it."""
        blocks = np.bincount(self.places[chosen], minlength=len(self.names))
        found: Counter[str] = Counter()
        for names, count in zip(self.names, blocks.tolist(), strict=True):
            if count:
                found.update(dict.fromkeys(names, count))
        return found


@dataclass
class _Site:
    """What the blocks of one site bear, of each class."""

    blocks: list[int]
    names: tuple[Counter[str], Counter[str]]


def boilerplate_names(
    pages: Iterable[tuple[str, Page, NDArray[np.bool_]]], most: int, as_published: bool = False
) -> list[tuple[str, float]]:
    """Return the ``most`` words that tell boilerplate best, those that tell most first.

    ``pages``: the site of each, the page, and which of its blocks are content. With each word comes
    log P(word | boilerplate) / P(word | content), above 0; fewer come where there are no more.
    ``as_published``: every block counts as one, and the words are ranked by that ratio alone.
    """
    sites: dict[str, _Site] = defaultdict(lambda: _Site([0, 0], (Counter(), Counter())))
    for name, page, content in pages:
        site, named = sites[name], NamedBlocks.of(page)
        for kind, chosen in enumerate((~content, content)):
            site.blocks[kind] += int(chosen.sum())
            site.names[kind].update(named.counts(chosen))
    met = Counter(word for site in sites.values() for word in site.names[0])
    least = max(MIN_SITES, MIN_SITE_SHARE * len(sites))
    told = _told(sites.values(), as_published)
    ranked = sorted(
        ((weight, word) for word, (weight, _) in told.items() if met[word] >= least and weight > 0),
        key=lambda pair: (-pair[0], pair[1]),
    )
    return [(word, told[word][1]) for _, word in ranked[:most]]


def _told(sites: Iterable[_Site], as_published: bool) -> dict[str, tuple[float, float]]:
    """Per word how much it tells, and its log ratio."""
    shares: tuple[dict[str, float], dict[str, float]] = (defaultdict(float), defaultdict(float))
    for site in sites:
        for share, blocks, names in zip(shares, site.blocks, site.names, strict=True):
            for word, count in names.items():
                share[word] += count if as_published else count / blocks
    words = shares[0].keys() | shares[1].keys()
    sums = [math.fsum(share.values()) + SMOOTHING * len(words) for share in shares]
    found = {}
    for word in words:
        of_boilerplate, of_content = (
            (share[word] + SMOOTHING) / total for share, total in zip(shares, sums, strict=True)
        )
        ratio = math.log(of_boilerplate / of_content)
        found[word] = (ratio if as_published else of_boilerplate * ratio, ratio)
    return found


def _near_names(path: Sequence[str]) -> frozenset[str]:
    bearing = [names for names in path if names][-NEAR:]
    return frozenset(word for names in bearing for word in names.split())
