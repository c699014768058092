"""Recipes: a line of a file each, like one another, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("rapidfuzz")
pytest.importorskip("tldextract")

from scrapy_boilernet.evaluation.datasets import DatasetError
from scrapy_boilernet.training.recipes import LABELERS, read_recipe, recipe_names


def written(folder: Path, text: str) -> str:
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return f"{folder / 'mine.toml'}"


def test_every_recipe_of_the_package_names_a_labeler() -> None:
    assert {"default", "paper", "crf", "svm", "gbdt"} <= set(recipe_names())
    for name in recipe_names():
        assert read_recipe(name).labeler in LABELERS


def test_a_recipe_has_the_options_of_the_one_that_it_is_like_and_its_own() -> None:
    found = read_recipe("crf-markup-only")
    assert found.labeler == "crf"
    assert found.options["groups"] == ["markup"]


def test_a_file_of_ones_own_may_build_on_the_packages_recipes(tmp_path: Path) -> None:
    lines = 'a = { like = "svm", C = 1 }\nb = { like = "a", gamma = 0.5 }\n'
    found = read_recipe(written(tmp_path, lines) + ":b")
    assert (found.name, found.labeler) == ("b", "svm")
    assert found.options.items() >= {("C", 1), ("gamma", 0.5)}


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("a = { labeler = 'crf' }", "b", "no recipe 'b' .*mine.toml; it has a"),
        ("a = { labeler = 'mlp' }", "a", "'mlp' is none of boilernet"),
        ("a = { c2 = 1 }", "a", "None is none of boilernet"),
        ("a = { like = 'b' }\nb = { like = 'a' }", "a", "is like itself"),
        ("a = {", "a", "cannot read the recipes"),
        ("a = 3", "a", "no recipe 'a'"),
        ("a = { like = ['b'] }", "a", r"no recipe \['b'\]"),
    ],
)
def test_what_is_no_recipe_is_refused_by_name(
    tmp_path: Path, text: str, name: str, message: str
) -> None:
    with pytest.raises(DatasetError, match=message):
        read_recipe(f"{written(tmp_path, text)}:{name}")


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(DatasetError, match=r"nowhere\.toml"):
        read_recipe("nowhere.toml:a")
