"""The labeler ``grf``: labels by rules, spread over the page by a Gaussian random field.

After Bose and Mukherjee, *Semi-Supervised Method using Gaussian Random Fields for Boilerplate
Removal in Web Browsers*, where people label a part of each page. Here rules do, so no trained model
is needed: they label the blocks that are clear from their place or text, and similar blocks get the
same label.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.threshold import Decider
from scrapy_boilernet.extractor.features.words import SINGLES_PER_WORD, is_single, tokens
from scrapy_boilernet.extractor.labelers.base import ModelError, Reason
from scrapy_boilernet.extractor.labelers.grf.block_graph import (
    BlockGraph,
    GraphOptions,
    block_graph,
)
from scrapy_boilernet.extractor.labelers.grf.harmonic import spread, strongest_sources
from scrapy_boilernet.extractor.labelers.model_folder import SPEC_FILE, read_document
from scrapy_boilernet.extractor.page import Block, Page

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
"""Class words of elements in which nearly all blocks are boilerplate, in the pages of Fundus and of
Dragnet's training part."""
_WHOLE = 0.5
"""An element with more than this share of the page's prose is layout, whatever its class."""
_LINKED, _MAX_LIST_WORDS = 0.9, 10
_MAX_PROSE_LINKS = 0.2
_MIN_WORDS, _MIN_WORDS_IN_MAIN = 25, 15
_MIN_OF_BEST = 0.25
"""The least prose of a paragraph's parent, as a share of the prose of the richest parent."""
_MIN_OF_LONGEST, _MIN_SENTENCE_WORDS = 0.5, 6
_ENDS, _CLOSERS = tuple(".!?:。！？…।؟"), "\"'”’»)]」"


class Seed(NamedTuple):
    """A label that a rule gives."""

    content: bool
    rule: str
    """The reason for the label, such as ``"inside <nav>"``."""


def rule_seeds(page: Page) -> list[Seed | None]:
    """Return the label that a rule gives each block, or None where no rule applies."""
    prose = _prose_words(page.blocks)
    layout = _layout(page.blocks, prose)
    boilerplate = [_boilerplate(block, layout) for block in page.blocks]
    near = _near_most_prose(page.blocks, prose)
    seeds = [
        seed or _content(block, words, is_near)
        for block, seed, words, is_near in zip(page.blocks, boilerplate, prose, near, strict=True)
    ]
    return seeds if any(seed and seed.content for seed in seeds) else _longest(page, seeds, prose)


