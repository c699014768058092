"""The blocks of a page, or of a site's pages, as a sparse graph of what is like what.

After Bose and Mukherjee, *Semi-Supervised Method using Gaussian Random Fields for Boilerplate
Removal in Web Browsers*: an edge weighs exp(-d²/2) for the distance of two blocks' vectors. Theirs
are embeddings of text; here hashed words and shallow numbers, and where a block stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from scrapy_boilernet.classical.block_vectors import (
    Vectors,
    class_vectors,
    number_vectors,
    path_vectors,
    text_vectors,
)
from scrapy_boilernet.page import Block, Page

Index = NDArray[np.int64]
Sparse = Any
"""A ``scipy.sparse.csr_array`` of float64; SciPy has no types."""
Watch = Callable[[Sequence[Index], int], Iterable[Index]]

_MAX_PART = 1024
"""More nodes than this are parted, and neighbours looked for in parts."""
_TREES = 2
_ROWS_AT_ONCE = 512
_LEAST = 1e-6
"""The least weight of an edge: less would only make the equations hard to solve."""


@dataclass(frozen=True)
class GraphOptions:
    """How blocks are compared; a group's bandwidth of infinity leaves the group out."""

    neighbours: int = 8
    text: float = 1.5
    numbers: float = 0.4
    path: float = 1.0
    classes: float = 0.7
    adjacent: float = 1.0
    """Weight of the edge between neighbours in the page that share their parent; 0: no such."""

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for a number that is none or out of its range."""
        if type(self.neighbours) is not int or self.neighbours < 1:
            raise ValueError(f"neighbours {self.neighbours!r}: must be a whole number from 1 up")
        for name in ("text", "numbers", "path", "classes"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} {getattr(self, name)!r}: must be above 0, or infinity")
        if not 0 <= self.adjacent < np.inf:
            raise ValueError(f"adjacent {self.adjacent!r}: must be from 0 up, and finite")


@dataclass(frozen=True)
class BlockGraph:
    """A graph, and which blocks its nodes are."""

    weights: Sparse
    """Symmetric, above 0, nothing on the diagonal: (nodes, nodes)."""
    nodes: tuple[Index, ...]
    """Per page the node of each block: (blocks,). Equal blocks of the same path share one."""
    pages: Index
    """On how many pages each node is: (nodes,)."""


def block_graph(
    pages: Sequence[Page], options: GraphOptions, watch: Watch = lambda parts, _: parts
) -> BlockGraph:
    """Return the graph of the pages' blocks; memory grows with blocks × neighbours.

    ``watch`` is given the parts that neighbours are looked for in, and their number, and yields
    them: for a progress bar.
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


def _places(nodes: Sequence[Index], count: int) -> NDArray[np.float64]:
    """Per node the mean place of its blocks in their pages, in [0, 1]."""
    sums, sizes = np.zeros(count), np.zeros(count)
    for mine in nodes:
        np.add.at(sums, mine, np.arange(len(mine)) / max(len(mine) - 1, 1))
        np.add.at(sizes, mine, 1)
    return sums / np.maximum(sizes, 1)


def _vectors(
    blocks: Sequence[Block], places: NDArray[np.float64], options: GraphOptions
) -> Vectors:
    """One row per node, each group divided by its bandwidth."""
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
    found = [
        near for part in watch(parts, len(parts)) for near in _nearest(vectors, part, neighbours)
    ]
    rows, columns, weights = (np.concatenate(column) for column in zip(*found, strict=True))
    for tree in np.array_split(np.arange(len(rows)), trees):  # the same pair may be in each
        own = sparse.coo_array((weights[tree], (rows[tree], columns[tree])), shape=(n, n))
        edges = edges.maximum(own.tocsr())
    return edges.maximum(edges.T)


def _parts(vectors: Vectors, members: Index, rng: np.random.Generator) -> Iterator[Index]:
    """Halve along random directions until a part is small; a random projection tree's leaves."""
    if len(members) <= _MAX_PART:
        yield members
        return
    direction = rng.standard_normal(vectors.shape[1], dtype=np.float32)
    order = members[np.argsort(vectors[members] @ direction, kind="stable")]
    for half in np.array_split(order, 2):
        yield from _parts(vectors, half, rng)


def _nearest(
    vectors: Vectors, part: Index, neighbours: int
) -> Iterator[tuple[Index, Index, NDArray[np.float64]]]:
    """Yield members of a part, those nearest to them, and the weights of the edges."""
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


def _adjacent(pages: Sequence[Page], nodes: Sequence[Index], count: int) -> Sparse:
    """Edges between blocks that follow one another: 1 / (1 + steps up to a common parent)."""
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
    again = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(count, count)).tocsr()
    edges.data /= again.data
    return edges.maximum(edges.T)
