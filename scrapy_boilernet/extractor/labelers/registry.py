"""Loads the labeler of a model: BoilerNet's by one of three engines, a classical one, or a plug-in.

A plug-in is an entry point of the group :data:`ENTRY_POINTS`: a class with ``load(folder)``, which
returns a labeler. ``folder`` is the model folder whose ``model.json`` has the entry point's name as
``"labeler"``, or None if the entry point's name is given as the model.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import logging
import os
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, cast

from scrapy_boilernet.extractor.labelers.base import LABELER_PARTS, SET_MODEL, Labeler, ModelError
from scrapy_boilernet.extractor.labelers.model_folder import (
    FORMAT_VERSION,
    GRAPH_FILE,
    MOST_WEIGHT_BYTES,
    WEIGHTS_FILE,
    find_model,
    no_model,
    read_document,
    read_json,
    shipped_names,
)
from scrapy_boilernet.extractor.options import ENGINES

BOILERNET = "boilernet"
ENTRY_POINTS = "scrapy_boilernet.labelers"
CLASSICAL = {
    "crf": ("scrapy_boilernet.extractor.labelers.crf.labeler", "CrfLabeler"),
    "svm": ("scrapy_boilernet.extractor.labelers.svm.labeler", "SvmLabeler"),
    "gbdt": ("scrapy_boilernet.extractor.labelers.gbdt.labeler", "GbdtLabeler"),
    "grf": ("scrapy_boilernet.extractor.labelers.grf.labeler", "GrfLabeler"),
}
"""By the name of a labeler its module and class; each needs a package of ``[classical]``."""
WITHOUT_MODEL = ("grf",)
"""Labelers of this package that need no trained model."""


def which_labeler(model: str, remedy: str = SET_MODEL) -> tuple[str, Path | None]:
    """Return the name of the labeler and the folder of the model; None if it needs no folder.

    The name of a shipped model goes before a folder, and a folder before a plug-in. Raises
    ``ModelError``, which lists the known names, if ``model`` is none of them; ``remedy``: how the
    user names another one.
    """
    folder = find_model(model)
    if folder is not None:
        return str(read_json(folder).get("labeler", BOILERNET)), folder
    installed = {entry.name for entry in metadata.entry_points(group=ENTRY_POINTS)}
    plug_ins = sorted(installed - {BOILERNET, *CLASSICAL})  # a plug-in cannot replace these
    if model in WITHOUT_MODEL or model in plug_ins:
        return model, None
    if model in CLASSICAL:
        raise ModelError(
            f"the labeler {model!r} needs a model, and there is none of this name: train one with "
            f"scrapy boilernet train --recipe {model}, and {remedy} its folder"
        )
    raise no_model(model, sorted({*shipped_names(), *WITHOUT_MODEL, *plug_ins}), remedy)


def load_other(labeler: str, folder: Path | None) -> Labeler:
    """Return a labeler that is not BoilerNet's; raises ``ModelError`` if it cannot be loaded."""
    if labeler in CLASSICAL:
        return cast("Labeler", _classical(labeler).load(folder))
    entries = list(metadata.entry_points(group=ENTRY_POINTS, name=labeler))
    if not entries:
        known = ", ".join([BOILERNET, *CLASSICAL])
        raise ModelError(
            f"the model in {folder} is of the labeler {labeler!r}, which is neither one of {known} "
            f"nor an entry point of {ENTRY_POINTS!r}; install the package that has it"
        )
    return _plugged_in(entries[0], folder)


def _classical(labeler: str) -> Any:
    module, name = CLASSICAL[labeler]
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, OSError) as error:  # a missing shared library is an OSError
        raise ModelError(
            f"the labeler {labeler!r} cannot be loaded: {error}; pip install lightgbm scipy, "
            "or set BOILERNET_MODEL = 'default'"
        ) from error


def _plugged_in(entry: metadata.EntryPoint, folder: Path | None) -> Labeler:
    named = f"the labeler {entry.name!r} of {entry.value!r}"
    try:
        labeler = entry.load().load(folder)
    except ModelError:
        raise
    except Exception as error:  # other people's code may raise anything; the message names it
        raise ModelError(f"{named} cannot be loaded: {error!r}; repair or remove it") from error
    missing = [part for part in LABELER_PARTS if not hasattr(labeler, part)]
    if missing:
        raise ModelError(
            f"{named} lacks {', '.join(missing)}; see scrapy_boilernet.extractor.labelers.Labeler"
        )
    return cast("Labeler", labeler)


__all__ = ["ENGINES", "Labeler", "ModelError", "engine_of", "load_labeler"]

