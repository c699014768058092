"""The CRF labeler, after Victor (Marek, Pecina and Spousta 2007), in NumPy.

A linear-chain conditional random field over a page's leaves labels each as the beginning of a
header, paragraph or list item, as a continuation of the segment before, or as boilerplate. crfsuite
trains it. The weights are stored as safetensors, since crfsuite does not check the models that it
reads.

The weight of a path of labels is the sum of its scores and of one transition per pair of adjacent
places. Its probability is proportional to the exponential of its weight (Lafferty, McCallum and
Pereira, *Conditional Random Fields*, ICML 2001). Forward-backward and Viterbi are as in Rabiner's
tutorial on hidden Markov models (Proceedings of the IEEE 77, 1989). They use logarithms, so that
nothing underflows.

``scores`` are float64 of shape (places, labels). ``transitions`` have shape (labels, labels), from
the label of a place to the label of the next. A score of -inf excludes a label; each place needs
a finite score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from scrapy_boilernet.extractor.labelers.crf.segments import LABELS, without_orphans
from scrapy_boilernet.extractor.labelers.crf.victor_features import (
    GROUPS,
    VERSION,
    victor_attributes,
)
from scrapy_boilernet.extractor.page import Page

Array = NDArray[np.float64]


def log_marginals(scores: Array, transitions: Array) -> Array:
    """Return the logarithm of each label's probability: (places, labels), -inf if excluded."""
    scores = _leveled(scores)
    steps = np.stack([transitions, transitions.T])  # forward and backward
    both = np.stack([scores, scores[::-1]], axis=1)
    reached = np.zeros_like(both)
    for i in range(1, len(both)):
        before = reached[i - 1] + both[i - 1]
        np.logaddexp.reduce(before[:, :, np.newaxis] + steps, axis=1, out=reached[i])
    masses = reached[:, 0] + scores + reached[::-1, 1]
    return np.asarray(masses - log_sum(masses)[:, np.newaxis])


def marginals(scores: Array, transitions: Array) -> Array:
    """Return the probability of each label: (places, labels), in [0, 1]; rows sum to 1."""
    return np.asarray(np.exp(log_marginals(scores, transitions)))


def best_path(scores: Array, transitions: Array) -> NDArray[np.int64]:
    """Return the labels of the most probable path, as columns of ``scores``: (places,)."""
    path = np.zeros(len(scores), dtype=np.int64)
    if not len(scores):
        return path
    scores, into = _leveled(scores), np.ascontiguousarray(transitions.T)
    previous = np.zeros(scores.shape, dtype=np.int64)
    reached = scores[0]
    for i in range(1, len(scores)):
        paths = into + reached
        previous[i] = paths.argmax(axis=1)
        reached = paths.max(axis=1) + scores[i]
    path[-1] = reached.argmax()
    for i in range(len(scores) - 1, 0, -1):
        path[i - 1] = previous[i, path[i]]
    return path


def log_sum(values: Array) -> Array:
    """Return the logarithm of the sum of the exponentials of each row: (rows,)."""
    return np.asarray(np.logaddexp.reduce(values, axis=1), dtype=np.float64)


def _leveled(scores: NDArray[Any]) -> Array:
    """The scores minus the highest of their place.

    This changes no probability, and keeps sums over many places small and so exact.
    """
    return np.asarray(scores - scores.max(axis=1, keepdims=True), dtype=np.float64)


MOST_REASONS = 6
MOST_LOG_ODDS = 30.0
"""Log-odds are clipped to this, positive or negative; p = 1 - 1e-13."""
_OTHER = len(LABELS) - 1
"""The place of boilerplate in :data:`LABELS`; the labels before it are content."""


@dataclass(frozen=True)
class Field:
    """A trained field; bytes keep it without loss."""

    state: NDArray[np.float32]
    """The weight of each attribute for each of :data:`LABELS`: (attributes, 5)."""
    transitions: NDArray[np.float32]
    """The weight of a label (row) before another (column): (5, 5)."""
    known: NDArray[np.uint8]
    """1 for each label that occurs in the training pages; others are never predicted: (5,)."""
    attributes: tuple[str, ...]
    """The names of the rows of ``state``."""

    def to_bytes(self) -> bytes:
        """Return the field as safetensors; one tensor has the names as lines of UTF-8."""
        text = "\n".join(self.attributes).encode()
        tensors = {name: np.ascontiguousarray(getattr(self, name)) for name in _SHAPES}
        return save({**tensors, "attributes": np.frombuffer(text, dtype=np.uint8)})

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """Return the field that :meth:`to_bytes` wrote; raises ``ValueError`` if it is invalid."""
        try:
            tensors = load(payload)
            names = tensors.pop("attributes")
            attributes = tuple(names.tobytes().decode().split("\n"))
        except (SafetensorError, KeyError, TypeError, UnicodeDecodeError) as error:
            raise ValueError(f"not the weights of a conditional random field: {error}") from error
        if tensors.keys() != _SHAPES.keys():
            raise ValueError(
                f"tensors {', '.join(sorted(tensors)) or 'none'} beside attributes: must be "
                f"{', '.join(sorted(_SHAPES))}"
            )
        check_tensor("attributes", names, np.uint8, (names.size,))
        field = cls(**tensors, attributes=attributes)
        field.check()
        return field

    def check(self) -> None:
        """Raise ``ValueError`` unless shapes, types and values fit together."""
        for name, (kind, *shape) in _SHAPES.items():
            rows = shape or [len(self.attributes), len(LABELS)]
            check_tensor(name, getattr(self, name), kind, tuple(rows))
        if len(set(self.attributes)) < len(self.attributes) or "" in self.attributes:
            raise ValueError("tensor attributes: a name is there twice, or is empty")
        if (self.known > 1).any() or not self.known[_OTHER] or not self.known[:_OTHER].any():
            raise ValueError(
                f"tensor known: {self.known.tolist()}, must be 0 or 1 for each of "
                f"{', '.join(LABELS)}, and 1 for the last and another"
            )


