"""Both engines on models with a bag of page words and without one."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given
from hypothesis import strategies as st
from testing.models import random_tensors
from testing.synthetic import QUICK, TINY, random_features

from scrapy_boilernet.extractor.decide.pooling import pooled
from scrapy_boilernet.extractor.features.hashed import FEATURIZER_VERSION, Features
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.boilernet.network import BoilerNetNetwork
from scrapy_boilernet.extractor.labelers.boilernet.numpy_engine import NumpyLabeler
from scrapy_boilernet.extractor.labelers.boilernet.torch_engine import TorchLabeler
from scrapy_boilernet.extractor.labelers.model_folder import load_model, save_model
from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.extractor.labelers.spec import Architecture, ModelSpec, hashed_architecture

WITH_PAGE = replace(TINY, page_bag=(30, 5))
HTML = '<meta property="og:type" content="article"><h1>Tide pools warm</h1><p>The sea stars leave.'
words = st.lists(st.integers(0, 29), max_size=6)


def spec_of(architecture: Architecture) -> ModelSpec:
    featurizer = {"kind": "hashed", "version": FEATURIZER_VERSION}
    return ModelSpec("mine", architecture, featurizer, "block", 0.5)


def with_words(features: Features, head: list[int], url: list[int]) -> Features:
    ids = (np.array(found, dtype=np.int64) for found in (head, url))
    return replace(features, **dict(zip(("head", "url"), ids, strict=True)))


@QUICK
@given(words, words, st.integers(1, 40), st.sampled_from(["mean", "sum"]))
def test_engines_agree_on_pages_with_and_without_words(
    head: list[int], url: list[int], blocks: int, mode: str
) -> None:
    architecture = replace(WITH_PAGE, bag_mode=mode)
    tensors = random_tensors(architecture, seed=1)
    page = with_words(random_features(blocks, np.random.default_rng(0)), head, url)
    one = TorchLabeler(spec_of(architecture), tensors)._score(page)
    other = NumpyLabeler(spec_of(architecture), tensors)._score(page)
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-5)


def test_engines_agree_on_a_model_without_a_bag_of_page_words() -> None:
    tensors = random_tensors(TINY, seed=1)
    page = random_features(20, np.random.default_rng(0))
    scores = [
        engine(spec_of(TINY), tensors)._score(found)
        for engine in (TorchLabeler, NumpyLabeler)
        for found in (page, with_words(page, [1, 2], [3]))  # which such a model does not read
    ]
    for other in scores[1:]:
        np.testing.assert_allclose(scores[0], other, rtol=0, atol=1e-5)


def test_a_batch_gives_each_page_its_own_words() -> None:
    torch.manual_seed(1)
    network = BoilerNetNetwork(WITH_PAGE).eval()
    rng = np.random.default_rng(0)
    plain = [random_features(length, rng) for length in (4, 0, 9, 2, 1)]
    spoken: list[tuple[list[int], list[int]]] = [
        ([1, 2], [3]),
        ([4], []),
        ([], []),
        ([], [5]),
        ([], []),
    ]
    pages = [with_words(page, *found) for page, found in zip(plain, spoken, strict=True)]
    with torch.inference_mode():
        together = network(pages)
        for page, logits in zip(pages, together, strict=True):
            if len(page.numbers):
                torch.testing.assert_close(logits, network([page])[0], rtol=0, atol=1e-5)
        silent = network(plain)
    assert not torch.allclose(together[0], silent[0])
    torch.testing.assert_close(together[2], silent[2], rtol=0, atol=1e-5)


def test_words_of_a_page_reach_all_of_its_blocks() -> None:
    network = BoilerNetNetwork(WITH_PAGE).eval()
    page = with_words(random_features(6, np.random.default_rng(0)), [1, 2], [2])
    assert network.page_bag is not None
    table = network.page_bag.weight.detach().numpy()
    columns = network._page_columns(network.page_bag, [page]).detach().numpy()
    np.testing.assert_allclose(columns, np.tile(table[[1, 2, 2]].mean(axis=0), (6, 1)), atol=1e-6)


@pytest.mark.parametrize("engine", ["torch", "numpy"])
def test_the_url_can_move_a_models_scores(engine: str, tmp_path: Path) -> None:
    columns = {"tags": 2, "classes": 2, "words": 2, "page": 4}
    architecture = hashed_architecture(columns, 6, 4, 1)
    save_model(tmp_path, spec_of(architecture), random_tensors(architecture, seed=3))
    labeler = load_labeler(str(tmp_path), engine)
    urls = (None, "https://shore.example/product/3", "https://other.example/product/3")
    none, one, other = labeler.probabilities([blockify(HTML, url) for url in urls])
    assert not np.array_equal(none, one)
    assert np.array_equal(one, other)  # the same but for the site


def test_a_model_folder_keeps_an_architecture_with_and_without_page_words(tmp_path: Path) -> None:
    columns = {"tags": 2, "classes": 2, "words": 2, "page": 4}
    new = hashed_architecture(columns, 6, 4, 1)
    for architecture in (new, replace(new, page_bag=None)):
        save_model(tmp_path, spec_of(architecture), random_tensors(architecture, seed=3))
        loaded, tensors = load_model(tmp_path)
        assert loaded.architecture.shapes() == architecture.shapes()
        assert ("page_bag.weight" in tensors) == bool(architecture.page_bag)
        assert asdict(loaded.architecture).keys() == asdict(architecture).keys()


def test_probabilities_are_pooled_by_templates(tiny_model: Path, tiny_own_model: Path) -> None:
    page = blockify("<ul>" + "".join(f"<li>Item {i} of the list" for i in range(9)) + "</ul><p>End")
    alone, shared = (
        NumpyLabeler.load(folder).probabilities([page])[0]
        for folder in (tiny_model, tiny_own_model)
    )
    assert shared == pytest.approx(pooled(page, alone, 0.8))
    assert np.ptp(shared[:9]) < np.ptp(alone[:9])
