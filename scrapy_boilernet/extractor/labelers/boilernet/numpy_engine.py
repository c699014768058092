"""The engine for NumPy, for machines where torch is too large.

It is slower per page than the others, but needs only what the package itself requires.
"""

from __future__ import annotations

from pathlib import Path
from typing import Self

import numpy as np

from scrapy_boilernet.extractor.features.hashed import Features
from scrapy_boilernet.extractor.labelers.boilernet.scoring import Array, Encoder, ModelLabeler
from scrapy_boilernet.extractor.labelers.model_folder import Tensors, load_model
from scrapy_boilernet.extractor.labelers.spec import ModelSpec


class NumpyLabeler(ModelLabeler):
    """A BoilerNet model run by NumPy."""

    def __init__(self, spec: ModelSpec, tensors: Tensors) -> None:
        super().__init__(spec)
        self._tensors = tensors
        self._encoder = Encoder(spec.architecture, tensors)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Return the labeler of the model in ``folder``; raises ``ModelError`` if it is broken."""
        return cls(*load_model(folder))

    def _score(self, features: Features) -> Array:
        states = self._dense(self._encoder.encode(features))  # (blocks, dense)
        for layer in self.spec.architecture.lstm_layers():
            forward = self._direction(states, layer.forwards)
            backward = self._direction(states[::-1], layer.backwards)[::-1]
            states = np.concatenate([forward, backward], axis=1)  # (blocks, 2 hidden)
        logits = states @ self._tensors["out.weight"][0] + self._tensors["out.bias"][0]
        return np.asarray(_sigmoid(logits), dtype=np.float32)

    def _dense(self, x: Array) -> Array:
        if self.spec.architecture.dense:
            x = x @ self._tensors["dense.weight"].T
        return np.asarray(np.maximum(x + self._tensors["dense.bias"], 0), dtype=np.float32)

    def _direction(self, x: Array, lstm: str) -> Array:
        """Return the states of one LSTM over ``x``, first step to last: (blocks, hidden)."""
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


def _sigmoid(x: Array) -> Array:
    y: Array = 0.5 * (np.tanh(0.5 * x) + 1)
    return y
