"""Training of the SVM labeler: the ten words, the scaling, the machine, and Platt's sigmoid.

The machine is as in Yao and Zuo (2013). The sigmoid is fitted to decision values of held-out pages:
Platt, *Probabilistic Outputs for Support Vector Machines* (1999), as corrected by Lin, Lin and Weng
(2007).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from scrapy_boilernet.extractor.labelers.svm.labeler import Machine
from scrapy_boilernet.extractor.labelers.svm.yao_features import (
    NAME_FLAGS,
    NUMBERS,
    SETS,
    boilerplate_names,
    columns_of,
    features,
)
from scrapy_boilernet.lab.evaluation.splits import domain, folds
from scrapy_boilernet.lab.training.gold import GoldBlocks, need_both_classes
from scrapy_boilernet.lab.training.recipes import check_names, check_number

PLATT_FOLDS = 3
LEAST_DEVIATION = 0.25
"""Smallest divisor of a feature, so that a rare word does not dominate the distances."""
_MOST = 1_000_000_000


@dataclass(frozen=True)
class SvmOptions:
    """The options of a recipe. The defaults come from a small grid search on training folds."""

    sets: tuple[str, ...] = tuple(SETS)
    """Feature sets to use: ``"text"``, ``"position"``, ``"tokens"``."""
    blocks: int = 12_000
    """Blocks to train on, as many from each page as possible. Time and size grow faster than their
    number."""
    c: float = 3.0
    gamma: float = 0.05
    """Factor in the kernel exp(-gamma |x - y|²) of scaled features."""
    content_weight: float = 1.0
    """Weight of a content block; a boilerplate block weighs 1."""
    published_names: bool = False
    """Whether to choose the ten words exactly as in the paper."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> SvmOptions:
        """Return a recipe's options. Raises ``ValueError`` or ``TypeError`` for wrong ones."""
        check_names("svm", options, cls.__dataclass_fields__)
        chosen = cls(**{**options, "sets": tuple(options.get("sets", SETS))})
        columns_of(chosen.sets)
        if not isinstance(chosen.published_names, bool):
            raise TypeError("option published_names of the labeler svm must be true or false")
        check_number("blocks", chosen.blocks, 1, _MOST, whole=True)
        for name in ("c", "gamma", "content_weight"):
            check_number(name, getattr(chosen, name), 1e-9, _MOST, whole=False)
        return chosen


@dataclass(frozen=True)
class _Drawn:
    """The blocks to train on."""

    features: NDArray[np.float32]
    """Either raw or scaled: (blocks, features)."""
    labels: NDArray[np.bool_]
    folds: NDArray[np.int64]
    """The fold of each block's page: (blocks,)."""

    def only(self, rows: NDArray[np.bool_]) -> _Drawn:
        """Return these blocks."""
        return _Drawn(self.features[rows], self.labels[rows], self.folds[rows])

    @property
    def both_classes(self) -> bool:
        """Whether there are blocks of both classes."""
        return bool(self.labels.any() and not self.labels.all())


def fit(
    train: Sequence[GoldBlocks],
    options: Mapping[str, Any],
    seed: int,
    say: Callable[[str], None],
) -> bytes:
    """Return the weights that the labeler reads; the same for the same seed.

    Raises ``ValueError`` for wrong options or if they leave nothing to learn from, and
    ``DatasetError`` if all blocks are of one class.
    """
    chosen = SvmOptions.of(options)
    need_both_classes(train)
    names = _names(train, chosen.published_names) if "tokens" in chosen.sets else ()
    read = _read(train, names, chosen, np.random.default_rng(seed))
    mean = read.features.mean(axis=0, dtype=np.float64).astype(np.float32)
    spread = read.features.std(axis=0, dtype=np.float64).astype(np.float32)
    deviation = np.maximum(spread, np.float32(LEAST_DEVIATION))
    drawn = replace(read, features=(read.features - mean) / deviation)
    slope, offset = platt(*_held_out(drawn, chosen))
    machine = _machine(drawn, chosen)
    say(
        f"{len(machine.support_)} support vectors of {len(drawn.labels)} blocks; names that mark "
        f"boilerplate: {', '.join(names) or 'none'}"
    )
    return Machine(
        support=machine.support_vectors_.astype(np.float32),
        dual=machine.dual_coef_[0].astype(np.float32),
        mean=mean,
        deviation=deviation,
        numbers=np.array([machine.intercept_[0], chosen.gamma, slope, offset]),
        names=names,
        sets=chosen.sets,
    ).to_bytes()


