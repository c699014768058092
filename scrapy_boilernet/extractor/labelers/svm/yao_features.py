"""The features of Yao and Zuo, *A Machine Learning Approach to Webpage Content Extraction*.

Stanford CS229, 2013. There are three sets, as in the paper: seven features of a block's text, from
Kohlschütter et al., *Boilerplate Detection using Shallow Text Features* (WSDM 2010); its place in
the page, in steps; and ten flags, one for each learned word of class or id that marks boilerplate.

The paper leaves some choices open or makes them otherwise. These are made here: what counts as a
word in a script without spaces, lines as Kohlschütter et al. wrap them, the number of steps, the
bounds, and logarithms of counts and quotients. An RBF kernel reads differences, and the difference
between 3 and 13 words matters more than the one between 300 and 310.

The paper ranks the words by naive Bayes, a multinomial event model with Laplace smoothing, by
P(word | boilerplate) / P(word | content). It keeps the ten highest, since the names of content vary
more than those of boilerplate. Two things differ here. Each site counts as one, so that large sites
do not decide. And a word's log ratio is multiplied by its probability in boilerplate, which gives
its part of the divergence between the classes, since ten rare words would mark few blocks. The
recipe ``svm-published-names`` ranks them as published.
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

from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.page import Page

NEAR = 30
"""The number of a block's innermost ancestors with a class or id that are read. Only unusually deep
pages have more."""
MIN_SITE_SHARE, MIN_SITES = 0.02, 2
"""The least share and number of sites that a word must be found on."""
SMOOTHING = 1.0
"""The addend of Laplace smoothing to each word's count, where a site counts as one."""


@dataclass(frozen=True)
class NamedBlocks:
    """The names of a page's blocks: words of class and id. Blocks with the same path share them."""

    names: tuple[frozenset[str], ...]
    """Per different path the words of its near ancestors."""
    places: NDArray[np.int64]
    """Per block the index of its path in ``names``: (blocks,)."""

    @classmethod
    def of(cls, page: Page) -> Self:
        """Return the names of the page's blocks."""
        pairs = page.paths.pairs
        return cls(tuple(_near_names(words) for _, words in pairs), page.path_places)

    def flags(self, wanted: Sequence[str]) -> NDArray[np.bool_]:
        """Return whether each block has each of the ``wanted`` words: (blocks, len(wanted))."""
        table = np.array(
            [[word in names for word in wanted] for names in self.names], dtype=np.bool_
        )
        return table.reshape(len(self.names), len(wanted))[self.places]

    def counts(self, chosen: NDArray[np.bool_]) -> Counter[str]:
        """Return per word the number of blocks that have it, among the ``chosen``, (blocks,)."""
        blocks = np.bincount(self.places[chosen], minlength=len(self.names))
        counts: Counter[str] = Counter()
        for names, count in zip(self.names, blocks.tolist(), strict=True):
            if count:
                counts.update(dict.fromkeys(names, count))
        return counts


@dataclass
class _Site:
    """Counts of one site: of boilerplate, and of content."""

    blocks: list[int]
    names: tuple[Counter[str], Counter[str]]
    """Per word the number of blocks that have it."""


def boilerplate_names(
    pages: Iterable[tuple[str, Page, NDArray[np.bool_]]], most: int, as_published: bool = False
) -> list[tuple[str, float]]:
    """Return at most ``most`` words that mark boilerplate, the best first.

    Each word comes with log P(word | boilerplate) / P(word | content), which is above 0. ``pages``
    has for each page its site, the page, and whether each of its blocks is content. With
    ``as_published`` every block counts as one, and the words are ranked by that ratio alone.
    """
    sites: dict[str, _Site] = defaultdict(lambda: _Site([0, 0], (Counter(), Counter())))
    for name, page, content in pages:
        site, named = sites[name], NamedBlocks.of(page)
        for kind, chosen in enumerate((~content, content)):
            site.blocks[kind] += int(chosen.sum())
            site.names[kind].update(named.counts(chosen))
    met = Counter(word for site in sites.values() for word in site.names[0])
    least = max(MIN_SITES, MIN_SITE_SHARE * len(sites))
    weighed = _weighed_words(sites.values(), as_published)
    ranked = sorted(
        (
            (weight, word)
            for word, (weight, _) in weighed.items()
            if met[word] >= least and weight > 0
        ),
        key=lambda pair: (-pair[0], pair[1]),
    )
    return [(word, weighed[word][1]) for _, word in ranked[:most]]


def _weighed_words(sites: Iterable[_Site], as_published: bool) -> dict[str, tuple[float, float]]:
    """Per word its weight in the ranking, and its log ratio."""
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
    named = [names for names in path if names][-NEAR:]
    return frozenset(word for names in named for word in names.split())


