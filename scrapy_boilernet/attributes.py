"""What an element's attributes tell: the words of its class and its like, and whether it hides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

_CLASS_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MAX_CLASS_WORDS = 8
_MAX_ATTRIBUTE_CHARS = 200


Attributes = Mapping[str, str]


def class_words(values: Iterable[str | None]) -> str:
    """Return an element's class, id, role and itemprop as words, at most eight."""
    words: dict[str, None] = {}
    for value in values:
        if value:
            words |= _words(value[:_MAX_ATTRIBUTE_CHARS])
    return " ".join(words if len(words) <= _MAX_CLASS_WORDS else list(words)[:_MAX_CLASS_WORDS])


@lru_cache(maxsize=4096)  # of short strings: the same names come on every page
def _words(value: str) -> dict[str, None]:
    return dict.fromkeys(word.lower() for word in _CLASS_WORD.findall(value) if len(word) > 1)


def hides(attributes: Attributes) -> bool:
    """Return whether an element's attributes hide it; its style sheets are not looked at."""
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    style = attributes.get("style")
    return bool(style and _HIDING_STYLE.search(style))
