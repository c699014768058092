"""Tag soup from bytes to labels, text, explanation and the pipe of a worker.

``test_blockify_any_input.py`` tests the blockifier alone; ``fuzz/`` does the same for hours.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testing.invariants import check_whole_way
from testing.soup import DECLARED, bodies, sources
from testing.soup_cases import encoded, soup_cases
from testing.synthetic import QUICK

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.extractor.options import (
    FALLBACK_STEPS,
    FAVORS,
    HIDDEN,
    KIND_OPTIONS,
    MAX_BLOCKS,
    LabelOptions,
)

SHIPPED = {"default": "numpy", "crf": "numpy", "svm": "numpy", "gbdt": "lightgbm", "grf": "scipy"}
"""Models, and the library that each needs."""
MORE = settings(QUICK, max_examples=60)
FEW = settings(QUICK, max_examples=12)

options = st.builds(
    LabelOptions,
    threshold=st.sampled_from((None, None, 0.0, 0.5, 1.0)),
    favor=st.sampled_from(FAVORS),
    fallback=st.sampled_from(((), FALLBACK_STEPS)),
    title=st.sampled_from(KIND_OPTIONS),
    comments=st.sampled_from(KIND_OPTIONS),
    hidden=st.sampled_from(HIDDEN),
)


@pytest.fixture(scope="module")
def tiny(tiny_model: Path, tiny_own_model: Path, tiny_paper_model: Path) -> Sequence[Labeler]:
    """Of blocks, of blocks by expected F, and of leaves."""
    folders = (tiny_model, tiny_own_model, tiny_paper_model)
    return [load_labeler(str(folder), "numpy") for folder in folders]


@pytest.mark.parametrize("rule", soup_cases())
def test_every_case_is_labeled_and_explained(rule: str, tiny: Sequence[Labeler]) -> None:
    text = soup_cases()[rule]
    for labeler in tiny:
        check_whole_way(encoded(text), labeler)


@pytest.mark.parametrize("model", SHIPPED)
def test_cases_are_labeled_and_explained_by_all_that_ships(model: str) -> None:
    pytest.importorskip(SHIPPED[model])
    labeler = load_labeler(model, "numpy" if model == "default" else "auto")
    for number, text in enumerate(list(soup_cases().values())[list(SHIPPED).index(model) :: 4]):
        check_whole_way(encoded(text), labeler, explained=number % 8 == 0)


@given(source=sources, options=options, number=st.integers(0, 2))
@MORE
def test_soup_is_labeled_and_explained(
    tiny: Sequence[Labeler], source: str, options: LabelOptions, number: int
) -> None:
    explained = len(source) % 4 == 0
    check_whole_way(encoded(source), tiny[number], "utf-8", options, explained=explained)


@given(
    body=bodies(),
    encoding=st.sampled_from(DECLARED),
    max_blocks=st.sampled_from((1, 3, MAX_BLOCKS)),
    number=st.integers(0, 2),
)
@MORE
def test_bytes_in_any_encoding_are_labeled_and_explained(
    tiny: Sequence[Labeler], body: bytes, encoding: str | None, max_blocks: int, number: int
) -> None:
    check_whole_way(body, tiny[number], encoding, max_blocks=max_blocks, explained=False)


@given(bodies=st.lists(bodies(), min_size=4, max_size=4))
@FEW
def test_soup_in_one_batch_is_labeled_as_alone(
    tiny: Sequence[Labeler], bodies: list[bytes]
) -> None:
    for labeler in tiny:
        pages = [blockify(body, units=labeler.units) for body in bodies]
        for page, together in zip(pages, labeler.probabilities(pages), strict=True):
            assert together == pytest.approx(labeler.probabilities([page])[0], abs=1e-6)


@pytest.mark.parametrize("model", SHIPPED)
@given(source=sources)
@FEW
def test_soup_is_labeled_and_explained_by_all_that_ships(model: str, source: str) -> None:
    pytest.importorskip(SHIPPED[model])
    engine = "numpy" if model == "default" else "auto"
    check_whole_way(encoded(source), load_labeler(model, engine), explained=len(source) % 4 == 0)


@given(source=sources)
@QUICK
def test_text_that_was_decoded_before_is_taken_too(tiny_model: Path, source: str) -> None:
    result = extract(source, model=str(tiny_model), engine="numpy")
    result.text.encode()
    assert len(result.labels) == len(result.page.blocks)
