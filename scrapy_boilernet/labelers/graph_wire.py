"""An ONNX graph read by an allow-list of what :mod:`scrapy_boilernet.labelers.onnx_export` writes.

ONNX Runtime believes much of what a graph says: it reads files that a graph names, and has
operators that loop, or make arrays of any size. So a graph's bytes are read here first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

ITEM_BYTES = {1: 4, 2: 1, 3: 1, 7: 8, 10: 2}
"""Of a number by ONNX's type: float32, uint8, int8, int64, float16."""
_VARINT, _BYTES, _FOUR = 0, 2, 5
_MODEL = {1: "ir_version", 2: "producer_name", 3: "producer_version", 7: "graph",
          8: "opset_import", 14: "metadata_props"}  # fmt: skip
_GRAPH = {1: "node", 2: "name", 5: "initializer", 11: "input", 12: "output"}
_NODE = {1: "input", 2: "output", 3: "name", 4: "op_type", 5: "attribute", 7: "domain"}
_ATTRIBUTE = {1: "name", 3: "i", 4: "s", 8: "ints", 20: "type"}
_TENSOR = {1: "dims", 2: "data_type", 8: "name", 9: "raw_data"}
"""The fields of ONNX's messages that are read. Not among them: functions, graphs inside of graphs,
sparse numbers, and numbers in other files."""

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
    """Numbers of a graph."""

    kind: int
    shape: tuple[int, ...]
    data: bytes


def read_graph(data: bytes) -> tuple[list[Node], dict[str, Constant]]:
    """Return a graph's operators in their order, and its constants by name.

    Raises ``ValueError`` for anything else in it, and for constants that are not whole.
    """
    model = _fields(data, _MODEL, "the model")
    (graph,) = (_fields(_bytes(each), _GRAPH, "the graph") for each in _one(model, "graph"))
    constants = {}
    for each in graph["initializer"]:
        name, constant = _constant(_fields(_bytes(each), _TENSOR, "a constant"))
        if name in constants:
            raise ValueError(f"the constant {name[:40]!r} is there twice")
        constants[name] = constant
    return [_node(_fields(_bytes(n), _NODE, "a node")) for n in graph["node"]], constants


def _node(found: Fields) -> Node:
    domain = "".join(_text(each) for each in found["domain"])
    operator = _text(_one(found, "op_type")[0])
    attributes: dict[str, int | bytes | tuple[int, ...]] = {}
    for each in found["attribute"]:
        said = _fields(_bytes(each), _ATTRIBUTE, "an attribute")
        values = [*said["i"], *said["s"], *([_whole(said["ints"])] if said["ints"] else [])]
        name = _text(_one(said, "name")[0])
        if len(values) != 1 or name in attributes:
            raise ValueError(f"the attribute {name[:40]!r} of {operator[:40]!r} has no one value")
        attributes[name] = values[0]
    return Node(
        f"{domain}.{operator}" if domain else operator,
        tuple(map(_text, found["input"])),
        _text(_one(found, "output")[0]),
        attributes,
    )


def _constant(found: Fields) -> tuple[str, Constant]:
    name = _text(_one(found, "name")[0])
    (kind,) = _whole(_one(found, "data_type"))
    shape, data = _whole(found["dims"]), _bytes(_one(found, "raw_data")[0])
    if len(data) != ITEM_BYTES.get(kind, -1) * prod(shape) or not data:
        raise ValueError(f"the constant {name[:40]!r} is not whole, or of an unknown type")
    return name, Constant(kind, shape, data)


def _fields(data: bytes, known: dict[int, str], where: str) -> Fields:
    """The values of a protobuf message by the names of its fields, () where there is none."""
    found: Fields = {name: [] for name in known.values()}
    for number, value in _values(data):
        if number not in known:
            raise ValueError(f"{where} has a field {number}, which export never writes")
        found[known[number]].append(value)
    return found


def _values(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        if key & 7 == _VARINT:
            value, place = _varint(data, place)
            yield key >> 3, value
            continue
        if key & 7 not in (_BYTES, _FOUR):
            raise ValueError("it is no ONNX graph")
        size, place = _varint(data, place) if key & 7 == _BYTES else (4, place)
        if place + size > len(data):
            raise ValueError("it is no ONNX graph, or not the whole of it")
        yield key >> 3, data[place : place + size]
        place += size


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = 0
    for shift, byte in enumerate(data[place : place + 10]):
        value |= (byte & 127) << 7 * shift
        if byte < 128:
            signed = value - (1 << 64) if value >> 63 else value
            return signed, place + shift + 1
    raise ValueError("it is no ONNX graph, or not the whole of it")


def _one(found: Fields, name: str) -> list[int | bytes]:
    if len(found[name]) != 1:
        raise ValueError(f"there are {len(found[name])} of {name}, which must be one")
    return found[name]


def _bytes(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise ValueError("it is no ONNX graph")  # noqa: TRY004 - of the file, not of this code
    return value


def _text(value: int | bytes) -> str:
    return _bytes(value).decode("utf-8")


def _whole(values: list[int | bytes]) -> tuple[int, ...]:
    """Whole numbers, which may stand alone or many in one piece."""
    found: list[int] = []
    for value in values:
        if isinstance(value, int):
            found.append(value)
            continue
        place = 0
        while place < len(value):
            number, place = _varint(value, place)
            found.append(number)
    return tuple(found)
