"""A model on disk: ``model.safetensors``, ``model.json`` and a card. Data only, never code.

``model.onnx``, which :mod:`scrapy_boilernet.labelers.onnx_export` makes of them, may lie beside.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from scrapy_boilernet.features.counts import PAPER_FEATURIZER_VERSION
from scrapy_boilernet.features.hashed import FEATURIZER_VERSION
from scrapy_boilernet.labelers.base import ModelError
from scrapy_boilernet.labelers.files import (
    MOST_SPEC_BYTES,
    MOST_WEIGHT_BYTES,
    check_safetensors,
    float_tensors,
    parsed_json,
    read_file,
    told,
)
from scrapy_boilernet.labelers.spec import Architecture, ModelSpec, check_spec

FORMAT_VERSION = 1
WEIGHTS_FILE, SPEC_FILE, CARD_FILE = "model.safetensors", "model.json", "README.md"
GRAPH_FILE = "model.onnx"

Tensors = dict[str, NDArray[Any]]


def find_model(name_or_folder: str) -> Path | None:
    """Return the folder of a shipped model's name or of a path; None if it is neither."""
    for folder in (_shipped_models() / name_or_folder, Path(name_or_folder)):
        if (folder / SPEC_FILE).is_file():
            return folder
    return None


def model_folder(name_or_folder: str) -> Path:
    """Return the folder of a shipped model's name or of a path.

    Raises ``ModelError`` if it is neither, listing what there is.
    """
    folder = find_model(name_or_folder)
    if folder is not None:
        return folder
    raise ModelError(
        f"no model {name_or_folder!r}: it is neither a shipped model "
        f"({', '.join(shipped_names()) or 'none'}) nor a folder with {SPEC_FILE} and "
        f"{WEIGHTS_FILE}; set BOILERNET_MODEL to one of them"
    )


def shipped_names() -> list[str]:
    """Return the names of the shipped models."""
    return sorted(path.parent.name for path in _shipped_models().glob(f"*/{SPEC_FILE}"))


def _shipped_models() -> Path:
    try:
        return Path(str(resources.files("scrapy_boilernet.models")))
    except ModuleNotFoundError:  # a source checkout that is on the path, not installed
        return Path(__file__).parents[2] / "models"


def save_model(folder: Path, spec: ModelSpec, tensors: Tensors) -> None:
    """Write the model; floating-point tensors are stored as float16.

    A ``model.onnx`` of the weights that were there before goes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / GRAPH_FILE).unlink(missing_ok=True)
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
    """Return the model's spec and its tensors as float32, all of them finite.

    Raises ``ModelError``, naming the folder, if a file is missing, broken or too large, the weights
    are not the ones the spec was written with, or format or featurizer version differ from this
    package's.
    """
    document = read_document(folder, FORMAT_VERSION)
    data = read_weights(folder, document)
    spec = _spec(folder, document)
    try:
        tensors = float_tensors(data)
    except ValueError as error:
        raise ModelError(
            f"cannot read {WEIGHTS_FILE} of the model in {folder}: {told(error)}; copy the folder "
            "again"
        ) from error
    shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    if shapes != (wanted := spec.architecture.shapes()):
        wrong = min(set(shapes.items()) ^ set(wanted.items()))[0]
        raise ModelError(
            f"the weights in {folder} do not fit its architecture: tensor {told(wrong)} has shape "
            f"{shapes.get(wrong)}, expected {wanted.get(wrong)}; train or copy the model again"
        )
    return spec, tensors


def read_weights(folder: Path, document: Mapping[str, Any]) -> bytes:
    """Return the bytes of the weights that ``document`` was written with.

    Raises ``ModelError`` if the file is missing or too large, does not begin as safetensors, or has
    another digest. What is in it is still to be checked.
    """
    try:
        data = read_file(folder / WEIGHTS_FILE, MOST_WEIGHT_BYTES)
        check_safetensors(data)
    except (OSError, ValueError) as error:
        raise ModelError(
            f"cannot read {WEIGHTS_FILE} of the model in {folder}: {told(error)}; copy the folder "
            "again"
        ) from error
    if hashlib.sha256(data).hexdigest() != document.get("weights_sha256"):
        raise ModelError(
            f"{WEIGHTS_FILE} in {folder} is not the file that its {SPEC_FILE} was written with "
            "(SHA-256 differs); copy both files from one place"
        )
    return data


def weights_digest(folder: Path) -> str:
    """Return the SHA-256 that ``model.json`` has of the weights; raises ``ModelError``."""
    return str(read_document(folder, FORMAT_VERSION).get("weights_sha256"))


def read_document(folder: Path, format_version: int) -> dict[str, Any]:
    """Return what ``model.json`` says; raises ``ModelError`` for another format version, too."""
    document = read_json(folder)
    version = document.get("format_version")
    if version != format_version:
        raise ModelError(
            f"the model in {folder} has format version {told(version)}, this package reads "
            f"{format_version}; train it again or install the package version that wrote it"
        )
    return document


def read_json(folder: Path) -> dict[str, Any]:
    """Return what ``model.json`` says; raises ``ModelError`` if it is no JSON object."""
    path = folder / SPEC_FILE
    try:
        document = parsed_json(read_file(path, MOST_SPEC_BYTES))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"cannot read {path}: {told(error)}; copy the model folder again"
        ) from error
    return document if isinstance(document, dict) else {}


def _spec(folder: Path, document: Mapping[str, Any]) -> ModelSpec:
    try:
        featurizer = document["featurizer"]
        kind, version = featurizer["kind"], featurizer["version"]
        known = {"hashed": FEATURIZER_VERSION, "counts": PAPER_FEATURIZER_VERSION}
        if known.get(kind) != version:
            raise ModelError(
                f"the model in {folder} was made by featurizer {told(kind)} version "
                f"{told(version)}, this package has {known}; train it again or install the "
                "package version that wrote it"
            )
        spec = ModelSpec(
            name=document["name"],
            architecture=Architecture(**document["architecture"]),
            featurizer=featurizer,
            units=document["units"],
            threshold=float(document["threshold"]),
            confidence=tuple((float(x), float(y)) for x, y in document["confidence"]),
            decision=document.get("decision", "fixed"),  # not in the first models
            training=document.get("training", {}),
        )
        check_spec(spec)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ModelError(
            f"{SPEC_FILE} in {folder} lacks or garbles {told(error)}; train or copy the model again"
        ) from error
    return spec
