"""Labels by rules for the blocks whose place or look says what they are; for no others.

The words are those in whose elements nearly all blocks of Dragnet's training part and of Fundus are
boilerplate.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.page import Block, Page
from scrapy_boilernet.tokens import tokens

_MAIN = frozenset({"main", "article"})
_OUTSIDE = frozenset({"nav", "footer", "aside", "form", "button", "label", "figcaption", "dialog"})
_ROOTS = frozenset({"html", "body"})
_CLASS = re.compile(
    r"\b(?:menus?|nav|navbar|navigation|topnav|subnav|breadcrumbs?|footer|foot|sidebar|dropdown|"
    r"login|modal|popup|newsletter|subscribe|cookies?|consent|share|sharing|related|sponsor|"
    r"sponsored|promo|comments?|commentlist|disqus|respond|copyright|toolbar|skip|logo|pagination|"
    r"pager|banner|masthead|outbrain|taboola|trending|popular|recommended|advert|advertisement|"
    r"ads|widget|blogroll|search)\b"
)
_WHOLE = 0.5
"""An element that holds more of the page's prose than this is its layout, whatever its class."""
_LINKED, _MAX_LIST_WORDS = 0.9, 10
_MAX_PROSE_LINKS = 0.2
_MIN_WORDS, _MIN_WORDS_IN_MAIN = 25, 15
_MIN_OF_BEST = 0.25
"""A paragraph's siblings must have so much of the prose that the page's longest text has."""
_MIN_OF_LONGEST, _MIN_SENTENCE_WORDS = 0.5, 6
_UNSPACED = 1.7
"""Characters per word in scripts without spaces: what their translations into English have."""
_ENDS, _CLOSERS = tuple(".!?:。！？…।؟"), "\"'”’»)]」"


class Seed(NamedTuple):
    """A label that a rule gives."""

    content: bool
    rule: str
    """What is true of the block, such as ``"inside <nav>"``."""


def rule_seeds(page: Page) -> list[Seed | None]:
    """Return per block the label that a rule gives it, or None where no rule knows."""
    prose = _prose_words(page.blocks)
    layout = _layout(page.blocks, prose)
    against = [_boilerplate(block, layout) for block in page.blocks]
    near = _near_most_prose(page.blocks, prose)
    found = [
        seed or _content(block, words, by)
        for block, seed, words, by in zip(page.blocks, against, prose, near, strict=True)
    ]
    return found if any(seed and seed.content for seed in found) else _longest(page, found, prose)


def _longest(page: Page, found: list[Seed | None], prose: Sequence[float]) -> list[Seed | None]:
    """For a page without long prose: its longest sentences are content."""
    open_words = [
        words if seed is None and _ended(block) else 0.0
        for block, seed, words in zip(page.blocks, found, prose, strict=True)
    ]
    least = max(_MIN_OF_LONGEST * max(open_words, default=0.0), _MIN_SENTENCE_WORDS)
    return [
        Seed(True, "longest sentences") if words >= least else seed
        for seed, words in zip(found, open_words, strict=True)
    ]


def _boilerplate(block: Block, layout: set[int]) -> Seed | None:
    if block.hidden:
        return Seed(False, "hidden")
    inside_main = False
    for tag, words, node in zip(block.tags, block.class_words, block.nodes, strict=True):
        if node in layout or tag in _ROOTS:
            inside_main = inside_main or tag in _MAIN
            continue
        if tag in _OUTSIDE or (tag == "header" and not inside_main):
            return Seed(False, f"inside <{tag}>")
        if words and (word := _told(words)):
            return Seed(False, f"inside class {word}")
        inside_main = inside_main or tag in _MAIN
    if block.link_chars >= _LINKED * len(block.text):
        if "li" in block.tags[-3:]:
            return Seed(False, "list of links")
        if len(tokens(block.text)) < _MAX_LIST_WORDS:
            return Seed(False, "short link")
    return None


def _content(block: Block, words: float, near: bool) -> Seed | None:
    if not near or not words:
        return None
    ended = _ended(block)
    for tag in ("article", "main"):
        if tag in block.tags and ended and words >= _MIN_WORDS_IN_MAIN:
            return Seed(True, f"prose inside <{tag}>")
    return Seed(True, "long prose") if ended and words >= _MIN_WORDS else None


def _ended(block: Block) -> bool:
    return block.text.rstrip(_CLOSERS).endswith(_ENDS)


@lru_cache(maxsize=1 << 13)
def _told(words: str) -> str:
    found = _CLASS.search(words)
    return found[0] if found else ""


def _prose_words(blocks: Sequence[Block]) -> list[float]:
    """Words per block; 0 for blocks with many links, and for hidden ones."""
    found = []
    for block in blocks:
        if block.hidden or block.link_chars > _MAX_PROSE_LINKS * len(block.text):
            found.append(0.0)
            continue
        parts = tokens(block.text)
        single = sum(1 for part in parts if len(part) == 1 and part > "\u0e00")
        found.append(len(parts) - single + single / _UNSPACED)
    return found


def _layout(blocks: Sequence[Block], prose: Sequence[float]) -> set[int]:
    """Numbers of the elements that hold most of the page's prose."""
    held: dict[int, float] = {}
    for block, words in zip(blocks, prose, strict=True):
        if words:
            for node in block.nodes:
                held[node] = held.get(node, 0.0) + words
    least = _WHOLE * sum(prose)
    return {node for node, words in held.items() if words > least}


def _near_most_prose(blocks: Sequence[Block], prose: Sequence[float]) -> NDArray[np.bool_]:
    """Per block whether its parent holds a good part of what the parent of most prose holds."""
    parents = [block.nodes[-2] if len(block.nodes) > 1 else 0 for block in blocks]
    held: dict[int, float] = {}
    for parent, words in zip(parents, prose, strict=True):
        held[parent] = held.get(parent, 0.0) + (words if words >= _MIN_WORDS_IN_MAIN else 0.0)
    least = _MIN_OF_BEST * max(held.values(), default=0.0)
    return np.array([held[parent] >= least for parent in parents], dtype=np.bool_)
