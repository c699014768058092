"""Fixtures that several test modules share: two small models with seeded random weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from scrapy_boilernet.features import FEATURIZER_VERSION
from scrapy_boilernet.labelers.model_folder import GRAPH_FILE, Tensors, load_model, save_model
from scrapy_boilernet.labelers.spec import Architecture, ModelSpec, hashed_architecture
from scrapy_boilernet.paper_features import PAPER_FEATURIZER_VERSION

PAGES = Path(__file__).parent / "pages"
PAPER_WORDS = ("the", "a", "of", "and", "to", "in", ".", ",", "water", "home", "reply", "»")
PAPER_TAGS = ("html", "body", "div", "p", "a", "li", "ul", "td")


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
    from scrapy_boilernet.labelers.onnx_export import export_graph

    (folder / GRAPH_FILE).write_bytes(export_graph(folder, precision))
    return folder


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small model that reads the hashed features; named "tiny"."""
    architecture = hashed_architecture(
        columns={"tags": 4, "classes": 4, "words": 4, "page": 4},
        dense=8,
        hidden=6,
        layers=2,
    )
    spec = ModelSpec(
        name="tiny",
        architecture=architecture,
        featurizer={"kind": "hashed", "version": FEATURIZER_VERSION},
        units="block",
        threshold=0.5,
    )
    folder = tmp_path_factory.mktemp("models") / "tiny"
    save_model(folder, spec, random_tensors(architecture, seed=7))
    return folder


@pytest.fixture(scope="session")
def tiny_own_model(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of "tiny" deciding by expected F, with a floor; named "tiny_own"."""
    spec, tensors = load_model(tiny_model)
    folder = tmp_path_factory.mktemp("models") / "tiny_own"
    own = replace(spec, name="tiny_own", decision="expected-f", threshold=0.02)
    save_model(folder, own, tensors)
    return folder


@pytest.fixture(scope="session")
def tiny_paper_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small model that reads the paper's counts of leaves; named "tiny_paper"."""
    rows = len(PAPER_WORDS) + len(PAPER_TAGS) + 2
    architecture = Architecture(
        bags={"counts": (rows, 8)}, bag_mode="sum", numbers=0, dense=0, hidden=6, layers=2
    )
    spec = ModelSpec(
        name="tiny_paper",
        architecture=architecture,
        featurizer={
            "kind": "counts",
            "version": PAPER_FEATURIZER_VERSION,
            "words": list(PAPER_WORDS),
            "tags": list(PAPER_TAGS),
            "unknown_overwrites": False,
        },
        units="leaf",
        threshold=0.45,
    )
    folder = tmp_path_factory.mktemp("models") / "tiny_paper"
    save_model(folder, spec, random_tensors(architecture, seed=10))
    return folder


@pytest.fixture
def read_page() -> Callable[[str], bytes]:
    """Return the bytes of a page of tests/pages by its file name."""
    return lambda name: (PAGES / name).read_bytes()
