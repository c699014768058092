"""Everything about a model except its weights: the network's shape, featurizer, threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scrapy_boilernet.extractor.decide.threshold import DECISIONS, Decision
from scrapy_boilernet.extractor.features.hashed import BAG_ROWS, NUMBERS, PAGE_ROWS
from scrapy_boilernet.extractor.options import UNITS, Units

MOST_NAME = 200
"""The most characters of a model's name."""
MOST_ROWS, MOST_UNITS, MOST_LAYERS = 1 << 26, 1 << 14, 64
"""The most rows of a table of embeddings, the most columns of a table or units of a layer, and the
most LSTM layers."""
GRAPH_VERSION = 1
"""The version of ``model.onnx``: raise it when the inputs or outputs of the graph change."""


class LstmLayer(NamedTuple):
    """A bidirectional layer."""

    width: int
    """Columns of its input."""
    forwards: str
    """The prefix of the tensors' names of the LSTM from the first block to the last."""
    backwards: str
    """The prefix of the tensors' names of the LSTM from the last block to the first."""


@dataclass(frozen=True)
class Architecture:
    """The network's shape: embedding bags and numbers, a dense layer, a BiLSTM, one logit."""

    bags: Mapping[str, tuple[int, int]]
    """Per bag (rows, columns)."""
    bag_mode: str
    """``"mean"`` or ``"sum"`` over a block's ids."""
    numbers: int
    dense: int
    """Units of the ReLU layer; 0 if the bags' sum is that layer, as for the paper's counts."""
    hidden: int
    layers: int
    page_bag: tuple[int, int] | None = None
    """(rows, columns) of the page words' bag, which all blocks of a page share; None: not read."""

    def inputs(self) -> dict[str, int]:
        """Return the columns of each part of the dense layer's input, in their order.

        The keys are the bags' names, then ``"page"`` if the page words are read, then
        ``"numbers"``.
        """
        page = {"page": self.page_bag[1]} if self.page_bag else {}
        bags = {name: columns for name, (_, columns) in self.bags.items()}
        return {**bags, **page, "numbers": self.numbers}

    @property
    def input_width(self) -> int:
        """Columns of the dense layer's input."""
        return sum(self.inputs().values())

    @property
    def dense_width(self) -> int:
        """Columns of the dense layer's output."""
        return self.dense or self.input_width

    def lstm_layers(self) -> list[LstmLayer]:
        """Return the bidirectional layers, the first one first."""
        widths = [self.dense_width, *[2 * self.hidden] * self.layers][: self.layers]
        return [
            LstmLayer(width, f"bilstm.{layer}.forwards", f"bilstm.{layer}.backwards")
            for layer, width in enumerate(widths)
        ]

    @property
    def output_width(self) -> int:
        """Columns of the last layer's input."""
        return 2 * self.hidden if self.layers else self.dense_width

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every tensor, by its name in the weights file."""
        shapes: dict[str, tuple[int, ...]] = {
            f"bags.{name}.weight": tuple(shape) for name, shape in self.bags.items()
        }
        if self.page_bag:
            shapes["page_bag.weight"] = (self.page_bag[0], self.page_bag[1])
        if self.dense:
            shapes["dense.weight"] = (self.dense, self.input_width)
        shapes["dense.bias"] = (self.dense_width,)
        gates = 4 * self.hidden
        for width, *names in self.lstm_layers():
            for name in names:
                shapes[f"{name}.weight_ih_l0"] = (gates, width)
                shapes[f"{name}.weight_hh_l0"] = (gates, self.hidden)
                shapes[f"{name}.bias_ih_l0"] = (gates,)
                shapes[f"{name}.bias_hh_l0"] = (gates,)
        shapes["out.weight"] = (1, self.output_width)
        shapes["out.bias"] = (1,)
        return shapes


@dataclass(frozen=True)
class ModelSpec:
    """Everything about a model except its weights: the contents of ``model.json``."""

    name: str
    architecture: Architecture
    featurizer: Mapping[str, Any]
    """``{"kind": "hashed", "version": 1}``, or kind ``"counts"`` with its vocabulary."""
    units: Units
    threshold: float
    """The threshold of a fixed decision, or the floor of one by expected F; in [0, 1]."""
    confidence: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 1.0))
    """Points (expected F1, mean true F1 of held-out pages), rising; interpolated in between."""
    decision: Decision = "fixed"
    """``"fixed"``: one threshold for all pages; ``"expected-f"``, ``"correlated-f"``: each page's
    own, by :func:`scrapy_boilernet.extractor.decide.threshold.choose_threshold`."""
    template_share: float = 0.0
    """By what share blocks are moved to the mean log-odds of their template, in [0, 1), see
    :mod:`scrapy_boilernet.extractor.decide.pooling`; 0: not at all."""
    judges_comments: bool = False
    """Whether the model has learned which comments of readers are content. ``comments =
    "auto"`` asks its probabilities then."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """What the card reports of the training: command, seed, data sets with digests and licences."""


def hashed_architecture(
    columns: Mapping[str, int], dense: int, hidden: int, layers: int
) -> Architecture:
    """Return the shape of a network that reads the hashed featurizer's arrays.

    ``columns``: embedding columns by the names of the bags, and of ``"page"``; 0: not read.
    """
    bags = {name: (rows, columns[name]) for name, rows in BAG_ROWS.items() if columns[name]}
    page_bag = (PAGE_ROWS, columns["page"]) if columns["page"] else None
    return Architecture(bags, "mean", NUMBERS, dense, hidden, layers, page_bag)


def check_spec(spec: ModelSpec) -> None:
    """Raise ``ValueError`` or the like for values that would fail only when a page is scored, or
    that would take very much memory before.
    """
    check_name(spec.name)
    if not 0 <= spec.threshold <= 1:
        raise ValueError(f"threshold {spec.threshold!r}, which is outside [0, 1]")
    if not 0 <= spec.template_share < 1:
        raise ValueError(f"template_share {spec.template_share!r}, which is outside [0, 1)")
    if not isinstance(spec.judges_comments, bool):
        raise TypeError("judges_comments, which must be true or false")
    if spec.decision not in DECISIONS:
        raise ValueError(f"decision {spec.decision!r}, which is none of {', '.join(DECISIONS)}")
    if spec.units not in UNITS:
        raise ValueError(f"units {spec.units!r}")
    check_confidence(spec.confidence)
    _check_sizes(spec.architecture)
    if spec.featurizer["kind"] == "counts":
        _check_vocabulary(spec)
    elif not spec.architecture.bags.keys() <= BAG_ROWS.keys():
        raise ValueError(f"bags, of which there are {', '.join(BAG_ROWS)}")


def check_name(name: object) -> None:
    """Raise ``ValueError`` unless ``name`` can stand in results, on a terminal and in logs."""
    if not isinstance(name, str) or not 0 < len(name) <= MOST_NAME or not name.isprintable():
        raise ValueError(f"name {name!r}, which must be 1 to {MOST_NAME} printable characters")


def check_confidence(points: Sequence[tuple[float, float]]) -> None:
    """Raise ``ValueError`` unless there are points, in [0, 1] and rising both ways."""
    axes = [*zip(*points, strict=True)]
    if not axes or not all(0 <= x <= 1 for axis in axes for x in axis):
        raise ValueError("confidence, which has no points in [0, 1]")
    if any(list(axis) != sorted(axis) for axis in axes):
        raise ValueError("confidence, whose points do not rise")


def _check_sizes(shape: Architecture) -> None:
    """Raise ``ValueError`` for sizes that no network has, before such an array is made."""
    if shape.bag_mode not in ("mean", "sum"):
        raise ValueError(f"bag_mode {shape.bag_mode!r}")
    tables = {**shape.bags, **({"page_bag": shape.page_bag} if shape.page_bag else {})}
    sizes = {
        **{f"rows of {name}": (rows, 1, MOST_ROWS) for name, (rows, _) in tables.items()},
        **{f"columns of {name}": (columns, 1, MOST_UNITS) for name, (_, columns) in tables.items()},
        "numbers": (shape.numbers, 0, MOST_UNITS),
        "dense": (shape.dense, 0, MOST_UNITS),
        "hidden": (shape.hidden, 1, MOST_UNITS),
        "layers": (shape.layers, 0, MOST_LAYERS),
    }
    for name, (size, least, most) in sizes.items():
        if type(size) is not int or not least <= size <= most:
            raise ValueError(f"{name} {size!r}, which must be a whole number, {least} to {most}")


def _check_vocabulary(spec: ModelSpec) -> None:
    words, tags = spec.featurizer["words"], spec.featurizer["tags"]
    for listed in (words, tags):
        if not isinstance(listed, list | tuple) or not all(isinstance(w, str) for w in listed):
            raise ValueError("the vocabulary, which must be lists of words and of tags")
    slots = len(words) + len(tags) + 2
    if spec.architecture.bags.keys() != {"counts"} or slots != spec.architecture.bags["counts"][0]:
        raise ValueError(f"the vocabulary: {slots} slots are not the table's size")
    if not isinstance(spec.featurizer["unknown_overwrites"], bool):
        raise TypeError("unknown_overwrites, which must be true or false")
