"""Sizes and lengths of the default recipe, and changes to them from the command line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar

from scrapy_boilernet.training.augmentation import Augmentation

_Options = TypeVar("_Options")


@dataclass(frozen=True)
class DefaultOptions:
    """What the recipe is made with, but for the pages."""

    seed: int = 0
    epochs: int = 9
    patience: int = 3
    """Epochs without a better one after which training stops."""
    batch_windows: int = 16
    learning_rate: float = 3e-3
    columns: dict[str, int] = field(
        default_factory=lambda: {"tags": 16, "classes": 32, "words": 0, "page": 16}
    )
    """Embedding columns per bag; 0: not read. Words of the text take time and gain nothing that
    shows (the ablation in ``docs/results/quality.md``)."""
    dense: int = 80
    hidden: int = 64
    layers: int = 2
    dropout: float = 0.4
    augmentation: Augmentation = field(default_factory=Augmentation)


def with_changes(options: _Options, changes: Sequence[str]) -> _Options:
    """Return the options with changes such as ``"augmentation.restyled=0"``, for ablations.

    Raises ``ValueError`` for a name that there is not, or a value of another type.
    """
    for change in changes:
        path, _, text = change.partition("=")
        try:
            options = _changed(options, path.split("."), json.loads(text))
        except json.JSONDecodeError:
            raise ValueError(_refused(change, f"{text!r} is no number")) from None
        except (ValueError, TypeError) as error:
            raise ValueError(_refused(change, str(error))) from None
    return options


def _refused(change: str, why: str) -> str:
    remedy = "write it as NAME=NUMBER, such as hidden=64 or augmentation.restyled=0"
    return f"option {change!r}: {why}; {remedy}"


def _changed(found: Any, path: Sequence[str], value: Any) -> Any:
    if not path:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError("its value is no number")
        if not isinstance(found, int | float):
            raise TypeError("it is no single number")
        if type(found)(value) != value:
            raise TypeError("it is a whole number")
        return type(found)(value)
    name, *rest = path
    known = list(found) if isinstance(found, dict) else _field_names(found)
    if name not in known:
        raise ValueError(
            f"there is no {name!r}, known are {', '.join(known)}"
            if known
            else f"a number has no part {name!r}"
        )
    if isinstance(found, dict):
        return found | {name: _changed(found[name], rest, value)}
    return replace(found, **{name: _changed(getattr(found, name), rest, value)})


def _field_names(found: Any) -> list[str]:
    return [entry.name for entry in fields(found)] if is_dataclass(found) else []
