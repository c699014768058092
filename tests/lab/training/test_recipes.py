"""Recipes: the package's own, recipes that are like others, and refusals."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

pytest.importorskip("rapidfuzz")
pytest.importorskip("tldextract")

from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.training.recipes import LABELERS, OWN_RECIPES, read_recipe


def written(folder: Path, text: str) -> str:
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return f"{folder / 'mine.toml'}"


def test_every_recipe_of_the_package_names_a_labeler() -> None:
    names = tomllib.loads(OWN_RECIPES.read_text(encoding="utf-8"))
    assert {"default", "paper", "crf", "svm", "gbdt"} <= names.keys()
    for name in names:
        assert read_recipe(name).labeler in LABELERS


def test_a_recipe_has_its_own_options_and_those_of_the_recipe_that_it_is_like() -> None:
    found = read_recipe("crf-markup-only")
    assert found.labeler == "crf"
    assert found.options["groups"] == ["markup"]
    assert found.options["c2"] == read_recipe("crf-paper").options["c2"]


def test_recipes_in_another_file_may_be_like_the_packages_recipes(tmp_path: Path) -> None:
    lines = 'a = { like = "svm", C = 1 }\nb = { like = "a", gamma = 0.5 }\n'
    found = read_recipe(written(tmp_path, lines) + ":b")
    assert (found.name, found.labeler) == ("b", "svm")
    assert found.options.items() >= {("C", 1), ("gamma", 0.5)}


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("a = { labeler = 'crf' }", "b", "no recipe 'b' .*mine.toml; it has a"),
        ("a = { labeler = 'mlp' }", "a", "'mlp' must be one of boilernet"),
        ("a = { c2 = 1 }", "a", "None must be one of boilernet"),
        ("a = { like = 'b' }\nb = { like = 'a' }", "a", "is like itself"),
        ("a = {", "a", "cannot read the recipes"),
        ("a = 3", "a", "no recipe 'a'"),
        ("a = { like = ['b'] }", "a", r"no recipe \['b'\]"),
    ],
)
def test_the_error_for_a_wrong_recipe_names_it(
    tmp_path: Path, text: str, name: str, message: str
) -> None:
    with pytest.raises(DatasetError, match=message):
        read_recipe(f"{written(tmp_path, text)}:{name}")


def test_the_error_for_a_missing_file_names_it() -> None:
    with pytest.raises(DatasetError, match=r"nowhere\.toml"):
        read_recipe("nowhere.toml:a")
