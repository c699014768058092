"""A model on disk: ``model.safetensors``, ``model.json`` and a card. Data only, never code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from scrapy_boilernet.features import BAG_ROWS, FEATURIZER_VERSION, NUMBERS
from scrapy_boilernet.labelers.base import ModelError
from scrapy_boilernet.page import Units
from scrapy_boilernet.paper_features import PAPER_FEATURIZER_VERSION

FORMAT_VERSION = 1
WEIGHTS_FILE, SPEC_FILE, CARD_FILE = "model.safetensors", "model.json", "README.md"

Tensors = dict[str, NDArray[Any]]


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

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every tensor, by its name in the weights file."""
        found: dict[str, tuple[int, ...]] = {
            f"bags.{name}.weight": tuple(shape) for name, shape in self.bags.items()
        }
        width = sum(columns for _, columns in self.bags.values()) + self.numbers
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
    confidence: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 1.0))
    """Points (expected F1, mean true F1 of held-out pages), rising; interpolated in between."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """What the card says of the training: command, seed, data sets with digests and licences."""


def hashed_architecture(
    columns: Mapping[str, int], dense: int, hidden: int, layers: int
) -> Architecture:
    """Return the shape of a network that reads the hashed featuriser's arrays."""
    bags = {name: (rows, columns[name]) for name, rows in BAG_ROWS.items()}
    return Architecture(bags, "mean", NUMBERS, dense, hidden, layers)


def model_folder(name_or_folder: str) -> Path:
    """Return the folder of a shipped model's name or of a path.

    Raises ``ModelError`` if it is neither, listing what there is.
    """
    shipped = Path(str(resources.files("scrapy_boilernet.models")))
    for folder in (shipped / name_or_folder, Path(name_or_folder)):
        if (folder / SPEC_FILE).is_file():
            return folder
    names = ", ".join(sorted(path.parent.name for path in shipped.glob(f"*/{SPEC_FILE}")))
    raise ModelError(
        f"no model {name_or_folder!r}: it is neither a shipped model ({names or 'none'}) nor a "
        f"folder with {SPEC_FILE} and {WEIGHTS_FILE}; set BOILERNET_MODEL to one of them"
    )


def save_model(folder: Path, spec: ModelSpec, tensors: Tensors) -> None:
    """Write the model; floating-point tensors are stored as float16."""
    folder.mkdir(parents=True, exist_ok=True)
    data = save({name: np.ascontiguousarray(t, dtype=np.float16) for name, t in tensors.items()})
    (folder / WEIGHTS_FILE).write_bytes(data)
    document = {
        "format_version": FORMAT_VERSION,
        "weights_sha256": hashlib.sha256(data).hexdigest(),
        **asdict(spec),
    }
    text = json.dumps(document, indent=1, ensure_ascii=False)
    (folder / SPEC_FILE).write_text(text + "\n", encoding="utf-8")


def load_model(folder: Path) -> tuple[ModelSpec, Tensors]:
    """Return the model's spec and its tensors as float32.

    Raises ``ModelError``, naming the folder, if a file is missing or broken, the weights are not
    the ones the spec was written with, or format or featuriser version differ from this package's.
    """
    document = _read_spec(folder)
    try:
        data = (folder / WEIGHTS_FILE).read_bytes()
        tensors = {name: tensor.astype(np.float32) for name, tensor in load(data).items()}
    except (OSError, SafetensorError, ValueError, KeyError) as error:
        raise ModelError(
            f"cannot read {WEIGHTS_FILE} of the model in {folder}: {error}; copy the folder again"
        ) from error
    if hashlib.sha256(data).hexdigest() != document.get("weights_sha256"):
        raise ModelError(
            f"{WEIGHTS_FILE} in {folder} is not the file that its {SPEC_FILE} was written with "
            "(SHA-256 differs); copy both files from one place"
        )
    spec = _spec(folder, document)
    found = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    if found != (wanted := spec.architecture.shapes()):
        wrong = min(set(found.items()) ^ set(wanted.items()))[0]
        raise ModelError(
            f"the weights in {folder} do not fit its architecture: tensor {wrong!r} has shape "
            f"{found.get(wrong)}, expected {wanted.get(wrong)}; train or copy the model again"
        )
    return spec, tensors


def _read_spec(folder: Path) -> dict[str, Any]:
    path = folder / SPEC_FILE
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot read {path}: {error}; copy the model folder again") from error
    if not isinstance(document, dict) or document.get("format_version") != FORMAT_VERSION:
        version = document.get("format_version") if isinstance(document, dict) else None
        raise ModelError(
            f"the model in {folder} has format version {version!r}, this package reads "
            f"{FORMAT_VERSION}; train it again or install the package version that wrote it"
        )
    return document


def _check(spec: ModelSpec) -> None:
    """Raise for values that would fail, or mean another thing, only once a page is scored."""
    if not 0 <= spec.threshold <= 1:
        raise ValueError(f"threshold {spec.threshold!r}, which is outside [0, 1]")
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


def _spec(folder: Path, document: Mapping[str, Any]) -> ModelSpec:
    try:
        featurizer = document["featurizer"]
        kind, version = featurizer["kind"], featurizer["version"]
        known = {"hashed": FEATURIZER_VERSION, "counts": PAPER_FEATURIZER_VERSION}
        if known.get(kind) != version:
            raise ModelError(
                f"the model in {folder} was made by featuriser {kind!r} version {version!r}, this "
                f"package has {known}; train it again or install the package version that wrote it"
            )
        spec = ModelSpec(
            name=document["name"],
            architecture=Architecture(**document["architecture"]),
            featurizer=featurizer,
            units=document["units"],
            threshold=float(document["threshold"]),
            confidence=tuple((float(x), float(y)) for x, y in document["confidence"]),
            training=document.get("training", {}),
        )
        _check(spec)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ModelError(
            f"{SPEC_FILE} in {folder} lacks or garbles {error}; train or copy the model again"
        ) from error
    return spec
