"""A training page as a tree that may be changed, with the labels of its blocks carried along.

A change adds elements, whose text is marked, or takes elements out. What the page is afterwards is
read again from its bytes. The blocks without a mark must have the texts of the page before, in
their order, without those that were taken out. So no change can alter what is content.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.words import tokens as words
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.html.tree import parse
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.training.gold import GoldBlocks

MARK = "\ue000"
"""Begins each text that a change adds. It is a character for private use, which no page has."""
Element = etree._Element


@dataclass
class PageTree:
    """A page with gold whose tree is being changed."""

    gold: GoldBlocks
    body: Element
    elements: list[Element]
    """Per block the element that holds its text."""
    removed: set[int] = field(default_factory=set)
    """Indexes of the blocks that were taken out."""

    def content_words(self) -> NDArray[np.float64]:
        """Return the words of each block that is content, and 0 for others: (blocks,)."""
        words = self.gold.tokens * self.gold.labels
        words[sorted(self.removed)] = 0
        return np.asarray(words, dtype=np.float64)

    def blocks_in(self, elements: Iterable[Element]) -> list[int]:
        """Return the indexes of the blocks whose text is in these elements or below."""
        inside = {below for element in elements for below in element.iter()}
        return [i for i, element in enumerate(self.elements) if element in inside]

    def remove(self, element: Element) -> None:
        """Take an element out; the text after it stays."""
        self.removed.update(self.blocks_in([element]))
        before, parent, tail = element.getprevious(), element.getparent(), element.tail
        if tail and before is not None:
            before.tail = (before.tail or "") + tail
        elif tail and parent is not None:
            parent.text = (parent.text or "") + tail
        if parent is not None:
            parent.remove(element)


class Changed(NamedTuple):
    """A page after a change."""

    source: GoldPage
    """The page with its bytes."""
    gold: GoldBlocks
    added: NDArray[np.bool_]
    """Per block whether the change added it: (blocks,)."""


def open_page(source: GoldPage, gold: GoldBlocks) -> PageTree | None:
    """Return the page as a tree; None if its tree cannot be changed safely.

    ``source``: the page with its bytes.
    """
    body = to_utf8(source.html, source.encoding, None, source.url)
    roots, flat = parse(body, comments=True)
    if flat or len(roots) != 1 or MARK.encode() in body:
        return None
    numbered = [*roots[0].iter("*")]
    found = next(roots[0].iter("body"), None)
    blocks = gold.page.blocks
    if found is None or any(block.nodes[-1] > len(numbered) for block in blocks):
        return None
    return PageTree(gold, found, [numbered[block.nodes[-1] - 1] for block in blocks])


def close_page(tree: PageTree) -> Changed | None:
    """Return the changed page with its labels; None if a text was altered.

    Added blocks are boilerplate; all others have the labels that they had.
    """
    source = tree.gold.source
    text = _html_of(tree)
    marked = [block.text for block in blockify(text, source.url).blocks]
    changed = written(tree)
    page = blockify(changed.html, source.url, "utf-8")
    if len(page.blocks) != len(marked):
        return None
    is_new = np.array([MARK in block_text for block_text in marked], dtype=np.bool_)
    stayed = [i for i in range(len(tree.elements)) if i not in tree.removed]
    if [marked[i] for i in np.flatnonzero(~is_new)] != [tree.gold.page.texts[i] for i in stayed]:
        return None
    targets, tokens = np.zeros(len(marked), np.float32), np.zeros(len(marked), np.float32)
    targets[~is_new], tokens[~is_new] = tree.gold.targets[stayed], tree.gold.tokens[stayed]
    tokens[is_new] = [len(words(page.texts[i])) for i in np.flatnonzero(is_new)]
    lost = sum(float(tree.gold.targets[i] * tree.gold.tokens[i]) for i in tree.removed)
    gold_tokens = max(0, tree.gold.gold_tokens - round(lost))
    gold = GoldBlocks(replace(changed, html=b""), page, targets, tokens, gold_tokens)
    return Changed(changed, gold, is_new)


def written(tree: PageTree) -> GoldPage:
    """Return the page as it is now, with its bytes, without a look at its texts."""
    html = _html_of(tree).replace(MARK, "").encode("utf-8")
    return replace(tree.gold.source, html=html, encoding="utf-8")


def _html_of(tree: PageTree) -> str:
    root = tree.body.getroottree()
    return str(etree.tostring(root, encoding="unicode", method="html"))


def mark(element: Element) -> Element:
    """Mark all texts in a new element, and return it; the text after it is not marked."""
    for below in element.iter():
        if below.text and below.text.strip() and isinstance(below.tag, str):
            below.text = MARK + below.text
        if below is not element and below.tail and below.tail.strip():
            below.tail = MARK + below.tail
    return element


def insert_after(element: Element, new: Sequence[Element]) -> None:
    """Insert new elements right after an element, before the text that follows it."""
    parent = element.getparent()
    if parent is None:
        raise ValueError("the root of a page has no place after it")
    if new:
        new[-1].tail, element.tail = element.tail, None
    place = parent.index(element) + 1
    parent[place:place] = new


def insert_first(parent: Element, new: Element) -> None:
    """Insert a new element before all that an element holds."""
    new.tail, parent.text = parent.text, None
    parent.insert(0, new)
