"""ONNX Runtime gives the same as other engines, alone and in a batch, or an error says why not."""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

import onnx
from hypothesis import given
from hypothesis import strategies as st
from testing.models import random_tensors, write_graph
from testing.synthetic import QUICK, TINY, random_features

from scrapy_boilernet.extractor.features.hashed import FEATURIZER_VERSION, Features
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.boilernet.numpy_engine import NumpyLabeler
from scrapy_boilernet.extractor.labelers.boilernet.onnx_engine import OnnxLabeler
from scrapy_boilernet.extractor.labelers.boilernet.onnx_export import export_graph
from scrapy_boilernet.extractor.labelers.boilernet.scoring import ModelLabeler
from scrapy_boilernet.extractor.labelers.model_folder import (
    GRAPH_FILE,
    WEIGHTS_FILE,
    load_model,
    model_folder,
    save_model,
)
from scrapy_boilernet.extractor.labelers.registry import ModelError, load_labeler
from scrapy_boilernet.extractor.labelers.spec import Architecture, ModelSpec

WITH_PAGE = replace(TINY, page_bag=(30, 5))
ARCHITECTURES = {
    "mean": TINY,
    "sum": replace(TINY, bag_mode="sum"),
    "page words": WITH_PAGE,
    "no dense layer": replace(TINY, dense=0),
    "one layer": replace(TINY, layers=1),
    "three layers": replace(WITH_PAGE, layers=3, hidden=5),
}
NAMES = ("article.html", "forum.html", "japanese.html")
words = st.lists(st.integers(0, 29), max_size=6)
lengths = st.lists(st.integers(1, 60), min_size=1, max_size=9)
HIDDEN = """
import sys
sys.modules["onnxruntime"] = None  # an import of it now fails as if it were not installed
from scrapy_boilernet import ModelError, load_labeler
try:
    load_labeler(sys.argv[1], "onnx")
except ModelError as error:
    print(error)
"""


def saved(folder: Path, architecture: Architecture, scale: float = 1.0) -> Path:
    """Write a model of random weights with its graph."""
    featurizer = {"kind": "hashed", "version": FEATURIZER_VERSION}
    tensors = random_tensors(architecture, seed=1)
    spec = ModelSpec("mine", architecture, featurizer, "block", 0.5)
    save_model(folder, spec, {name: scale * tensor for name, tensor in tensors.items()})
    return write_graph(folder)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("architectures")
    return {name: saved(root / name, shape) for name, shape in ARCHITECTURES.items()}


@pytest.fixture
def folder(tiny_model: Path, tmp_path: Path) -> Path:
    """A copy of the small model with its graph, which a test may break."""
    return write_graph(Path(shutil.copytree(tiny_model, tmp_path / "broken-model")))


def page_of(blocks: int, head: list[int]) -> Features:
    page = random_features(blocks, np.random.default_rng(blocks))
    return replace(page, head=np.array(head, dtype=np.int64))


@QUICK
@given(words, st.integers(1, 40), st.sampled_from(sorted(ARCHITECTURES)))
def test_engines_agree_on_any_architecture(
    folders: dict[str, Path], head: list[int], blocks: int, name: str
) -> None:
    page = page_of(blocks, head)
    plain = NumpyLabeler.load(folders[name])._score(page)
    found = OnnxLabeler.load(folders[name])._score(page)
    assert (found.shape, found.dtype) == ((blocks,), np.float32)
    np.testing.assert_allclose(found, plain, rtol=0, atol=1e-5)


