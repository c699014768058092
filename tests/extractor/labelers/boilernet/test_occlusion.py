"""Reasons of BoilerNet models: what a block's logit loses without each kind of input."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from testing.counting import calls_of
from testing.models import random_tensors, write_graph
from testing.synthetic import QUICK, article

from scrapy_boilernet.extractor.decide.threshold import log_odds
from scrapy_boilernet.extractor.features.hashed import FEATURIZER_VERSION, Bag, Features, featurize
from scrapy_boilernet.extractor.features.numbers import GROUPS
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import Explaining, Reason
from scrapy_boilernet.extractor.labelers.boilernet.numpy_engine import NumpyLabeler
from scrapy_boilernet.extractor.labelers.boilernet.occlusion import (
    BAG_NAMES,
    HEAD_NAME,
    NUMBER_NAMES,
    URL_NAME,
    occluded_reasons,
)
from scrapy_boilernet.extractor.labelers.model_folder import load_model
from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.extractor.labelers.spec import ModelSpec, hashed_architecture
from scrapy_boilernet.extractor.page import Page

URL = "https://blog.example.org/notes/why-tide-pools-warm"
ALL_NAMES = {*NUMBER_NAMES.values(), *BAG_NAMES.values(), HEAD_NAME, URL_NAME}
MODELS = ("tiny_model", "tiny_own_model", "tiny_paper_model")


def page_for(labeler: Any, html: bytes | str, url: str | None = URL) -> Page:
    return blockify(html, url=url, units=labeler.units)


def by_feature(reasons: list[list[Reason]], place: int) -> dict[str, Reason]:
    return {reason.feature: reason for reason in reasons[place]}


@pytest.mark.parametrize("engine", ["numpy", "torch", "onnx"])
@pytest.mark.parametrize("model", MODELS)
def test_every_engine_gives_each_block_its_reasons_the_weightiest_first(
    request: pytest.FixtureRequest, model: str, engine: str, tmp_path: Path
) -> None:
    folder = Path(request.getfixturevalue(model))
    if engine != "numpy":
        pytest.importorskip({"onnx": "onnxruntime"}.get(engine, engine))
    if engine == "onnx":
        folder = write_graph(Path(shutil.copytree(folder, tmp_path / "graph")))
    labeler: Any = load_labeler(str(folder), engine)
    assert isinstance(labeler, Explaining)
    page = page_for(labeler, article(3)[0])
    found = labeler.reasons(page)
    plain: Any = load_labeler(str(request.getfixturevalue(model)), "numpy")
    wanted = plain.reasons(page)
    assert len(found) == len(page.blocks) > 10
    for place, reasons in enumerate(found):
        weights = [abs(reason.weight) for reason in reasons]
        assert weights == sorted(weights, reverse=True)
        assert np.isfinite(weights).all()
        assert {reason.feature for reason in reasons} <= ALL_NAMES
        same = by_feature(wanted, place)
        for reason in reasons:
            if abs(reason.weight) > 0.05:
                assert reason.value == same[reason.feature].value
                assert reason.weight == pytest.approx(same[reason.feature].weight, abs=0.02)


def test_a_weight_is_what_the_logit_loses_without_the_input(tiny_model: Path) -> None:
    labeler = NumpyLabeler(*load_model(tiny_model))
    page = page_for(labeler, article(4)[0])
    features = featurize(page)
    whole = log_odds(labeler._score(features))
    none = Bag(np.zeros(0, dtype=np.int64), np.zeros(len(page.blocks) + 1, dtype=np.int64))
    numbers = features.numbers.copy()
    numbers[:, GROUPS["text"]] = numbers[:, GROUPS["text"]].mean(axis=0)
    without = {
        "tags around it": replace(features, bags={**features.bags, "tags": none}),
        "words of the text": replace(features, bags={**features.bags, "words": none}),
        "length, links, wording": replace(features, numbers=numbers),
        URL_NAME: replace(features, url=features.url[:0]),
    }
    found = labeler.reasons(page)
    for name, changed in without.items():
        weights = whole - log_odds(labeler._score(changed))
        assert np.abs(weights).max() > 0.01
        for place, weight in enumerate(weights.tolist()):
            reason = by_feature(found, place).get(name)
            assert (reason.weight if reason else 0.0) == pytest.approx(weight)


def test_each_group_of_numbers_and_each_bag_has_a_name_and_a_reason(tiny_model: Path) -> None:
    labeler = NumpyLabeler(*load_model(tiny_model))
    html, text = article(5)
    meta = f'<head><meta name="description" content="{text.splitlines()[1]}">'
    html = html.replace(b"<head>", meta.encode())
    assert set(NUMBER_NAMES) == set(GROUPS)
    found = labeler.reasons(page_for(labeler, html))
    assert {reason.feature for reasons in found for reason in reasons} == ALL_NAMES


def test_inputs_that_a_model_does_not_read_are_no_reasons() -> None:
    architecture = hashed_architecture({"tags": 4, "classes": 0, "words": 0, "page": 0}, 8, 6, 1)
    spec = ModelSpec(
        name="bare",
        architecture=architecture,
        featurizer={"kind": "hashed", "version": FEATURIZER_VERSION},
        units="block",
        threshold=0.5,
    )
    labeler = NumpyLabeler(spec, random_tensors(architecture, seed=3))
    found = labeler.reasons(page_for(labeler, article(5)[0]))
    names = {reason.feature for reasons in found for reason in reasons}
    assert names <= {*NUMBER_NAMES.values(), "tags around it"}
    assert {"tags around it", "length, links, wording"} <= names


def test_a_page_without_head_and_url_has_no_reasons_of_them(tiny_model: Path) -> None:
    labeler = NumpyLabeler(*load_model(tiny_model))
    page = page_for(labeler, article(5)[0], url=None)
    names = {reason.feature for reasons in labeler.reasons(page) for reason in reasons}
    assert HEAD_NAME in names
    assert URL_NAME not in names


def test_the_papers_words_and_tags_are_distinguished(tiny_paper_model: Path) -> None:
    labeler = NumpyLabeler(*load_model(tiny_paper_model))
    page = page_for(labeler, "<ul><li><a>the water of home</a></li></ul><p>Yes, a reply.</p>")
    found = labeler.reasons(page)
    assert {reason.feature for reasons in found for reason in reasons} == {
        "words of the text", "tags around it",
    }  # fmt: skip
    assert (
        by_feature(found, 0)["words of the text"].value == "4 of 4 words known: the water of home"
    )
    assert by_feature(found, 0)["tags around it"].value.endswith("ul > li > a")
    seen: list[list[int]] = []

    def score(features: Features) -> NDArray[np.float32]:
        seen.append(features.bags["counts"].ids.tolist())
        return labeler._score(features)

    occluded_reasons(page, labeler._featurize(page), labeler.spec, score)
    whole, tags, words = seen
    assert sorted(tags + words) == sorted(whole)
    assert max(words) <= len(labeler.spec.featurizer["words"]) < min(tags)


def test_values_describe_the_inputs_of_the_block(
    tiny_model: Path, read_page: Callable[[str], bytes]
) -> None:
    labeler = NumpyLabeler(*load_model(tiny_model))
    page = page_for(labeler, read_page("article.html"))
    place = next(i for i, block in enumerate(page.blocks) if block.text.startswith("Most people"))
    reasons = by_feature(labeler.reasons(page), place)
    words = len(page.blocks[place].text.replace("1:", " ").split())
    assert abs(int(reasons["length, links, wording"].value.split()[0]) - words) <= 1
    assert "1% in links, ends a sentence" in reasons["length, links, wording"].value
    assert reasons["tags around it"].value == "body > main > article > p"
    assert reasons["class and id names"].value.startswith("post body entry content")
    assert reasons["words of the text"].value == "most people expect a pool of sea water"
    assert reasons["headings near it"].value == "2 blocks below an h1"
    assert reasons[URL_NAME].value == "blog.example.org/notes/why-tide-pools-warm"
    assert reasons[HEAD_NAME].value == "class post, class template, class singlepost"


def test_a_page_of_one_block_has_reasons_also_of_its_numbers(tiny_model: Path) -> None:
    labeler = NumpyLabeler(*load_model(tiny_model))
    (reasons,) = labeler.reasons(page_for(labeler, "<p>Tide pools warm at night."))
    assert "length, links, wording" in {reason.feature for reason in reasons}


@pytest.mark.parametrize("model", MODELS)
def test_a_page_without_blocks_has_no_reasons(request: pytest.FixtureRequest, model: str) -> None:
    labeler = NumpyLabeler(*load_model(request.getfixturevalue(model)))
    assert labeler.reasons(page_for(labeler, "")) == []


@QUICK
@given(st.lists(st.text(max_size=60), max_size=12))
def test_any_page_has_finite_reasons(
    tiny_model: Path, tiny_paper_model: Path, texts: list[str]
) -> None:
    html = "".join(f"<div class='{i}x'><p>{text}</p></div>" for i, text in enumerate(texts))
    for folder in (tiny_model, tiny_paper_model):
        labeler = NumpyLabeler(*load_model(folder))
        page = page_for(labeler, html)
        found = labeler.reasons(page)
        assert len(found) == len(page.blocks)
        assert all(np.isfinite(reason.weight) for reasons in found for reason in reasons)


def test_odd_unicode_and_long_pages_have_reasons(tiny_model: Path) -> None:
    labeler = NumpyLabeler(*load_model(tiny_model))
    (page,) = [page_for(labeler, "<p>a b.")]
    odd = replace(page, blocks=(page.blocks[0]._replace(text="\ud800 \x00 潮"),) * 2000)
    assert len(labeler.reasons(odd)) == 2000


def test_work_grows_as_the_page(tiny_model: Path) -> None:
    labeler = NumpyLabeler(*load_model(tiny_model))

    def calls(blocks: int) -> int:
        html = "".join(f"<p class=row>Row {i}: some text." for i in range(blocks))
        page = page_for(labeler, html)
        return calls_of(lambda: labeler.reasons(page))

    assert calls(300) < 4 * calls(100)
