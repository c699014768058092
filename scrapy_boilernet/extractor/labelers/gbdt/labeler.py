"""The labeler ``gbdt``: gradient-boosted trees over the block tree, run by LightGBM.

In the line of Dragnet (Peters and Lecocq, *Content Extraction Using Diverse Feature Sets*, WWW
2013) and Skim Technologies' extractor, which put trees over a simplified DOM. Reasons are SHAP
values of the trees (Lundberg et al., *Consistent Individualized Feature Attribution for Tree
Ensembles*, 2018): exact, and in logits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import lightgbm
import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.labelers.base import Reason, weightiest
from scrapy_boilernet.extractor.labelers.classical import ClassicalLabeler, ClassicalSpec
from scrapy_boilernet.extractor.labelers.gbdt.tree_features import (
    GROUPS,
    TREE_FEATURIZER,
    feature_names,
    tree_features,
)
from scrapy_boilernet.extractor.labelers.gbdt.trees import Trees
from scrapy_boilernet.extractor.page import Page

MOST_REASONS = 12
"""Reasons per block; the other features weigh little."""


class GbdtLabeler(ClassicalLabeler):
    """Scores the leaves of the page's block tree; a leaf's blocks share its score.

    The option ``groups`` names the features that the model reads, all by default.
    """

    labeler: ClassVar = "gbdt"
    featurizer: ClassVar = TREE_FEATURIZER
    units_read: ClassVar = "block"
    format_version: ClassVar = 2
    """Format 1 held LightGBM's text."""
    reason_unit = "SHAP value, in log-odds"

    def __init__(self, spec: ClassicalSpec, payload: bytes) -> None:
        """Read the trees; raises ``ValueError`` if ``payload`` is invalid or has other features."""
        super().__init__(spec, payload)
        self._groups = groups_of(spec.options)
        trees = Trees.from_bytes(payload, len(feature_names(self._groups)))
        self._booster = _booster(trees)
        self._thresholds = trees.thresholds()

    def logits(self, page: Page) -> NDArray[np.float64]:
        """Return the log-odds of content before calibration: float64, (blocks,)."""
        features = tree_features(page, self._groups)
        if not len(features.values):
            return np.zeros(0)
        scores = self._booster.predict(features.values, raw_score=True, num_threads=1)
        return np.asarray(scores, dtype=np.float64)[features.leaf_of]

    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return per block the features that weighed most in its score, at most 12.

        Weights are in logits before calibration. This takes far longer than scoring. Leaves that
        take the same branch at every split are explained once.
        """
        features = tree_features(page, self._groups)
        if not len(features.values):
            return []
        intervals = [
            np.searchsorted(thresholds, column)
            for thresholds, column in zip(self._thresholds, features.values.T, strict=True)
        ]
        _, first, kind = np.unique(intervals, axis=1, return_index=True, return_inverse=True)
        # The last column is the expected score, the same for all blocks.
        shares = self._booster.predict(features.values[first], pred_contrib=True, num_threads=1)
        of_leaves = [
            _reasons(features.names, values, weights)
            for values, weights in zip(
                features.values, np.asarray(shares)[kind.reshape(-1), :-1], strict=True
            )
        ]
        return [of_leaves[leaf] for leaf in features.leaf_of.tolist()]


def groups_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the option ``groups``, () for all; raises ``ValueError`` for anything else."""
    groups = options.get("groups", ())
    if not isinstance(groups, list | tuple) or any(group not in [*GROUPS] for group in groups):
        raise ValueError(f"option groups is {groups!r} and must be a list of {', '.join(GROUPS)}")
    return tuple(groups)


def _booster(trees: Trees) -> lightgbm.Booster:
    """Return the trees as LightGBM's model; raises ``ValueError`` if it does not read all."""
    try:
        booster = lightgbm.Booster(model_str=trees.text())
        sizes = booster.num_trees(), booster.num_feature()
    except (lightgbm.basic.LightGBMError, OverflowError) as error:
        raise ValueError(f"LightGBM cannot read it: {error}") from error
    if sizes != (len(trees.leaves), trees.columns):
        raise ValueError(f"LightGBM reads {sizes[0]} trees and not {len(trees.leaves)}")
    return booster


def _reasons(
    names: tuple[str, ...], values: NDArray[np.float32], weights: NDArray[np.float64]
) -> list[Reason]:
    first = np.argsort(-np.abs(weights), kind="stable")[:MOST_REASONS].tolist()
    reasons = [Reason(names[i], f"{values[i]:.4g}", float(weights[i])) for i in first]
    return weightiest(reasons, MOST_REASONS)