_CLASSES = {
    "onnx": ("scrapy_boilernet.extractor.labelers.boilernet.onnx_engine", "OnnxLabeler"),
    "torch": ("scrapy_boilernet.extractor.labelers.boilernet.torch_engine", "TorchLabeler"),
    "numpy": ("scrapy_boilernet.extractor.labelers.boilernet.numpy_engine", "NumpyLabeler"),
}
INSTALL_TORCH = (
    "pip install torch (without a GPU: --index-url https://download.pytorch.org/whl/cpu)"
)
_INSTALL = {"onnx": "pip install onnxruntime", "torch": INSTALL_TORCH}
logger = logging.getLogger(__name__)


def load_labeler(model: str = "default", engine: str = "auto") -> Labeler:
    """Return the labeler of a shipped model's name, a model folder or a plug-in's name.

    ``engine`` is for BoilerNet's models; all others run by their own library. It is ``"onnx"``,
    ``"torch"``, ``"numpy"``, or ``"auto"``: ``"numpy"`` where its loops are compiled, else ONNX
    Runtime where it is installed and the model has a ``model.onnx`` of its weights, else torch
    where it is installed, else NumPy alone. The last four labelers are kept, so that loading twice
    costs nothing. Raises ``ModelError`` if the model is missing or broken, or what runs it is not
    installed.
    """
    return _labeler(model, engine)


@lru_cache(maxsize=4)
def _labeler(model: str, engine: str) -> Labeler:
    if engine not in ENGINES:
        raise ModelError(
            f"no engine {engine!r}: set BOILERNET_ENGINE to one of {', '.join(ENGINES)}"
        )
    kind, folder = which_labeler(model)
    if kind != BOILERNET or folder is None:
        if engine != "auto":
            raise ModelError(
                f"the model {model!r} is of the labeler {kind!r}, which runs by its own library, "
                f"not by the engine {engine!r}: set BOILERNET_ENGINE = 'auto'"
            )
        return load_other(kind, folder)
    return _load_quickest(folder) if engine == "auto" else _load(folder, engine)


def model_version(labeler: Labeler, model: str) -> str:
    """Return a model's name, the version of its labeler's package, and the first 12 digits of the
    SHA-256 of its weights: ``"default 1.0.0 a0baa97c4038"``. No digits if it has no weights, or
    more than ``MOST_WEIGHT_BYTES``.
    """
    folder = find_model(model)
    package = type(labeler).__module__.partition(".")[0].replace("_", "-")
    try:
        parts = [labeler.name, metadata.version(package)]
    except metadata.PackageNotFoundError:
        parts = [labeler.name, "none"]
    # Only the weights count: a new card does not make another model.
    weights = folder / WEIGHTS_FILE if folder else None
    if weights and weights.is_file() and weights.stat().st_size <= MOST_WEIGHT_BYTES:
        parts.append(hashlib.sha256(weights.read_bytes()).hexdigest()[:12])
    return " ".join(parts)


def model_digest(model: str) -> str:
    """Return the SHA-256 of the weights that a model names; "" if it has none, or no folder.

    Raises ``ModelError`` as :func:`which_labeler`, and for a model of BoilerNet with another format
    version.
    """
    kind, folder = which_labeler(model)
    if folder is None:
        return ""
    document = read_document(folder, FORMAT_VERSION) if kind == BOILERNET else read_json(folder)
    return str(document.get("weights_sha256", ""))


def engine_of(labeler: Labeler) -> str:
    """Return the name of the engine that runs a labeler; "" if it is not one of BoilerNet."""
    names = {name: engine for engine, (_, name) in _CLASSES.items()}
    return names.get(type(labeler).__name__, "")


def _load_quickest(folder: Path) -> Labeler:
    if importlib.import_module(_CLASSES["numpy"][0]).IS_COMPILED:
        return _load(folder, "numpy")
    if (folder / GRAPH_FILE).is_file() and importlib.util.find_spec("onnxruntime"):
        try:
            return _load(folder, "onnx")
        except ModelError as error:
            logger.warning("Continuing without ONNX Runtime: %s", error)
    return _load(folder, "torch" if importlib.util.find_spec("torch") else "numpy")


def _load(folder: Path, engine: str) -> Labeler:
    module, name = _CLASSES[engine]
    # Otherwise ONNX Runtime sends data about the machine to its maker, from a thread of its own.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    try:
        labeler_class = getattr(importlib.import_module(module), name)
    except (ImportError, OSError) as error:  # a missing shared library is an OSError
        raise ModelError(
            f"the engine {engine!r} cannot be loaded: {error}; "
            f"{_INSTALL.get(engine, 'install it')}, or set BOILERNET_ENGINE = 'auto'"
        ) from error
    return cast("Labeler", labeler_class.load(folder))
