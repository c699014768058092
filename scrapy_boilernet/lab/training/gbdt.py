"""Fitting the labeler ``gbdt``: LightGBM on the leaves of block trees, with soft labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import lightgbm
import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.labelers.gbdt.labeler import groups_of
from scrapy_boilernet.extractor.labelers.gbdt.tree_features import tree_features
from scrapy_boilernet.extractor.labelers.gbdt.trees import (
    MOST_DEPTH,
    MOST_LEAVES,
    MOST_NODES,
    MOST_TREES,
    Trees,
)
from scrapy_boilernet.lab.training.gold import GoldBlocks, need_both_classes
from scrapy_boilernet.lab.training.recipes import check_names, check_number
from scrapy_boilernet.workers.progress import counted

_SAY_EVERY = 100
"""Trees between two lines of progress."""
_LONG_NUMBER = re.compile(r"-?\d+\.\d{7,}(?:e[+-]?\d+)?")


@dataclass(frozen=True)
class GbdtOptions:
    """The options of a recipe."""

    groups: tuple[str, ...] = ()
    """Groups of features to use, all by default."""
    trees: int = 400
    learning_rate: float = 0.05
    leaves: int = 31
    """The largest number of leaves of a tree."""
    min_leaf: int = 40
    """The least number of training rows, which are leaves of pages, in a leaf of a tree."""
    feature_fraction: float = 0.4
    """Share of the features that a tree may use."""
    bagging_fraction: float = 0.8
    """Share of the training rows that a tree is fitted to."""
    l2: float = 5.0
    token_power: float = 0.5
    """The weight of a page's leaf is its number of tokens to this power; then all pages are scaled
    to the same total weight."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Return the options of a recipe.

        Raises ``ValueError``, naming the option, for an unknown option or a wrong value.
        """
        check_names("gbdt", options, cls.__dataclass_fields__)
        for name in options.keys() - {"groups"}:
            whole = isinstance(getattr(cls, name), int)
            check_number(name, options[name], *_ALLOWED[name], whole=whole)
        chosen = cls(**{**options, "groups": groups_of(options)})
        if chosen.trees * chosen.leaves > MOST_NODES:
            raise ValueError(
                f"options trees and leaves are {chosen.trees} and {chosen.leaves} and must be at "
                f"most {MOST_NODES} leaves together"
            )
        return chosen

    def parameters(self, seed: int) -> dict[str, Any]:
        """Return LightGBM's parameters: one thread, and the same trees for the same seed."""
        return {
            "objective": "cross_entropy",  # of labels in [0, 1]
            "learning_rate": self.learning_rate,
            "num_leaves": self.leaves,
            "max_depth": MOST_DEPTH,  # the labeler refuses deeper trees
            "min_data_in_leaf": self.min_leaf,
            "feature_fraction": self.feature_fraction,
            "bagging_fraction": self.bagging_fraction,
            "bagging_freq": 1,
            "lambda_l2": self.l2,
            "max_bin": 127,
            "seed": seed,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 1,
            "verbose": -1,
        }


_ALLOWED: Mapping[str, tuple[float, float]] = {
    "trees": (1, MOST_TREES),
    "learning_rate": (1e-6, 1),
    "leaves": (2, MOST_LEAVES),
    "min_leaf": (1, 1_000_000_000),
    "feature_fraction": (1e-3, 1),
    "bagging_fraction": (1e-3, 1),
    "l2": (0, 1e9),
    "token_power": (0, 4),
}
"""The least and the greatest value of each option; whole numbers where the default is one."""


def fit(
    train: Sequence[GoldBlocks],
    options: Mapping[str, Any],
    seed: int,
    say: Callable[[str], None],
) -> bytes:
    """Return the weights that the labeler reads; the same for the same pages and seed.

    ``options``: fields of :class:`GbdtOptions`. Raises ``ValueError`` for wrong options, or if
    LightGBM finds nothing to fit, and ``DatasetError`` if all blocks are of one class.
    """
    chosen = GbdtOptions.of(options)
    need_both_classes(train)
    rows = [_rows(page, chosen) for page in train]
    values, shares, weights = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    blocks = sum(len(page.page.blocks) for page in train)
    say(f"{counted(len(train), 'page')}, {blocks:,} blocks, {values.shape[1]} features")
    data = lightgbm.Dataset(values, shares, weight=weights / weights.mean())
    try:
        booster = lightgbm.train(
            chosen.parameters(seed), data, chosen.trees, callbacks=[_progress(say)]
        )
    except lightgbm.basic.LightGBMError as error:
        raise ValueError(f"LightGBM cannot fit these pages: {str(error).strip()}") from error
    return trees_of(booster.model_to_string(), values.shape[1]).to_bytes()


def _rows(
    page: GoldBlocks, options: GbdtOptions
) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.float64]]:
    """Return features, kept share and weight of the page's leaves with tokens."""
    features = tree_features(page.page, options.groups)
    tokens = np.bincount(features.leaf_of, page.tokens)
    kept = np.bincount(features.leaf_of, page.tokens * page.targets)
    filled = tokens > 0
    weights = np.asarray(tokens[filled] ** options.token_power, dtype=np.float64)
    return (
        features.values[filled],
        np.clip(kept[filled] / tokens[filled], 0.0, 1.0),
        weights / max(float(weights.sum()), 1.0),
    )


def _progress(say: Callable[[str], None]) -> Callable[[Any], None]:
    def callback(state: Any) -> None:
        done = state.iteration + 1
        if done % _SAY_EVERY == 0 or done == state.end_iteration:
            say(f"tree {done} of {state.end_iteration}")

    return callback


def trees_of(text: str, columns: int) -> Trees:
    """Return the trees of LightGBM's text of a model with ``columns`` features.

    Thresholds are rounded to seven digits, and values of leaves to single precision, by which a
    model takes less room. Raises ``ValueError`` for trees that the labeler refuses.
    """
    rounded = _LONG_NUMBER.sub(lambda number: f"{float(number[0]):.7g}", text)
    parts = rounded.partition("\nend of trees\n")[0].split("\nTree=")[1:]
    lines = [dict(line.partition("=")[::2] for line in part.split("\n")) for part in parts]

    def joined(key: str, kind: type) -> NDArray[Any]:
        return np.array([word for tree in lines for word in tree[key].split()], dtype=kind)

    trees = Trees(
        columns=columns,
        leaves=joined("num_leaves", np.int32),
        split_feature=joined("split_feature", np.int32),
        threshold=joined("threshold", np.float64),
        left_child=joined("left_child", np.int32),
        right_child=joined("right_child", np.int32),
        leaf_value=joined("leaf_value", np.float32).astype(np.float64),
        leaf_count=joined("leaf_count", np.int32),
    )
    trees.check()
    return trees