def platt(values: NDArray[np.float64], labels: NDArray[np.bool_]) -> tuple[float, float]:
    """Return (slope, offset) of the line from decision values to log-odds: Platt's sigmoid.

    It is a logistic regression on Platt's targets, (n + 1) / (n + 2) and 1 / (n + 2), which keep
    the slope finite if the values separate the classes.
    """
    kept, dropped = int(labels.sum()), int((~labels).sum())
    target = np.where(labels, (kept + 1) / (kept + 2), 1 / (dropped + 2))
    regression = LogisticRegression(C=1e9, solver="newton-cholesky")
    regression.fit(
        np.concatenate([values, values])[:, np.newaxis],
        np.repeat([True, False], len(values)),
        sample_weight=np.concatenate([target, 1 - target]),
    )
    return float(regression.coef_[0, 0]), float(regression.intercept_[0])


def _names(train: Sequence[GoldBlocks], as_published: bool) -> tuple[str, ...]:
    pages = ((domain(page.source), page.page, page.labels) for page in train)
    return tuple(word for word, _ in boilerplate_names(pages, NAME_FLAGS, as_published))


def _read(
    train: Sequence[GoldBlocks],
    names: tuple[str, ...],
    chosen: SvmOptions,
    rng: np.random.Generator,
) -> _Drawn:
    """Return the drawn blocks with their raw features."""
    columns = columns_of(chosen.sets)[: NUMBERS + len(names)]
    rows = _draw([len(page.labels) for page in train], chosen.blocks, rng)
    pages = list(zip(train, rows, strict=True))
    drawn = _Drawn(
        features=np.concatenate([features(page.page, names)[kept] for page, kept in pages]),
        labels=np.concatenate([page.labels[kept] for page, kept in pages]),
        folds=np.repeat(
            folds([page.source for page in train], PLATT_FOLDS), [len(kept) for kept in rows]
        ),
    )
    if not drawn.both_classes or not columns.any():
        raise ValueError(
            f"the labeler svm cannot learn from {len(drawn.labels)} blocks and {columns.sum()} "
            "features: draw more blocks or choose more feature sets"
        )
    return replace(drawn, features=drawn.features[:, columns])


def _draw(sizes: Sequence[int], blocks: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Return per page the ascending indices of the blocks to train on, as many of each as possible.

    At least one block is drawn from each page, and otherwise at most ``blocks`` in all.
    """
    low, high = 1, max(sizes)
    while low < high:  # find the largest number per page within the limit
        middle = (low + high + 1) // 2
        if np.minimum(sizes, middle).sum() <= blocks:
            low = middle
        else:
            high = middle - 1
    return [np.sort(rng.permutation(size)[:low]) for size in sizes]


def _held_out(drawn: _Drawn, chosen: SvmOptions) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return (decision values, labels) of blocks, by machines that did not see their sites.

    If there are too few sites to hold any out, the values are of blocks that were trained on.
    """
    values, labels = [], []
    for fold in range(PLATT_FOLDS):
        held_out, training = drawn.only(drawn.folds == fold), drawn.only(drawn.folds != fold)
        if len(held_out.labels) and training.both_classes:
            values.append(_machine(training, chosen).decision_function(held_out.features))
            labels.append(held_out.labels)
    if not values:
        return _machine(drawn, chosen).decision_function(drawn.features), drawn.labels
    return np.concatenate(values), np.concatenate(labels)


def _machine(drawn: _Drawn, chosen: SvmOptions) -> Any:
    weights = {False: 1.0, True: chosen.content_weight}
    machine = SVC(C=chosen.c, gamma=chosen.gamma, class_weight=weights, cache_size=400)
    return machine.fit(drawn.features, drawn.labels)
