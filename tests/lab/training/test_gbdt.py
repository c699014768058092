"""Fitting the labeler ``gbdt``: determinism, rounding, options."""

from __future__ import annotations

import re
from dataclasses import fields, replace

import numpy as np
import pytest
from testing.synthetic import gold_page

pytest.importorskip("lightgbm")
pytest.importorskip("rapidfuzz")

import lightgbm

from scrapy_boilernet.extractor.labelers.gbdt.tree_features import feature_names, tree_features
from scrapy_boilernet.extractor.labelers.gbdt.trees import Trees
from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.training.gbdt import GbdtOptions, fit, trees_of
from scrapy_boilernet.lab.training.gold import GoldBlocks, gold_blocks

OPTIONS = {"trees": 12, "leaves": 6, "min_leaf": 3}


def quiet(_: str) -> None: ...


@pytest.fixture(scope="module")
def pages() -> list[GoldBlocks]:
    return [found for i in range(8) if (found := gold_blocks(gold_page(i), "block"))]


def test_the_payload_depends_on_the_seed_alone(pages: list[GoldBlocks]) -> None:
    payload = fit(pages, OPTIONS, 3, quiet)
    assert payload == fit(pages, OPTIONS, 3, quiet)
    assert payload != fit(pages, OPTIONS, 4, quiet)


def boosted(payload: bytes, groups: tuple[str, ...] = ()) -> lightgbm.Booster:
    """Return the model that LightGBM reads from the text of a payload."""
    trees = Trees.from_bytes(payload, len(feature_names(groups)))
    return lightgbm.Booster(model_str=trees.text())


def test_trees_of_lightgbms_text_have_the_same_rounded_scores(pages: list[GoldBlocks]) -> None:
    values = np.concatenate([tree_features(page.page).values for page in pages])
    labels = np.concatenate(
        [np.bincount(tree_features(p.page).leaf_of, p.targets) > 0 for p in pages]
    )
    parameters = GbdtOptions(leaves=6, min_leaf=3).parameters(0)
    booster = lightgbm.train(parameters, lightgbm.Dataset(values, labels), 10)
    again = boosted(trees_of(booster.model_to_string(), values.shape[1]).to_bytes())
    for output in ({"raw_score": True}, {"pred_contrib": True}):
        one, other = booster.predict(values, **output), again.predict(values, **output)
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_numbers_are_rounded_and_invalid_ones_are_refused() -> None:
    text = (
        "tree\n\nTree=0\nnum_leaves=2\nsplit_feature=0\nthreshold=1\nleft_child=-1\n"
        "right_child=-2\nleaf_value=1 {}\nleaf_count=3 4\n\nend of trees\nparameters:\n"
    )
    trees = trees_of(text.format("0.123456789").replace("threshold=1", "threshold=1.23456789"), 5)
    assert trees.leaf_value.tolist() == [1, float(np.float32(0.1234568))]
    assert trees.threshold.tolist() == [1.234568]
    with pytest.raises(ValueError, match=r"tensor leaf_value: 10000000\.0, must be"):
        trees_of(text.format("1e7"), 5)


def test_options_choose_the_features_and_the_trees(pages: list[GoldBlocks]) -> None:
    payload = fit(pages, {**OPTIONS, "groups": ["neighbours"], "trees": 5}, 0, quiet)
    booster = boosted(payload, ("neighbours",))
    assert booster.num_trees() == 5
    assert booster.num_feature() == len(feature_names(("neighbours",)))


def test_the_error_for_an_unknown_option_names_the_known_ones(pages: list[GoldBlocks]) -> None:
    with pytest.raises(ValueError, match=r"'depth'.*learning_rate"):
        fit(pages, {"depth": 3}, 0, quiet)


WRONG = {
    "trees": ["x", 0, 2.5, True, None, 10**9],
    "leaves": [1, "31", -1, 10**6, [31]],
    "min_leaf": [0, 1.5],
    "learning_rate": [float("nan"), 0, -1, 2, "0.1", float("inf"), False],
    "feature_fraction": [0, 1.1],
    "bagging_fraction": [0, 1.1, None],
    "l2": [-1, float("inf")],
    "token_power": [-1, "a"],
    "groups": [5, "shallow", ["colour"], [["shallow"]], None],
}


@pytest.mark.parametrize("name", WRONG)
def test_the_error_for_a_wrong_value_names_it_and_the_range(
    pages: list[GoldBlocks], name: str
) -> None:
    for value in WRONG[name]:
        message = re.escape(f"option {name} is {value!r} and must be a ")
        with pytest.raises(ValueError, match=message):
            fit(pages, {name: value}, 0, quiet)


def test_every_option_is_checked() -> None:
    assert {*WRONG} == {field.name for field in fields(GbdtOptions)}
    assert GbdtOptions.of({}) == GbdtOptions()
    assert GbdtOptions.of({"l2": 1, "trees": 3}) == GbdtOptions(l2=1, trees=3)
    with pytest.raises(ValueError, match="trees and leaves are 10000 and 4096"):
        GbdtOptions.of({"trees": 10_000, "leaves": 4096})


def test_pages_that_lightgbm_cannot_fit_are_a_value_error(pages: list[GoldBlocks]) -> None:
    with pytest.raises(ValueError, match=r"LightGBM cannot fit these pages: .*num_data"):
        fit(pages, {**OPTIONS, "bagging_fraction": 0.001}, 0, quiet)


def test_a_payload_read_and_written_again_is_the_same(pages: list[GoldBlocks]) -> None:
    payload = fit(pages, OPTIONS, 0, quiet)
    assert Trees.from_bytes(payload, len(feature_names())).to_bytes() == payload


def test_pages_of_one_class_are_refused(pages: list[GoldBlocks]) -> None:
    bare = [replace(page, targets=np.zeros_like(page.targets)) for page in pages]
    with pytest.raises(DatasetError, match="boilerplate"):
        fit(bare, OPTIONS, 0, quiet)


def test_all_pages_weigh_the_same(pages: list[GoldBlocks]) -> None:
    heavier = [replace(page, tokens=page.tokens * 4) for page in pages]
    assert fit(heavier, OPTIONS, 0, quiet) == fit(pages, OPTIONS, 0, quiet)


def test_progress_is_reported(pages: list[GoldBlocks]) -> None:
    messages: list[str] = []
    fit(pages, OPTIONS, 0, messages.append)
    assert messages[0].startswith(f"{len(pages)} pages, ")
    assert messages[-1] == "tree 12 of 12"
