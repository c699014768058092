"""The features of Victor: a page's blocks as lists of attributes for a linear-chain CRF.

After Marek, Pecina and Spousta, *Web Page Cleaning with Conditional Random Fields*, CleanEval 2007.
Their blocks are the texts between two tags. They read the markup of each block (containers, splits,
div and td groups) and its content (characters, tokens, sentences, patterns, duplicates, position,
document). Two more groups are added here: the blocks around a block, and the class words of its
ancestors. An attribute is ``"<group>:<name>=<value>"``; groups can be left out, as in the paper's
ablations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.table import Columns
from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.labelers.crf.segments import element_of
from scrapy_boilernet.extractor.labelers.crf.victor_block import (
    container_attributes,
    count,
    end_of,
    few,
    group_attributes,
    sentence_count,
    share,
    size,
    split_attributes,
    text_attributes,
)
from scrapy_boilernet.extractor.page import Block, Page

_WINDOWS = (2, 6, 15)
_LONG = 10
"""From so many words a text outside of links is a sign of main text nearby. jusText and Readability
have a similar limit."""
_MOST = 0.6
"""The least share of the page's long text in its dense element."""


def context_attributes(
    page: Page, words: NDArray[np.int64], link_words: NDArray[np.int64]
) -> list[list[str]]:
    """Return per block the attributes of the blocks around it and of its place among them."""
    blocks = page.blocks
    per_block = _neighbour_attributes(blocks, words.tolist())
    for parts in (
        _window_attributes(words, link_words),
        _element_attributes(blocks, words, link_words),
        _dense_attributes(blocks, words, link_words),
        _title_attributes(page),
    ):
        for attributes, more in zip(per_block, parts, strict=True):
            attributes += more
    return per_block


def _neighbour_attributes(blocks: Sequence[Block], words: Sequence[int]) -> list[list[str]]:
    own = [
        f"{few(number)} words{' in a link' if block.link_chars else ''}"
        for block, number in zip(blocks, words, strict=True)
    ]
    with_end = [f"{name}, {end_of(block.text)}" for name, block in zip(own, blocks, strict=True)]
    inner = [block.tags[-1] if block.tags else "" for block in blocks]
    return [
        [
            f"length={own[i]}",
            f"block before={with_end[i - 1] if i else 'none'}",
            f"block after={with_end[i + 1] if i + 1 < len(own) else 'none'}",
            f"two before={own[i - 2] if i > 1 else 'none'}",
            f"two after={own[i + 2] if i + 2 < len(own) else 'none'}",
            f"before, own, after={own[i - 1] if i else 'none'}; {own[i]}; "
            f"{own[i + 1] if i + 1 < len(own) else 'none'}",
            f"own tag before={inner[i] == inner[i - 1] if i else 'none'}",
        ]
        for i in range(len(own))
    ]


def _window_attributes(words: NDArray[np.int64], link_words: NDArray[np.int64]) -> list[list[str]]:
    """Words and link share of windows around each block."""
    size = len(words)
    per_block: list[list[str]] = [[] for _ in range(size)]
    sums = np.concatenate(([0], words.cumsum()))
    links = np.concatenate(([0], link_words.cumsum()))
    places = np.arange(size)
    for steps in _WINDOWS:
        low, high = np.maximum(places - steps, 0), np.minimum(places + steps + 1, size)
        total, linked = (sums[high] - sums[low]).tolist(), (links[high] - links[low]).tolist()
        for attributes, number, link in zip(per_block, total, linked, strict=True):
            attributes.append(f"words of {2 * steps + 1} blocks={few(number / (steps + 1))} each")
            attributes.append(f"link share of {2 * steps + 1} blocks={share(link, number)}")
    return per_block


def _element_attributes(
    blocks: Sequence[Block], words: NDArray[np.int64], link_words: NDArray[np.int64]
) -> list[list[str]]:
    """Words and links of the run of blocks in one block-level element, and the place in the run."""
    per_block: list[list[str]] = []
    for _, group in groupby(range(len(blocks)), lambda i: element_of(blocks[i])):
        run = list(group)
        total, linked = int(words[run].sum()), int(link_words[run].sum())
        both = f"{few(total)} words, {share(linked, total)} in links"
        for place, _ in enumerate(run):
            first, last = place == 0, place == len(run) - 1
            where = "only" if first and last else "first" if first else "last" if last else "inner"
            per_block.append(
                [
                    f"element={both}",
                    f"place in element={where}",
                    f"place, words={where}, {few(total)}",
                ]
            )
    return per_block


