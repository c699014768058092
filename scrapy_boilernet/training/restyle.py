"""Pages in other markup: the same text as an old table layout, or with other wrappers.

A labeler that has read 2024's ``<main>`` and ``<article>`` only is lost in the tables and fonts of
2005. The text, its order and its subtrees stay; tags, classes and metadata change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scrapy_boilernet.head import Head
from scrapy_boilernet.page import Block, Page

_LAYOUT_TAGS = (
    "div", "section", "article", "main", "header", "footer", "nav", "aside", "figure",
)  # fmt: skip
_OLD_LAYOUT = ("td", "td", "div", "center", "font", "blockquote")
_OLD_HEADINGS = ("b", "font", "strong", "p", "h3")
_WRAPPERS = ("div", "div", "section", "span")
_OLD_SHARE, _UNWRAP_SHARE, _WRAP_SHARE = 0.5, 0.3, 0.15
_NEW_NODE = 1 << 40

Path = tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]


@dataclass(frozen=True)
class _Style:
    """How one page is rewritten."""

    swaps: dict[str, str]
    """Tag to other tag."""
    without_classes: bool
    wrapped: frozenset[int]
    """Nodes around which a wrapper goes."""
    wrapper: tuple[str, ...]


def restyled(page: Page, rng: np.random.Generator) -> Page:
    """Return the page in other markup; blocks, their text and their order are the same."""
    old = rng.random() < _OLD_SHARE
    style = _old_style(page, rng) if old else _other_style(page, rng)
    paths: dict[Path, Path] = {}
    blocks = tuple(_restyled_block(block, style, paths) for block in page.blocks)
    head = Head() if old else page.head
    return replace(page, blocks=blocks, head=head, url=None if old else page.url)


def _old_style(page: Page, rng: np.random.Generator) -> _Style:
    """Tables, fonts and centers; hardly a class."""
    swaps = {tag: str(rng.choice(_OLD_LAYOUT)) for tag in _LAYOUT_TAGS}
    if rng.random() < 0.5:
        heading = str(rng.choice(_OLD_HEADINGS))
        swaps |= {f"h{level}": heading for level in range(1, 7)}
    if rng.random() < 0.3:
        swaps |= {"p": str(rng.choice(("font", "td", "div")))}
    if rng.random() < 0.3:
        swaps |= {"ul": "table", "li": "td"}
    wrapped = _some_nodes(page, _WRAP_SHARE, rng)
    return _Style(swaps, bool(rng.random() < 0.8), wrapped, ("table", "tr", "td"))


def _other_style(page: Page, rng: np.random.Generator) -> _Style:
    """No semantic elements, and wrappers where there were none."""
    swaps = {tag: "div" for tag in _LAYOUT_TAGS[1:] if rng.random() < 1 - _UNWRAP_SHARE}
    wrapped = _some_nodes(page, _WRAP_SHARE, rng)
    return _Style(swaps, bool(rng.random() < 0.3), wrapped, (str(rng.choice(_WRAPPERS)),))


def _some_nodes(page: Page, share: float, rng: np.random.Generator) -> frozenset[int]:
    nodes = sorted({node for block in page.blocks for node in block.nodes})
    return frozenset(
        node for node, draw in zip(nodes, rng.random(len(nodes)), strict=True) if draw < share
    )


def _restyled_block(block: Block, style: _Style, paths: dict[Path, Path]) -> Block:
    path = (block.tags, block.class_words, block.nodes)
    if path not in paths:
        paths[path] = _restyled_path(path, style)
    tags, class_words, nodes = paths[path]
    return block._replace(tags=tags, class_words=class_words, nodes=nodes)


def _restyled_path(path: Path, style: _Style) -> Path:
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
