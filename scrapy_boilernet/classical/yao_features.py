"""The 18 features of Yao and Zuo, *A Machine Learning Approach to Webpage Content Extraction*.

Stanford CS229, 2013. Three sets, as theirs: seven of a block's text, which they took from
Kohlschütter et al., *Boilerplate Detection using Shallow Text Features* (WSDM 2010); its place in
the page, in steps; and ten flags, one per word of class or id that was learned to tell boilerplate.

Ours are: what counts as a word where a script has no spaces, lines as Kohlschütter et al. wrap
them, the number of steps, the bounds, and logarithms of counts and quotients, since an RBF kernel
reads differences, and from 3 words to 13 is a longer way than from 300 to 310.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.name_tokens import NamedBlocks
from scrapy_boilernet.page import Page
from scrapy_boilernet.tokens import tokens

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
    found = np.zeros((len(blocks), NUMBERS), dtype=np.float64)
    if not blocks:
        return found
    found[:, _RAISED] = [_text_numbers(block.text) for block in blocks]
    chars = np.array([max(len(block.text), 1) for block in blocks], dtype=np.float64)
    found[:, 3] = np.array([block.link_chars for block in blocks]) / chars
    # A half keeps blocks without words from quotients without end.
    told = np.maximum(found[:, _RAISED], 0.5)
    found[0, _QUOTIENTS] = 1.0
    found[1:, _QUOTIENTS] = np.clip(told[1:] / told[:-1], 1 / MOST_TIMES, MOST_TIMES)
    found[:, 7] = np.arange(len(blocks)) * STEPS // len(blocks) / STEPS
    return found


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
    found = tokens(text)
    if text.isascii():
        return float(len(found))
    parts = sum(len(token) == 1 and token >= _FIRST_UNSPACED for token in found)
    return len(found) - parts / 2


def _lines(text: str) -> tuple[int, int]:
    """Lines that the text wraps to, and where the last begins, which is not full."""
    lines, start = 1, 0
    while len(text) - start > LINE_CHARS:
        space = text.rfind(" ", start, start + LINE_CHARS + 1)
        start = space + 1 if space > start else start + LINE_CHARS
        lines += 1
    return lines, start
