"""Blocks as dense vectors, a group of columns for each side of them: text, numbers, path, classes.

Nothing is learned and nothing looked up: words and n-grams of characters are hashed, and their
inverse document frequency is that of the blocks at hand. Sparse rows are mixed down to few columns
with random signs, which nearly keeps their distances (Weinberger et al., *Feature Hashing for Large
Scale Multitask Learning*, ICML 2009).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.characters import CAPITAL, DIGIT, PUNCTUATION, STOP, SYMBOL, Characters
from scrapy_boilernet.page import Block
from scrapy_boilernet.tokens import tokens

Vectors = NDArray[np.float32]
Places = NDArray[np.int64]


class Entries(NamedTuple):
    """The entries of sparse rows that are not 0."""

    rows: Places
    places: Places
    """Columns, below the number of hashes."""
    values: NDArray[np.float64]


COLUMNS = 128
"""Columns of the vectors that are mixed."""
NUMBERS = 12
MAX_TEXT_CHARS = 1000
"""More of a block's text changes little of what it is like, and bounds the work for it."""
_HASHED = 1 << 14
_GRAM = 4
_NEAR_ANCESTORS = 4
_TEXTS_AT_ONCE = 2000
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CLOSERS, _ENDS = "\"'”’»)]", tuple(".!?。！？…")


def text_vectors(blocks: Sequence[Block]) -> Vectors:
    """Return (blocks, COLUMNS): tf-idf of words and of n-grams of characters, half each; length 1
    or nearly so, 0 for a text without either.
    """
    texts = [block.text[:MAX_TEXT_CHARS].lower() for block in blocks]
    words = _hashed(map(tokens, texts))
    starts = range(0, len(texts), _TEXTS_AT_ONCE)
    parts = [_gram_counts(texts[start : start + _TEXTS_AT_ONCE], start) for start in starts]
    grams = Entries(*map(np.concatenate, zip(*parts, strict=True))) if parts else words
    return _mixed([_tf_idf(words, len(texts)), _tf_idf(grams, len(texts))], len(texts))


def path_vectors(blocks: Sequence[Block]) -> Vectors:
    """Return (blocks, COLUMNS): nearer, the longer the beginning that two tag paths share."""
    return _per_path(blocks, lambda block: block.tags, _prefixes)


def class_vectors(blocks: Sequence[Block]) -> Vectors:
    """Return (blocks, COLUMNS): class words, and tags with them, of the four nearest ancestors."""
    return _per_path(blocks, _near_classes, _class_marks)


def number_vectors(blocks: Sequence[Block], places: NDArray[np.float64]) -> Vectors:
    """Return (blocks, NUMBERS): length, links, signs, place and the like, each some [0, 1].

    ``places``: per block where it stands in its page, in [0, 1].
    """
    texts = [block.text[:MAX_TEXT_CHARS] for block in blocks]
    chars = np.array([len(text) for text in texts], dtype=np.float64)
    words = np.array([len(tokens(text)) for text in texts], dtype=np.float64)
    seen = np.maximum(words, 1)
    signs = Characters(texts)
    columns = (
        np.log1p(words) / np.log(100),
        [block.link_chars / max(len(block.text), 1) for block in blocks],
        np.minimum(signs.count(PUNCTUATION) / seen * 5, 1),
        np.minimum(signs.count(STOP) / seen * 5, 1),
        [text.rstrip(_CLOSERS).endswith(_ENDS) for text in texts],
        signs.count(DIGIT) / np.maximum(chars, 1),
        np.minimum(signs.count_capitalized() / seen, 1),
        signs.count(SYMBOL) > 0,
        places,
        [block.hidden or block.noscript for block in blocks],
        [not _HEADINGS.isdisjoint(block.tags[-3:]) for block in blocks],
        np.minimum(signs.count(CAPITAL) / np.maximum(chars, 1) * 2, 1),
    )
    return np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)


