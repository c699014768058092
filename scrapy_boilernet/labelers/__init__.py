"""Labelers: objects that give every block of a page its probability of being content."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import logging
import os
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import cast

from scrapy_boilernet.choices import ENGINES
from scrapy_boilernet.labelers.base import Labeler, ModelError
from scrapy_boilernet.labelers.model_folder import GRAPH_FILE, find_model
from scrapy_boilernet.labelers.registry import BOILERNET, load_other, which_labeler

__all__ = ["ENGINES", "Labeler", "ModelError", "engine_of", "identity", "load_labeler"]

_CLASSES = {
    "onnx": ("scrapy_boilernet.labelers.onnx_engine", "OnnxLabeler"),
    "torch": ("scrapy_boilernet.labelers.boilernet", "TorchLabeler"),
    "numpy": ("scrapy_boilernet.labelers.numpy_engine", "NumpyLabeler"),
}
_LIBRARIES = ("lightgbm", "numpy", "onnxruntime", "scipy", "torch")
"""With another version of one, probabilities may differ in their last digits."""
_INSTALL = {"onnx": "pip install '.[onnx]' in a checkout"}
logger = logging.getLogger(__name__)

_WEIGHTS = ("model.safetensors", "model.txt")


def load_labeler(model: str = "default", engine: str = "auto", device: str = "cpu") -> Labeler:
    """Return the labeler of a shipped model's name, a model folder or a plug-in's name.

    ``engine`` and ``device`` are for BoilerNet's models; all others run by their own library on the
    CPU. ``engine``: ``"onnx"``, ``"torch"``, ``"numpy"``, or ``"auto"``: ONNX Runtime where it is
    installed and the model has a ``model.onnx`` of its weights, else torch where it is installed,
    else NumPy. ``device``: ``"cpu"``, or torch's name of a GPU, such as ``"cuda"``, which takes the
    engine torch. The last four are kept, so that loading twice costs nothing. Raises ``ModelError``
    if the model is missing or broken, what runs it is not installed, or there is no such device.
    """
    return _labeler(model, engine, device)


@lru_cache(maxsize=4)
def _labeler(model: str, engine: str, device: str) -> Labeler:
    if engine not in ENGINES:
        raise ModelError(
            f"no engine {engine!r}: set BOILERNET_ENGINE to one of {', '.join(ENGINES)}"
        )
    kind, folder = which_labeler(model)
    if kind != BOILERNET or folder is None:
        _check_plain(model, kind, engine, device)
        return load_other(kind, folder)
    if device != "cpu":
        if engine not in ("auto", "torch"):
            raise ModelError(
                f"the engine {engine!r} runs on the CPU only: for BOILERNET_DEVICE = {device!r} "
                "set BOILERNET_ENGINE = 'torch'"
            )
        return _load(folder, "torch", device)
    return _load_quickest(folder) if engine == "auto" else _load(folder, engine)


def _check_plain(model: str, kind: str, engine: str, device: str) -> None:
    """Raise ``ModelError`` if an engine or a GPU is asked for that only BoilerNet's models have."""
    if engine != "auto" or device != "cpu":
        raise ModelError(
            f"the model {model!r} is of the labeler {kind!r}, which runs by its own library on the "
            f"CPU, not by engine {engine!r} on {device!r}: set BOILERNET_ENGINE = 'auto' and "
            "BOILERNET_DEVICE = 'cpu'"
        )


def identity(labeler: Labeler, model: str, device: str = "cpu") -> str:
    """Return what tells a labeler from others: class, package, libraries, device, model's files."""
    folder = find_model(model)
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder else []
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    kind = type(labeler)
    packages = (kind.__module__.partition(".")[0].replace("_", "-"), *_LIBRARIES)
    versions = [f"{name} {_version(name)}" for name in packages]
    return " ".join([kind.__module__, kind.__qualname__, labeler.name, device, *versions, *digests])


def model_version(labeler: Labeler, model: str) -> str:
    """Return a model's name, the version of the package that it is of, and the begin of the
    SHA-256 of its weights: ``"default 0.2.0 92f5f3024072"``. No digest if it has no weights.
    """
    folder = find_model(model)
    # Not the whole folder: a card that is written anew makes no other model.
    files = [folder / name for name in _WEIGHTS] if folder else []
    there = [path.read_bytes() for path in files if path.is_file()]
    digests = [hashlib.sha256(data).hexdigest()[:12] for data in there]
    package = type(labeler).__module__.partition(".")[0].replace("_", "-")
    return " ".join([labeler.name, _version(package), *digests])


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"


def engine_of(labeler: Labeler) -> str:
    """Return the name of the engine that runs a labeler; "" if it is none of BoilerNet's."""
    names = {name: engine for engine, (_, name) in _CLASSES.items()}
    return names.get(type(labeler).__name__, "")


def _load_quickest(folder: Path) -> Labeler:
    if (folder / GRAPH_FILE).is_file() and importlib.util.find_spec("onnxruntime"):
        try:
            return _load(folder, "onnx")
        except ModelError as error:
            logger.warning("Going on without ONNX Runtime: %s", error)
    return _load(folder, "torch" if importlib.util.find_spec("torch") else "numpy")


def _load(folder: Path, engine: str, *device: str) -> Labeler:
    module, name = _CLASSES[engine]
    # Else ONNX Runtime tells its maker of the machine, from a thread of its own.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    try:
        labeler_class = getattr(importlib.import_module(module), name)
    except (ImportError, OSError) as error:  # a missing shared library is an OSError
        raise ModelError(
            f"the engine {engine!r} cannot be loaded: {error}; "
            f"{_INSTALL.get(engine, 'install it')}, or set BOILERNET_ENGINE = 'numpy'"
        ) from error
    return cast("Labeler", labeler_class.load(folder, *device))
