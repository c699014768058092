"""The list of the numbers of a block, with their names, meanings and scales.

:mod:`scrapy_boilernet.extractor.features.block_numbers` computes them. After scaling, each is a
ratio, a flag or a logarithm between -1 and some 4, so a value means the same on pages of any size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]

NUMBERS_VERSION = 1
"""Raise it whenever the same page would give other block numbers. Each model that reads them names
the version that it was trained with, and is not loaded with another."""


@dataclass(frozen=True)
class Number:
    """One column: its name, its meaning, and how its natural value is scaled."""

    name: str
    what: str
    divisor: float = 1
    """The value is divided by it."""
    most: float | None = None
    """The largest absolute value; larger ones are cut to it before the division. None: no limit."""
    log_divisor: float | None = None
    """log(1 + value) is divided by it instead; None: the number is not a logarithm."""

    def natural(self, scaled: Column) -> Column:
        """Return the values before they were scaled, in an array of the same shape.

        Values that were cut stay cut.
        """
        if self.log_divisor:
            return np.asarray(np.expm1(self.log_divisor * scaled))
        # Trained trees compare exactly these values: scaled * divisor would round differently.
        return scaled / (1 / self.divisor)


SUBTREES = 5
"""How many of the subtrees that hold a block are read; number 1 is the innermost."""
FAR_BLOCKS = 20
"""Blocks after which a heading above does not matter."""
SUBTREE_NUMBERS = (
    Number("share of the page's words", "Words in the subtree per words of the page"),
    Number("link density", "Share of the subtree's words that are in links"),
    Number("words per block", "Words per block in the subtree", log_divisor=4),
    Number("blocks", "Blocks in the subtree", log_divisor=6),
)
"""The numbers of each subtree."""
SAME_TAGS_NUMBERS = (
    Number("page's words under the same tags", "Words of them per words of the page"),
    Number("link density under the same tags", "Share of their words that are in links"),
    Number("words per block under the same tags", "Words per such block", log_divisor=4),
)
"""The numbers of all blocks of the page with the same path of tags."""
BLOCK_NUMBERS: Mapping[str, tuple[Number, ...]] = {
    "text": (
        Number("words", "Words in any script, of long texts extrapolated", log_divisor=4),
        Number("characters", "Characters of the text", log_divisor=6),
        Number("link density", "Share of the words that are in links"),
        Number("punctuation per word", "Commas and the like per word", divisor=1 / 4, most=1),
        Number("sentence ends per word", "Full stops and the like per word", divisor=1 / 4, most=1),
        Number("ends as a sentence", "1 if the text ends so"),
        Number("share of digits", "Digits per character"),
        Number("capitalized words", "Words that begin with a capital per word", most=1),
        Number("characters per word", "Characters per word", divisor=10, most=20),
        Number("text is repeated", "1 if another block has the same text"),
        Number("hidden", "1 if the page hides the block"),
        Number("in noscript", "1 if the block is for browsers without scripts"),
        Number("begins in lower case", "1 if the first character is a lower-case letter"),
        Number("has a date or time", "1 if there is a year, a date or a time"),
        Number("has a layout symbol", "1 if there is a bar, an arrow, a bullet or the like"),
        Number("has an address", "1 if there is a web or mail address"),
        Number("words shared with the title", "Tokens in both, per tokens in one of them"),
    ),
    "place": (
        Number("place in the page", "Share of the blocks that come before"),
        Number("blocks from the start", "Blocks that come before", divisor=50, most=50),
        Number("blocks to the end", "Blocks that come after", divisor=50, most=50),
        Number("words of the page before", "Share of the words that come before"),
        Number("depth in elements", "Elements around the block", divisor=20, most=40),
        Number("link density of the page", "Share of the page's words that are in links"),
        Number("prose of the page", "Share of its words in long blocks of few links"),
        Number("words of the page", "Words of all blocks", log_divisor=8),
    ),
    "tree": (
        *(
            replace(number, name=f"{number.name}, subtree {level}")
            for level in range(1, SUBTREES + 1)
            for number in SUBTREE_NUMBERS
        ),
        *SAME_TAGS_NUMBERS,
    ),
    "claims": (
        Number("words in the description", "Share of the tokens that the page's description has"),
        Number("text in the JSON-LD body", "Share of the runs of three tokens that it has"),
        Number("page has a JSON-LD body", "1 if there is an articleBody"),
    ),
    "kin": (
        Number("page's words in its kind", "Words of its kind per words of the page"),
        Number("link density of its kind", "Share of its kind's words that are in links"),
        Number("blocks of its kind", "Blocks of its kind", log_divisor=6),
        Number("page's blocks in its kind", "Share of the page's blocks"),
        Number("words per block of its kind", "Words per block of its kind", log_divisor=4),
    ),
    "headings": (
        Number("blocks since a heading", "0 in it", divisor=FAR_BLOCKS, most=FAR_BLOCKS),
        Number("level of the heading above", "1 for h1 to 6 for h6, 0 without one", divisor=6),
        Number("after the first h1", "1 after it and in it, -1 before it, 0 without one"),
        Number("distance to the first h1", "Blocks after it, negative before", divisor=50, most=50),
    ),
}
"""The columns of each group, in their order. The kind of a block: the blocks with the same tags and
the same class words near the text."""


_ENDS = accumulate(map(len, BLOCK_NUMBERS.values()))
GROUPS = {
    group: slice(end - len(numbers), end)
    for (group, numbers), end in zip(BLOCK_NUMBERS.items(), _ENDS, strict=True)
}
"""The slice of each group among all columns; training drops whole groups at random."""
NUMBERS = sum(map(len, BLOCK_NUMBERS.values()))
"""How many columns all groups have."""


ROWS: Mapping[str, int] = {
    number.name: row for row, number in enumerate(chain.from_iterable(BLOCK_NUMBERS.values()))
}
"""The index of each number among all columns, by its name."""
_NUMBERS = tuple(chain.from_iterable(BLOCK_NUMBERS.values()))
_LOGARITHMS = np.array([row for row, number in enumerate(_NUMBERS) if number.log_divisor])
_LOG_DIVISORS = np.array([[number.log_divisor] for number in _NUMBERS if number.log_divisor])
_CUT = np.array([row for row, number in enumerate(_NUMBERS) if number.most is not None])
_MOST = np.array([[number.most] for number in _NUMBERS if number.most is not None])
_DIVIDED = np.array([row for row, number in enumerate(_NUMBERS) if number.divisor != 1])
_DIVISORS = np.array([[number.divisor] for number in _NUMBERS if number.divisor != 1])


def scale(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale the values in place, as a model reads them, and return them.

    They are of shape (NUMBERS, blocks), with rows as in :data:`ROWS`.

    All numbers are scaled at once: a call per number would take longer than the computation.
    """
    values[_LOGARITHMS] = np.log1p(values[_LOGARITHMS]) / _LOG_DIVISORS
    values[_CUT] = np.maximum(np.minimum(values[_CUT], _MOST), -_MOST)
    values[_DIVIDED] /= _DIVISORS
    return values
