"""The base class of the classical labelers, and their models on disk.

A model is a small spec, ``model.json``, and one file of weights, ``model.safetensors``. Neither is
a pickle.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.threshold import DECISIONS, Decider, Decision
from scrapy_boilernet.extractor.labelers.base import ModelError, Reason
from scrapy_boilernet.extractor.labelers.model_folder import (
    SPEC_FILE,
    WEIGHTS_FILE,
    check_featurizer,
    read_document,
    read_weights,
    shown,
)
from scrapy_boilernet.extractor.labelers.spec import check_confidence, check_name
from scrapy_boilernet.extractor.options import Units
from scrapy_boilernet.extractor.page import Page

_GARBLED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""The exceptions that malformed values may raise when they are read."""


@dataclass(frozen=True)
class ClassicalSpec:
    """Everything about a classical model except its weights: the content of ``model.json``."""

    labeler: str
    """``"crf"``, ``"svm"``, ``"gbdt"`` or ``"grf"``."""
    name: str
    featurizer: Mapping[str, Any]
    """The labeler class's: its kind, its version, and as ``"numbers"`` the version of the block
    numbers, if it reads them."""
    units: Units
    threshold: float
    """In [0, 1]: the threshold of the decision ``"fixed"``, the floor of ``"expected-f"``."""
    decision: Decision = "fixed"
    temperature: float = 1.0
    bias: float = 0.0
    """Calibration: p = sigmoid(logit / temperature + bias)."""
    confidence: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 1.0))
    """See :class:`scrapy_boilernet.extractor.labelers.spec.ModelSpec`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The recipe's choices that labeling depends on, such as which features are read."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """The record of the training, for the model card."""


class ClassicalLabeler(Decider, ABC):
    """A labeler of one classical model."""

    labeler: ClassVar[str]
    featurizer: ClassVar[Mapping[str, Any]]
    units_read: ClassVar[Units]
    format_version: ClassVar[int] = 1
    """The format of the weights. Increase it when older weights can no longer be read."""

    def __init__(self, spec: ClassicalSpec, payload: bytes) -> None:  # noqa: ARG002
        """Read the weights; raises ``ValueError`` or a similar error if ``payload`` is invalid."""
        super().__init__(spec.name, spec.units, spec.threshold, spec.decision, spec.confidence)
        self.spec = spec

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Return the labeler of the model in ``folder``; raises ``ModelError`` if it is broken."""
        spec, payload = load_classical(folder, cls)
        try:
            return cls(spec, payload)
        except _GARBLED as error:
            raise ModelError(
                f"{WEIGHTS_FILE} in {folder} is not a model of the labeler {cls.labeler!r}: "
                f"{shown(error)}; train or copy the model again"
            ) from error

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1]."""
        return [self._calibrated(page) for page in pages]

    def _calibrated(self, page: Page) -> NDArray[np.float32]:
        if not page.blocks:
            return np.zeros(0, dtype=np.float32)
        scaled = self.logits(page) / self.spec.temperature + self.spec.bias
        return np.asarray(1 / (1 + np.exp(-np.clip(scaled, -30, 30))), dtype=np.float32)

    @abstractmethod
    def logits(self, page: Page) -> NDArray[np.float64]:
        """Return the log-odds of content before calibration, of a page with blocks: (blocks,)."""

    @abstractmethod
    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return the reasons for each block's label, the weightiest first."""


def check_tensor(name: str, tensor: NDArray[Any], kind: Any, shape: tuple[int, ...]) -> None:
    """Raise ``ValueError`` unless a tensor of the weights has this type and shape and is finite."""
    if tensor.dtype != kind or tensor.shape != shape or not np.isfinite(tensor).all():
        raise ValueError(
            f"tensor {name}: {tensor.dtype} of shape {tensor.shape}, must be finite "
            f"{np.dtype(kind)} of shape {shape}"
        )


def save_classical(
    folder: Path, spec: ClassicalSpec, payload: bytes, labeler: type[ClassicalLabeler]
) -> None:
    """Write the model's two files into ``folder``, replacing existing ones."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS_FILE).write_bytes(payload)
    document = {
        "format_version": labeler.format_version,
        "weights_sha256": hashlib.sha256(payload).hexdigest(),
        **asdict(spec),
    }
    text = json.dumps(document, indent=1, ensure_ascii=False)
    (folder / SPEC_FILE).write_text(text + "\n", encoding="utf-8")


def load_classical(folder: Path, labeler: type[ClassicalLabeler]) -> tuple[ClassicalSpec, bytes]:
    """Return the model's spec and payload.

    Raises ``ModelError``, naming the folder, if a file is missing or broken, the payload does not
    belong to the spec, or the version of the format, the featurizer or the block numbers differs
    from this package's.
    """
    document = read_document(folder, labeler.format_version)
    payload = read_weights(folder, document)
    return _spec(folder, document, labeler), payload


def _spec(
    folder: Path, document: Mapping[str, Any], labeler: type[ClassicalLabeler]
) -> ClassicalSpec:
    try:
        check_featurizer(folder, document["featurizer"], [labeler.featurizer])
        values = {name: document[name] for name in ClassicalSpec.__dataclass_fields__}
        values["confidence"] = tuple((float(x), float(y)) for x, y in values["confidence"])
        spec = ClassicalSpec(**values)
        _check(spec, labeler)
    except _GARBLED as error:
        raise ModelError(
            f"{SPEC_FILE} in {folder} lacks a value or has a wrong one: {shown(error)}; train or "
            "copy the model again"
        ) from error
    return spec


def _check(spec: ClassicalSpec, labeler: type[ClassicalLabeler]) -> None:
    """Raise ``ValueError`` or a similar error for values that would fail when a page is scored."""
    if spec.labeler != labeler.labeler:
        raise ValueError(f"labeler {spec.labeler!r}, which must be {labeler.labeler!r}")
    check_name(spec.name)
    if isinstance(spec.threshold, bool) or not 0 <= spec.threshold <= 1:
        raise ValueError(f"threshold {spec.threshold!r}, which is outside [0, 1]")
    if not 0.01 <= spec.temperature <= 100 or not abs(spec.bias) <= 100:
        raise ValueError(f"temperature {spec.temperature!r} or bias {spec.bias!r}")
    if spec.decision not in DECISIONS:
        raise ValueError(f"decision {spec.decision!r}, which must be one of {', '.join(DECISIONS)}")
    if spec.units != labeler.units_read:
        raise ValueError(f"units {spec.units!r}, which must be {labeler.units_read!r}")
    check_confidence(spec.confidence)
    if not isinstance(spec.options, dict):
        raise TypeError("options, which is not a mapping")
