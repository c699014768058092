"""The blocks of a page, or of a site's pages, as vectors and as a sparse graph of similarity.

Nothing is learned: words and n-grams of characters are hashed, and their inverse document frequency
is computed on the given blocks. Sparse rows are mixed down to few columns with random signs, which
nearly keeps their distances (Weinberger et al., *Feature Hashing for Large Scale Multitask
Learning*, ICML 2009).

After Bose and Mukherjee, *Semi-Supervised Method using Gaussian Random Fields for Boilerplate
Removal in Web Browsers*: an edge weighs exp(-d²/2), where d is the distance of two blocks' vectors.
Their vectors are embeddings of text. Here they are hashed words, shallow numbers and the place of
the block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from scrapy_boilernet.extractor.features.texts import CLOSERS
from scrapy_boilernet.extractor.features.words import (
    CAPITAL,
    DIGIT,
    PUNCTUATION,
    STOP,
    SYMBOL,
    Characters,
    tokens,
)
from scrapy_boilernet.extractor.page import HEADING_TAGS, Block, Page

Vectors = NDArray[np.float32]
Integers = NDArray[np.int64]


class Entries(NamedTuple):
    """The non-zero entries of sparse rows."""

    rows: Integers
    places: Integers
    """Columns: from 0 to below the number of hashes."""
    values: NDArray[np.float64]


COLUMNS = 128
"""Columns of the mixed vectors."""
NUMBERS = 12
"""Columns of :func:`number_vectors`."""
MAX_TEXT_CHARS = 1000
"""The part of a block's text that is read; the rest would change its vector little."""
_HASHED = 1 << 14
_GRAM = 4
_NEAR_ANCESTORS = 4
_TEXTS_AT_ONCE = 2000
_ENDS = tuple(".!?。！？…")


def text_vectors(blocks: Sequence[Block]) -> Vectors:
    """Return (blocks, COLUMNS): tf-idf of words and of n-grams of characters, half each.

    The vectors have a length of about 1, or of 0 for a text with neither words nor n-grams.
    """
    texts = [block.text[:MAX_TEXT_CHARS].lower() for block in blocks]
    words = _hashed(map(tokens, texts))
    starts = range(0, len(texts), _TEXTS_AT_ONCE)
    parts = [_gram_counts(texts[start : start + _TEXTS_AT_ONCE], start) for start in starts]
    grams = Entries(*map(np.concatenate, zip(*parts, strict=True))) if parts else words
    return _mixed([_tf_idf(words, len(texts)), _tf_idf(grams, len(texts))], len(texts))


def path_vectors(blocks: Sequence[Block]) -> Vectors:
    """Return (blocks, COLUMNS): vectors that are nearer the longer the tag paths' common prefix."""
    return _per_path(blocks, lambda block: block.tags, _prefixes)


def class_vectors(blocks: Sequence[Block]) -> Vectors:
    """Return (blocks, COLUMNS): class words of the four nearest ancestors, also with their tags."""
    return _per_path(blocks, _near_classes, _class_marks)


def number_vectors(blocks: Sequence[Block], places: NDArray[np.float64]) -> Vectors:
    """Return (blocks, NUMBERS): length, links, punctuation, place and others, about 0 to 1 each.

    ``places``: per block its place in the page, in [0, 1].
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
        [text.rstrip(CLOSERS).endswith(_ENDS) for text in texts],
        signs.count(DIGIT) / np.maximum(chars, 1),
        np.minimum(signs.count_capitalized() / seen, 1),
        signs.count(SYMBOL) > 0,
        places,
        [block.hidden or block.noscript for block in blocks],
        [not HEADING_TAGS.isdisjoint(block.tags[-3:]) for block in blocks],
        np.minimum(signs.count(CAPITAL) / np.maximum(chars, 1) * 2, 1),
    )
    return np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)


def _mixed(groups: Sequence[Entries], count: int) -> Vectors:
    """The groups side by side, their columns added up to COLUMNS sums with random signs.

    Rows are scaled by the length that they had before.
    """
    signs, sums = column_mixing(len(groups))
    totals = np.zeros(count * COLUMNS)
    for number, (rows, places, values) in enumerate(groups):
        own = places + number * _HASHED
        targets = rows * COLUMNS + sums[own]
        totals += np.bincount(targets, values * signs[own], minlength=len(totals))
    lengths = np.sqrt(sum(_squares(group, count) for group in groups))
    mixed = totals.reshape(count, COLUMNS) / np.where(lengths > 0, lengths, 1)[:, None]
    return np.asarray(mixed, dtype=np.float32)


def column_mixing(groups: int) -> tuple[NDArray[np.float64], Integers]:
    """Return how the hashed columns of so many groups are mixed; the same at each call.

    Per column: its sign, 1 or -1, and the sum that it goes to, below :data:`COLUMNS`.
    """
    rng = np.random.default_rng(0)
    columns = groups * _HASHED
    return rng.choice([-1.0, 1.0], size=columns), rng.integers(0, COLUMNS, size=columns)


def _squares(entries: Entries, count: int) -> NDArray[np.float64]:
    """Per row the sum of its squared values."""
    return np.asarray(np.bincount(entries.rows, entries.values**2, minlength=count))


def _tf_idf(counts: Entries, count: int) -> Entries:
    """The counts as tf-idf, in rows of length 1 or 0."""
    held = np.bincount(counts.places, minlength=_HASHED)
    idf = np.log((1 + count) / (1 + held)) + 1
    weighed = counts._replace(values=(1 + np.log(counts.values)) * idf[counts.places])
    lengths = np.sqrt(_squares(weighed, count))
    return weighed._replace(values=weighed.values / lengths[weighed.rows])


def _hashed(rows: Iterable[Sequence[str]]) -> Entries:
    """The counts of each row's strings, by their hashes."""
    hashes = [list(map(_hash, row)) for row in rows]
    places = np.fromiter(chain.from_iterable(hashes), dtype=np.int64) % _HASHED
    return _counted(np.repeat(np.arange(len(hashes)), list(map(len, hashes))), places)


