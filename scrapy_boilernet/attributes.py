"""What an element's attributes tell: the words of its class and its like, and whether it hides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_CLASS_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_LOWER_WORD = re.compile(r"[a-z]{2,}|[^\W\d_a-zA-Z]{2,}")
"""The same on text without capitals, of two characters and more."""
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MAX_CLASS_WORDS = 8
_MAX_ATTRIBUTE_CHARS = 200


Attributes = Mapping[str, str]


def class_words(values: Iterable[str | None]) -> str:
    """Return an element's class, id, role and itemprop as words, at most eight."""
    text = " ".join([value[:_MAX_ATTRIBUTE_CHARS] for value in values if value])
    lower = text.lower()
    if text == lower:
        words = dict.fromkeys(_LOWER_WORD.findall(text))
    else:
        words = dict.fromkeys(w.lower() for w in _CLASS_WORD.findall(text) if len(w) > 1)
    return " ".join(words if len(words) <= _MAX_CLASS_WORDS else list(words)[:_MAX_CLASS_WORDS])


def hides(attributes: Attributes) -> bool:
    """Return whether an element's attributes hide it; its style sheets are not looked at."""
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    style = attributes.get("style")
    return bool(style and _HIDING_STYLE.search(style))
