"""The NumPy engine: the same weights without torch, for machines where torch is too much.

Slower per page than torch, but quicker to import and much lighter in memory.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.features import Bag, Features
from scrapy_boilernet.labelers.model_folder import Tensors
from scrapy_boilernet.labelers.scoring import featurizer_of, page_confidence
from scrapy_boilernet.labelers.spec import ModelSpec
from scrapy_boilernet.page import Page, Units

Array = NDArray[np.float32]


class NumpyLabeler:
    """A BoilerNet model run by NumPy, a page at a time."""

    def __init__(self, spec: ModelSpec, tensors: Tensors) -> None:
        self.spec = spec
        self.name = spec.name
        self.units: Units = spec.units
        self.threshold = spec.threshold
        self._featurize = featurizer_of(spec)
        self._tensors = tensors

    def probabilities(self, pages: Sequence[Page]) -> list[Array]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1]."""
        return [self._score(page) for page in pages]

    def confidence(self, page: Page, probabilities: Array, threshold: float) -> float:
        """Return the expected word-F1 of the page's main text, in [0, 1]."""
        return page_confidence(self.spec, page, probabilities, threshold)

    def _score(self, page: Page) -> Array:
        if not page.blocks:
            return np.zeros(0, dtype=np.float32)
        states = self._encode(self._featurize(page))  # (blocks, dense)
        for layer in range(self.spec.architecture.layers):
            forward = self._direction(states, f"bilstm.{layer}.forwards")
            backward = self._direction(states[::-1], f"bilstm.{layer}.backwards")[::-1]
            states = np.concatenate([forward, backward], axis=1)  # (blocks, 2 hidden)
        logits = states @ self._tensors["out.weight"][0] + self._tensors["out.bias"][0]
        return np.asarray(_sigmoid(logits), dtype=np.float32)

    def _encode(self, features: Features) -> Array:
        architecture = self.spec.architecture
        columns = [
            _bag(self._tensors[f"bags.{name}.weight"], features.bags[name], architecture.bag_mode)
            for name in architecture.bags
        ]
        x = np.concatenate([*columns, features.numbers], axis=1)
        if architecture.dense:
            x = x @ self._tensors["dense.weight"].T
        encoded: Array = np.maximum(x + self._tensors["dense.bias"], 0)
        return encoded

    def _direction(self, x: Array, lstm: str) -> Array:
        """One LSTM over the steps of ``x``, first to last: (blocks, hidden)."""
        weights = self._tensors
        hidden = self.spec.architecture.hidden
        bias = weights[f"{lstm}.bias_ih_l0"] + weights[f"{lstm}.bias_hh_l0"]
        inputs = x @ weights[f"{lstm}.weight_ih_l0"].T + bias  # (blocks, 4 hidden)
        recurrent = np.ascontiguousarray(weights[f"{lstm}.weight_hh_l0"].T)
        state = np.zeros(hidden, dtype=np.float32)
        cell = np.zeros(hidden, dtype=np.float32)
        states = np.empty((len(x), hidden), dtype=np.float32)
        for step, row in enumerate(inputs):
            gates = row + state @ recurrent
            squashed = _sigmoid(gates)  # input, forget, -, output
            candidate = np.tanh(gates[2 * hidden : 3 * hidden])
            cell = squashed[hidden : 2 * hidden] * cell + squashed[:hidden] * candidate
            state = squashed[3 * hidden :] * np.tanh(cell)
            states[step] = state
        return states


def _bag(table: Array, bag: Bag, mode: str) -> Array:
    """Sum or mean of the rows of each block's ids; zeros for a block without ids."""
    counts = np.diff(bag.offsets)
    out = np.zeros((len(counts), table.shape[1]), dtype=np.float32)
    filled = counts > 0
    if filled.any():
        out[filled] = np.add.reduceat(table[bag.ids], bag.offsets[:-1][filled], axis=0)
    if mode == "mean":
        out /= np.maximum(counts, 1)[:, None].astype(np.float32)
    return out


def _sigmoid(x: Array) -> Array:
    y: Array = 0.5 * (np.tanh(0.5 * x) + 1)
    return y