def _dense_attributes(
    blocks: Sequence[Block], words: NDArray[np.int64], link_words: NDArray[np.int64]
) -> list[list[str]]:
    """The distance of each block from the smallest element with most of the page's long text.

    Also its distance to the nearest long text, and its side of the first and last long texts.
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
    per_block = []
    for i, block in enumerate(blocks):
        levels = len(above.difference(block.nodes)) if above else -1
        where = np.searchsorted(places, i)
        near = places[max(where - 1, 0) : where + 1]
        distance = int(np.abs(near - i).min()) if len(near) else -1
        side = "no text" if not len(places) else _side(i, int(places[0]), int(places[-1]))
        per_block.append(
            [
                f"levels from the dense element={min(levels, 5)}",
                f"blocks to long text={min(distance, 6) if distance < 12 else 'many'}",
                f"side of long text={side}",
                f"levels and distance={min(levels, 3)}, {min(distance, 3)}",
            ]
        )
    return per_block


def _side(place: int, first: int, last: int) -> str:
    return "before" if place < first else "after" if place > last else "between"


def _title_attributes(page: Page) -> list[list[str]]:
    """Whether the words of a block are in the page's title: "yes", "part" or "no"."""
    title = set(tokens(page.title))
    per_block = []
    for block in page.blocks:
        own = set(tokens(block.text[:200]))
        of_title = len(own & title) / len(title) if title else 0.0
        of_own = len(own & title) / len(own) if own else 0.0
        found = "yes" if of_own >= 0.8 and of_title >= 0.4 else "part" if of_own >= 0.8 else "no"
        per_block.append([f"in the title={found}"])
    return per_block


def class_attributes(class_words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the class words of all ancestors, and once more those of the innermost two."""
    names: dict[str, None] = {}
    for i in range(len(class_words) - 1, -1, -1):
        for word in class_words[i].split() if tags[i] not in ("html", "body") else ():
            if word.isascii():
                names[f"class word={word}"] = None
                if i >= len(class_words) - 2:
                    names[f"own class word={word}"] = None
    return list(names)[:_MOST_CLASS_WORDS]


_MOST_CLASS_WORDS = 20
"""Only the innermost ones are read; the class words farther out mean little."""


VERSION = 1
GROUPS = ("markup", "content", "context", "classes")
"""The groups of features; the paper's are the first two."""

_Numbers = NDArray[np.int64]
Attributes = list[list[str]]
"""Per block its attributes, without duplicates, one group after another."""


def victor_attributes(page: Page, groups: Sequence[str] = GROUPS) -> Attributes:
    """Return per block its attributes of the groups, which are some of :data:`GROUPS`, in order.

    They are ASCII and hold none of the page's text.
    """
    columns = Columns.of(page)
    words = np.array([len(tokens(text)) for text in columns.texts], dtype=np.int64)
    link_words = np.where(2 * columns.link_chars > columns.chars, words, 0)
    made: Attributes = [[] for _ in page.blocks]
    for group in groups:
        if group == "markup":
            parts = _markup(page, columns, words, link_words)
        elif group == "content":
            parts = _content(columns, words)
        elif group == "context":
            parts = context_attributes(page, words, link_words)
        else:
            parts = _classes(columns)
        for attributes, more in zip(made, parts, strict=True):
            attributes += [f"{group}:{name}" for name in more]
    return made


def _markup(page: Page, columns: Columns, words: _Numbers, link_words: _Numbers) -> Attributes:
    containers = [container_attributes(tags) for tags in columns.tags.values]
    rest = zip(
        columns.tags.places.tolist(),
        split_attributes(page.blocks),
        group_attributes(columns, words, link_words),
        page.blocks,
        strict=True,
    )
    return [
        [*containers[place], *split, *group, f"hidden={block.hidden}"]
        for place, split, group, block in rest
    ]


def _content(columns: Columns, words: _Numbers) -> Attributes:
    own = {text: text_attributes(text) for text in dict.fromkeys(columns.texts)}
    document = [
        f"words of the page={size(words.sum())}",
        f"blocks of the page={size(len(words))}",
        f"sentences of the page={size(sum(map(sentence_count, columns.texts)))}",
    ]
    keys = {text: " ".join(tokens(text)) or text for text in own}
    times = Counter(keys[text] for text in columns.texts)
    seen: set[str] = set()
    read = words.cumsum() / max(words.sum(), 1)
    made = []
    for i, text in enumerate(columns.texts):
        key = keys[text]
        twin = "none" if times[key] == 1 else "later" if key in seen else "first"
        seen.add(key)
        made.append(
            [
                *own[text],
                f"duplicate={twin}",
                f"times on the page={count(times[key])}",
                f"place={10 * i // len(words)}0%",
                f"words before={int(10 * read[i])}0%",
                f"blocks before={count(i)}",
                f"blocks after={count(len(words) - 1 - i)}",
                *document,
            ]
        )
    return made


def _classes(columns: Columns) -> Attributes:
    pairs: dict[tuple[int, int], list[str]] = {}
    made = []
    for pair in zip(columns.class_words.places.tolist(), columns.tags.places.tolist(), strict=True):
        if pair not in pairs:
            words, tags = columns.class_words.values[pair[0]], columns.tags.values[pair[1]]
            pairs[pair] = class_attributes(words, tags)
        made.append(pairs[pair])
    return made
