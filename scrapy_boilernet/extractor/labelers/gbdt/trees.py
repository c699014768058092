"""Trained trees as checked arrays, and as LightGBM's text.

LightGBM does not check the text of a model: a malicious one can crash it or make it run for ever.
So a model holds arrays, and LightGBM reads the text that :meth:`Trees.text` writes of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from scrapy_boilernet.extractor.labelers.classical import check_tensor

MOST_TREES, MOST_LEAVES = 10_000, 4096
"""Trees of a model, leaves of a tree."""
MOST_NODES = 500_000
"""Leaves of all trees together."""
MOST_DEPTH = 64
"""Splits above a leaf; the time for SHAP values grows with its square."""
MOST_VALUE = 1e6
"""The largest value of a leaf, positive or negative, in logits; sums over all trees are finite."""
MOST_THRESHOLD = 1e300
MOST_COUNT = 2**31 - 1
"""Training rows in a tree."""

Whole = NDArray[np.int32]
Real = NDArray[np.float64]


class Tree(NamedTuple):
    """One tree: its splits, the root first, and its leaves.

    A row goes left if its feature is at most the threshold. A negative child is the leaf
    ``-1 - child``.
    """

    split_feature: Whole
    threshold: Real
    left_child: Whole
    right_child: Whole
    leaf_value: Real
    leaf_count: Whole
    """Training rows in each leaf."""


@dataclass(frozen=True)
class Trees:
    """Trees whose values add up to one logit; bytes keep them without loss."""

    columns: int
    """The number of features."""
    leaves: Whole
    """Leaves of each tree, one more than it has splits: (trees,)."""
    split_feature: Whole
    """As in :class:`Tree`, for all trees one after another: (splits,), as the next three."""
    threshold: Real
    left_child: Whole
    right_child: Whole
    leaf_value: Real
    """As in :class:`Tree`, for all trees one after another: (leaves,), as the next."""
    leaf_count: Whole

    def to_bytes(self) -> bytes:
        """Return the trees as safetensors."""
        arrays = {name: np.ascontiguousarray(getattr(self, name)) for name in _KINDS}
        return save({"columns": np.array([self.columns], dtype=np.int32), **arrays})

    @classmethod
    def from_bytes(cls, payload: bytes, columns: int) -> Self:
        """Return the trees that :meth:`to_bytes` wrote.

        Raises ``ValueError``, naming the tensor and the tree, if they are invalid, or have another
        number of features than ``columns``.
        """
        try:
            tensors = load(payload)
        except (SafetensorError, KeyError, TypeError) as error:
            raise ValueError(f"not the arrays of trees: {error}") from error
        wanted = sorted(["columns", *_KINDS])
        if sorted(tensors) != wanted:
            raise ValueError(
                f"tensors {', '.join(sorted(tensors)) or 'none'}: must be {', '.join(wanted)}"
            )
        written = tensors.pop("columns")
        check_tensor("columns", written, np.int32, (1,))
        if written[0] != columns:
            raise ValueError(f"tensor columns: {written[0]} features, must be {columns}")
        trees = cls(columns, **tensors)
        trees.check()
        return trees

    def check(self) -> None:
        """Raise ``ValueError`` unless the arrays are trees and all numbers are in their ranges."""
        self._check_sizes()
        self._check_range("split_feature", 0, self.columns - 1)
        self._check_range("threshold", -MOST_THRESHOLD, MOST_THRESHOLD)
        self._check_range("leaf_value", -MOST_VALUE, MOST_VALUE)
        self._check_range("leaf_count", 0, MOST_COUNT)
        for number, tree in enumerate(self.each()):
            _check_children(number, tree)
            _check_counts(number, tree)

    def _check_sizes(self) -> None:
        """Raise unless the number of trees is valid, and the other arrays fit the leaves."""
        check_tensor("leaves", self.leaves, np.int32, (self.leaves.size,))
        if not 1 <= len(self.leaves) <= MOST_TREES:
            raise ValueError(f"tensor leaves: {len(self.leaves)} trees, must be 1 to {MOST_TREES}")
        self._check_range("leaves", 1, MOST_LEAVES)
        leaves = int(self.leaves.sum(dtype=np.int64))
        if leaves > MOST_NODES:
            raise ValueError(f"tensor leaves: {leaves} in all, must be at most {MOST_NODES}")
        for name, kind in _KINDS.items():
            if name != "leaves":
                size = leaves if name.startswith("leaf_") else leaves - len(self.leaves)
                check_tensor(name, getattr(self, name), kind, (size,))

    def _check_range(self, name: str, least: float, most: float) -> None:
        values = getattr(self, name)
        wrong = values[(values < least) | (values > most)]
        if len(wrong):
            raise ValueError(f"tensor {name}: {wrong[0]}, must be {least} to {most}")

    def each(self) -> Iterator[Tree]:
        """Yield the trees."""
        splits, leaves = np.cumsum(self.leaves - 1)[:-1], np.cumsum(self.leaves)[:-1]
        parts = [
            np.split(getattr(self, name), leaves if name.startswith("leaf_") else splits)
            for name in Tree._fields
        ]
        return map(Tree._make, zip(*parts, strict=True))

    def text(self) -> str:
        """Return LightGBM's text of the trees; ASCII."""
        header = _HEADER | {
            "max_feature_idx": str(self.columns - 1),
            "objective": "cross_entropy",
            "feature_names": " ".join(f"Column_{column}" for column in range(self.columns)),
            "feature_infos": " ".join(["none"] * self.columns),
        }
        trees = (f"Tree={number}\n{_tree_text(tree)}\n" for number, tree in enumerate(self.each()))
        return "tree\n" + _lines(header) + "\n" + "".join(trees) + "end of trees\n"

    def thresholds(self) -> tuple[Real, ...]:
        """Return per feature the numbers that it is compared with, ascending.

        Rows whose features lie between the same thresholds take the same branch at every split.
        """
        return tuple(
            np.unique(self.threshold[self.split_feature == column])
            for column in range(self.columns)
        )


