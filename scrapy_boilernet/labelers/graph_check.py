"""Whether an ONNX graph is, operator by operator, the one that is exported of an architecture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scrapy_boilernet.labelers.graph_wire import Constant, Node, read_graph
from scrapy_boilernet.labelers.spec import Architecture

Wanted = tuple[tuple[int, ...], tuple[int, ...]]
"""Shape of a constant, and the types that it may have."""
INPUTS, OUTPUT = ("inputs", "lengths"), "probabilities"
_FLOAT, _HALF = 1, 10
_FLOATS, _INT, _LONG = (_FLOAT, _HALF), (3,), (7,)
"""ONNX's numbers for float32 and float16, int8, int64."""
_QUANTIZED = "com.microsoft.DynamicQuantizeLSTM"
_STEPS_FIRST = (0, 2, 1, 3)


def check_graph(data: bytes, architecture: Architecture) -> None:
    """Raise ``ValueError``, naming what is wrong, unless the bytes are such a graph.

    It then has no operator, size or wire of its own: only the constants' numbers are free.
    """
    nodes, constants = read_graph(data)
    _Expected(nodes, constants).network(architecture)


class _Expected:
    """Operators that are taken one after the other; casts of constants go with the constants."""

    def __init__(self, nodes: list[Node], constants: Mapping[str, Constant]) -> None:
        if taken := constants.keys() & {*INPUTS, OUTPUT}:
            raise ValueError(f"it has constants of the names {', '.join(sorted(taken))}")
        self._constants = constants
        self._casts: dict[str, str] = {}
        self._nodes = self._others(nodes)

    def network(self, shape: Architecture) -> None:
        width = sum(columns for _, columns in shape.bags.values()) + shape.numbers
        width += shape.page_bag[1] if shape.page_bag else 0
        x = INPUTS[0]
        if shape.dense:
            x = self.take("MatMul", x, ((width, shape.dense),))
            width = shape.dense
        x = self.take("Relu", self.take("Add", x, ((width,),)))
        for _ in range(shape.layers):
            x = self.layer(x, width, shape.hidden)
            width = 2 * shape.hidden
        x = self.take("MatMul", x, ((width, 1),))
        x = self.take("Sigmoid", self.take("Add", x, ((1,),)))
        node = self.next("Squeeze", x)
        self.fixed(node, (2,))
        if node.output != OUTPUT or next(self._nodes, None) is not None:
            raise ValueError("it goes on after the probabilities")

    def layer(self, x: str, width: int, hidden: int) -> str:
        """An LSTM both ways, in either precision, and its steps side by side."""
        node = self.next(None, x)
        gates = 4 * hidden
        bias, scale, zero = ((2, 2 * gates), _FLOATS), ((2, gates), _FLOATS[:1]), ((2, gates), _INT)
        if node.operator == "LSTM":
            wanted: dict[int, Wanted] = {
                1: ((2, gates, width), _FLOATS), 2: ((2, gates, hidden), _FLOATS), 3: bias,
            }  # fmt: skip
        elif node.operator == _QUANTIZED:
            wanted = {
                1: ((2, width, gates), _INT), 2: ((2, hidden, gates), _INT), 3: bias,
                8: scale, 9: zero, 10: scale, 11: zero,
            }  # fmt: skip
        else:
            raise ValueError(f"it has {node.operator[:40]!r} where an LSTM is expected")
        size = max(4, *wanted) + 1
        plain = (node.inputs[4:5], node.inputs[5:8]) == (INPUTS[1:], ("", "", "")[: size - 5])
        how = {"direction": b"bidirectional", "hidden_size": hidden}
        if not plain or len(node.inputs) != size or node.attributes != how:
            raise ValueError(f"{node.operator} has other inputs or attributes than as exported")
        for place, (shape, kinds) in wanted.items():
            self.constant(node.inputs[place], shape, kinds)
        turned = self.next("Transpose", node.output, {"perm": _STEPS_FIRST})
        joined = self.next("Reshape", turned.output)
        self.fixed(joined, (0, 0, -1))
        return joined.output

    def take(self, operator: str, x: str, shapes: tuple[tuple[int, ...], ...] = ()) -> str:
        """An operator of ``x`` and constants of these shapes; its output."""
        node = self.next(operator, x)
        if len(node.inputs) != 1 + len(shapes):
            raise ValueError(f"{operator} has {len(node.inputs)} inputs")
        for name, shape in zip(node.inputs[1:], shapes, strict=True):
            self.constant(name, shape, _FLOATS)
        return node.output

    def next(
        self, operator: str | None, x: str, attributes: Mapping[str, object] | None = None
    ) -> Node:
        """The next operator, whose first input is ``x``; None: any."""
        node = next(self._nodes, None)
        if node is None or node.inputs[:1] != (x,) or operator not in (None, node.operator):
            found = "nothing" if node is None else f"{node.operator[:40]!r} of {node.inputs[:1]}"
            raise ValueError(f"it has {found} where {operator or 'an LSTM'} of {x!r} is expected")
        if operator is not None and node.attributes != (attributes or {}):
            raise ValueError(f"{operator} has other attributes than as exported")
        return node

    def constant(self, name: str, shape: tuple[int, ...], kinds: tuple[int, ...]) -> None:
        found = self._constants.get(self._casts.get(name, name))
        # Only what is float16 is cast.
        if (
            found is None
            or found.shape != shape
            or found.kind not in kinds
            or (found.kind == _HALF) != (name in self._casts)
        ):
            told = f"{found.shape} of type {found.kind}" if found else "missing"
            raise ValueError(f"the constant {name[:40]!r} is {told} and must be {shape}")

    def fixed(self, node: Node, values: tuple[int, ...]) -> None:
        """The second input, the last one, must be these whole numbers."""
        name = node.inputs[1] if len(node.inputs) == 2 else ""
        self.constant(name, (len(values),), _LONG)
        wanted = b"".join(value.to_bytes(8, "little", signed=True) for value in values)
        if self._constants[name].data != wanted:
            raise ValueError(f"the constant {name[:40]!r} of {node.operator} is not {values}")

    def _others(self, nodes: list[Node]) -> Iterator[Node]:
        """All operators but the casts of constants to float32, which are put down."""
        others = []
        for node in nodes:
            if node.operator != "Cast":
                others.append(node)
            elif len(node.inputs) != 1 or node.attributes != {"to": _FLOAT}:
                raise ValueError("a Cast has other inputs or attributes than as exported")
            else:
                self._casts[node.output] = node.inputs[0]
        return iter(others)
