"""What Victor did not read: a block's neighbours, its element, and the page's densest part."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.segments import element_of
from scrapy_boilernet.classical.victor_buckets import few, share
from scrapy_boilernet.classical.victor_text import end_of
from scrapy_boilernet.page import Block, Page
from scrapy_boilernet.tokens import tokens

_WINDOWS = (2, 6, 15)
_LONG = 10
"""Words from which a text outside of links speaks for main text near it; jusText and Readability
count from about as many."""
_MOST = 0.6
"""Share of the page's long texts that its densest element holds."""


def context_attributes(
    page: Page, words: NDArray[np.int64], link_words: NDArray[np.int64]
) -> list[list[str]]:
    """Return per block the attributes of what is around it."""
    blocks = page.blocks
    found = _neighbour_attributes(blocks, words.tolist())
    for parts in (
        _window_attributes(words, link_words),
        _element_attributes(blocks, words, link_words),
        _dense_attributes(blocks, words, link_words),
        _title_attributes(page),
    ):
        for attributes, more in zip(found, parts, strict=True):
            attributes += more
    return found


def _neighbour_attributes(blocks: Sequence[Block], words: Sequence[int]) -> list[list[str]]:
    own = [
        f"{few(number)} words{' in a link' if block.link_chars else ''}"
        for block, number in zip(blocks, words, strict=True)
    ]
    told = [f"{name}, {end_of(block.text)}" for name, block in zip(own, blocks, strict=True)]
    inner = [block.tags[-1] if block.tags else "" for block in blocks]
    return [
        [
            f"length={own[i]}",
            f"block before={told[i - 1] if i else 'none'}",
            f"block after={told[i + 1] if i + 1 < len(own) else 'none'}",
            f"two before={own[i - 2] if i > 1 else 'none'}",
            f"two after={own[i + 2] if i + 2 < len(own) else 'none'}",
            f"before, own, after={own[i - 1] if i else 'none'}; {own[i]}; "
            f"{own[i + 1] if i + 1 < len(own) else 'none'}",
            f"own tag before={inner[i] == inner[i - 1] if i else 'none'}",
        ]
        for i in range(len(own))
    ]


def _window_attributes(words: NDArray[np.int64], link_words: NDArray[np.int64]) -> list[list[str]]:
    """Words and link share of the blocks so many around each."""
    size = len(words)
    found: list[list[str]] = [[] for _ in range(size)]
    sums = np.concatenate(([0], words.cumsum()))
    links = np.concatenate(([0], link_words.cumsum()))
    places = np.arange(size)
    for steps in _WINDOWS:
        low, high = np.maximum(places - steps, 0), np.minimum(places + steps + 1, size)
        total, linked = (sums[high] - sums[low]).tolist(), (links[high] - links[low]).tolist()
        for attributes, number, link in zip(found, total, linked, strict=True):
            attributes.append(f"words of {2 * steps + 1} blocks={few(number / (steps + 1))} each")
            attributes.append(f"link share of {2 * steps + 1} blocks={share(link, number)}")
    return found


def _element_attributes(
    blocks: Sequence[Block], words: NDArray[np.int64], link_words: NDArray[np.int64]
) -> list[list[str]]:
    """What the run of blocks of one block-level element has, and where in it each stands."""
    found: list[list[str]] = []
    for _, group in groupby(range(len(blocks)), lambda i: element_of(blocks[i])):
        run = list(group)
        total, linked = int(words[run].sum()), int(link_words[run].sum())
        both = f"{few(total)} words, {share(linked, total)} in links"
        for place, _ in enumerate(run):
            first, last = place == 0, place == len(run) - 1
            where = "only" if first and last else "first" if first else "last" if last else "inner"
            found.append(
                [
                    f"element={both}",
                    f"place in element={where}",
                    f"place, words={where}, {few(total)}",
                ]
            )
    return found


def _dense_attributes(
    blocks: Sequence[Block], words: NDArray[np.int64], link_words: NDArray[np.int64]
) -> list[list[str]]:
    """How far each block is from the smallest element that holds most of the page's long text.

    Also the distance to the next long text, and whether the first and last ones were passed.
    """
    long = (words >= _LONG) & (2 * link_words < words)
    weights: dict[int, int] = {}
    for block, number, counts in zip(blocks, words.tolist(), long.tolist(), strict=True):
        for node in block.nodes if counts else ():
            weights[node] = weights.get(node, 0) + number
    enough = _MOST * float(words[long].sum())
    dense = max((node for node, weight in weights.items() if weight >= enough), default=0)
    path = next((block.nodes for block in blocks if dense and dense in block.nodes), ())
    above = frozenset(path[: path.index(dense) + 1] if dense else ())
    places = np.flatnonzero(long)
    found = []
    for i, block in enumerate(blocks):
        levels = len(above.difference(block.nodes)) if above else -1
        where = np.searchsorted(places, i)
        near = places[max(where - 1, 0) : where + 1]
        distance = int(np.abs(near - i).min()) if len(near) else -1
        side = "no text" if not len(places) else _side(i, int(places[0]), int(places[-1]))
        found.append(
            [
                f"levels from the dense element={min(levels, 5)}",
                f"blocks to long text={min(distance, 6) if distance < 12 else 'many'}",
                f"side of long text={side}",
                f"levels and distance={min(levels, 3)}, {min(distance, 3)}",
            ]
        )
    return found


def _side(place: int, first: int, last: int) -> str:
    return "before" if place < first else "after" if place > last else "between"


def _title_attributes(page: Page) -> list[list[str]]:
    """How much of a short block the page's title has."""
    title = set(tokens(page.title))
    found = []
    for block in page.blocks:
        own = set(tokens(block.text[:200]))
        of_title = len(own & title) / len(title) if title else 0.0
        of_own = len(own & title) / len(own) if own else 0.0
        known = "yes" if of_own >= 0.8 and of_title >= 0.4 else "part" if of_own >= 0.8 else "no"
        found.append([f"in the title={known}"])
    return found


def class_attributes(class_words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the class words of a path: of each ancestor, and again of the innermost two."""
    names: dict[str, None] = {}
    for i in range(len(class_words) - 1, -1, -1):
        for word in class_words[i].split() if tags[i] not in ("html", "body") else ():
            if word.isascii():
                names[f"class word={word}"] = None
                if i >= len(class_words) - 2:
                    names[f"own class word={word}"] = None
    return list(names)[:_MOST_CLASS_WORDS]


_MOST_CLASS_WORDS = 20
"""The innermost ones: what a page's layout is called farther out says little."""
