"""Writes a model as one file for the browser extension: its weights and its ``model.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from scrapy_boilernet.extractor.labelers.base import ModelError
from scrapy_boilernet.extractor.labelers.model_folder import (
    SPEC_FILE,
    load_model,
    model_folder,
    read_json,
)


def write_extension_file(model: str, out: Path) -> Path:
    """Write ``NAME.safetensors`` into the folder ``out``; return the file.

    ``model``: a name or a model folder. Raises ``ModelError`` if the model cannot be read, or is of
    a kind that the extension cannot run; ``OSError`` if the file cannot be written.
    """
    folder = model_folder(model, "give")
    document = read_json(folder)
    features, units = document.get("featurizer", {}).get("kind"), document.get("units")
    if (features, units) != ("hashed", "block"):
        raise ModelError(
            f"the model {folder.name!r} reads {features!r} features of {units!r} units; the "
            "extension runs models of the 'hashed' features of 'block' units only, such as "
            "'default'"
        )
    _, tensors = load_model(folder)
    weights = {name: _halved(tensor) for name, tensor in tensors.items()}
    spec = {key: value for key, value in document.items() if key != "training"}
    file = out / f"{folder.resolve().name}.safetensors"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(save(weights, {SPEC_FILE: json.dumps(spec)}))
    return file


def _halved(tensor: NDArray[np.float32]) -> NDArray[Any]:
    """Return the tensor as float16, as models are stored, unless that changes its numbers."""
    half = tensor.astype(np.float16)
    return half if np.array_equal(half, tensor) else tensor
