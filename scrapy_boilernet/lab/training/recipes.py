"""Recipes: lines of a TOML file, each with a labeler and its training options."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrapy_boilernet.lab.evaluation.datasets import DatasetError

OWN_RECIPES = Path(__file__).with_name("recipes.toml")
LABELERS = ("boilernet", "boilernet-paper", "crf", "svm", "gbdt")


@dataclass(frozen=True)
class Recipe:
    """A labeler and its training options."""

    name: str
    labeler: str
    """One of :data:`LABELERS`."""
    options: Mapping[str, Any] = field(default_factory=dict)


def read_recipe(name: str) -> Recipe:
    """Return the recipe ``NAME`` of this package, or ``FILE.toml:NAME``.

    Raises ``DatasetError`` if it is missing or malformed.
    """
    file, _, short = name.rpartition(":")
    path = Path(file) if file else OWN_RECIPES
    lines = _lines(path)
    options = _merged(lines, short, path, ())
    labeler = options.pop("labeler", None)
    if labeler not in LABELERS:
        raise DatasetError(
            f"recipe {short!r} in {path}: labeler {labeler!r} must be one of "
            f'{", ".join(LABELERS)}; set it, or like = "another recipe"'
        )
    return Recipe(short, labeler, options)


def changes_of(options: Mapping[str, Any]) -> list[str]:
    """Return a recipe's options in the format of ``--option``; nested ones as dotted paths.

    >>> changes_of({"hidden": 48, "columns": {"words": 32}})
    ['hidden=48', 'columns.words=32']
    """
    changes = []
    for name, value in options.items():
        if isinstance(value, Mapping):
            changes += [f"{name}.{change}" for change in changes_of(value)]
        else:
            changes.append(f"{name}={json.dumps(value, default=str)}")
    return changes


def check_names(labeler: str, options: Mapping[str, Any], known: Collection[str]) -> None:
    """Raise ``ValueError`` for an option that the labeler does not have."""
    if unknown := sorted(options.keys() - set(known)):
        raise ValueError(f"option {unknown[0]!r}: the labeler {labeler} has {', '.join(known)}")


def check_number(name: str, value: Any, least: float, most: float, whole: bool) -> None:
    """Raise ``ValueError`` unless ``value`` is a number from ``least`` to ``most``, not NaN."""
    number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not number or not least <= value <= most:
        kind = "whole number" if whole else "number"
        raise ValueError(f"option {name} is {value!r} and must be a {kind} in {least} to {most}")


def _lines(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DatasetError(
            f"cannot read the recipes in {path}: {error}; give a TOML file with a recipe per line"
        ) from error


def _merged(
    lines: Mapping[str, Any], name: str, path: Path, before: tuple[str, ...]
) -> dict[str, Any]:
    """Return the recipe's options, completed by the options of the recipe that it is ``like``."""
    if name in before:
        raise DatasetError(f"recipe {name!r} in {path} is like itself; remove its like = ...")
    recipe = lines.get(name) if isinstance(name, str) else None
    if not isinstance(recipe, dict):
        raise DatasetError(
            f"no recipe {name!r} in {path}; it has {', '.join(lines) or 'none'}, and the labeler "
            "grf needs no training; a file of your own is --recipe FILE.toml:NAME"
        )
    options = dict(recipe)
    like = options.pop("like", None)
    if like is None:
        return options
    if str(like) not in lines and path != OWN_RECIPES:
        return _merged(_lines(OWN_RECIPES), like, OWN_RECIPES, ()) | options
    return _merged(lines, like, path, (*before, name)) | options
