"""What a model is besides its weights: the network's shape, its featuriser, its threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from scrapy_boilernet.features import BAG_ROWS, NUMBERS, PAGE_ROWS
from scrapy_boilernet.page import Units

Decision = Literal["fixed", "expected-f"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
GRAPH_VERSION = 1
"""Of ``model.onnx``: raise it when what the graph is fed or gives changes."""


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

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every tensor, by its name in the weights file."""
        found: dict[str, tuple[int, ...]] = {
            f"bags.{name}.weight": tuple(shape) for name, shape in self.bags.items()
        }
        width = sum(columns for _, columns in self.bags.values()) + self.numbers
        if self.page_bag:
            found["page_bag.weight"] = (self.page_bag[0], self.page_bag[1])
            width += self.page_bag[1]
        if self.dense:
            found["dense.weight"] = (self.dense, width)
        width = self.dense or width
        found["dense.bias"] = (width,)
        for layer in range(self.layers):
            for direction in ("forwards", "backwards"):
                name = f"bilstm.{layer}.{direction}"
                found[f"{name}.weight_ih_l0"] = (4 * self.hidden, width)
                found[f"{name}.weight_hh_l0"] = (4 * self.hidden, self.hidden)
                found[f"{name}.bias_ih_l0"] = (4 * self.hidden,)
                found[f"{name}.bias_hh_l0"] = (4 * self.hidden,)
            width = 2 * self.hidden
        found["out.weight"] = (1, 2 * self.hidden)
        found["out.bias"] = (1,)
        return found


@dataclass(frozen=True)
class ModelSpec:
    """Everything about a model but its weights; what ``model.json`` holds."""

    name: str
    architecture: Architecture
    featurizer: Mapping[str, Any]
    """``{"kind": "hashed", "version": 1}``, or kind ``"counts"`` with its vocabulary."""
    units: Units
    threshold: float
    """In [0, 1]: the threshold of a fixed decision, the floor of one by expected F."""
    confidence: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 1.0))
    """Points (expected F1, mean true F1 of held-out pages), rising; interpolated in between."""
    decision: Decision = "fixed"
    """``"fixed"``: one threshold for all pages; ``"expected-f"``: each page's own, by
    :func:`scrapy_boilernet.decision.choose_threshold`."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """What the card says of the training: command, seed, data sets with digests and licences."""


def hashed_architecture(
    columns: Mapping[str, int], dense: int, hidden: int, layers: int
) -> Architecture:
    """Return the shape of a network that reads the hashed featuriser's arrays.

    ``columns``: embedding columns by the names of the bags, and of ``"page"``; 0: not read.
    """
    bags = {name: (rows, columns[name]) for name, rows in BAG_ROWS.items() if columns[name]}
    page_bag = (PAGE_ROWS, columns["page"]) if columns["page"] else None
    return Architecture(bags, "mean", NUMBERS, dense, hidden, layers, page_bag)


def check_spec(spec: ModelSpec) -> None:
    """Raise ``ValueError`` or the like for values that would fail only once a page is scored."""
    if not 0 <= spec.threshold <= 1:
        raise ValueError(f"threshold {spec.threshold!r}, which is outside [0, 1]")
    if spec.decision not in DECISIONS:
        raise ValueError(f"decision {spec.decision!r}, which is none of {', '.join(DECISIONS)}")
    if spec.units not in ("block", "leaf"):
        raise ValueError(f"units {spec.units!r}")
    if not spec.confidence:
        raise ValueError("confidence, which has no points")
    if spec.architecture.bag_mode not in ("mean", "sum"):
        raise ValueError(f"bag_mode {spec.architecture.bag_mode!r}")
    spec.architecture.shapes()
    if spec.featurizer["kind"] == "counts":
        slots = len(spec.featurizer["words"]) + len(spec.featurizer["tags"]) + 2
        if slots != spec.architecture.bags["counts"][0]:
            raise ValueError(f"the vocabulary: {slots} slots are not the table's size")
        if not isinstance(spec.featurizer["unknown_overwrites"], bool):
            raise ValueError("unknown_overwrites, which is no boolean")
