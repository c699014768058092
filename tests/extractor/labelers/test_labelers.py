"""Every model on every engine keeps the contract of labelers, and gives the same scores."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from testing.models import write_graph

from scrapy_boilernet import Page
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers import registry
from scrapy_boilernet.extractor.labelers.contract import check_labeler, contract_pages
from scrapy_boilernet.extractor.labelers.model_folder import (
    GRAPH_FILE,
    load_model,
    model_folder,
    save_model,
)
from scrapy_boilernet.extractor.labelers.registry import (
    INSTALL_TORCH,
    Labeler,
    ModelError,
    load_labeler,
)
from scrapy_boilernet.extractor.options import ENGINES

MODELS = ("tiny", "tiny_own", "tiny_paper", "default")
NAMES = ("article.html", "forum.html", "japanese.html")
WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None  # an import of it now fails as if it were not installed
from scrapy_boilernet import ModelError, extract, load_labeler
print(type(load_labeler(sys.argv[1])).__name__)
assert extract("<p>Tide pools warm.", model=sys.argv[1]).page.blocks
try:
    load_labeler(sys.argv[1], "torch")
except ModelError as error:
    print(error)
"""


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> str:
    """The folder of each model; the shipped one where it is there."""
    if request.param != "default":
        return str(request.getfixturevalue(f"{request.param}_model"))
    try:
        return str(model_folder("default"))
    except ModelError:
        pytest.skip("no shipped model here")


@pytest.fixture(params=["onnx", "torch", "numpy"])
def engine(request: pytest.FixtureRequest) -> str:
    if request.param != "numpy":
        pytest.importorskip({"onnx": "onnxruntime"}.get(request.param, request.param))
    return str(request.param)


@pytest.fixture
def runnable(model: str, engine: str, tmp_path: Path) -> str:
    """The model, or a copy of it with what the engine needs beside."""
    if engine != "onnx" or (Path(model) / GRAPH_FILE).is_file():
        return model
    return str(write_graph(Path(shutil.copytree(model, tmp_path / "with-graph"))))


@pytest.fixture
def labeler(runnable: str, engine: str) -> Labeler:
    return load_labeler(runnable, engine)


@pytest.fixture
def real_pages(read_page: Callable[[str], bytes], labeler: Labeler) -> list[Page]:
    return [blockify(read_page(name), units=labeler.units) for name in NAMES]


def test_the_contract_is_kept(labeler: Labeler, real_pages: list[Page]) -> None:
    check_labeler(labeler, real_pages)


def test_blocks_of_a_real_page_differ(labeler: Labeler, real_pages: list[Page]) -> None:
    for scores in labeler.probabilities(real_pages):
        assert len(set(scores.tolist())) > 1


def test_scores_are_the_same_each_time(labeler: Labeler, real_pages: list[Page]) -> None:
    first, second = labeler.probabilities(real_pages), labeler.probabilities(real_pages)
    for one, other in zip(first, second, strict=True):
        assert np.array_equal(one, other)


def test_labels_do_not_depend_on_the_batch(labeler: Labeler, real_pages: list[Page]) -> None:
    batch = [*real_pages, blockify("", units=labeler.units), blockify("x", units=labeler.units)]
    for order in (batch, batch[::-1], [batch[0], *batch]):
        for page, scores in zip(order, labeler.probabilities(order), strict=True):
            alone = labeler.probabilities([page])[0]
            threshold = labeler.threshold_for(page, alone)
            assert np.array_equal(scores >= threshold, alone >= threshold)


def test_a_model_saved_again_gives_the_same_scores(
    model: str, engine: str, labeler: Labeler, real_pages: list[Page], tmp_path: Path
) -> None:
    save_model(tmp_path / "again", *load_model(Path(model)))
    if engine == "onnx":
        write_graph(tmp_path / "again", labeler.precision)  # type: ignore[attr-defined]
    again = load_labeler(str(tmp_path / "again"), engine)
    assert (again.name, again.units) == (labeler.name, labeler.units)
    pairs = zip(labeler.probabilities(real_pages), again.probabilities(real_pages), strict=True)
    for page, (one, other) in zip(real_pages, pairs, strict=True):
        assert np.array_equal(one, other)
        assert again.threshold_for(page, other) == labeler.threshold_for(page, one)


def test_both_engines_give_the_same_scores(model: str, read_page: Callable[[str], bytes]) -> None:
    pytest.importorskip("torch")
    torch, plain = load_labeler(model, "torch"), load_labeler(model, "numpy")
    pages = [blockify(read_page(name), units=plain.units) for name in NAMES]
    pages += contract_pages(plain.units)
    for page, one, other in zip(
        pages, torch.probabilities(pages), plain.probabilities(pages), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-4)
        kept = one >= 0.5
        assert torch.confidence(page, one, kept) == pytest.approx(
            plain.confidence(page, other, kept), abs=1e-2
        )


def test_the_labeler_says_what_the_model_says(labeler: Labeler, model: str) -> None:
    spec, _ = load_model(Path(model))
    assert (labeler.name, labeler.units) == (spec.name, spec.units)
    page = blockify("", units=labeler.units)
    assert labeler.threshold_for(page, labeler.probabilities([page])[0]) == spec.threshold


def test_loading_again_costs_nothing(tiny_model: Path) -> None:
    found = load_labeler(str(tiny_model), "numpy")
    assert load_labeler(str(tiny_model), engine="numpy") is found


def test_an_unknown_model_is_named_with_the_setting_to_change() -> None:
    with pytest.raises(ModelError, match=r"'no-such-model'.*BOILERNET_MODEL"):
        load_labeler("no-such-model", "numpy")


@pytest.mark.parametrize("name", ["abacus", "", "NumPy"])
def test_an_unknown_engine_is_named_with_the_choices(tiny_model: Path, name: str) -> None:
    with pytest.raises(ModelError, match="BOILERNET_ENGINE") as caught:
        load_labeler(str(tiny_model), name)
    assert all(part in str(caught.value) for part in (repr(name), *ENGINES))


def test_without_torch_auto_is_numpy_and_torch_is_refused_with_the_remedy(
    tiny_model: Path,
) -> None:
    command = [sys.executable, "-c", WITHOUT_TORCH, str(tiny_model)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    chosen, error = done.stdout.splitlines()
    assert chosen == "NumpyLabeler"
    assert f"{INSTALL_TORCH}, or set BOILERNET_ENGINE = 'auto'" in error


def test_two_threads_may_load_and_score_at_once(
    runnable: str, engine: str, read_page: Callable[[str], bytes]
) -> None:
    registry._labeler.cache_clear()
    both = Barrier(2, timeout=60)

    def score(html: bytes) -> list[float]:
        both.wait()
        labeler = load_labeler(runnable, engine)
        scores = labeler.probabilities([blockify(html, units=labeler.units)])[0]
        return [float(value) for value in scores]

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(score, [read_page("article.html")] * 2)
    assert one == other