def _counted(rows: Integers, places: Integers) -> Entries:
    keys, counts = np.unique(rows * _HASHED + places, return_counts=True)
    return Entries(keys // _HASHED, keys % _HASHED, counts.astype(np.float64))


@lru_cache(maxsize=1 << 16)
def _hash(text: str) -> int:
    return crc32(text.encode("utf-8", "surrogatepass"))


def _gram_counts(texts: Sequence[str], start: int) -> Entries:
    """The counts of hashed n-grams of characters, of each text with spaces around it.

    Rows are numbered from ``start``.
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
    """The mixed vectors of the blocks' marks; blocks with the same key share one computation."""
    numbers: dict[tuple[str, ...], int] = {}
    places = [numbers.setdefault(key_of(block), len(numbers)) for block in blocks]
    mixed = _mixed([_hashed(map(marks_of, numbers))], len(numbers))
    return mixed[np.array(places, dtype=np.int64)]


def _prefixes(path: tuple[str, ...]) -> list[str]:
    prefixes, prefix = [], ""
    for tag in path:
        prefix = str(_hash(f"{prefix}/{tag}"))
        prefixes.append(prefix)
    return prefixes


def _near_classes(block: Block) -> tuple[str, ...]:
    near = zip(block.tags[-_NEAR_ANCESTORS:], block.class_words[-_NEAR_ANCESTORS:], strict=True)
    return tuple(f"{tag} {words}" for tag, words in near)


def _class_marks(near: tuple[str, ...]) -> list[str]:
    return [word for each in near for word in each.split()[1:]] + list(near)


Sparse = Any
"""A ``scipy.sparse.csr_array`` of float64; SciPy has no types."""
Watch = Callable[[Sequence[Integers], int], Iterable[Integers]]

_MAX_PART = 1024
"""More nodes than this are split into parts, and neighbours are searched within a part."""
_TREES = 2
_ROWS_AT_ONCE = 512
_LEAST = 1e-6
"""The least weight of an edge; lower weights would make the equations hard to solve."""


@dataclass(frozen=True)
class GraphOptions:
    """How blocks are compared. A bandwidth of infinity leaves its group of features out."""

    neighbours: int = 8
    """Edges from each node to the most similar ones."""
    text: float = 1.5
    """The bandwidth of a group of features, as the next three."""
    numbers: float = 0.4
    path: float = 1.0
    classes: float = 0.7
    adjacent: float = 1.0
    """Weight of the edge between adjacent blocks that share their parent; 0 for no such edges."""

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for a value that is not a number or out of its range."""
        if type(self.neighbours) is not int or self.neighbours < 1:
            raise ValueError(f"neighbours {self.neighbours!r}: must be a whole number from 1 up")
        for name in ("text", "numbers", "path", "classes"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} {getattr(self, name)!r}: must be above 0, or infinity")
        if not 0 <= self.adjacent < np.inf:
            raise ValueError(f"adjacent {self.adjacent!r}: must be from 0 up, and finite")


@dataclass(frozen=True)
class BlockGraph:
    """A graph, and the node of each block."""

    weights: Sparse
    """Symmetric, all entries above 0, none on the diagonal: (nodes, nodes)."""
    nodes: tuple[Integers, ...]
    """Per page the node of each block: (blocks,). Blocks with the same text and tags share one."""
    pages: Integers
    """The number of pages that each node is on: (nodes,)."""


def block_graph(
    pages: Sequence[Page], options: GraphOptions, watch: Watch = lambda parts, _: parts
) -> BlockGraph:
    """Return the graph of the pages' blocks; memory grows with blocks × neighbours.

    ``watch`` is for a progress bar: it gets the parts that are searched for neighbours and their
    number, and yields the parts.
    """
    numbers: dict[tuple[str, tuple[str, ...]], int] = {}
    first: list[Block] = []
    nodes = []
    for page in pages:
        mine = np.zeros(len(page.blocks), dtype=np.int64)
        for i, block in enumerate(page.blocks):
            mine[i] = number = numbers.setdefault((block.text, block.tags), len(numbers))
            if number == len(first):
                first.append(block)
        nodes.append(mine)
    held = np.zeros(len(first), dtype=np.int64)
    for mine in nodes:
        held[np.unique(mine)] += 1
    vectors = _vectors(first, _places(nodes, len(first)), options)
    weights = _alike(vectors, options.neighbours, watch)
    if options.adjacent:
        weights = weights + options.adjacent * _adjacent(pages, nodes, len(first))
    weights = sparse.csr_array(weights - sparse.diags_array(weights.diagonal()))
    weights.eliminate_zeros()
    return BlockGraph(weights, tuple(nodes), held)


def _places(nodes: Sequence[Integers], count: int) -> NDArray[np.float64]:
    """Per node the mean place of its blocks in their pages, in [0, 1]."""
    sums, sizes = np.zeros(count), np.zeros(count)
    for mine in nodes:
        np.add.at(sums, mine, np.arange(len(mine)) / max(len(mine) - 1, 1))
        np.add.at(sizes, mine, 1)
    return sums / np.maximum(sizes, 1)


def _vectors(
    blocks: Sequence[Block], places: NDArray[np.float64], options: GraphOptions
) -> Vectors:
    """One row per node; each group of features is divided by its bandwidth."""
    groups = [np.zeros((len(blocks), 1), dtype=np.float32)]
    if np.isfinite(options.text):
        groups.append(text_vectors(blocks) / options.text)
    if np.isfinite(options.numbers):
        groups.append(number_vectors(blocks, places) / options.numbers)
    if np.isfinite(options.path):
        groups.append(path_vectors(blocks) / options.path)
    if np.isfinite(options.classes):
        groups.append(class_vectors(blocks) / options.classes)
    return np.concatenate(groups, axis=1, dtype=np.float32)


def _alike(vectors: Vectors, neighbours: int, watch: Watch) -> Sparse:
    """Edges between each node and those nearest to it."""
    n = len(vectors)
    edges = sparse.csr_array((n, n), dtype=np.float64)
    if n < 2:
        return edges
    rng = np.random.default_rng(0)
    trees = 1 if n <= _MAX_PART else _TREES
    parts = [part for _ in range(trees) for part in _parts(vectors, np.arange(n), rng)]
    edge_parts = [
        near for part in watch(parts, len(parts)) for near in _nearest(vectors, part, neighbours)
    ]
    rows, columns, weights = (np.concatenate(column) for column in zip(*edge_parts, strict=True))
    for tree in np.array_split(np.arange(len(rows)), trees):  # trees may have common edges
        own = sparse.coo_array((weights[tree], (rows[tree], columns[tree])), shape=(n, n))
        edges = edges.maximum(own.tocsr())
    return edges.maximum(edges.T)


def _parts(vectors: Vectors, members: Integers, rng: np.random.Generator) -> Iterator[Integers]:
    """Yield small parts by halving along random directions: a random projection tree's leaves."""
    if len(members) <= _MAX_PART:
        yield members
        return
    direction = rng.standard_normal(vectors.shape[1], dtype=np.float32)
    order = members[np.argsort(vectors[members] @ direction, kind="stable")]
    for half in np.array_split(order, 2):
        yield from _parts(vectors, half, rng)


def _nearest(
    vectors: Vectors, part: Integers, neighbours: int
) -> Iterator[tuple[Integers, Integers, NDArray[np.float64]]]:
    """Yield the edges from a part's members to the nearest others: both ends, and weights."""
    vectors = vectors[part]
    wanted = min(neighbours, len(part) - 1)
    lengths = (vectors**2).sum(axis=1)
    for start in range(0, len(part), _ROWS_AT_ONCE):
        rows = np.arange(start, min(start + _ROWS_AT_ONCE, len(part)))
        squares = lengths[rows, None] + lengths - 2 * vectors[rows] @ vectors.T
        squares[np.arange(len(rows)), rows] = np.inf
        near = np.argpartition(squares, wanted - 1, axis=1)[:, :wanted]
        apart: NDArray[np.float32] = np.take_along_axis(squares, near, axis=1)
        weights = np.exp(-np.maximum(apart.astype(np.float64), 0) / 2)
        yield part[np.repeat(rows, wanted)], part[near.ravel()], np.maximum(weights, _LEAST).ravel()


def _adjacent(pages: Sequence[Page], nodes: Sequence[Integers], count: int) -> Sparse:
    """Edges between adjacent blocks, of weight 1 / (1 + steps up to a common parent)."""
    pairs: list[tuple[int, int, float]] = []
    for page, mine in zip(pages, nodes, strict=True):
        for (i, one), (j, other) in pairwise(enumerate(page.blocks)):
            common = len(set(one.nodes) & set(other.nodes))
            apart = max(len(one.nodes), len(other.nodes)) - common
            pairs.append((int(mine[i]), int(mine[j]), 1 / (1 + max(apart - 1, 0))))
    if not pairs:
        return sparse.csr_array((count, count), dtype=np.float64)
    rows, columns, weights = (np.array(column) for column in zip(*pairs, strict=True))
    edges = sparse.coo_array((weights, (rows, columns)), shape=(count, count)).tocsr()
    times = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(count, count)).tocsr()
    edges.data /= times.data
    return edges.maximum(edges.T)