def _longest(page: Page, seeds: list[Seed | None], prose: Sequence[float]) -> list[Seed | None]:
    """The seeds of a page without long prose: its longest sentences are content."""
    open_words = [
        words if seed is None and _ended(block) else 0.0
        for block, seed, words in zip(page.blocks, seeds, prose, strict=True)
    ]
    least = max(_MIN_OF_LONGEST * max(open_words, default=0.0), _MIN_SENTENCE_WORDS)
    return [
        Seed(True, "longest sentences") if words >= least else seed
        for seed, words in zip(seeds, open_words, strict=True)
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
        if words and (word := _boilerplate_word(words)):
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
def _boilerplate_word(class_words: str) -> str:
    match = _CLASS.search(class_words)
    return match[0] if match else ""


def _prose_words(blocks: Sequence[Block]) -> list[float]:
    """Words per block; 0 for blocks with many links and for hidden blocks."""
    word_counts = []
    for block in blocks:
        if block.hidden or block.link_chars > _MAX_PROSE_LINKS * len(block.text):
            word_counts.append(0.0)
            continue
        parts = tokens(block.text)
        single = sum(map(is_single, parts))
        word_counts.append(len(parts) - single + single / SINGLES_PER_WORD)
    return word_counts


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
    """Per block whether its parent has at least :data:`_MIN_OF_BEST` of the richest's prose."""
    parents = [block.nodes[-2] if len(block.nodes) > 1 else 0 for block in blocks]
    held: dict[int, float] = {}
    for parent, words in zip(parents, prose, strict=True):
        held[parent] = held.get(parent, 0.0) + (words if words >= _MIN_WORDS_IN_MAIN else 0.0)
    least = _MIN_OF_BEST * max(held.values(), default=0.0)
    return np.array([held[parent] >= least for parent in parents], dtype=np.bool_)


FORMAT_VERSION = 1
PRIOR = 0.1
"""P(content) of a block that no label reaches: the share of content in Dragnet's training part."""
THRESHOLD = 0.5
_MAX_REASONS, _SHOWN_CHARS = 3, 40


@dataclass(frozen=True)
class _Field:
    """A page's graph with the labels by rules."""

    graph: BlockGraph
    seeds: list[Seed | None]
    known: NDArray[np.bool_]
    """Per node whether one of its blocks is labeled."""
    labels: NDArray[np.float64]
    """Per node the mean of its blocks' labels."""
    first: NDArray[np.int64]
    """Per node its first labeled block, or 0."""


class GrfLabeler(Decider):
    """A labeler that needs no training. It labels each page by itself, and deterministically."""

    reason_unit = "share of the label that came from there"

    def __init__(self, options: GraphOptions | None = None) -> None:
        super().__init__("grf", "block", THRESHOLD)
        self.options = options or GraphOptions()

    @classmethod
    def load(cls, folder: Path | None) -> Self:
        """Return the labeler with the ``options`` of ``model.json`` in ``folder``.

        Without a folder it has the default options. Raises ``ModelError``, naming the folder, if
        the file is missing or broken.
        """
        if folder is None:
            return cls()
        options: Any = read_document(folder, FORMAT_VERSION).get("options")
        try:
            return cls(GraphOptions(**options))
        except (TypeError, ValueError) as error:
            raise ModelError(
                f"the options of {SPEC_FILE} in {folder} are not options of the labeler 'grf': "
                f"{error}; see GraphOptions, or leave the folder out"
            ) from error

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1]."""
        return [self._spread(page) for page in pages]

    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return for each block the rule that labeled it, or the labeled blocks that contributed
        most to its label. A weight is a block's share in the label, below 0 for boilerplate.
        """
        if not page.blocks:
            return []
        field = self._field(page)
        sources = strongest_sources(field.graph.weights, field.known, _MAX_REASONS)
        return [
            [Reason(seed.rule, "", 1.0 if seed.content else -1.0)]
            if seed
            else _reason_text(page, field, sources[0][node], sources[1][node])
            for seed, node in zip(field.seeds, field.graph.nodes[0].tolist(), strict=True)
        ]

    def _spread(self, page: Page) -> NDArray[np.float32]:
        if not page.blocks:
            return np.zeros(0, dtype=np.float32)
        field = self._field(page)
        probabilities = spread(field.graph.weights, field.labels, field.known, PRIOR)
        return probabilities[field.graph.nodes[0]].astype(np.float32)

    def _field(self, page: Page) -> _Field:
        graph, seeds = block_graph([page], self.options), rule_seeds(page)
        nodes = graph.nodes[0]
        labeled = np.array([i for i, seed in enumerate(seeds) if seed], dtype=np.int64)
        content = np.array([seed.content for seed in seeds if seed], dtype=np.float64)
        count = len(graph.pages)
        sizes = np.bincount(nodes[labeled], minlength=count)
        sums = np.bincount(nodes[labeled], content, minlength=count)
        first = np.zeros(count, dtype=np.int64)
        first[nodes[labeled[::-1]]] = labeled[::-1]
        return _Field(graph, seeds, sizes > 0, sums / np.maximum(sizes, 1), first)


def _reason_text(
    page: Page, field: _Field, sources: NDArray[np.int64], shares: NDArray[np.float64]
) -> list[Reason]:
    """The labeled blocks behind the label of a block that no rule labels."""
    reasons = []
    for node, share in zip(sources.tolist(), shares.tolist(), strict=True):
        block = int(field.first[node])
        seed = field.seeds[block]
        if share and seed:
            text = page.blocks[block].text[:_SHOWN_CHARS]
            reasons.append(Reason(f'like "{text}"', seed.rule, share if seed.content else -share))
    return reasons