@pytest.mark.parametrize("model", ["tiny", "tiny_own", "tiny_paper", "default", "open"])
def test_engines_agree_on_real_pages(
    model: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    read_page: Callable[[str], bytes],
) -> None:
    shipped = model in ("default", "open")
    made = model_folder(model) if shipped else request.getfixturevalue(f"{model}_model")
    folder = write_graph(Path(shutil.copytree(made, tmp_path / model)))
    plain, labeler = load_labeler(str(folder), "numpy"), load_labeler(str(folder), "onnx")
    pages = [blockify(read_page(name), units=labeler.units) for name in NAMES]
    for page, one, other in zip(
        pages, labeler.probabilities(pages), plain.probabilities(pages), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-4)
        labels = [
            scores.astype(np.float64) >= found.threshold_for(page, scores)
            for found, scores in ((labeler, one), (plain, other))
        ]
        assert np.array_equal(*labels)


@pytest.mark.parametrize("model", ["default", "open"])
def test_shipped_graphs_are_of_eight_bits_and_move_little(
    model: str, read_page: Callable[[str], bytes]
) -> None:
    plain, labeler = load_labeler(model, "numpy"), load_labeler(model, "onnx")
    assert isinstance(labeler, OnnxLabeler)
    assert labeler.precision == "int8"
    for page in (blockify(read_page(name)) for name in NAMES):
        pairs = (found.probabilities([page])[0] for found in (plain, labeler))
        np.testing.assert_allclose(*pairs, rtol=0, atol=0.1)


def check_batch(labeler: ModelLabeler, blocks: list[int]) -> None:
    pages = [page_of(length, [i]) for i, length in enumerate(blocks)]
    for page, scores in zip(pages, labeler._score_many(pages), strict=True):
        np.testing.assert_allclose(scores, labeler._score(page), rtol=0, atol=1e-6)


@QUICK
@given(lengths)
def test_a_page_has_the_same_probabilities_alone_and_in_a_batch(
    folders: dict[str, Path], blocks: list[int]
) -> None:
    check_batch(OnnxLabeler.load(folders["page words"]), blocks)


@QUICK
@given(lengths)
def test_torch_gives_the_same_alone_and_in_a_batch(
    folders: dict[str, Path], blocks: list[int]
) -> None:
    engine = pytest.importorskip(
        "scrapy_boilernet.extractor.labelers.boilernet.torch_engine", exc_type=ImportError
    )
    check_batch(engine.TorchLabeler.load(folders["page words"]), blocks)


def test_probabilities_are_in_range_where_weights_are_large(tmp_path: Path) -> None:
    scores = OnnxLabeler.load(saved(tmp_path, TINY, scale=50.0))._score(page_of(40, []))
    assert ((scores >= 0) & (scores <= 1)).all()


