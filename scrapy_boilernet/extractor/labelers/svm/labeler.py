"""The SVM labeler, after Yao and Zuo (2013): a support vector machine with an RBF kernel, in NumPy.

Its features are in :mod:`scrapy_boilernet.extractor.labelers.svm.yao_features`. Each block is
scored by itself; the page's threshold comes after, as with every labeler.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from scrapy_boilernet.extractor.labelers.base import Reason, weightiest
from scrapy_boilernet.extractor.labelers.classical import (
    ClassicalLabeler,
    ClassicalSpec,
    check_tensor,
)
from scrapy_boilernet.extractor.labelers.svm.yao_features import (
    NAME_FLAGS,
    NUMBER_NAMES,
    NUMBERS,
    VERSION,
    NamedBlocks,
    columns_of,
    from_numbers,
    numbers,
)
from scrapy_boilernet.extractor.page import Page

MOST_REASONS = 6
CHUNK_VALUES = 1 << 20
"""Kernel values in memory at once: 4 MB."""

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Machine:
    """A trained machine with its features and scales; bytes keep it without loss."""

    support: Array
    """Support vectors, scaled: (vectors, features)."""
    dual: Array
    """Per support vector its coefficient, above 0 for content: (vectors,)."""
    mean: Array
    """The mean of each feature over the training blocks: (features,)."""
    deviation: Array
    """The divisor of each feature after its mean was subtracted, above 0: (features,)."""
    numbers: NDArray[np.float64]
    """Intercept, gamma, and Platt's slope and offset: (4,)."""
    names: tuple[str, ...]
    """The words of class and id that are features, at most ten."""
    sets: tuple[str, ...]
    """The feature sets that are read."""

    def columns(self) -> NDArray[np.bool_]:
        """Return whether each column of the featurizer is read: (8 + names,)."""
        return columns_of(self.sets)[: NUMBERS + len(self.names)]

    def scaled(self, features: Array) -> Array:
        """Return the columns that are read, scaled: (blocks, features)."""
        return np.asarray((features[:, self.columns()] - self.mean) / self.deviation)

    def log_odds(self, scaled: Array) -> NDArray[np.float64]:
        """Return Platt's log-odds of content: (blocks,), float64."""
        sums = np.zeros(len(scaled), dtype=np.float32)
        for part in self._parts(len(scaled)):
            sums[part] = self._kernel(scaled[part]) @ self.dual
        return self._platt(sums)

    def without(self, scaled: Array, feature: int) -> NDArray[np.float64]:
        """Return the log-odds with one feature at its training mean in all blocks: (blocks,)."""
        changed = scaled.copy()
        changed[:, feature] = 0.0
        return self.log_odds(changed)

    def _kernel(self, scaled: Array) -> Array:
        gamma = np.float32(self.numbers[1])
        near = scaled @ self.support.T
        near *= 2 * gamma
        near -= gamma * np.square(scaled).sum(axis=1, keepdims=True)
        near -= gamma * np.square(self.support).sum(axis=1)
        np.minimum(near, 0.0, out=near)  # rounding can make a squared distance negative
        return np.asarray(np.exp(near, out=near))

    def _platt(self, sums: Array) -> NDArray[np.float64]:
        intercept, _, slope, offset = self.numbers
        return np.asarray(slope * (sums.astype(np.float64) + intercept) + offset)

    def _parts(self, blocks: int) -> Iterator[slice]:
        step = max(1, CHUNK_VALUES // len(self.support))
        return (slice(start, start + step) for start in range(0, blocks, step))

    def to_bytes(self) -> bytes:
        """Return the machine as safetensors; one tensor has the words and sets as JSON."""
        text = json.dumps({"names": self.names, "sets": self.sets}, ensure_ascii=False)
        tensors = {name: np.ascontiguousarray(getattr(self, name)) for name in _TENSORS}
        return save({**tensors, "document": np.frombuffer(text.encode(), dtype=np.uint8)})

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """Return the machine of :meth:`to_bytes`; raises ``ValueError`` if it is invalid."""
        try:
            tensors = load(payload)
            document = json.loads(tensors["document"].tobytes())
            names, sets = (tuple(map(str, document[key])) for key in ("names", "sets"))
            machine = cls(**{name: tensors[name] for name in _TENSORS}, names=names, sets=sets)
        except (SafetensorError, KeyError, TypeError) as error:
            raise ValueError(f"not the weights of a support vector machine: {error}") from error
        machine.check()
        return machine

    def check(self) -> None:
        """Raise ``ValueError`` unless shapes, types and values fit together."""
        if len(self.names) > NAME_FLAGS:
            raise ValueError(f"{len(self.names)} names, must be at most {NAME_FLAGS}")
        vectors, features = len(self.support), int(self.columns().sum())
        wanted = {
            "support": (vectors, features),
            "dual": (vectors,),
            "mean": (features,),
            "deviation": (features,),
            "numbers": (4,),
        }
        for name, shape in wanted.items():
            kind = np.float64 if name == "numbers" else np.float32
            check_tensor(name, getattr(self, name), kind, shape)
        if not vectors or not features or (self.deviation <= 0).any() or self.numbers[1] <= 0:
            raise ValueError("no support vector or feature, or a deviation or gamma not above 0")
        if not np.isfinite(self.log_odds(np.zeros((1, features), dtype=np.float32))).all():
            raise ValueError("weights that give no finite log-odds")


_TENSORS = tuple(each.name for each in fields(Machine) if each.name not in ("names", "sets"))


class SvmLabeler(ClassicalLabeler):
    """A labeler of one support vector machine."""

    labeler = "svm"
    featurizer: ClassVar[Mapping[str, Any]] = {"kind": "yao", "version": VERSION}
    units_read = "block"
    reason_unit = "change of the log-odds if the feature were as in the mean block"

    def __init__(self, spec: ClassicalSpec, payload: bytes) -> None:
        super().__init__(spec, payload)
        self.machine = Machine.from_bytes(payload)

    def logits(self, page: Page) -> NDArray[np.float64]:
        """Return the log-odds of content before calibration: (blocks,)."""
        return self.machine.log_odds(self._read(page)[0])

    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return the reasons for each block's label, the weightiest first, at most six.

        An RBF kernel has no weights per feature. So a feature's weight is the fall of the log-odds
        if it takes its mean over the training blocks (occlusion). Words of class and id have a
        weight only where the block has them.
        """
        if not page.blocks:
            return []
        scaled, raw, flags = self._read(page)
        whole = self.machine.log_odds(scaled)
        of_blocks: list[list[Reason]] = [[] for _ in page.blocks]
        for place, column in enumerate(np.flatnonzero(self.machine.columns()).tolist()):
            if column < NUMBERS:
                rows, name = np.arange(len(whole)), NUMBER_NAMES[column]
            else:
                rows = np.flatnonzero(flags[:, column - NUMBERS])
                name = f"class or id names “{self.machine.names[column - NUMBERS]}”"
            weights = whole[rows] - self.machine.without(scaled[rows], place)
            for row, weight in zip(rows.tolist(), weights.tolist(), strict=True):
                value = _readable(column, raw[row, column]) if column < NUMBERS else ""
                of_blocks[row].append(Reason(name, value, weight))
        return [weightiest(reasons, MOST_REASONS) for reasons in of_blocks]

    def _read(self, page: Page) -> tuple[Array, NDArray[np.float64], NDArray[np.bool_]]:
        """The scaled features, the numbers without logarithms, and the flags."""
        raw, flags = numbers(page), NamedBlocks.of(page).flags(self.machine.names)
        return self.machine.scaled(from_numbers(raw, flags)), raw, flags


def _readable(column: int, value: float) -> str:
    return f"{value:.0f}" if column == 0 else f"{value:.2f}"
