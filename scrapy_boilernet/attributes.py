"""What an element's attributes tell: the words of its class and its like, and whether it hides."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_CLASS_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_ASCII_CLASS_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LOWER_WORD = re.compile(r"[a-z]{2,}|[^\W\d_a-zA-Z]{2,}")
"""The same on text without capitals, of two characters and more."""
_ASCII_LOWER_WORD = re.compile(r"[a-z]{2,}")
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MAX_CLASS_WORDS = 8
_MAX_ATTRIBUTE_CHARS = 200


Attributes = Mapping[str, str]


@lru_cache(maxsize=1 << 13)  # pages of one site share them
def class_words(values: tuple[str | None, ...]) -> str:
    """Return an element's class, id, role and itemprop as words, at most eight."""
    text = " ".join([value[:_MAX_ATTRIBUTE_CHARS] for value in values if value])
    plain = text.isascii()
    if text == text.lower():
        words = (_ASCII_LOWER_WORD if plain else _LOWER_WORD).findall(text)
    else:
        found = (_ASCII_CLASS_WORD if plain else _CLASS_WORD).findall(text)
        words = [word.lower() for word in found if len(word) > 1]
    if len(words) <= 1:
        return words[0] if words else ""
    return " ".join(list(dict.fromkeys(words))[:_MAX_CLASS_WORDS])


def hides(attributes: Attributes) -> bool:
    """Return whether an element's attributes hide it; its style sheets are not looked at."""
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    style = attributes.get("style")
    return bool(style and _HIDING_STYLE.search(style))