def test_weights_beyond_half_precision_are_kept_whole(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, tensors = load_model(tiny_model)
    save_model(tmp_path, spec, tensors)
    exact = {name: tensor + np.float32(1e-5) for name, tensor in tensors.items()}
    monkeypatch.setattr(
        "scrapy_boilernet.extractor.labelers.boilernet.onnx_export.load_model",
        lambda folder: (spec, exact),
    )
    graph = onnx.load_from_string(export_graph(tmp_path)).graph
    kinds = {constant.data_type for constant in graph.initializer}
    assert onnx.TensorProto.FLOAT in kinds


def test_exporting_twice_gives_the_same_bytes(tiny_model: Path, tiny_paper_model: Path) -> None:
    for made in (tiny_model, tiny_paper_model):
        for precision in ("float32", "int8"):
            assert export_graph(made, precision) == export_graph(made, precision)


def test_eight_bits_move_little_and_never_by_the_neighbours(folders: dict[str, Path]) -> None:
    whole = OnnxLabeler.load(folders["page words"])
    copy = Path(shutil.copytree(folders["page words"], folders["page words"].parent / "int8"))
    rounded = OnnxLabeler.load(write_graph(copy, "int8"))
    assert (whole.precision, rounded.precision) == ("float32", "int8")
    pages = [page_of(length, []) for length in (30, 7, 60)]
    for page, scores in zip(pages, rounded._score_many(pages), strict=True):
        assert np.array_equal(scores, rounded._score(page))
        assert not np.array_equal(scores, whole._score(page))
        np.testing.assert_allclose(scores, whole._score(page), rtol=0, atol=0.1)


def refused(folder: Path) -> str:
    with pytest.raises(ModelError, match="broken-model") as caught:
        load_labeler(str(folder), "onnx")
    assert f"scrapy boilernet export {folder}" in str(caught.value)
    assert GRAPH_FILE in str(caught.value)
    return str(caught.value)


def test_a_missing_graph_is_named_with_the_remedy(folder: Path) -> None:
    (folder / GRAPH_FILE).unlink()
    refused(folder)


@pytest.mark.parametrize("keep", [0, 1, 100, -1])
def test_a_graph_that_was_cut_off_is_named_with_the_remedy(folder: Path, keep: int) -> None:
    data = (folder / GRAPH_FILE).read_bytes()
    (folder / GRAPH_FILE).write_bytes(data[:keep])
    refused(folder)


def test_a_graph_of_other_weights_is_named_with_the_remedy(folder: Path) -> None:
    graph = (folder / GRAPH_FILE).read_bytes()
    spec, _ = load_model(folder)
    save_model(folder, spec, random_tensors(spec.architecture, seed=99))
    assert not (folder / GRAPH_FILE).exists()  # it would not fit any more
    (folder / GRAPH_FILE).write_bytes(graph)
    assert "weights_sha256" in refused(folder)


@pytest.mark.parametrize("key", ["weights_sha256", "graph_version"])
def test_a_graph_without_what_is_said_of_it_is_refused(folder: Path, key: str) -> None:
    model = onnx.load(folder / GRAPH_FILE)
    kept = {found.key: found.value for found in model.metadata_props if found.key != key}
    onnx.helper.set_model_props(model, kept)
    onnx.save(model, folder / GRAPH_FILE)
    assert f"{key} is None" in refused(folder)


def test_a_model_that_no_graph_expresses_is_refused_at_export(folder: Path) -> None:
    spec, tensors = load_model(folder)
    bare = replace(spec, architecture=replace(spec.architecture, layers=0, hidden=4))
    kept = {name: tensor for name, tensor in tensors.items() if not name.startswith("bilstm")}
    save_model(folder, bare, kept | {"out.weight": np.ones((1, 8), dtype=np.float32)})
    with pytest.raises(ModelError, match=r"broken-model has 0 LSTM layers.*'numpy'"):
        export_graph(folder)


@pytest.mark.usefixtures("not_compiled")
def test_auto_takes_it_where_there_is_a_graph_and_nothing_is_compiled(folder: Path) -> None:
    assert isinstance(load_labeler(str(folder), "auto"), OnnxLabeler)


@pytest.mark.usefixtures("not_compiled")
def test_auto_goes_on_without_a_graph_that_does_not_fit_and_says_so(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / GRAPH_FILE).write_bytes(b"no graph")
    with caplog.at_level(logging.WARNING):
        labeler = load_labeler(str(folder), "auto")
    assert not isinstance(labeler, OnnxLabeler)
    assert "scrapy boilernet export" in caplog.text


@pytest.mark.usefixtures("not_compiled")
def test_auto_is_quiet_where_there_is_no_graph(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / GRAPH_FILE).unlink()
    assert not isinstance(load_labeler(str(folder), "auto"), OnnxLabeler)
    assert caplog.text == ""


def test_broken_weights_are_named_as_such(folder: Path) -> None:
    (folder / WEIGHTS_FILE).write_bytes(b"no weights")
    for engine in ("auto", "onnx"):
        with pytest.raises(ModelError, match=f"cannot read {WEIGHTS_FILE}"):
            load_labeler(str(folder), engine)


def test_where_it_is_not_installed_the_error_says_how(folder: Path) -> None:
    command = [sys.executable, "-c", HIDDEN, str(folder)]
    error = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "pip install onnxruntime" in error
    assert "BOILERNET_ENGINE = 'auto'" in error
