"""Fitting the labeler gbdt: the same for a seed, soft labels, options."""

from __future__ import annotations

import re
from dataclasses import fields, replace

import numpy as np
import pytest
from testing.synthetic import gold_page

pytest.importorskip("lightgbm")
pytest.importorskip("rapidfuzz")

import lightgbm

from scrapy_boilernet.classical.tree_features import feature_names, tree_features
from scrapy_boilernet.classical.trees import Trees
from scrapy_boilernet.evaluation.datasets import DatasetError
from scrapy_boilernet.training.gbdt import GbdtOptions, fit, trees_of
from scrapy_boilernet.training.gold import GoldBlocks, gold_blocks

OPTIONS = {"trees": 12, "leaves": 6, "min_leaf": 3}


def quiet(_: str) -> None: ...


@pytest.fixture(scope="module")
def pages() -> list[GoldBlocks]:
    return [found for i in range(8) if (found := gold_blocks(gold_page(i), "block"))]


def test_the_same_seed_gives_the_same_payload_and_another_another(pages: list[GoldBlocks]) -> None:
    payload = fit(pages, OPTIONS, 3, quiet)
    assert payload == fit(pages, OPTIONS, 3, quiet)
    assert payload != fit(pages, OPTIONS, 4, quiet)


def boosted(payload: bytes, groups: tuple[str, ...] = ()) -> lightgbm.Booster:
    """LightGBM's own reading of the text of a payload."""
    trees = Trees.from_bytes(payload, len(feature_names(groups)))
    return lightgbm.Booster(model_str=trees.text())


def test_what_is_left_out_changes_no_score_but_by_rounding(pages: list[GoldBlocks]) -> None:
    values = np.concatenate([tree_features(page.page).values for page in pages])
    labels = np.concatenate(
        [np.bincount(tree_features(p.page).leaf_of, p.targets) > 0 for p in pages]
    )
    parameters = GbdtOptions(leaves=6, min_leaf=3).parameters(0)
    booster = lightgbm.train(parameters, lightgbm.Dataset(values, labels), 10)
    again = boosted(trees_of(booster.model_to_string(), values.shape[1]).to_bytes())
    for how in ({"raw_score": True}, {"pred_contrib": True}):
        one, other = booster.predict(values, **how), again.predict(values, **how)
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_numbers_have_seven_digits_and_those_that_serving_refuses_are_refused() -> None:
    text = (
        "tree\n\nTree=0\nnum_leaves=2\nsplit_feature=0\nthreshold=1\nleft_child=-1\n"
        "right_child=-2\nleaf_value=1 {}\nleaf_count=3 4\n\nend of trees\nparameters:\n"
    )
    assert trees_of(text.format("0.123456789"), 5).leaf_value.tolist() == [1, 0.1234568]
    with pytest.raises(ValueError, match=r"tensor leaf_value: 10000000\.0, must be"):
        trees_of(text.format("1e7"), 5)


def test_options_choose_the_features_and_the_trees(pages: list[GoldBlocks]) -> None:
    payload = fit(pages, {**OPTIONS, "groups": ["neighbours"], "trees": 5}, 0, quiet)
    booster = boosted(payload, ("neighbours",))
    assert booster.num_trees() == 5
    assert booster.num_feature() == len(feature_names(("neighbours",)))


def test_an_unknown_option_is_named_with_those_there_are(pages: list[GoldBlocks]) -> None:
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
def test_a_wrong_value_is_named_with_what_is_allowed(pages: list[GoldBlocks], name: str) -> None:
    for value in WRONG[name]:
        told = re.escape(f"option {name} is {value!r} and must be a ")
        with pytest.raises(ValueError, match=told):
            fit(pages, {name: value}, 0, quiet)


def test_every_option_is_checked() -> None:
    assert {*WRONG} == {field.name for field in fields(GbdtOptions)}
    assert GbdtOptions.of({}) == GbdtOptions()
    assert GbdtOptions.of({"l2": 1, "trees": 3}) == GbdtOptions(l2=1, trees=3)
    with pytest.raises(ValueError, match="trees and leaves are 10000 and 4096"):
        GbdtOptions.of({"trees": 10_000, "leaves": 4096})


def test_what_lightgbm_cannot_fit_is_a_value_error(pages: list[GoldBlocks]) -> None:
    with pytest.raises(ValueError, match=r"LightGBM cannot fit these pages: .*num_data"):
        fit(pages, {**OPTIONS, "bagging_fraction": 0.001}, 0, quiet)


def test_a_payload_read_and_written_again_is_the_same(pages: list[GoldBlocks]) -> None:
    payload = fit(pages, OPTIONS, 0, quiet)
    assert Trees.from_bytes(payload, len(feature_names())).to_bytes() == payload


def test_pages_of_one_class_are_refused(pages: list[GoldBlocks]) -> None:
    bare = [replace(page, targets=np.zeros_like(page.targets)) for page in pages]
    with pytest.raises(DatasetError, match="boilerplate"):
        fit(bare, OPTIONS, 0, quiet)


def test_a_page_weighs_what_others_do(pages: list[GoldBlocks]) -> None:
    """Twice as many of a page's tokens change nothing but by the tokens' ratios."""
    heavier = [replace(page, tokens=page.tokens * 4) for page in pages]
    assert fit(heavier, OPTIONS, 0, quiet) == fit(pages, OPTIONS, 0, quiet)


def test_it_says_how_far_it_is(pages: list[GoldBlocks]) -> None:
    said: list[str] = []
    fit(pages, OPTIONS, 0, said.append)
    assert said[0].startswith(f"{len(pages)} pages, ")
    assert said[-1] == "tree 12 of 12"
