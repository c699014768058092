"""Quality floors: the least mean word-F1 per data set that a model must keep."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrapy_boilernet.evaluation.fold_models import is_fold_folder
from scrapy_boilernet.labelers.model_folder import model_folder

FLOORS_FILE, FLOORS_FORMAT = "floors.json", 1


class FloorsError(Exception):
    """Floors are missing or cannot be read; the message names the file and what it needs."""


@dataclass(frozen=True)
class Floors:
    """The floors of one model, and the sample that they hold on."""

    sample: int
    """Pages per set, of the fixed draw from its test part."""
    floors: dict[str, float]
    """Least mean word-F1 per data set, in [0, 1]."""


_GARBLED = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
"""What reading a file that is no floors can raise."""


def floors_file(model: str) -> Path:
    """Return where a model's floors lie; raises ``ModelError`` if there is no such model."""
    folder = Path(model) if is_fold_folder(Path(model)) else model_folder(model)
    return folder / FLOORS_FILE


def read_floors(file: Path) -> Floors:
    """Return the floors of ``file``; raises ``FloorsError`` if it is missing or garbled."""
    needs = '{"format": 1, "sample": 60, "floors": {"<data set>": 0.9, ...}}'
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        version = document["format"]
        floors = {str(name): float(floor) for name, floor in document["floors"].items()}
        sample = int(document["sample"])
    except OSError as error:
        raise FloorsError(f"no floors at {file} ({error.strerror}); write {needs}") from error
    except _GARBLED as error:
        raise FloorsError(f"cannot read {file}: {error!r}; it must be {needs}") from error
    if version != FLOORS_FORMAT:
        raise FloorsError(f"{file} has format {version!r}, this package reads {FLOORS_FORMAT}")
    if wrong := {name: floor for name, floor in floors.items() if not 0 <= floor <= 1}:
        raise FloorsError(f"{file} has floors outside [0, 1]: {wrong}; they are mean word-F1")
    if sample < 1:
        raise FloorsError(f"{file} has the sample {sample}; it must be at least 1 page per set")
    return Floors(sample, floors)


def compare(summary: Mapping[str, Any], floors: Floors) -> tuple[bool, list[str]]:
    """Return whether the first system keeps the floors, and a line per measured set.

    A run in which no measured set has a floor fails: it would show nothing.
    """
    name = next(iter(summary["systems"]))
    measured = {d: group[name]["f1"] for d, group in summary["cuts"]["data set"].items()}
    lines, kept = [], True
    for dataset, f1 in measured.items():
        floor = floors.floors.get(dataset)
        if floor is None:
            lines.append(f"{dataset}: {name} has word-F1 {f1:.4f}, no floor")
        elif f1 >= floor:
            lines.append(f"{dataset}: {name} has word-F1 {f1:.4f}, floor {floor:.4f}: kept")
        else:
            kept = False
            lines.append(f"{dataset}: {name} has word-F1 {f1:.4f}, below its floor {floor:.4f}")
    if not measured.keys() & floors.floors.keys():
        return False, [*lines, "none of the measured sets has a floor: add one, or measure others"]
    return kept, lines
