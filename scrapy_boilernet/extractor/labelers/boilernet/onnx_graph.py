"""Reads an ONNX graph by an allow-list, and compares it with the graph that ``export`` writes.

ONNX Runtime trusts a graph too much: it reads files that a graph names, and it has operators that
loop or make arrays of any size. So the bytes of a graph are read here first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Literal, get_args

import numpy as np

from scrapy_boilernet.extractor.labelers.model_folder import LARGEST_WEIGHT
from scrapy_boilernet.extractor.labelers.spec import Architecture

Precision = Literal["float32", "int8"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)
ITEM_BYTES = {1: 4, 2: 1, 3: 1, 7: 8, 10: 2}
"""Bytes of a number by ONNX's type: float32, uint8, int8, int64, float16."""
_VARINT, _BYTES, _FOUR = 0, 2, 5
_MODEL = {1: "ir_version", 2: "producer_name", 3: "producer_version", 7: "graph",
          8: "opset_import", 14: "metadata_props"}  # fmt: skip
_GRAPH = {1: "node", 2: "name", 5: "initializer", 11: "input", 12: "output"}
_NODE = {1: "input", 2: "output", 3: "name", 4: "op_type", 5: "attribute", 7: "domain"}
_ATTRIBUTE = {1: "name", 3: "i", 4: "s", 8: "ints", 20: "type"}
_TENSOR = {1: "dims", 2: "data_type", 8: "name", 9: "raw_data"}
"""The fields of ONNX's messages that are read. Functions, graphs inside of graphs, sparse numbers,
and numbers in other files are not among them."""

Fields = dict[str, list[int | bytes]]


@dataclass(frozen=True)
class Node:
    """An operator of a graph."""

    operator: str
    """With its domain, such as ``"com.microsoft.DynamicQuantizeLSTM"``."""
    inputs: tuple[str, ...]
    output: str
    attributes: dict[str, int | bytes | tuple[int, ...]]


@dataclass(frozen=True)
class Constant:
    """An array of constant numbers in a graph."""

    kind: int
    """ONNX's type of the numbers."""
    shape: tuple[int, ...]
    data: bytes


def read_graph(data: bytes) -> tuple[list[Node], dict[str, Constant]]:
    """Return a graph's operators in their order, and its constants by name.

    Raises ``ValueError`` for anything else in it, and for incomplete constants.
    """
    model = _fields(data, _MODEL, "the model")
    (graph,) = (_fields(_bytes(each), _GRAPH, "the graph") for each in _one(model, "graph"))
    constants = {}
    for each in graph["initializer"]:
        name, constant = _constant(_fields(_bytes(each), _TENSOR, "a constant"))
        if name in constants:
            raise ValueError(f"it has the constant {name[:40]!r} twice")
        constants[name] = constant
    return [_node(_fields(_bytes(n), _NODE, "a node")) for n in graph["node"]], constants


def _node(fields: Fields) -> Node:
    domain = "".join(_text(each) for each in fields["domain"])
    operator = _text(_one(fields, "op_type")[0])
    attributes: dict[str, int | bytes | tuple[int, ...]] = {}
    for each in fields["attribute"]:
        parts = _fields(_bytes(each), _ATTRIBUTE, "an attribute")
        values = [*parts["i"], *parts["s"], *([_integers(parts["ints"])] if parts["ints"] else [])]
        name = _text(_one(parts, "name")[0])
        if len(values) != 1 or name in attributes:
            raise ValueError(
                f"the attribute {name[:40]!r} of {operator[:40]!r} does not have one value"
            )
        attributes[name] = values[0]
    return Node(
        f"{domain}.{operator}" if domain else operator,
        tuple(map(_text, fields["input"])),
        _text(_one(fields, "output")[0]),
        attributes,
    )


def _constant(fields: Fields) -> tuple[str, Constant]:
    name = _text(_one(fields, "name")[0])
    (kind,) = _integers(_one(fields, "data_type"))
    shape, data = _integers(fields["dims"]), _bytes(_one(fields, "raw_data")[0])
    if len(data) != ITEM_BYTES.get(kind, -1) * prod(shape) or not data:
        raise ValueError(f"the constant {name[:40]!r} is incomplete, or of an unknown type")
    return name, Constant(kind, shape, data)


