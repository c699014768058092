"""What a recipe may say to a classical labeler's training: known names, numbers within bounds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def check_names(labeler: str, options: Mapping[str, Any], known: Collection[str]) -> None:
    """Raise ``ValueError`` for an option that the labeler does not have."""
    if unknown := sorted(options.keys() - set(known)):
        raise ValueError(f"option {unknown[0]!r}: the labeler {labeler} has {', '.join(known)}")


def check_number(name: str, value: Any, least: float, most: float, whole: bool) -> None:
    """Raise ``ValueError`` unless the option is a number from ``least`` to ``most``; never NaN."""
    number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not number or not least <= value <= most:
        kind = "whole number" if whole else "number"
        raise ValueError(f"option {name} is {value!r} and must be a {kind} in {least} to {most}")
