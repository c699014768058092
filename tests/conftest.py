"""Fixtures that several test modules share: small models with random weights, pages, a web site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from testing.loopback import Site
from testing.models import PAGES, PAPER_TAGS, PAPER_WORDS, random_tensors

from scrapy_boilernet.extractor.features.counts import PAPER_FEATURIZER_VERSION
from scrapy_boilernet.extractor.features.hashed import FEATURIZER_VERSION
from scrapy_boilernet.extractor.labelers.model_folder import load_model, save_model
from scrapy_boilernet.extractor.labelers.spec import Architecture, ModelSpec, hashed_architecture

settings.register_profile("without deadline", deadline=None)
settings.load_profile("without deadline")
"""A busy machine is no failure."""


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
    """The folder of "tiny" with decisions by expected F, pooling and a floor; named "tiny_own"."""
    spec, tensors = load_model(tiny_model)
    folder = tmp_path_factory.mktemp("models") / "tiny_own"
    own = replace(spec, name="tiny_own", decision="expected-f", threshold=0.02, template_share=0.8)
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
    """A function from a file name in tests/pages to the page's bytes."""
    return lambda name: (PAGES / name).read_bytes()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A web site on loopback."""
    with Site() as site:
        yield site