def _fields(data: bytes, known: dict[int, str], where: str) -> Fields:
    """Return the values of a protobuf message by field name; [] for a field that it lacks."""
    fields: Fields = {name: [] for name in known.values()}
    for number, value in _values(data):
        if number not in known:
            raise ValueError(f"{where} has a field {number}, which export never writes")
        fields[known[number]].append(value)
    return fields


def _values(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        if key & 7 == _VARINT:
            value, place = _varint(data, place)
            yield key >> 3, value
            continue
        if key & 7 not in (_BYTES, _FOUR):
            raise ValueError("it is not an ONNX graph")
        size, place = _varint(data, place) if key & 7 == _BYTES else (4, place)
        if place + size > len(data):
            raise ValueError("it is not an ONNX graph, or not all of one")
        yield key >> 3, data[place : place + size]
        place += size


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = 0
    for shift, byte in enumerate(data[place : place + 10]):
        value |= (byte & 127) << 7 * shift
        if byte < 128:
            signed = value - (1 << 64) if value >> 63 else value
            return signed, place + shift + 1
    raise ValueError("it is not an ONNX graph, or not all of one")


def _one(fields: Fields, name: str) -> list[int | bytes]:
    if len(fields[name]) != 1:
        raise ValueError(f"it has {len(fields[name])} values of {name} and must have one")
    return fields[name]


def _bytes(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise ValueError("it is not an ONNX graph")  # noqa: TRY004 - the file is wrong, not a type
    return value


def _text(value: int | bytes) -> str:
    return _bytes(value).decode("utf-8")


def _integers(values: list[int | bytes]) -> tuple[int, ...]:
    """Return the integers of a field, some of which may be packed into bytes."""
    numbers: list[int] = []
    for value in values:
        if isinstance(value, int):
            numbers.append(value)
            continue
        place = 0
        while place < len(value):
            number, place = _varint(value, place)
            numbers.append(number)
    return tuple(numbers)


_Constant = tuple[tuple[int, ...], tuple[int, ...]]
"""The shape of a constant, and the types that it may have."""
INPUTS, OUTPUT = ("inputs", "lengths"), "probabilities"
_FLOAT, _HALF = 1, 10
_FLOATS, _INT, _LONG = (_FLOAT, _HALF), (3,), (7,)
"""ONNX's types float32 and float16, int8, int64."""
_NUMBERS: dict[int, np.dtype[Any]] = {_FLOAT: np.dtype("<f4"), _HALF: np.dtype("<f2")}
_QUANTIZED = "com.microsoft.DynamicQuantizeLSTM"
_STEPS_FIRST = (0, 2, 1, 3)


def check_graph(data: bytes, architecture: Architecture) -> None:
    """Raise ``ValueError``, which names the difference, unless the bytes are the graph that
    ``export`` writes for the architecture.

    Only the weights in the constants may differ, but no operator, size, connection or zero point.
    Weights are numbers that float16 can hold.
    """
    nodes, constants = read_graph(data)
    _Expected(nodes, constants).network(architecture)


class _Expected:
    """Takes the operators of a graph in order, and compares each with the expected one.

    Casts of constants are taken together with the constants.
    """

    def __init__(self, nodes: list[Node], constants: Mapping[str, Constant]) -> None:
        if taken := constants.keys() & {*INPUTS, OUTPUT}:
            raise ValueError(f"it has constants of the names {', '.join(sorted(taken))}")
        self._constants = constants
        self._casts: dict[str, str] = {}
        self._nodes = self._others(nodes)

    def network(self, shape: Architecture) -> None:
        x = INPUTS[0]
        if shape.dense:
            x = self.take("MatMul", x, ((shape.input_width, shape.dense),))
        x = self.take("Relu", self.take("Add", x, ((shape.dense_width,),)))
        for layer in shape.lstm_layers():
            x = self.layer(x, layer.width, shape.hidden)
        x = self.take("MatMul", x, ((shape.output_width, 1),))
        x = self.take("Sigmoid", self.take("Add", x, ((1,),)))
        node = self.next("Squeeze", x)
        self.fixed(node, (2,))
        if node.output != OUTPUT or next(self._nodes, None) is not None:
            raise ValueError("it continues after the probabilities")

    def layer(self, x: str, width: int, hidden: int) -> str:
        """Take a bidirectional LSTM of either precision, whose directions are then joined; return
        the output.
        """
        node = self.next(None, x)
        gates = 4 * hidden
        bias, scale, zero = ((2, 2 * gates), _FLOATS), ((2, gates), _FLOATS[:1]), ((2, gates), _INT)
        if node.operator == "LSTM":
            wanted: dict[int, _Constant] = {
                1: ((2, gates, width), _FLOATS), 2: ((2, gates, hidden), _FLOATS), 3: bias,
            }  # fmt: skip
        elif node.operator == _QUANTIZED:
            wanted = {
                1: ((2, width, gates), _INT), 2: ((2, hidden, gates), _INT), 3: bias,
                8: scale, 9: zero, 10: scale, 11: zero,
            }  # fmt: skip
        else:
            raise ValueError(f"it has {node.operator[:40]!r} instead of an LSTM")
        size = max(4, *wanted) + 1
        plain = (node.inputs[4:5], node.inputs[5:8]) == (INPUTS[1:], ("", "", "")[: size - 5])
        attributes = {"direction": b"bidirectional", "hidden_size": hidden}
        if not plain or len(node.inputs) != size or node.attributes != attributes:
            raise ValueError(f"{node.operator} has other inputs or attributes than as exported")
        for place, (shape, kinds) in wanted.items():
            self.constant(node.inputs[place], shape, kinds)
            # ONNX Runtime refuses other zero points of int8, but only when it runs the graph.
            if wanted[place] is zero and any(self._constants[node.inputs[place]].data):
                raise ValueError(f"{node.operator} has zero points that are not 0")
        turned = self.next("Transpose", node.output, {"perm": _STEPS_FIRST})
        joined = self.next("Reshape", turned.output)
        self.fixed(joined, (0, 0, -1))
        return joined.output

    def take(self, operator: str, x: str, shapes: tuple[tuple[int, ...], ...] = ()) -> str:
        """Take an operator of ``x`` and of constants of these shapes; return its output."""
        node = self.next(operator, x)
        if len(node.inputs) != 1 + len(shapes):
            raise ValueError(f"{operator} has {len(node.inputs)} inputs")
        for name, shape in zip(node.inputs[1:], shapes, strict=True):
            self.constant(name, shape, _FLOATS)
        return node.output

    def next(
        self, operator: str | None, x: str, attributes: Mapping[str, object] | None = None
    ) -> Node:
        """Return the next operator, whose first input is ``x``; ``operator`` None: of any name."""
        node = next(self._nodes, None)
        if node is None or node.inputs[:1] != (x,) or operator not in (None, node.operator):
            actual = "nothing" if node is None else f"{node.operator[:40]!r} of {node.inputs[:1]}"
            raise ValueError(f"it has {actual} instead of {operator or 'an LSTM'} of {x!r}")
        if operator is not None and node.attributes != (attributes or {}):
            raise ValueError(f"{operator} has other attributes than as exported")
        return node

    def constant(self, name: str, shape: tuple[int, ...], kinds: tuple[int, ...]) -> None:
        constant = self._constants.get(self._casts.get(name, name))
        # Constants of float16 are cast, and no others.
        if (
            constant is None
            or constant.shape != shape
            or constant.kind not in kinds
            or (constant.kind == _HALF) != (name in self._casts)
        ):
            actual = f"{constant.shape} of type {constant.kind}" if constant else "missing"
            raise ValueError(f"the constant {name[:40]!r} is {actual} and must be {shape}")
        numbers = _NUMBERS.get(constant.kind)
        if numbers and not (np.abs(np.frombuffer(constant.data, numbers)) <= LARGEST_WEIGHT).all():
            raise ValueError(
                f"the constant {name[:40]!r} has numbers beyond ±{LARGEST_WEIGHT:g}, or none"
            )

    def fixed(self, node: Node, values: tuple[int, ...]) -> None:
        """Raise ``ValueError`` unless the second and last input is these integers."""
        name = node.inputs[1] if len(node.inputs) == 2 else ""
        self.constant(name, (len(values),), _LONG)
        wanted = b"".join(value.to_bytes(8, "little", signed=True) for value in values)
        if self._constants[name].data != wanted:
            raise ValueError(f"the constant {name[:40]!r} of {node.operator} is not {values}")

    def _others(self, nodes: list[Node]) -> Iterator[Node]:
        """Return all operators except casts of constants to float32, and record the casts."""
        others = []
        for node in nodes:
            if node.operator != "Cast":
                others.append(node)
            elif len(node.inputs) != 1 or node.attributes != {"to": _FLOAT}:
                raise ValueError("a Cast has other inputs or attributes than as exported")
            else:
                self._casts[node.output] = node.inputs[0]
        return iter(others)
