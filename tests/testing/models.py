"""Small models with seeded random weights, and the files of pages that tests share."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from scrapy_boilernet.extractor.labelers.model_folder import GRAPH_FILE, Tensors
from scrapy_boilernet.extractor.labelers.spec import Architecture

PAGES = Path(__file__).parents[1] / "pages"
SITE = Path(__file__).parents[2] / "example_project" / "site"
PAGE_FILES = sorted([*PAGES.glob("*.html"), *SITE.glob("*.html")])
PAPER_WORDS = ("the", "a", "of", "and", "to", "in", ".", ",", "water", "home", "reply", "»")
PAPER_TAGS = ("html", "body", "div", "p", "a", "li", "ul", "td")
FOLDS = {"fold-0": [["made", "page0"], ["made", "page2"]], "fold-1": [["made", "page1"]]}
"""Which of the pages made/page0 to made/page2 each model may label."""


def random_tensors(architecture: Architecture, seed: int) -> Tensors:
    """Return float32 tensors of the architecture's shapes, large enough to spread the scores."""
    generator = np.random.default_rng(seed)
    return {
        name: generator.normal(0, 1, size=shape).astype(np.float32)
        for name, shape in architecture.shapes().items()
    }


def write_graph(folder: Path, precision: Literal["float32", "int8"] = "float32") -> Path:
    """Write the graph of the model in ``folder``; return the folder. Skips without ``onnx``."""
    pytest.importorskip("onnx")
    from scrapy_boilernet.extractor.labelers.boilernet.onnx_export import export_graph

    (folder / GRAPH_FILE).write_bytes(export_graph(folder, precision))
    return folder


def write_fold_models(
    folder: Path, model: Path, models: dict[str, Any] = FOLDS, **changes: Any
) -> Path:
    """Write two copies of a model, named as their folders, and which pages each may label."""
    folder.mkdir()
    for name in ("fold-0", "fold-1"):
        shutil.copytree(model, folder / name)
        spec = json.loads((folder / name / "model.json").read_text())
        (folder / name / "model.json").write_text(json.dumps(spec | {"name": name}))
    (folder / "folds.json").write_text(json.dumps({"format": 1, "models": models} | changes))
    return folder
