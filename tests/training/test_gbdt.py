"""Fitting the labeler gbdt: the same for a seed, soft labels, options."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from synthetic import gold_page

pytest.importorskip("lightgbm")
pytest.importorskip("rapidfuzz")

import lightgbm

from scrapy_boilernet.classical.tree_features import feature_names, tree_features
from scrapy_boilernet.evaluation.datasets import DatasetError
from scrapy_boilernet.training.gbdt import GbdtOptions, fit, shortened
from scrapy_boilernet.training.gold_blocks import GoldBlocks, gold_blocks

OPTIONS = {"trees": 12, "leaves": 6, "min_leaf": 3}


def quiet(_: str) -> None: ...


@pytest.fixture(scope="module")
def pages() -> list[GoldBlocks]:
    return [found for i in range(8) if (found := gold_blocks(gold_page(i), "block"))]


def test_the_same_seed_gives_the_same_payload_and_another_another(pages: list[GoldBlocks]) -> None:
    payload = fit(pages, OPTIONS, 3, quiet)
    assert payload == fit(pages, OPTIONS, 3, quiet)
    assert payload != fit(pages, OPTIONS, 4, quiet)


def test_the_payload_is_text_without_parameters(pages: list[GoldBlocks]) -> None:
    text = fit(pages, OPTIONS, 0, quiet).decode()
    assert text.startswith("tree\n")
    assert "parameters" not in text
    assert text.count("Tree=") == OPTIONS["trees"]


def test_what_is_left_out_changes_no_score_but_by_rounding(pages: list[GoldBlocks]) -> None:
    values = np.concatenate([tree_features(page.page).values for page in pages])
    labels = np.concatenate(
        [np.bincount(tree_features(p.page).leaf_of, p.targets) > 0 for p in pages]
    )
    parameters = GbdtOptions(leaves=6, min_leaf=3).parameters(0)
    booster = lightgbm.train(parameters, lightgbm.Dataset(values, labels), 10)
    text = booster.model_to_string()
    again = lightgbm.Booster(model_str=shortened(text))
    assert len(shortened(text)) < 0.8 * len(text)
    for how in ({"raw_score": True}, {"pred_contrib": True}):
        one, other = booster.predict(values, **how), again.predict(values, **how)
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_options_choose_the_features_and_the_trees(pages: list[GoldBlocks]) -> None:
    found = fit(pages, {**OPTIONS, "groups": ["neighbours"], "trees": 5}, 0, quiet)
    booster = lightgbm.Booster(model_str=found.decode())
    assert booster.num_trees() == 5
    assert booster.num_feature() == len(feature_names(("neighbours",)))


def test_an_unknown_option_is_named_with_those_there_are(pages: list[GoldBlocks]) -> None:
    with pytest.raises(ValueError, match=r"'depth'.*learning_rate"):
        fit(pages, {"depth": 3}, 0, quiet)


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
