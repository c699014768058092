"""Detects the language of a text, with the package py3langid of the extra ``language``."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

_MAX_CHARS, _MIN_CHARS = 2_000, 20


def text_language(text: str) -> str | None:
    """Return the ISO 639-1 code of the language of the text's first 2,000 characters.

    None for a text of fewer than 20 characters. Raises ``ImportError`` if py3langid is missing.
    """
    if len(text) < _MIN_CHARS:
        return None
    return str(_identifier().classify(text[:_MAX_CHARS])[0])


@cache
def _identifier() -> Any:
    try:
        return import_module("py3langid")
    except ImportError as error:
        raise ImportError(
            "the language of a text needs the package py3langid: pip install py3langid"
        ) from error
