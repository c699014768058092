"""Augmentation: inputs dropped at random, and pages in other markup.

It keeps the model from relying on a single kind of input. A labeler that has only seen ``<main>``
and ``<article>`` of 2024 fails on the tables and fonts of 2005. In a page in other markup the text,
its order and its subtrees are the same, but tags, classes and metadata change.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.hashed import BAG_ROWS, PAGE_ROWS, Bag
from scrapy_boilernet.extractor.features.numbers import GROUPS
from scrapy_boilernet.extractor.page import Block, Head, Page
from scrapy_boilernet.lab.training.fit import Example

_LAYOUT_TAGS = (
    "div", "section", "article", "main", "header", "footer", "nav", "aside", "figure",
)  # fmt: skip
_OLD_LAYOUT = ("td", "td", "div", "center", "font", "blockquote")
_OLD_HEADINGS = ("b", "font", "strong", "p", "h3")
_WRAPPERS = ("div", "div", "section", "span")
_OLD_SHARE, _UNWRAP_SHARE, _WRAP_SHARE = 0.5, 0.3, 0.15
_NEW_NODE = 1 << 40

_BlockPath = tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]


@dataclass(frozen=True)
class _Style:
    """How one page is rewritten."""

    swaps: dict[str, str]
    """The new tag of each tag that changes."""
    without_classes: bool
    wrapped: frozenset[int]
    """Nodes that get a wrapper around them."""
    wrapper: tuple[str, ...]
    """The tags of the wrapper, the outermost first."""


def restyled(page: Page, rng: np.random.Generator) -> Page:
    """Return the page in other markup; the blocks' texts and their order are the same."""
    old = rng.random() < _OLD_SHARE
    style = _old_style(page, rng) if old else _other_style(page, rng)
    paths: dict[_BlockPath, _BlockPath] = {}
    blocks = tuple(_restyled_block(block, style, paths) for block in page.blocks)
    head = Head() if old else page.head
    return replace(page, blocks=blocks, head=head, url=None if old else page.url)


def _old_style(page: Page, rng: np.random.Generator) -> _Style:
    """Return a style with tables, fonts and centers, mostly without classes."""
    swaps = {tag: str(rng.choice(_OLD_LAYOUT)) for tag in _LAYOUT_TAGS}
    if rng.random() < 0.5:
        heading = str(rng.choice(_OLD_HEADINGS))
        swaps |= {f"h{level}": heading for level in range(1, 7)}
    if rng.random() < 0.3:
        swaps |= {"p": str(rng.choice(("font", "td", "div")))}
    if rng.random() < 0.3:
        swaps |= {"ul": "table", "li": "td"}
    wrapped = _wrapped_nodes(page, rng)
    return _Style(swaps, bool(rng.random() < 0.8), wrapped, ("table", "tr", "td"))


def _other_style(page: Page, rng: np.random.Generator) -> _Style:
    """Return a style with fewer semantic elements, and with more wrappers."""
    swaps = {tag: "div" for tag in _LAYOUT_TAGS[1:] if rng.random() < 1 - _UNWRAP_SHARE}
    wrapped = _wrapped_nodes(page, rng)
    return _Style(swaps, bool(rng.random() < 0.3), wrapped, (str(rng.choice(_WRAPPERS)),))


def _wrapped_nodes(page: Page, rng: np.random.Generator) -> frozenset[int]:
    nodes = sorted({node for block in page.blocks for node in block.nodes})
    return frozenset(
        node for node, draw in zip(nodes, rng.random(len(nodes)), strict=True) if draw < _WRAP_SHARE
    )


def _restyled_block(block: Block, style: _Style, paths: dict[_BlockPath, _BlockPath]) -> Block:
    path = (block.tags, block.class_words, block.nodes)
    if path not in paths:
        paths[path] = _restyled_path(path, style)
    tags, class_words, nodes = paths[path]
    return block._replace(tags=tags, class_words=class_words, nodes=nodes)


def _restyled_path(path: _BlockPath, style: _Style) -> _BlockPath:
    tags: list[str] = []
    class_words: list[str] = []
    nodes: list[int] = []
    for tag, words, node in zip(*path, strict=True):
        if node in style.wrapped and tag not in ("html", "body"):
            for step, wrapper in enumerate(style.wrapper):
                tags.append(wrapper)
                class_words.append("")
                nodes.append(_NEW_NODE * (step + 1) + node)
        tags.append(style.swaps.get(tag, tag))
        class_words.append("" if style.without_classes else words)
        nodes.append(node)
    return tuple(tags), tuple(class_words), tuple(nodes)


@dataclass(frozen=True)
class Augmentation:
    """Probabilities of dropping inputs.

    ``*_value`` is the mean share of the distinct hashed values that are dropped from a window, as
    if the site used other names. ``*_all`` is the probability of dropping the whole kind of input.
    """

    words_value: float = 0.4
    words_all: float = 0.2
    classes_value: float = 0.5
    classes_all: float = 0.25
    tags_value: float = 0.2
    head_value: float = 0.3
    head_all: float = 0.3
    url_all: float = 0.65
    numbers_all: dict[str, float] = field(
        default_factory=lambda: {
            "place": 0.25, "tree": 0.35, "claims": 0.3, "kin": 0.3, "headings": 0.3,
        }
    )  # fmt: skip
    """The probability of dropping each group of numbers."""
    restyled: float = 0.25
    """The probability of reading a page in other markup."""

    def __call__(self, example: Example, rng: Generator) -> Example:
        """Return the example with inputs dropped at random."""
        features = example.features
        bags = dict(features.bags)
        for name, value, everything in (
            ("words", self.words_value, self.words_all),
            ("classes", self.classes_value, self.classes_all),
            ("tags", self.tags_value, 0.0),
        ):
            share = 1.0 if rng.random() < everything else value * rng.random() * 2
            bags[name] = _thinned(bags[name], rng.random(BAG_ROWS[name]) >= share)
        numbers = features.numbers.copy()
        for group, share in self.numbers_all.items():
            if rng.random() < share:
                numbers[:, GROUPS[group]] = 0
        head, url = self._page_words(example, rng)
        thinned = replace(features, numbers=numbers, bags=bags, head=head, url=url)
        return Example(thinned, example.targets, example.weights)

    def _page_words(
        self, example: Example, rng: Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        head, url = example.features.head, example.features.url
        if rng.random() < self.head_all:
            head = head[:0]
        if rng.random() < self.url_all:
            url = url[:0]
        kept = rng.random(PAGE_ROWS) >= self.head_value * rng.random() * 2
        return head[kept[head]], url[kept[url]]


def _thinned(bag: Bag, kept_values: NDArray[np.bool_]) -> Bag:
    keep = kept_values[bag.ids]
    offsets = np.concatenate([[0], np.cumsum(keep)])[bag.offsets]
    return Bag(bag.ids[keep], offsets)
