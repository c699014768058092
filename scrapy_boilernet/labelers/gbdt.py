"""The labeler ``gbdt``: gradient-boosted trees over the block tree; the one door to LightGBM.

In the line of Dragnet (Peters and Lecocq, *Content Extraction Using Diverse Feature Sets*, WWW
2013) and Skim Technologies' extractor, which put trees over a simplified DOM. Reasons are SHAP
values of the trees (Lundberg et al., *Consistent Individualized Feature Attribution for Tree
Ensembles*, 2018): exact, and in logits.
"""

from __future__ import annotations

import re
from typing import ClassVar

import lightgbm
import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.tree_features import (
    TREE_FEATURIZER_VERSION,
    feature_names,
    tree_features,
)
from scrapy_boilernet.labelers.classical import ClassicalLabeler, ClassicalSpec
from scrapy_boilernet.labelers.reasons import Reason, weightiest
from scrapy_boilernet.page import Page

MOST_REASONS = 12
"""Reasons per block; what the other features weigh is small."""
_END = "\nend of trees"
_LINE = re.compile(r"^(split_feature|left_child|right_child|num_leaves)=(.*)$", re.MULTILINE)
_TREE_LINES = 4


class GbdtLabeler(ClassicalLabeler):
    """Scores the leaves of the page's block tree; a leaf's blocks share its score.

    The option ``groups`` names the features that the model reads, all by default.
    """

    labeler: ClassVar = "gbdt"
    featurizer: ClassVar = {"kind": "block-tree", "version": TREE_FEATURIZER_VERSION}
    units_read: ClassVar = "block"
    payload_file: ClassVar = "model.txt"

    def __init__(self, spec: ClassicalSpec, payload: bytes) -> None:
        """Read LightGBM's text; raises ``ValueError`` if it is none or of other features."""
        super().__init__(spec, payload)
        self._groups = tuple(spec.options.get("groups", ()))
        self._booster = _booster(payload, len(feature_names(self._groups)))

    def logits(self, page: Page) -> NDArray[np.float64]:
        """Return the log-odds of content before calibration: float64, (blocks,)."""
        features = tree_features(page, self._groups)
        if not len(features.values):
            return np.zeros(0)
        found = self._booster.predict(features.values, raw_score=True, num_threads=1)
        return np.asarray(found, dtype=np.float64)[features.leaf_of]

    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return per block the features that weighed most in its score, at most 12, in logits
        before calibration.
        """
        features = tree_features(page, self._groups)
        if not len(features.values):
            return []
        # The last column is what the trees say of any block.
        shares = self._booster.predict(features.values, pred_contrib=True, num_threads=1)
        of_leaves = [
            _reasons(features.names, values, weights)
            for values, weights in zip(features.values, np.asarray(shares)[:, :-1], strict=True)
        ]
        return [of_leaves[leaf] for leaf in features.leaf_of.tolist()]


def _booster(payload: bytes, columns: int) -> lightgbm.Booster:
    """The trees; ``columns``: how many features there are. Raises ``ValueError`` if it is none."""
    text = payload.decode("utf-8")
    if not text.startswith("tree\n") or _END not in text:
        raise ValueError("it is not the text of a LightGBM model, or not the whole of it")
    for tree in text.partition(_END)[0].split("\nTree=")[1:]:
        _check_tree(tree, columns)
    try:
        booster = lightgbm.Booster(model_str=text)
    except lightgbm.basic.LightGBMError as error:
        raise ValueError(f"LightGBM cannot read it: {error}") from error
    if booster.num_feature() != columns:
        raise ValueError(f"it reads {booster.num_feature()} features, its options name {columns}")
    return booster


def _check_tree(text: str, columns: int) -> None:
    """Raise ``ValueError`` if a tree has loops or asks for what there is not.

    LightGBM believes what it reads: it would not end, or read outside of its memory.
    """
    lines = {name: np.array(values.split(), dtype=np.int64) for name, values in _LINE.findall(text)}
    if len(lines.get("num_leaves", ())) != 1:
        raise ValueError("a tree does not say how many leaves it has")
    splits = int(lines["num_leaves"][0]) - 1
    if not splits:
        return
    if len(lines) != _TREE_LINES:
        raise ValueError("a tree lacks its splits")
    for children in (lines["left_child"], lines["right_child"]):
        below = np.where(children < 0, splits + 1, children)  # leaves are negative
        if len(below) != splits or not (np.arange(splits) < below).all():
            raise ValueError("a split of a tree is its own child")
        if (children < -splits - 1).any() or (children >= splits).any():
            raise ValueError("a tree has fewer leaves than its splits name")
    asked = lines["split_feature"]
    if len(asked) != splits or (asked < 0).any() or (asked >= columns).any():
        raise ValueError(f"a tree asks for a feature that is none of {columns}")


def _reasons(
    names: tuple[str, ...], values: NDArray[np.float32], weights: NDArray[np.float64]
) -> list[Reason]:
    first = np.argsort(-np.abs(weights), kind="stable")[:MOST_REASONS].tolist()
    found = [Reason(names[i], f"{values[i]:.4g}", float(weights[i])) for i in first]
    return weightiest(found, MOST_REASONS)
