"""The text of a LightGBM model, read by an allow-list and written again by this package.

LightGBM believes what it reads: a text made for it can crash it, or keep it busy for ever. So it is
given only what :meth:`TreeModel.text` writes, of numbers that were checked here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Lines:
    """The lines ``key=value`` of a part; each known key at most once."""

    def __init__(self, where: str, part: str, known: Collection[str]) -> None:
        self._where = where
        self.found: dict[str, str] = {}
        for line in filter(None, part.split("\n")):
            key, equals, value = line.partition("=")
            if not equals or key not in known or key in self.found:
                raise ValueError(f"{where}: the line {line[:40]!r} is unknown or there twice")
            self.found[key] = value

    def wrong(self, key: str, wanted: str) -> ValueError:
        """Return the error that says what must stand in a line."""
        told = repr(self.found[key][:40]) if key in self.found else "missing"
        return ValueError(f"{self._where}: {key} is {told} and must be {wanted}")

    def need(self, key: str, *allowed: str) -> str:
        """Return the value, which must be one of those allowed."""
        if self.found.get(key) not in allowed:
            raise self.wrong(key, " or ".join(value[:40] for value in allowed))
        return self.found[key]

    def whole(self, key: str, size: int, allowed: Sequence[int]) -> NDArray[np.int64]:
        """Return so many whole numbers, each of them allowed."""
        try:
            numbers = [int(word) for word in self._words(key)]
        except ValueError:
            numbers = [allowed[-1] + 1]
        if len(numbers) != size or not all(number in allowed for number in numbers):
            raise self.wrong(key, f"whole numbers, {size} in all, in {allowed[0]} to {allowed[-1]}")
        return np.array(numbers, dtype=np.int64)

    def real(self, key: str, size: int, most: float) -> NDArray[np.float64]:
        """Return so many numbers, finite and at most ``most`` either way."""
        try:
            numbers = np.array([float(word) for word in self._words(key)], dtype=np.float64)
        except ValueError:
            numbers = np.full(1, np.nan)
        if len(numbers) != size or not (np.abs(numbers) <= most).all():
            raise self.wrong(key, f"finite numbers, {size} in all, of at most {most:g} either way")
        return numbers

    def _words(self, key: str) -> list[str]:
        value = self.found.get(key, "_")
        if "_" in value:  # Python would read 1_000
            raise ValueError
        return value.split(" ") if value else []


MOST_TREES, MOST_LEAVES = 10_000, 4096
"""Trees of a model, leaves of a tree."""
MOST_NODES = 500_000
"""Leaves of all trees together."""
MOST_DEPTH = 64
"""Splits above a leaf; SHAP values take time with its square."""
MOST_VALUE = 1e6
"""Of a leaf either way, in logits; all trees together stay finite."""
_MOST_COUNT, _MOST_NUMBER = 2**31 - 1, 1e300
_DECISIONS = (0, 2)
"""``x <= threshold``; the rest is for missing numbers or categories, which features have not."""
_OBJECTIVES = ("cross_entropy", "binary sigmoid:1")
_ONE_OUTPUT = {"version": "v4", "num_class": "1", "num_tree_per_iteration": "1", "label_index": "0"}
_HEADER = (*_ONE_OUTPUT, "max_feature_idx", "objective", "feature_names", "feature_infos")
_PLAIN = ("num_cat", "is_linear")
_UNREAD = ("split_gain", "internal_value", "internal_weight", "leaf_weight", "shrinkage")
"""What neither scores nor reasons read: checked where it is there, not written again."""
_ODD = re.compile(r"[^\n -~]")
_END = "\nend of trees\n"


class Tree(NamedTuple):
    """The numbers of one tree under LightGBM's names; a child below 0 is the leaf ``-1 - child``.

    The first five are of splits, the root first; whole numbers are int64, others float64.
    """

    split_feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    decision_type: NDArray[np.int64]
    left_child: NDArray[np.int64]
    right_child: NDArray[np.int64]
    internal_count: NDArray[np.int64]
    leaf_value: NDArray[np.float64]
    leaf_count: NDArray[np.int64]


@dataclass(frozen=True)
class TreeModel:
    """Trees whose values add up to one logit."""

    objective: str
    columns: int
    """Features that there are to ask for."""
    trees: tuple[Tree, ...]

    @classmethod
    def of(cls, payload: bytes, columns: int) -> TreeModel:
        """Read LightGBM's text of a model of ``columns`` features with one output.

        Raises ``ValueError``, naming the tree and the line's key, for anything that is not known
        to be sound: every tree is one, counts add up, every number is finite.
        """
        text = payload.decode("ascii")
        body, end, after = text.partition(_END)
        if not body.startswith("tree\n") or not end or after or _ODD.search(text):
            raise ValueError("it is not the text of a LightGBM model, or not the whole of it")
        header, *parts = body.removeprefix("tree\n").split("\nTree=")
        objective = _objective(Lines("its header", header, _HEADER), columns)
        if not 1 <= len(parts) <= MOST_TREES:
            raise ValueError(f"it has {len(parts)} trees, which must be 1 to {MOST_TREES}")
        trees: list[Tree] = []
        room = MOST_NODES
        for number, part in enumerate(parts):
            said, _, lines = part.partition("\n")
            if said != str(number):
                raise ValueError(f"tree {number}: Tree is {said[:20]!r}")
            trees.append(_tree(Lines(f"tree {number}", lines, _TREE), columns))
            room -= len(trees[-1].leaf_value)
            if room < 0:
                raise ValueError(f"tree {number}: num_leaves are over {MOST_NODES} in all trees")
        return cls(objective, columns, tuple(trees))

    def text(self) -> str:
        """Return the one text of these trees that LightGBM is given; ASCII."""
        header = _ONE_OUTPUT | {
            "max_feature_idx": str(self.columns - 1),
            "objective": self.objective,
            "feature_names": _names(self.columns),
            "feature_infos": " ".join(["none"] * self.columns),
        }
        trees = (f"Tree={number}\n{_written(tree)}\n" for number, tree in enumerate(self.trees))
        return "tree\n" + _joined(header) + "\n" + "".join(trees) + _END.lstrip("\n")

    def thresholds(self) -> tuple[NDArray[np.float64], ...]:
        """Return per feature the numbers that it is compared with, rising: whoever has as many of
        each below them goes the same way at every split.
        """
        asked = np.concatenate([tree.split_feature for tree in self.trees])
        found = np.concatenate([tree.threshold for tree in self.trees])
        return tuple(np.unique(found[asked == column]) for column in range(self.columns))


_TREE = ("num_leaves", *_PLAIN, *Tree._fields, *_UNREAD)


def _objective(lines: Lines, columns: int) -> str:
    for key, value in _ONE_OUTPUT.items():
        lines.need(key, value)
    if lines.found.get("max_feature_idx") != str(columns - 1):
        raise lines.wrong("max_feature_idx", f"{columns - 1}: there are {columns} features")
    lines.need("feature_names", _names(columns))
    if len(lines.found.get("feature_infos", "").split(" ")) != columns:
        raise lines.wrong("feature_infos", f"{columns} words")
    return lines.need("objective", *_OBJECTIVES)


def _tree(lines: Lines, columns: int) -> Tree:
    leaves = int(lines.whole("num_leaves", 1, range(1, MOST_LEAVES + 1))[0])
    splits = leaves - 1
    for key in _PLAIN:
        lines.need(key, "0")
    sizes = {"shrinkage": 1, "leaf_weight": leaves if splits else 0}
    for key in _UNREAD:
        if key in lines.found:
            lines.real(key, sizes.get(key, splits), _MOST_NUMBER)
    nodes, counts = range(-leaves, splits), range(1 if splits else 0, _MOST_COUNT + 1)
    tree = Tree(
        lines.whole("split_feature", splits, range(columns)),
        lines.real("threshold", splits, _MOST_NUMBER),
        lines.whole("decision_type", splits, _DECISIONS),
        lines.whole("left_child", splits, nodes),
        lines.whole("right_child", splits, nodes),
        lines.whole("internal_count", splits, counts),
        lines.real("leaf_value", leaves, MOST_VALUE),
        lines.whole("leaf_count", leaves, counts),
    )
    _check(lines, tree)
    return tree


def _check(lines: Lines, tree: Tree) -> None:
    """Refuse what is no tree, is too deep, or whose counts do not add up."""
    splits = len(tree.threshold)
    children = np.stack([tree.left_child, tree.right_child])
    once = np.delete(np.arange(-splits - 1, splits), splits + 1) if splits else children.ravel()
    inner = children >= 0
    if (
        not np.array_equal(np.sort(children, axis=None), once)
        or ((children <= np.arange(splits)) & inner).any()
    ):
        raise lines.wrong("left_child", "such that it and right_child name each node once, later")
    counts = np.concatenate([tree.internal_count, tree.leaf_count[::-1]])  # a leaf's from the end
    if not np.array_equal(counts[children].sum(axis=0), tree.internal_count):
        raise lines.wrong("internal_count", "the sum of the children's counts")
    depths = [1] * splits
    for split, below in enumerate(children.T.tolist()):
        for child in below:
            if child >= 0:
                depths[child] = depths[split] + 1
    if max(depths, default=0) > MOST_DEPTH:
        raise lines.wrong("num_leaves", f"those of a tree of at most {MOST_DEPTH} splits in a row")


def _joined(lines: Mapping[str, str]) -> str:
    return "".join(f"{key}={value}\n" for key, value in lines.items())


def _names(columns: int) -> str:
    return " ".join(f"Column_{column}" for column in range(columns))


def _written(tree: Tree) -> str:
    numbers = {
        # The shortest text that is the same number again.
        name: " ".join(repr(number).removesuffix(".0") for number in values.tolist())
        for name, values in tree._asdict().items()
    }
    return _joined(
        {"num_leaves": str(len(tree.leaf_value)), **dict.fromkeys(_PLAIN, "0"), **numbers}
    )
