"""The features of Yao and Zuo, *A Machine Learning Approach to Webpage Content Extraction*.

They rank the words by naive Bayes, a multinomial event model with Laplace smoothing, by
P(word | boilerplate) / P(word | content), and keep the ten that tell most for boilerplate, since
the names that content goes by vary more. Ours are: each site counts as one, so that none decides by
its size; and a word's log ratio counts as often as boilerplate bears it, its part of the divergence
between the classes, since ten rare words would tell of few blocks
(the recipe ``svm-published-names`` ranks them as published).

Stanford CS229, 2013. Three sets, as theirs: seven of a block's text, which they took from
Kohlschütter et al., *Boilerplate Detection using Shallow Text Features* (WSDM 2010); its place in
the page, in steps; and ten flags, one per word of class or id that was learned to tell boilerplate.

Ours are: what counts as a word where a script has no spaces, lines as Kohlschütter et al. wrap
them, the number of steps, the bounds, and logarithms of counts and quotients, since an RBF kernel
reads differences, and from 3 words to 13 is a longer way than from 300 to 310.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.features.table import Paths
from scrapy_boilernet.features.words import tokens
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
        counts: Counter[str] = Counter()
        for names, count in zip(self.names, blocks.tolist(), strict=True):
            if count:
                counts.update(dict.fromkeys(names, count))
        return counts


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
    ratios = {}
    for word in words:
        of_boilerplate, of_content = (
            (share[word] + SMOOTHING) / total for share, total in zip(shares, sums, strict=True)
        )
        ratio = math.log(of_boilerplate / of_content)
        ratios[word] = (ratio if as_published else of_boilerplate * ratio, ratio)
    return ratios


def _near_names(path: Sequence[str]) -> frozenset[str]:
    bearing = [names for names in path if names][-NEAR:]
    return frozenset(word for names in bearing for word in names.split())


VERSION = 1
"""Changes with every change to what a feature's value is."""
NAME_FLAGS = 10
"""Words of class or id that are features: the paper's ten."""
NUMBER_NAMES = (
    "words",
    "words per sentence",
    "text density",
    "link density",
    "words to those of the block before",
    "words per sentence to the block before",
    "text density to the block before",
    "place in the page",
)
"""What the columns of :func:`numbers` are."""
NUMBERS = len(NUMBER_NAMES)
SETS = {"text": slice(0, 7), "position": slice(7, 8), "tokens": slice(8, 8 + NAME_FLAGS)}
"""Columns of :func:`features` per set of the paper; the flags end early if fewer were learned."""

LINE_CHARS = 80
"""Text is wrapped at so many characters for its density, as Kohlschütter et al. do."""
STEPS = 20
"""Steps of the place in the page: the paper's M, which it leaves open."""
MOST_WORDS, MOST_PER_SENTENCE, MOST_PER_LINE, MOST_TIMES = 500.0, 50.0, 40.0, 50.0
"""Beyond these a value no longer moves; so an odd block stays where the machine knows its way."""

_FIRST_UNSPACED = "\u0e00"  # Thai; a token of one character from here on is part of a word
_SENTENCE_END = re.compile(r"[.!?…؟۔।][\"'”’»)\]]*(?=\s|$)|[。！？｡]")
_RAISED = slice(0, 3)
_QUOTIENTS = slice(4, 7)


def columns_of(sets: Sequence[str]) -> NDArray[np.bool_]:
    """Return which of all 18 columns the sets have: (18,); raises ``ValueError`` for others."""
    chosen = np.zeros(NUMBERS + NAME_FLAGS, dtype=np.bool_)
    for name in sets:
        if name not in SETS:
            raise ValueError(f"feature set {name!r}: must be one of {', '.join(SETS)}")
        chosen[SETS[name]] = True
    if not chosen.any():
        raise ValueError(f"no feature set: give some of {', '.join(SETS)}")
    return chosen


def numbers(page: Page) -> NDArray[np.float64]:
    """Return the features of text and place as people read them: (blocks, 8), finite.

    In the order of :data:`NUMBER_NAMES`: three counts of words, bounded; the share of the text that
    is linked, 0 to 1; three quotients, 1/50 to 50, and 1 for the first block; the step that the
    block is in, as a share of the page, 0 to below 1.
    """
    blocks = page.blocks
    numbers = np.zeros((len(blocks), NUMBERS), dtype=np.float64)
    if not blocks:
        return numbers
    numbers[:, _RAISED] = [_text_numbers(block.text) for block in blocks]
    chars = np.array([max(len(block.text), 1) for block in blocks], dtype=np.float64)
    numbers[:, 3] = np.array([block.link_chars for block in blocks]) / chars
    # A half keeps blocks without words from quotients without end.
    told = np.maximum(numbers[:, _RAISED], 0.5)
    numbers[0, _QUOTIENTS] = 1.0
    numbers[1:, _QUOTIENTS] = np.clip(told[1:] / told[:-1], 1 / MOST_TIMES, MOST_TIMES)
    numbers[:, 7] = np.arange(len(blocks)) * STEPS // len(blocks) / STEPS
    return numbers


def features(page: Page, names: Sequence[str]) -> NDArray[np.float32]:
    """Return what the machine reads, before it is scaled: (blocks, 8 + len(names)), finite.

    :func:`numbers` with logarithms of counts and quotients, then per name 1.0 where an ancestor
    near the block bears it, and 0.0.
    """
    return from_numbers(numbers(page), NamedBlocks.of(page).flags(names))


def from_numbers(told: NDArray[np.float64], flags: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return :func:`features` of what is known already: (blocks, 8 + flags)."""
    squeezed = told.copy()
    squeezed[:, _RAISED] = np.log1p(told[:, _RAISED])
    squeezed[:, _QUOTIENTS] = np.log(told[:, _QUOTIENTS])
    return np.concatenate([squeezed, flags], axis=1, dtype=np.float32)


def _text_numbers(text: str) -> tuple[float, float, float]:
    """Words, words per sentence and words per line, bounded."""
    words = _words(text)
    ends = _SENTENCE_END.findall(text)
    # What follows the last end is a sentence too, such as a whole heading.
    sentences = len(ends) + (not ends or not text.endswith(ends[-1]))
    lines, last = _lines(text)
    per_line = (words - _words(text[last:])) / (lines - 1) if lines > 1 else words
    return (
        min(words, MOST_WORDS),
        min(words / sentences, MOST_PER_SENTENCE),
        min(per_line, MOST_PER_LINE),
    )


def _words(text: str) -> float:
    """Words; of scripts without spaces, two characters are one."""
    text_tokens = tokens(text)
    if text.isascii():
        return float(len(text_tokens))
    parts = sum(len(token) == 1 and token >= _FIRST_UNSPACED for token in text_tokens)
    return len(text_tokens) - parts / 2


def _lines(text: str) -> tuple[int, int]:
    """Lines that the text wraps to, and where the last begins, which is not full."""
    lines, start = 1, 0
    while len(text) - start > LINE_CHARS:
        space = text.rfind(" ", start, start + LINE_CHARS + 1)
        start = space + 1 if space > start else start + LINE_CHARS
        lines += 1
    return lines, start
