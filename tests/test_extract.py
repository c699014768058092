"""The whole way from a page's bytes to its labels and main text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import scrapy_boilernet
from scrapy_boilernet import LabeledPage, ModelError, extract, load_labeler
from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.extract import label_page

HTML = (
    "<title>T</title><body><nav><a href=/>Home</a></nav><h1>Größe</h1><p>Tide pools warm at night."
)


@pytest.fixture(params=["tiny", "tiny_paper"])
def model(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(f"{request.param}_model"))


@pytest.fixture(params=["torch", "numpy"])
def engine(request: pytest.FixtureRequest) -> str:
    if request.param == "torch":
        pytest.importorskip("torch")
    return str(request.param)


def run(html: bytes | str, model: str | Path, **options: Any) -> LabeledPage:
    return extract(html, model=str(model), **{"engine": "numpy", **options})


def test_a_real_page_is_labeled_block_by_block(
    model: str, engine: str, read_page: Callable[[str], bytes]
) -> None:
    result = run(read_page("article.html"), model, engine=engine, url="https://example.com/a")
    labeler = load_labeler(model, engine)
    page = blockify(read_page("article.html"), url="https://example.com/a", units=labeler.units)
    assert result.page == page
    assert len(result.labels) == len(result.probabilities) == len(page.blocks) > 10
    assert all(0 <= p <= 1 for p in result.probabilities)
    assert all(type(p) is float for p in result.probabilities)
    assert 0 < result.confidence <= 1
    assert (result.model, result.threshold) == (labeler.name, labeler.threshold)
    assert set(result.labels) <= {"content", "boilerplate"}


def test_the_text_is_that_of_the_content_blocks(
    model: str, read_page: Callable[[str], bytes]
) -> None:
    middle = median(run(read_page("forum.html"), model).probabilities)
    result = run(read_page("forum.html"), model, threshold=middle)
    assert set(result.labels) == {"content", "boilerplate"}
    kept = [block.text for block in result.content]
    assert result.text.replace(" | ", "\n").split("\n") == [
        line for text in kept for line in text.replace(" | ", "\n").split("\n")
    ]
    rows = zip(result.page.blocks, result.labels, result.probabilities, strict=True)
    for block, label, probability in rows:
        assert (label == "content") == (probability >= middle) == (block in result.content)


def test_bytes_and_their_text_give_the_same(tiny_model: Path) -> None:
    assert run(HTML, tiny_model) == run(HTML.encode(), tiny_model)


def test_the_callers_encoding_is_used(tiny_model: Path) -> None:
    result = run(HTML.encode("utf-16-le"), tiny_model, encoding="utf-16-le")
    assert [block.text for block in result.page.blocks][1] == "Größe"


def test_the_threshold_moves_labels_but_not_probabilities(tiny_model: Path) -> None:
    own = run(HTML, tiny_model)
    everything, nothing = run(HTML, tiny_model, threshold=0), run(HTML, tiny_model, threshold=1.0)
    assert set(everything.labels) == {"content"}
    assert set(nothing.labels) == {"boilerplate"}
    assert everything.probabilities == nothing.probabilities == own.probabilities
    assert nothing.confidence == 0.0
    assert 0 < everything.confidence <= 1
    assert (everything.threshold, nothing.threshold) == (0, 1.0)


def test_a_block_at_the_threshold_is_content(tiny_model: Path) -> None:
    probability = run(HTML, tiny_model).probabilities[-1]
    assert run(HTML, tiny_model, threshold=probability).labels[-1] == "content"
    assert run(HTML, tiny_model, threshold=probability + 1e-9).labels[-1] == "boilerplate"


def test_none_takes_the_models_own_threshold(tiny_paper_model: Path) -> None:
    assert run(HTML, tiny_paper_model, threshold=None).threshold == 0.45


@pytest.mark.parametrize("threshold", [-0.001, 1.001, 50, float("nan"), float("inf")])
def test_a_threshold_outside_its_range_is_refused(tiny_model: Path, threshold: float) -> None:
    with pytest.raises(ValueError, match=r"outside \[0, 1\]") as caught:
        run(HTML, tiny_model, threshold=threshold)
    assert repr(threshold) in str(caught.value)


@pytest.mark.parametrize(
    "html", ["", b"", "<html>", b"\x00\xff\xfe", "\ud800", b"%PDF-1.7\n\xe2\xe3", "<p>\x00x"]
)
def test_no_page_raises(model: str, html: bytes | str) -> None:
    result = run(html, model, encoding="hex")
    assert len(result.labels) == len(result.page.blocks)


def test_a_page_without_blocks_has_no_text_and_no_confidence(model: str) -> None:
    result = run("<html><title>T</title></html>", model)
    assert (result.labels, result.text, result.confidence) == ((), "", 0.0)
    assert result.page.title == "T"


def test_unknown_models_and_engines_are_refused(tiny_model: Path) -> None:
    with pytest.raises(ModelError, match="no-such-model"):
        run(HTML, "no-such-model")
    with pytest.raises(ModelError, match="abacus"):
        run(HTML, tiny_model, engine="abacus")


def test_a_page_in_other_units_is_refused_with_the_remedy(
    tiny_model: Path, tiny_paper_model: Path
) -> None:
    for model, units in ((tiny_model, "leaf"), (tiny_paper_model, "block")):
        labeler = load_labeler(str(model), "numpy")
        with pytest.raises(ValueError, match=r"units=labeler\.units") as caught:
            label_page(blockify(HTML, units=units), labeler)  # type: ignore[arg-type]
        assert labeler.name in str(caught.value)


def test_label_page_continues_where_blockify_ends(model: str) -> None:
    labeler = load_labeler(model, "numpy")
    assert label_page(blockify(HTML, units=labeler.units), labeler) == run(HTML, model)


def test_the_packages_face_is_seven_names() -> None:
    names = ["Addon", "Block", "LabeledPage", "ModelError", "Page", "extract", "load_labeler"]
    assert sorted(scrapy_boilernet.__all__) == names
    assert all(hasattr(scrapy_boilernet, name) for name in names)
