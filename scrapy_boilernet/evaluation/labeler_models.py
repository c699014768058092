"""What a model folder tells the table of labelers: its size, and what was seen in training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapy_boilernet.evaluation.systems import System
from scrapy_boilernet.labelers.model_folder import read_json
from scrapy_boilernet.labelers.registry import WITHOUT_MODEL

_NOT_SERVING = {".md", ".svg"}
_FLOORS = "floors.json"


def served_bytes(folder: Path) -> int:
    """Return the size of what serves: ``model.json``, weights and graph, not the card."""
    files = (file for file in folder.iterdir() if file.is_file() and file.name != _FLOORS)
    return sum(file.stat().st_size for file in files if file.suffix not in _NOT_SERVING)


def system_bytes(system: System) -> int | None:
    """Return the size of a system's model, the mean of cross-validated ones; None for a peer."""
    if system.version != "ours":
        return None
    sizes = [served_bytes(folder) for folder in system.folders]
    return round(sum(sizes) / len(sizes)) if sizes else 0


def training_line(system: System, datasets: Sequence[str]) -> str:
    """Return what our model learned from: the run's ``datasets`` with pages, and other sets."""
    if not system.folders:
        needs_none = system.name in WITHOUT_MODEL
        return "nothing: it needs no training" if needs_none else "it has no model.json that says"
    record: Mapping[str, Any] = read_json(system.folders[0]).get("training") or {}
    learned = {**record.get("datasets", {}), **record.get("voted", {})}
    crossed = "cross-validated, so that no page is labeled by a model that saw it"
    if not learned:
        told = "its model.json does not say"
        return f"{told}; {crossed}" if system.folds is not None else told
    here = [_with_pages(name, learned[name]) for name in learned if name in datasets]
    others = [name for name in learned if name not in datasets]
    told = f"{', '.join(here) or 'none'} of these sets"
    if others:
        told += f"; besides {', '.join(others)}"
    if system.folds is not None:
        told += f"; {crossed}"
    return told


def _with_pages(name: str, about: Any) -> str:
    counted = ("train_pages", "validation_pages", "voted_pages")
    pages = sum(int(about.get(key, 0)) for key in counted) if isinstance(about, Mapping) else 0
    return f"{name} ({pages} pages)" if pages else name
