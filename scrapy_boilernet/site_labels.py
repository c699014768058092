"""The blocks of a site's pages as one graph, over which the labels of a few of them spread.

Blocks of the same text and path on several pages share a node; those on many pages are boilerplate,
unless a person says else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.block_graph import BlockGraph
from scrapy_boilernet.classical.harmonic import spread
from scrapy_boilernet.classical.seeds import Seed, rule_seeds
from scrapy_boilernet.given_labels import AdaptError, Place
from scrapy_boilernet.page import Block, Page

MIN_PAGES, MIN_SHARE = 3, 0.5
"""A block on so many pages, and on such a share of the site's, is taken for boilerplate; on fewer
it may be an article that was found under several URLs."""

Scores = NDArray[np.float32]
Template = tuple[tuple[str, ...], tuple[str, ...]]


def spread_labels(
    pages: Sequence[Page], given: Mapping[Place, bool], rules: bool, graph: BlockGraph
) -> list[Scores]:
    """Return P(content) per block: per page float32 of shape (blocks,), in [0, 1].

    ``given``: labels of blocks, which stand; with ``rules`` those of
    :func:`~scrapy_boilernet.classical.seeds.rule_seeds` join, and that what is on many pages is
    boilerplate. ``graph``: that of the pages. Raises ``AdaptError`` if no block of one class is
    labeled.
    """
    count = len(graph.pages)
    sums, sizes = np.zeros(count), np.zeros(count)
    if rules:
        often = graph.pages >= max(MIN_PAGES, MIN_SHARE * len(pages))
        for seeds, nodes in zip(trusted_seeds(pages, given), graph.nodes, strict=True):
            for seed, node in zip(seeds, nodes.tolist(), strict=True):
                sizes[node] += seed is not None
                sums[node] += seed is not None and seed.content
        sums[often], sizes[often] = 0, 1
    told = {(number, i): int(graph.nodes[number][i]) for number, i in given}
    ours = np.array(list(told.values()), dtype=np.int64)
    sums[ours] = sizes[ours] = 0
    for place, content in given.items():
        sums[told[place]] += content
        sizes[told[place]] += 1
    labels, known = sums / np.maximum(sizes, 1), sizes > 0
    _need_both(labels[known], rules)
    found = spread(graph.weights, labels, known, float(labels[known].mean()))
    scores = [found[nodes].astype(np.float32) for nodes in graph.nodes]
    for (number, i), content in given.items():
        scores[number][i] = content
    return scores


def trusted_seeds(pages: Sequence[Page], given: Mapping[Place, bool]) -> list[list[Seed | None]]:
    """Return per page and block what a rule says, but where the given labels know better.

    Left out is a rule that they contradict more often than they confirm it, and what a rule says of
    blocks with the path and classes of one that it was wrong about.
    """
    found = [rule_seeds(page) for page in pages]
    right: Counter[tuple[bool, str]] = Counter()
    wrong: set[tuple[bool, Template]] = set()
    for (number, i), content in given.items():
        if seed := found[number][i]:
            right[seed] += 1 if seed.content == content else -1
        wrong.add((not content, _template(pages[number].blocks[i])))
    return [
        [
            None
            if seed and (right[seed] < 0 or (seed.content, _template(block)) in wrong)
            else seed
            for seed, block in zip(seeds, page.blocks, strict=True)
        ]
        for seeds, page in zip(found, pages, strict=True)
    ]


def _template(block: Block) -> Template:
    return block.tags, block.class_words


def _need_both(labels: NDArray[np.float64], rules: bool) -> None:
    for name, has in (("content", labels.any()), ("boilerplate", not labels.all())):
        if not has:
            also = "" if rules else ", or leave out --no-rules"
            raise AdaptError(f"no block is labeled {name}; label some of each class{also}")