_KINDS: Mapping[str, Any] = {
    "leaves": np.int32,
    "split_feature": np.int32,
    "threshold": np.float64,
    "left_child": np.int32,
    "right_child": np.int32,
    "leaf_value": np.float64,
    "leaf_count": np.int32,
}
"""The tensors beside ``columns``, and their types."""
_HEADER = {"version": "v4", "num_class": "1", "num_tree_per_iteration": "1", "label_index": "0"}
_LESS_OR_EQUAL = 2
"""LightGBM's ``decision_type`` of a split by ``x <= threshold``; no feature is a category."""


def _check_children(number: int, tree: Tree) -> None:
    """Raise unless the children make up a tree that is not too deep."""
    splits = len(tree.threshold)
    children = np.stack([tree.left_child, tree.right_child])
    # Every node but the root: the splits that follow it, and the leaves.
    nodes = np.delete(np.arange(-splits - 1, splits), splits + 1) if splits else children.ravel()
    earlier = (children <= np.arange(splits)) & (children >= 0)
    if not np.array_equal(np.sort(children, axis=None), nodes) or earlier.any():
        raise ValueError(
            f"tensors left_child and right_child: of tree {number}, must name each of its nodes "
            "once, after its parent"
        )
    depths = [1] * splits
    for split, below in enumerate(children.T.tolist()):
        for child in below:
            if child >= 0:
                depths[child] = depths[split] + 1
    if max(depths, default=0) > MOST_DEPTH:
        raise ValueError(
            f"tensors left_child and right_child: tree {number} has more than {MOST_DEPTH} splits "
            "in a row"
        )


def _check_counts(number: int, tree: Tree) -> None:
    """Raise if one of several leaves has no rows, or all have too many together."""
    total = int(tree.leaf_count.sum(dtype=np.int64))
    if total > MOST_COUNT or (len(tree.leaf_count) > 1 and not tree.leaf_count.all()):
        raise ValueError(
            f"tensor leaf_count: of tree {number}, must be at least 1 and {MOST_COUNT} together"
        )


def _split_counts(tree: Tree) -> list[int]:
    """Training rows in each split: the sum over its children."""
    splits = len(tree.threshold)
    leaves: list[int] = tree.leaf_count[::-1].tolist()
    counts = [0] * splits + leaves  # so that a leaf's negative number is its index
    children = zip(tree.left_child.tolist(), tree.right_child.tolist(), strict=True)
    for split, (left, right) in reversed([*enumerate(children)]):
        counts[split] = counts[left] + counts[right]
    return counts[:splits]


def _tree_text(tree: Tree) -> str:
    splits = len(tree.threshold)
    numbers = {
        "num_leaves": [splits + 1],
        "num_cat": [0],
        "is_linear": [0],
        "split_feature": tree.split_feature.tolist(),
        "threshold": tree.threshold.tolist(),
        "decision_type": [_LESS_OR_EQUAL] * splits,
        "left_child": tree.left_child.tolist(),
        "right_child": tree.right_child.tolist(),
        "internal_count": _split_counts(tree),
        "leaf_value": tree.leaf_value.tolist(),
        "leaf_count": tree.leaf_count.tolist(),
    }
    # repr gives the shortest text that reads as the same number.
    return _lines(
        {
            name: " ".join(repr(value).removesuffix(".0") for value in values)
            for name, values in numbers.items()
        }
    )


def _lines(values: Mapping[str, str]) -> str:
    return "".join(f"{key}={value}\n" for key, value in values.items())
