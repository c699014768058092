"""The CRF labeler, after Victor (Marek, Pecina and Spousta 2007): the one door to crfsuite.

A linear-chain conditional random field over a page's leaves labels each as the begin of a header,
paragraph or list item, a continuation of the segment before, or boilerplate.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cached_property
from threading import Lock
from typing import Any, ClassVar

import numpy as np
import pycrfsuite
from numpy.typing import NDArray

from scrapy_boilernet.classical.segments import LABELS, OTHER, without_orphans
from scrapy_boilernet.classical.victor_features import (
    GROUPS,
    VERSION,
    check_groups,
    victor_attributes,
)
from scrapy_boilernet.labelers.classical import ClassicalLabeler, ClassicalSpec, log_odds
from scrapy_boilernet.labelers.reasons import Reason, weightiest
from scrapy_boilernet.page import Page

MOST_REASONS = 6
_HEADER = struct.Struct("<4sI4s9I")
"""crfsuite's file: magic, size, kind, version, three counts, and five offsets."""


class CrfLabeler(ClassicalLabeler):
    """A labeler of one conditional random field; its scoring holds a lock, so threads may share."""

    labeler = "crf"
    featurizer: ClassVar[Mapping[str, Any]] = {"kind": "victor", "version": VERSION}
    units_read = "leaf"
    payload_file = "model.crfsuite"

    def __init__(self, spec: ClassicalSpec, payload: bytes) -> None:
        super().__init__(spec, payload)
        self.groups = check_groups(spec.options.get("groups", GROUPS))
        _check(payload)
        self._lock = Lock()
        self._payload = payload  # the tagger reads it where it lies
        self._tagger = pycrfsuite.Tagger()
        self._tagger.open_inmemory(self._payload)
        known = self._tagger.labels()
        if OTHER not in known or not set(known) <= set(LABELS):
            raise ValueError(f"a model of the labels {known!r}, must be of {LABELS}")

    def logits(self, page: Page) -> NDArray[np.float64]:
        """Return the log-odds of content, of 1 - P(other): (blocks,)."""
        return log_odds(self.marginals(page)[:, :-1].sum(axis=1))

    def marginals(self, page: Page) -> NDArray[np.float64]:
        """Return per block the probability of each of the five labels: (blocks, 5), in [0, 1]."""
        known = self._tagger.labels()
        found = np.zeros((len(page.blocks), len(LABELS)))
        if not page.blocks:
            return found
        attributes = pycrfsuite.ItemSequence(victor_attributes(page, self.groups))
        with self._lock:
            self._tagger.set(attributes)
            for label in known:
                place = LABELS.index(label)
                for i in range(len(found)):
                    found[i, place] = self._tagger.marginal(label, i)
        return found

    def segment_labels(self, page: Page) -> tuple[str, ...]:
        """Return per block its label in the likeliest sequence of labels (Viterbi)."""
        if not page.blocks:
            return ()
        attributes = pycrfsuite.ItemSequence(victor_attributes(page, self.groups))
        with self._lock:
            return without_orphans(self._tagger.tag(attributes))

    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return per block what weighed in its label, the weightiest first, at most six.

        An attribute weighs as much as its weights for the content labels, each by how likely that
        label is, less its weight for boilerplate; ``neighbouring labels`` is the rest of the
        log-odds: what the labels of the blocks around add to those of the block by itself.
        """
        logits, marginals = self.logits(page), self.marginals(page)[:, :-1] if page.blocks else ()
        found = []
        for attributes, logit, shares in zip(
            victor_attributes(page, self.groups), logits, marginals, strict=True
        ):
            known = [name for name in attributes if name in self._weights]
            weights = np.array([self._weights[name] for name in known]).reshape(-1, len(LABELS))
            likely = shares / shares.sum() if shares.sum() else np.full(4, 0.25)
            speaks = weights[:, :-1] @ likely - weights[:, -1]
            reasons = [_reason(name, float(w)) for name, w in zip(known, speaks, strict=True)]
            alone = weights.sum(axis=0)
            own = np.logaddexp.reduce(alone[:-1]) - np.log(len(LABELS) - 1) - alone[-1]
            reasons.append(Reason("neighbouring labels", "", float(logit - own)))
            found.append(weightiest(reasons, MOST_REASONS))
        return found

    @cached_property
    def _weights(self) -> dict[str, NDArray[np.float64]]:
        """Per attribute its weight for each label."""
        with self._lock:
            states = self._tagger.info().state_features
        found: dict[str, NDArray[np.float64]] = {}
        for (name, label), weight in states.items():
            found.setdefault(name, np.zeros(len(LABELS)))[LABELS.index(label)] = weight
        return found


def _reason(attribute: str, weight: float) -> Reason:
    name, _, value = attribute.partition(":")[2].partition("=")
    return Reason(name, value, weight)


def _check(payload: bytes) -> None:
    """Raise ``ValueError`` unless the payload is a whole crfsuite file: its reader trusts it."""
    if len(payload) < _HEADER.size:
        raise ValueError(f"{len(payload)} bytes are no crfsuite model")
    magic, size, kind, *numbers = _HEADER.unpack_from(payload)
    if magic != b"lCRF" or kind != b"FOMC" or size != len(payload):
        raise ValueError("not a crfsuite model, or not the whole of one")
    if any(offset >= size for offset in numbers[-5:]):
        raise ValueError("a crfsuite model whose parts lie outside of it")
