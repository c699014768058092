"""Which labeler a model is of: BoilerNet's, a classical one, or a plug-in from outside.

A plug-in is an entry point of the group :data:`ENTRY_POINTS`: a class with ``load(folder)``, which
returns a labeler. ``folder`` is the model folder whose ``model.json`` has the entry point's name as
``"labeler"``, or None where the name itself stands as the model.
"""

from __future__ import annotations

import importlib
from importlib import metadata
from pathlib import Path
from typing import Any, cast

from scrapy_boilernet.labelers.base import LABELER_PARTS, Labeler, ModelError
from scrapy_boilernet.labelers.model_folder import find_model, read_json, shipped_names

BOILERNET = "boilernet"
ENTRY_POINTS = "scrapy_boilernet.labelers"
CLASSICAL = {
    "crf": ("scrapy_boilernet.labelers.crf", "CrfLabeler"),
    "svm": ("scrapy_boilernet.labelers.svm", "SvmLabeler"),
    "gbdt": ("scrapy_boilernet.labelers.gbdt", "GbdtLabeler"),
    "grf": ("scrapy_boilernet.labelers.grf", "GrfLabeler"),
}
"""By the name of the labeler its module and class; each needs a package of ``[classical]``."""
WITHOUT_MODEL = ("grf",)
"""Labelers of ours that need no trained model."""


def which_labeler(model: str) -> tuple[str, Path | None]:
    """Return the labeler's name and the model's folder, None if it needs none.

    A shipped model goes before a folder, and that before a plug-in. Raises ``ModelError`` if
    ``model`` is nothing of them, listing what there is.
    """
    folder = find_model(model)
    if folder is not None:
        return str(read_json(folder).get("labeler", BOILERNET)), folder
    found = {entry.name for entry in metadata.entry_points(group=ENTRY_POINTS)}
    plug_ins = sorted(found - {BOILERNET, *CLASSICAL})  # our own names stay ours
    if model in WITHOUT_MODEL or model in plug_ins:
        return model, None
    if model in CLASSICAL:
        raise ModelError(
            f"the labeler {model!r} needs a model, and none of this name is here: train one by "
            f"scrapy boilernet train --recipe {model}, and set BOILERNET_MODEL to its folder"
        )
    names = ", ".join(sorted({*shipped_names(), *WITHOUT_MODEL, *plug_ins}))
    raise ModelError(
        f"no model {model!r}: it is neither a known name ({names}) nor a folder with model.json "
        "and its weights; set BOILERNET_MODEL to one of them"
    )


def load_other(labeler: str, folder: Path | None) -> Labeler:
    """Return a labeler that is not BoilerNet's; raises ``ModelError`` if it cannot be loaded."""
    if labeler in CLASSICAL:
        return cast("Labeler", _classical(labeler).load(folder))
    found = list(metadata.entry_points(group=ENTRY_POINTS, name=labeler))
    if not found:
        known = ", ".join([BOILERNET, *CLASSICAL])
        raise ModelError(
            f"the model in {folder} is of the labeler {labeler!r}, which is neither one of {known} "
            f"nor an entry point of {ENTRY_POINTS!r}; install the package that brings it"
        )
    return _plugged_in(found[0], folder)


def _classical(labeler: str) -> Any:
    module, name = CLASSICAL[labeler]
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, OSError) as error:  # a missing shared library is an OSError
        raise ModelError(
            f"the labeler {labeler!r} cannot be loaded: {error}; pip install '.[classical]' in a "
            "checkout, or set BOILERNET_MODEL = 'default'"
        ) from error


def _plugged_in(entry: metadata.EntryPoint, folder: Path | None) -> Labeler:
    named = f"the labeler {entry.name!r} of {entry.value!r}"
    try:
        labeler = entry.load().load(folder)
    except ModelError:
        raise
    except Exception as error:  # whatever foreign code does, the crawl stops with its name
        raise ModelError(f"{named} cannot be loaded: {error!r}; repair or remove it") from error
    missing = [part for part in LABELER_PARTS if not hasattr(labeler, part)]
    if missing:
        raise ModelError(
            f"{named} lacks {', '.join(missing)}; see scrapy_boilernet.labelers.base.Labeler"
        )
    return cast("Labeler", labeler)