VERSION = 1
"""Increase it with every change of a feature's values."""
NAME_FLAGS = 10
"""The number of words of class or id that are features, as in the paper."""
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
"""The columns of :func:`numbers`."""
NUMBERS = len(NUMBER_NAMES)
SETS = {"text": slice(0, 7), "position": slice(7, 8), "tokens": slice(8, 8 + NAME_FLAGS)}
"""Columns of :func:`features` per set of the paper. There are fewer flags if fewer were learned."""

LINE_CHARS = 80
"""The line length at which text is wrapped for its density, as in Kohlschütter et al."""
STEPS = 20
"""The steps of the place in the page: M in the paper, which gives no value."""
MOST_WORDS, MOST_PER_SENTENCE, MOST_PER_LINE, MOST_TIMES = 500.0, 50.0, 40.0, 50.0
"""Upper bounds, so that unusual blocks stay within the range of the training data."""

_FIRST_UNSPACED = "\u0e00"  # Thai: a token of one character from here on is part of a word
_SENTENCE_END = re.compile(r"[.!?…؟۔।][\"'”’»)\]]*(?=\s|$)|[。！？｡]")
_COUNTS = slice(0, 3)
_QUOTIENTS = slice(4, 7)


def columns_of(sets: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each of the 18 columns is in the sets: (18,).

    Raises ``ValueError`` for an unknown set, or if there is none.
    """
    chosen = np.zeros(NUMBERS + NAME_FLAGS, dtype=np.bool_)
    for name in sets:
        if name not in SETS:
            raise ValueError(f"feature set {name!r}: must be one of {', '.join(SETS)}")
        chosen[SETS[name]] = True
    if not chosen.any():
        raise ValueError(f"no feature set: give some of {', '.join(SETS)}")
    return chosen


def numbers(page: Page) -> NDArray[np.float64]:
    """Return the features of text and place without logarithms: (blocks, 8), finite.

    In the order of :data:`NUMBER_NAMES`: three counts of words, bounded; the share of the text that
    is linked, 0 to 1; three quotients, 1/50 to 50, and 1 for the first block; the place of the
    block's step in the page, 0 to below 1.
    """
    blocks = page.blocks
    numbers = np.zeros((len(blocks), NUMBERS), dtype=np.float64)
    if not blocks:
        return numbers
    numbers[:, _COUNTS] = [_text_numbers(block.text) for block in blocks]
    chars = np.array([max(len(block.text), 1) for block in blocks], dtype=np.float64)
    numbers[:, 3] = np.array([block.link_chars for block in blocks]) / chars
    # At least a half, since blocks may have no words.
    counts = np.maximum(numbers[:, _COUNTS], 0.5)
    numbers[0, _QUOTIENTS] = 1.0
    numbers[1:, _QUOTIENTS] = np.clip(counts[1:] / counts[:-1], 1 / MOST_TIMES, MOST_TIMES)
    numbers[:, 7] = np.arange(len(blocks)) * STEPS // len(blocks) / STEPS
    return numbers


def features(page: Page, names: Sequence[str]) -> NDArray[np.float32]:
    """Return the input of the machine before scaling: (blocks, 8 + len(names)), finite.

    The first columns are :func:`numbers`, with logarithms of counts and quotients. The others are
    1.0 where an ancestor near the block has the name, else 0.0.
    """
    return from_numbers(numbers(page), NamedBlocks.of(page).flags(names))


def from_numbers(numbers: NDArray[np.float64], flags: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return :func:`features` of given numbers and flags: (blocks, 8 + flags)."""
    logged = numbers.copy()
    logged[:, _COUNTS] = np.log1p(numbers[:, _COUNTS])
    logged[:, _QUOTIENTS] = np.log(numbers[:, _QUOTIENTS])
    return np.concatenate([logged, flags], axis=1, dtype=np.float32)


def _text_numbers(text: str) -> tuple[float, float, float]:
    """Words, words per sentence and words per line, bounded."""
    words = _words(text)
    ends = _SENTENCE_END.findall(text)
    # A text after the last end of a sentence is one, too, such as a heading.
    sentences = len(ends) + (not ends or not text.endswith(ends[-1]))
    lines, last = _lines(text)
    per_line = (words - _words(text[last:])) / (lines - 1) if lines > 1 else words
    return (
        min(words, MOST_WORDS),
        min(words / sentences, MOST_PER_SENTENCE),
        min(per_line, MOST_PER_LINE),
    )


def _words(text: str) -> float:
    """The number of words; in scripts without spaces, two characters count as one."""
    text_tokens = tokens(text)
    if text.isascii():
        return float(len(text_tokens))
    parts = sum(len(token) == 1 and token >= _FIRST_UNSPACED for token in text_tokens)
    return len(text_tokens) - parts / 2


def _lines(text: str) -> tuple[int, int]:
    """The number of wrapped lines, and the place where the last one begins."""
    lines, start = 1, 0
    while len(text) - start > LINE_CHARS:
        space = text.rfind(" ", start, start + LINE_CHARS + 1)
        start = space + 1 if space > start else start + LINE_CHARS
        lines += 1
    return lines, start
