"""The hashed featuriser: a page to arrays; the same code in training and in serving.

Nothing here knows a language. Per block: numbers about its text, its place and the subtrees it
stands in, and three bags of hashed ids: ancestor tags, class words of near ancestors, and the
text's own tokens. Every number is a ratio or a logarithm scaled to some [0, 2], so that a page's
size does not change what a value means.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.page import Block, Page
from scrapy_boilernet.tokens import tokens

FEATURIZER_VERSION = 1
"""Raise it whenever the same page would give other arrays; models name the version they need."""

BAG_ROWS = {"tags": 1024, "classes": 8192, "words": 16384}
"""Rows of the hash tables; the same names are the model's embedding bags."""
TEXT_NUMBERS, PLACE_NUMBERS, TREE_NUMBERS = 17, 8, 23
NUMBERS = TEXT_NUMBERS + PLACE_NUMBERS + TREE_NUMBERS
GROUPS = {
    "text": slice(0, TEXT_NUMBERS),
    "place": slice(TEXT_NUMBERS, TEXT_NUMBERS + PLACE_NUMBERS),
    "tree": slice(TEXT_NUMBERS + PLACE_NUMBERS, NUMBERS),
}
"""Columns per group of numbers; training drops whole groups at random."""

_HEAD_TOKENS, _TAIL_TOKENS = 32, 8
_TAG_ANCESTORS, _CLASS_ANCESTORS, _TREE_ANCESTORS = 12, 8, 5
_MAX_TEXT_CHARS = 2000  # beyond it a block's ratios no longer move; keeps a 12 MB block cheap

_PUNCTUATION = re.compile(r"[,;:،、，；：।]")
_STOP = re.compile(r"[.!?。！？؟…।]")
_ENDS = re.compile(r"[.!?。！？؟…।][\"'”’»)\]]*\Z")
_DIGIT = re.compile(r"\d")
_CAPITALISED = re.compile(r"\b[^\W\d_a-z]\w*")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:./-]\d{1,2}\b")
_SYMBOL = re.compile(r"[|©»›·•→▶★]")
_ADDRESS = re.compile(r"@|https?:|www\.")


@dataclass(frozen=True)
class Bag:
    """Hashed ids of all blocks, one after another: block i has ``ids[offsets[i]:offsets[i+1]]``.

    ``ids``: int64, in [0, rows); ``offsets``: int64, one more than there are blocks.
    """

    ids: NDArray[np.int64]
    offsets: NDArray[np.int64]


@dataclass(frozen=True)
class Features:
    """What the network reads of a page of n blocks."""

    numbers: NDArray[np.float32]
    """Shape (n, NUMBERS)."""
    bags: dict[str, Bag]
    """By the names of :data:`BAG_ROWS`."""


def featurize(page: Page) -> Features:
    """Return the page's arrays; the same page always gives the same arrays, on any machine."""
    block_tokens = [_clipped_tokens(block.text) for block in page.blocks]
    counts = [_word_count(block, toks) for block, toks in zip(page.blocks, block_tokens, strict=True)]
    link_words = [
        count * block.link_chars / len(block.text)
        for block, count in zip(page.blocks, counts, strict=True)
    ]
    text = _text_numbers(page, block_tokens, counts, link_words)
    place = _place_numbers(page, counts, link_words)
    tree = _tree_numbers(page, counts, link_words)
    numbers = np.concatenate([text, place, tree], axis=1).astype(np.float32)
    return Features(
        numbers=numbers,
        bags={
            "tags": _bag((_tag_keys(b) for b in page.blocks), BAG_ROWS["tags"]),
            "classes": _bag((_class_keys(b) for b in page.blocks), BAG_ROWS["classes"]),
            "words": _bag(_word_keys(block_tokens), BAG_ROWS["words"]),
        },
    )


