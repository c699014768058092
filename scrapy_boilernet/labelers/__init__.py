"""Labelers: objects that give every block of a page its probability of being content."""

from __future__ import annotations

import importlib
import importlib.util
from functools import lru_cache
from typing import cast

from scrapy_boilernet.labelers.base import Labeler, ModelError
from scrapy_boilernet.labelers.model_folder import load_model, model_folder

__all__ = ["ENGINES", "Labeler", "ModelError", "load_labeler"]

ENGINES = ("auto", "torch", "numpy")
_CLASSES = {
    "torch": ("scrapy_boilernet.labelers.boilernet", "TorchLabeler"),
    "numpy": ("scrapy_boilernet.labelers.numpy_engine", "NumpyLabeler"),
}


@lru_cache(maxsize=4)
def load_labeler(model: str = "default", engine: str = "auto") -> Labeler:
    """Return the labeler of a shipped model's name or of a model folder.

    ``engine``: ``"torch"``, ``"numpy"``, or ``"auto"``: torch where it is installed, else NumPy.
    The last four are kept, so that loading twice costs nothing. Raises ``ModelError`` if the
    model is missing or broken, or the engine is not installed.
    """
    if engine not in ENGINES:
        raise ModelError(
            f"no engine {engine!r}: set BOILERNET_ENGINE to one of {', '.join(ENGINES)}"
        )
    if engine == "auto":
        engine = "torch" if importlib.util.find_spec("torch") else "numpy"
    module, name = _CLASSES[engine]
    spec, tensors = load_model(model_folder(model))
    try:
        labeler_class = getattr(importlib.import_module(module), name)
    except (ImportError, OSError) as error:  # a missing shared library is an OSError
        raise ModelError(
            f"the engine {engine!r} cannot be loaded: {error}; install it, or set "
            "BOILERNET_ENGINE = 'numpy'"
        ) from error
    return cast("Labeler", labeler_class(spec, tensors))