def _mixed(groups: Sequence[Entries], count: int) -> Vectors:
    """The rows, groups side by side and at length 1, with their columns added up in COLUMNS sums,
    some of them negated.
    """
    rng = np.random.default_rng(0)
    columns = len(groups) * _HASHED
    signs = rng.choice([-1.0, 1.0], size=columns)
    sums = rng.integers(0, COLUMNS, size=columns)
    found = np.zeros(count * COLUMNS)
    for number, (rows, places, values) in enumerate(groups):
        own = places + number * _HASHED
        targets = rows * COLUMNS + sums[own]
        found += np.bincount(targets, values * signs[own], minlength=len(found))
    lengths = np.sqrt(sum(_squares(group, count) for group in groups))
    mixed = found.reshape(count, COLUMNS) / np.where(lengths > 0, lengths, 1)[:, None]
    return np.asarray(mixed, dtype=np.float32)


def _squares(entries: Entries, count: int) -> NDArray[np.float64]:
    """Per row the sum of its squared values."""
    return np.asarray(np.bincount(entries.rows, entries.values**2, minlength=count))


def _tf_idf(counts: Entries, count: int) -> Entries:
    """Rows of length 1 or 0."""
    held = np.bincount(counts.places, minlength=_HASHED)
    idf = np.log((1 + count) / (1 + held)) + 1
    weighed = counts._replace(values=(1 + np.log(counts.values)) * idf[counts.places])
    lengths = np.sqrt(_squares(weighed, count))
    return weighed._replace(values=weighed.values / lengths[weighed.rows])


def _hashed(rows: Iterable[Sequence[str]]) -> Entries:
    """Counts of hashed strings, a row each."""
    found = [list(map(_hash, row)) for row in rows]
    places = np.fromiter(chain.from_iterable(found), dtype=np.int64) % _HASHED
    return _counted(np.repeat(np.arange(len(found)), list(map(len, found))), places)


def _counted(rows: Places, places: Places) -> Entries:
    keys, counts = np.unique(rows * _HASHED + places, return_counts=True)
    return Entries(keys // _HASHED, keys % _HASHED, counts.astype(np.float64))


@lru_cache(maxsize=1 << 16)
def _hash(text: str) -> int:
    return crc32(text.encode("utf-8", "surrogatepass"))


def _gram_counts(texts: Sequence[str], start: int) -> Entries:
    """Counts of hashed n-grams of characters within each text and a space on either side; rows
    are numbered from ``start``.
    """
    padded = [f" {text}{' ' * (_GRAM - 1)}" for text in texts]
    codes = np.frombuffer("".join(padded).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    lengths = np.array([len(text) for text in padded], dtype=np.int64)
    within = np.concatenate([np.arange(length)[::-1] for length in lengths]) >= _GRAM - 1
    begins = np.flatnonzero(within)
    hashes = np.zeros(len(begins), dtype=np.uint64)
    for step in range(_GRAM):  # FNV-1a
        hashes = (hashes ^ codes[begins + step]) * np.uint64(0x01000193) & np.uint64(0xFFFFFFFF)
    columns = ((hashes ^ hashes >> np.uint64(15)) % np.uint64(_HASHED)).astype(np.int64)
    return _counted(start + np.repeat(np.arange(len(texts)), lengths)[begins], columns)


def _per_path(
    blocks: Sequence[Block],
    key_of: Callable[[Block], tuple[str, ...]],
    marks_of: Callable[[tuple[str, ...]], list[str]],
) -> Vectors:
    """Hashed marks of each block's path; those of a path that blocks share are made once."""
    numbers: dict[tuple[str, ...], int] = {}
    places = [numbers.setdefault(key_of(block), len(numbers)) for block in blocks]
    mixed = _mixed([_hashed(map(marks_of, numbers))], len(numbers))
    return mixed[np.array(places, dtype=np.int64)]


def _prefixes(path: tuple[str, ...]) -> list[str]:
    found, above = [], ""
    for tag in path:
        above = str(_hash(f"{above}/{tag}"))
        found.append(above)
    return found


def _near_classes(block: Block) -> tuple[str, ...]:
    near = zip(block.tags[-_NEAR_ANCESTORS:], block.class_words[-_NEAR_ANCESTORS:], strict=True)
    return tuple(f"{tag} {words}" for tag, words in near)


def _class_marks(near: tuple[str, ...]) -> list[str]:
    return [word for each in near for word in each.split()[1:]] + list(near)