def _clipped_tokens(text: str) -> list[str]:
    """The block's first 32 and last 8 tokens, read from its first and last 1,000 characters."""
    if len(text) > _MAX_TEXT_CHARS:
        text = text[: _MAX_TEXT_CHARS // 2] + " " + text[-_MAX_TEXT_CHARS // 2 :]
    found = tokens(text)
    if len(found) > _HEAD_TOKENS + _TAIL_TOKENS:
        return found[:_HEAD_TOKENS] + found[-_TAIL_TOKENS:]
    return found


def _word_count(block: Block, clipped: Sequence[str]) -> float:
    """Words of the block in any script; long blocks are extrapolated from characters.

    A CJK character counts 1/1.7 word (the ratio of its translation into English).
    """
    if not clipped:
        return 0.0
    single = sum(1 for token in clipped if len(token) == 1 and token > "\u0e00")
    words = len(clipped) - single + single / 1.7
    if len(clipped) < _HEAD_TOKENS + _TAIL_TOKENS:
        return words
    chars = sum(map(len, clipped)) + len(clipped) - single
    return max(words, words * len(block.text) / chars)


def _text_numbers(
    page: Page,
    block_tokens: Sequence[Sequence[str]],
    counts: Sequence[float],
    link_words: Sequence[float],
) -> NDArray[np.float64]:
    """Shape (n, TEXT_NUMBERS): what a reader sees of the block alone."""
    repeats = Counter(block.text for block in page.blocks)
    title = set(tokens(page.title)[:40])
    rows = np.zeros((len(page.blocks), TEXT_NUMBERS))
    for i, block in enumerate(page.blocks):
        text = block.text[:_MAX_TEXT_CHARS]
        words = max(counts[i], 1.0)
        seen = max(1.0, min(words, words * len(text) / len(block.text)))
        mine = set(block_tokens[i])
        rows[i] = (
            math.log1p(counts[i]) / 4,
            math.log1p(len(block.text)) / 6,
            link_words[i] / words,
            min(len(_PUNCTUATION.findall(text)) / seen, 1) * 4,
            min(len(_STOP.findall(text)) / seen, 1) * 4,
            bool(_ENDS.search(text)),
            len(_DIGIT.findall(text)) / len(text),
            min(len(_CAPITALISED.findall(text)) / seen, 1),
            min(len(text) / seen / 10, 2),
            repeats[block.text] > 1,
            block.hidden,
            block.noscript,
            text[0].islower(),
            bool(_DATE.search(text)),
            bool(_SYMBOL.search(text)),
            bool(_ADDRESS.search(text)),
            len(mine & title) / len(mine | title) if title else 0,
        )
    return rows


def _place_numbers(
    page: Page, counts: Sequence[float], link_words: Sequence[float]
) -> NDArray[np.float64]:
    """Shape (n, PLACE_NUMBERS): where the block stands, and what the page is like as a whole."""
    n = len(page.blocks)
    if not n:
        return np.zeros((0, PLACE_NUMBERS))
    words, links = np.asarray(counts), np.asarray(link_words)
    total = max(words.sum(), 1.0)
    prose = words[(links < words / 3) & (words >= 10)].sum()
    rank = np.arange(n)
    depth = np.array([len(block.tags) for block in page.blocks])
    columns = [
        rank / n,
        np.minimum(rank, 50) / 50,
        np.minimum(n - 1 - rank, 50) / 50,
        (np.cumsum(words) - words) / total,
        np.minimum(depth / 20, 2),
        np.full(n, links.sum() / total),
        np.full(n, prose / total),
        np.full(n, math.log1p(total) / 8),
    ]
    return np.stack(columns, axis=1)


def _tree_numbers(
    page: Page, counts: Sequence[float], link_words: Sequence[float]
) -> NDArray[np.float64]:
    """Shape (n, TREE_NUMBERS): the subtrees that the block stands in, and its kind of path."""
    rows = np.zeros((len(page.blocks), TREE_NUMBERS))
    totals: dict[int, list[float]] = {}
    kinds: dict[tuple[str, ...], list[float]] = {}
    for block, words, links in zip(page.blocks, counts, link_words, strict=True):
        for sums in (*(totals.setdefault(node, [0, 0, 0]) for node in block.nodes),
                     kinds.setdefault(block.tags, [0, 0, 0])):  # fmt: skip
            sums[0] += words
            sums[1] += links
            sums[2] += 1
    page_words = max(sum(counts), 1.0)
    subtrees: dict[int, list[float]] = {}
    for i, block in enumerate(page.blocks):
        node = block.nodes[-1] if block.nodes else 0
        if node not in subtrees:
            subtrees[node] = _subtree_numbers(block, totals, page_words)
        words, links, number = kinds[block.tags]
        rows[i, :20] = subtrees[node]
        rows[i, 20:] = (words / page_words, links / max(words, 1), math.log1p(words / number) / 4)
    return rows


def _subtree_numbers(
    block: Block, totals: dict[int, list[float]], page_words: float
) -> list[float]:
    """Word share, link share, words per block and blocks of the 5 nearest distinct subtrees.

    Ancestors that add no block to the one below are passed over: a wrapper changes nothing.
    """
    numbers: list[float] = []
    before = 0.0
    for node in reversed(block.nodes):
        words, links, number = totals[node]
        if number == before:
            continue
        before = number
        numbers += (
            words / page_words,
            links / max(words, 1.0),
            math.log1p(words / number) / 4,
            math.log1p(number) / 6,
        )
        if len(numbers) == 4 * _TREE_ANCESTORS:
            return numbers
    last = numbers[-4:] or [0.0] * 4
    return numbers + last * (_TREE_ANCESTORS - len(numbers) // 4)


def _tag_keys(block: Block) -> list[str]:
    """Ancestor tags with their distance from the text: 0, 1, 2, 3-4, 5 and more."""
    near = block.tags[: -_TAG_ANCESTORS - 1 : -1]
    return [f"t{_distance(distance)}{tag}" for distance, tag in enumerate(near)]


def _distance(steps: int) -> int:
    return steps if steps < 3 else 3 if steps < 5 else 4


def _class_keys(block: Block) -> list[str]:
    near = block.class_words[: -_CLASS_ANCESTORS - 1 : -1]
    return [
        f"c{0 if distance == 0 else 1 if distance < 3 else 2}{word}"
        for distance, words in enumerate(near)
        if words
        for word in words.split(" ")
    ]


def _word_keys(block_tokens: Iterable[Sequence[str]]) -> Iterable[list[str]]:
    """Tokens; runs of single CJK characters as pairs, since one character says little."""
    for found in block_tokens:
        keys = []
        before = ""
        for token in found:
            single = len(token) == 1 and token > "\u0e00"
            keys.append(before + token if single and before else token)
            before = token if single else ""
        yield keys


def _bag(keys: Iterable[Sequence[str]], rows: int) -> Bag:
    """CRC-32 of each key modulo ``rows``: the same on every machine, unlike ``hash``."""
    crc32 = zlib.crc32
    flat: list[int] = []
    offsets = [0]
    known: dict[str, int] = {}
    for block_keys in keys:
        for key in block_keys:
            value = known.get(key)
            if value is None:
                value = known[key] = crc32(key.encode("utf-8", "surrogatepass")) % rows
            flat.append(value)
        offsets.append(len(flat))
    return Bag(np.asarray(flat, dtype=np.int64), np.asarray(offsets, dtype=np.int64))
