"""Writes the network of a model, without its embeddings, as an ONNX graph; torch is not needed.

Inputs: ``inputs``, float32 of shape (steps, pages, width), the padded results of
:class:`scrapy_boilernet.extractor.labelers.boilernet.scoring.Encoder`; ``lengths``, int32 of shape
(pages,). Output: ``probabilities``, float32 of shape (steps, pages).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, checker, helper, numpy_helper

from scrapy_boilernet.extractor.labelers.base import ModelError
from scrapy_boilernet.extractor.labelers.boilernet.onnx_graph import INPUTS, OUTPUT, Precision
from scrapy_boilernet.extractor.labelers.model_folder import Tensors, load_model, weights_digest
from scrapy_boilernet.extractor.labelers.spec import GRAPH_VERSION, LstmLayer

_OPSET, _IR_VERSION = 17, 8
_LARGEST_INT8_WEIGHT = 63
"""7 of the 8 bits. The sum of two products of a weight and an input then fits into the 16 bits in
which processors without VNNI add them; they would cut off a larger sum."""
_GATES = [0, 3, 1, 2]  # torch: input, forget, cell, output; ONNX: input, output, forget, cell


def export_graph(folder: Path, precision: Precision = "float32") -> bytes:
    """Return the bytes of ``model.onnx`` for the model in ``folder``, the same in every call.

    ``"int8"`` rounds the LSTMs' weights to 8 bits. Raises ``ModelError`` if the model is broken, or
    if a graph cannot express its architecture.
    """
    spec, tensors = load_model(folder)
    architecture = spec.architecture
    if architecture.layers < 1:
        raise ModelError(
            f"the model in {folder} has {architecture.layers} LSTM layers: only a network with one "
            "or more can be exported; use the engine 'numpy' or 'torch'"
        )
    graph = _Graph()
    x = graph.dense(INPUTS[0], tensors)
    for layer in architecture.lstm_layers():
        x = graph.bilstm(x, tensors, layer, architecture.hidden, precision)
    graph.logistic(x, tensors)
    facts = {
        "weights_sha256": weights_digest(folder),
        "precision": precision,
        "graph_version": str(GRAPH_VERSION),
    }
    return graph.finish(architecture.input_width, facts)


class _Graph:
    """Builds a graph; its methods return the name of the output that they add."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def node(self, operator: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        name = output or f"{operator}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def constant(self, array: NDArray[Any]) -> str:
        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def weights(self, array: NDArray[np.float32]) -> str:
        """Add weights, stored as float16 unless that would change them."""
        with np.errstate(over="ignore"):
            half = array.astype(np.float16)
        if not np.array_equal(half, array):
            return self.constant(array)
        return self.node("Cast", self.constant(half), to=TensorProto.FLOAT)

    def dense(self, x: str, tensors: Tensors) -> str:
        if "dense.weight" in tensors:
            x = self.node("MatMul", x, self.weights(tensors["dense.weight"].T))
        return self.node("Relu", self.node("Add", x, self.weights(tensors["dense.bias"])))

    def bilstm(
        self, x: str, tensors: Tensors, layer: LstmLayer, hidden: int, precision: Precision
    ) -> str:
        lstms = (layer.forwards, layer.backwards)
        inputs, recurrent, *biases = (
            np.stack([_in_onnx_order(tensors[f"{lstm}.{part}_l0"]) for lstm in lstms])
            for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        bias = self.weights(np.concatenate(biases, axis=1))
        attributes: dict[str, Any] = {"direction": "bidirectional", "hidden_size": hidden}
        if precision == "int8":
            (w, *w_scale), (r, *r_scale) = self.rounded(inputs), self.rounded(recurrent)
            scales = ("", "", "", *w_scale, *r_scale)  # no initial state, cell or peepholes
            y = self.node(
                "DynamicQuantizeLSTM", x, w, r, bias, INPUTS[1], *scales,
                domain="com.microsoft", **attributes,
            )  # fmt: skip
        else:
            y = self.node(
                "LSTM", x, self.weights(inputs), self.weights(recurrent), bias, INPUTS[1],
                **attributes,
            )  # fmt: skip
        y = self.node("Transpose", y, perm=[0, 2, 1, 3])  # (steps, pages, 2, hidden)
        return self.node("Reshape", y, self.constant(np.array([0, 0, -1])))

    def rounded(self, weights: NDArray[np.float32]) -> tuple[str, str, str]:
        """Add weights (2, gates, n) as int8 (2, n, gates), and a scale and a zero per gate.

        Returns the names of all three.
        """
        largest = np.abs(weights).max(axis=2)
        scale = (np.where(largest > 0, largest, 1) / _LARGEST_INT8_WEIGHT).astype(np.float32)
        whole = np.rint(weights / scale[:, :, None]).astype(np.int8)
        zero = np.zeros(scale.shape, dtype=np.int8)
        return (
            self.constant(whole.transpose(0, 2, 1)), self.constant(scale), self.constant(zero),
        )  # fmt: skip

    def logistic(self, x: str, tensors: Tensors) -> None:
        x = self.node("MatMul", x, self.weights(tensors["out.weight"].T))
        x = self.node("Sigmoid", self.node("Add", x, self.weights(tensors["out.bias"])))
        self.node("Squeeze", x, self.constant(np.array([2])), output=OUTPUT)

    def finish(self, width: int, facts: dict[str, str]) -> bytes:
        numbers = TensorProto.FLOAT
        inputs = [
            helper.make_tensor_value_info(INPUTS[0], numbers, ["steps", "pages", width]),
            helper.make_tensor_value_info(INPUTS[1], TensorProto.INT32, ["pages"]),
        ]
        output = helper.make_tensor_value_info(OUTPUT, numbers, ["steps", "pages"])
        graph = helper.make_graph(self._nodes, "boilernet", inputs, [output], self._constants)
        domains = [helper.make_opsetid("", _OPSET), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=domains, ir_version=_IR_VERSION)
        helper.set_model_props(model, facts)
        checker.check_model(model)
        return bytes(model.SerializeToString(deterministic=True))


def _in_onnx_order(tensor: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a tensor (4 hidden, ...) with its gates in the order of ONNX."""
    return np.concatenate([np.split(tensor, 4)[gate] for gate in _GATES])
