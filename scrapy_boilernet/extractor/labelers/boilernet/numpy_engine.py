"""The engine that needs only what the package itself requires: compiled loops, or NumPy.

Where they are compiled, it is the quickest engine (``docs/results/speed/extraction.md``), and
loads neither torch nor ONNX Runtime. NumPy alone is the slowest.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from scrapy_boilernet.extractor.features.hashed import Features
from scrapy_boilernet.extractor.labelers.boilernet.scoring import Array, Encoder, ModelLabeler
from scrapy_boilernet.extractor.labelers.model_folder import Tensors, load_model
from scrapy_boilernet.extractor.labelers.spec import ModelSpec


def _multiply(x: Array, weights: Array, bias: Array, out: Array) -> None:
    """Write ``x @ weights + bias`` into ``out``."""
    np.matmul(x, weights, out=out)
    out += bias


def _run_lstm(
    x: Array, weights: Array, bias: Array, recurrent: Array, out: Array, is_backward: bool
) -> None:
    """Write the states of an LSTM over the rows of ``x`` into the first or, if it runs backward,
    the second half of the columns of ``out``.
    """
    inputs = x @ weights + bias  # (blocks, 4 hidden)
    hidden = len(recurrent)
    state = np.zeros(hidden, dtype=np.float32)
    cell = np.zeros(hidden, dtype=np.float32)
    steps = range(len(x) - 1, -1, -1) if is_backward else range(len(x))
    states = out[:, hidden:] if is_backward else out[:, :hidden]
    for step in steps:
        gates = inputs[step] + state @ recurrent
        squashed = _sigmoid(gates)  # input, forget, -, output
        candidate = np.tanh(gates[2 * hidden : 3 * hidden])
        cell = squashed[hidden : 2 * hidden] * cell + squashed[:hidden] * candidate
        state = squashed[3 * hidden :] * np.tanh(cell)
        states[step] = state


try:
    from scrapy_boilernet.extractor.labelers.boilernet.compiled_network import multiply, run_lstm

    IS_COMPILED = True
except ImportError:
    multiply, run_lstm, IS_COMPILED = _multiply, _run_lstm, False


class _Direction(NamedTuple):
    weights: Array
    bias: Array
    recurrent: Array


class NumpyLabeler(ModelLabeler):
    """A BoilerNet model run by compiled code or NumPy."""

    def __init__(self, spec: ModelSpec, tensors: Tensors) -> None:
        super().__init__(spec)
        shape = spec.architecture
        self._encoder = Encoder(shape, tensors)
        self._dense = _turned(tensors["dense.weight"]) if shape.dense else None
        self._dense_bias = tensors["dense.bias"]
        self._layers = [
            [_direction(tensors, name) for name in (layer.forwards, layer.backwards)]
            for layer in shape.lstm_layers()
        ]
        self._out, self._out_bias = tensors["out.weight"], tensors["out.bias"]

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Return the labeler of the model in ``folder``; raises ``ModelError`` if it is broken."""
        return cls(*load_model(folder))

    def _score(self, features: Features) -> Array:
        states = self._encoder.encode(features)
        if self._dense is None:
            states = states + self._dense_bias
        else:
            states = _product(states, self._dense, self._dense_bias)
        states = np.maximum(states, 0)  # (blocks, dense)
        for layer in self._layers:
            joined = np.empty((len(states), 2 * len(layer[0].recurrent)), dtype=np.float32)
            for direction, is_backward in zip(layer, (False, True), strict=True):
                run_lstm(states, *direction, joined, is_backward)
            states = joined  # (blocks, 2 hidden)
        # A sum of each row alone, which does not depend on the others as in a product of matrices.
        return _sigmoid((states * self._out).sum(axis=1) + self._out_bias)


def _direction(tensors: Tensors, lstm: str) -> _Direction:
    bias = tensors[f"{lstm}.bias_ih_l0"] + tensors[f"{lstm}.bias_hh_l0"]
    weights, recurrent = (_turned(tensors[f"{lstm}.weight_{of}_l0"]) for of in ("ih", "hh"))
    return _Direction(weights, bias, recurrent)


def _turned(weights: Array) -> Array:
    return np.ascontiguousarray(weights.T)


def _product(x: Array, weights: Array, bias: Array) -> Array:
    out = np.empty((len(x), weights.shape[1]), dtype=np.float32)
    multiply(x, weights, bias, out)
    return out


def _sigmoid(x: Array) -> Array:
    y: Array = 0.5 * (np.tanh(0.5 * x) + 1)
    return y