_SHAPES: Mapping[str, tuple[Any, ...]] = {
    "state": (np.float32,),
    "transitions": (np.float32, len(LABELS), len(LABELS)),
    "known": (np.uint8, len(LABELS)),
}
"""Type and shape of each tensor except the names; the shape of ``state`` follows from the names."""


class CrfLabeler(ClassicalLabeler):
    """A labeler of one conditional random field; threads may share it."""

    labeler = "crf"
    featurizer: ClassVar[Mapping[str, Any]] = {"kind": "victor", "version": VERSION}
    units_read = "leaf"
    reason_unit = "the field's weight for content less that for other, in log-odds"

    def __init__(self, spec: ClassicalSpec, payload: bytes) -> None:
        super().__init__(spec, payload)
        self.groups = groups_of(spec.options)
        field = Field.from_bytes(payload)
        self._rows = {name: row for row, name in enumerate(field.attributes)}
        none = np.zeros((1, len(LABELS)), dtype=np.float32)
        self._weights = np.concatenate([field.state, none]).astype(np.float64)
        self._transitions = field.transitions.astype(np.float64)
        self._unknown = field.known == 0

    def logits(self, page: Page) -> Array:
        """Return the log-odds of content, which has P = 1 - P(other): (blocks,), in [-30, 30]."""
        log_odds = _log_odds(log_marginals(self._scores(self._read(page)), self._transitions))
        return np.clip(log_odds, -MOST_LOG_ODDS, MOST_LOG_ODDS)

    def marginals(self, page: Page) -> Array:
        """Return per block the probability of each of the five labels: (blocks, 5), in [0, 1]."""
        return marginals(self._scores(self._read(page)), self._transitions)

    def segment_labels(self, page: Page) -> tuple[str, ...]:
        """Return per block its label in the most probable sequence of labels (Viterbi)."""
        path = best_path(self._scores(self._read(page)), self._transitions)
        return without_orphans([LABELS[label] for label in path.tolist()])

    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return the reasons for each block's label, the weightiest first, at most six.

        An attribute's weight is the mean of its weights for the content labels, each weighted by
        that label's probability, minus its weight for boilerplate. ``neighbouring labels`` is the
        rest of the log-odds: the difference that the labels of the other blocks make.
        """
        attributes = self._read(page)
        scores = self._scores(attributes)
        logs = log_marginals(scores, self._transitions)
        likely = np.exp(logs[:, :_OTHER] - log_sum(logs[:, :_OTHER])[:, np.newaxis])
        level = np.log((~self._unknown[:_OTHER]).sum())
        around = _log_odds(logs) - (_log_odds(scores) - level)
        of_blocks = []
        for names, shares, rest in zip(attributes, likely, around.tolist(), strict=True):
            known = [name for name in names if name in self._rows]
            weights = self._weights[[self._rows[name] for name in known]]
            content = weights[:, :_OTHER] @ shares - weights[:, _OTHER]
            reasons = [_reason(name, w) for name, w in zip(known, content.tolist(), strict=True)]
            reasons.append(Reason("neighbouring labels", "", rest))
            of_blocks.append(weightiest(reasons, MOST_REASONS))
        return of_blocks

    def _read(self, page: Page) -> list[list[str]]:
        return victor_attributes(page, self.groups)

    def _scores(self, attributes: Sequence[Sequence[str]]) -> Array:
        """Per block the sum of its attributes' weights for each label: (blocks, 5)."""
        if not attributes:
            return np.zeros((0, len(LABELS)))
        row_of, none = self._rows.get, len(self._rows)
        rows: list[int] = []
        starts: list[int] = []
        for names in attributes:
            starts.append(len(rows))
            rows.append(none)  # so that each block has a row to sum
            rows += [row_of(name, none) for name in names]
        scores = np.add.reduceat(self._weights[rows], starts, axis=0)
        scores[:, self._unknown] = -np.inf
        return np.asarray(scores)


def groups_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the option ``groups`` in the order of :data:`GROUPS`, all by default.

    Raises ``ValueError`` for anything else than a list of some of them.
    """
    groups = options.get("groups", GROUPS)
    if not isinstance(groups, list | tuple) or not groups or any(g not in GROUPS for g in groups):
        raise ValueError(f"groups {groups!r}: must be a list of some of {', '.join(GROUPS)}")
    return tuple(group for group in GROUPS if group in groups)


def _log_odds(logs: Array) -> Array:
    """The log-odds of content, given the log masses of the labels: (blocks,)."""
    return log_sum(logs[:, :_OTHER]) - logs[:, _OTHER]


def _reason(attribute: str, weight: float) -> Reason:
    name, _, value = attribute.partition(":")[2].partition("=")
    return Reason(name, value, weight)
