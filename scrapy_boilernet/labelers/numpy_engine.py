"""The NumPy engine: the same weights without torch, for machines where torch is too much.

Slower per page than torch, but quicker to import and much lighter in memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.features import Bag, Features
from scrapy_boilernet.labelers.model_folder import Tensors
from scrapy_boilernet.labelers.scoring import ModelLabeler
from scrapy_boilernet.labelers.spec import ModelSpec

Array = NDArray[np.float32]


class NumpyLabeler(ModelLabeler):
    """A BoilerNet model run by NumPy."""

    def __init__(self, spec: ModelSpec, tensors: Tensors) -> None:
        super().__init__(spec)
        self._tensors = tensors

    def _score(self, features: Features) -> Array:
        states = self._encode(features)  # (blocks, dense)
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
        if architecture.page_bag:
            offsets = np.array([0, len(features.page)], dtype=np.int64)
            table = self._tensors["page_bag.weight"]
            row = _bag(table, Bag(features.page, offsets), architecture.bag_mode)
            columns.append(np.repeat(row, len(features.numbers), axis=0))
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
