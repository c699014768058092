"""What an element's attributes tell: the words of its class and its like, and whether it hides."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

_CLASS_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_ASCII_CLASS_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LOWER_WORD = re.compile(r"[a-z]{2,}|[^\W\d_a-zA-Z]{2,}")
"""The same on text without capitals, of two characters and more."""
_ASCII_LOWER_WORD = re.compile(r"[a-z]{2,}")
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MAX_CLASS_WORDS = 8
_MAX_ATTRIBUTE_CHARS = 200
_MAX_CACHED = 1 << 13
_OTHERS = {"id": 0, "role": 1, "itemprop": 2}
_HIDING: dict[str, Callable[[str], bool]] = {
    "hidden": lambda _: True,
    "aria-hidden": lambda value: value == "true",
    "style": lambda value: _HIDING_STYLE.search(value) is not None,
}

TELLING_ATTRIBUTES = frozenset({"class", *_OTHERS, *_HIDING})
"""Those that :func:`told` looks at."""

Items = Sequence[tuple[Any, Any]]
"""An element's attributes, names and values."""


def told(items: Items) -> tuple[str, bool]:
    """Return the words of an element's class, id, role and itemprop, at most eight, and whether
    the element hides itself; its style sheets are not looked at.
    """
    class_, others, hidden = "", ["", "", ""], False
    for name, value in items:
        if name == "class":
            class_ = value[:_MAX_ATTRIBUTE_CHARS]
        elif name in _OTHERS:
            others[_OTHERS[name]] = value[:_MAX_ATTRIBUTE_CHARS]
        elif name in _HIDING:
            hidden = hidden or _HIDING[name](value)
    text = " ".join((class_, *others)) if any(others) else class_
    return _WORDS[text] if text else "", hidden


class _Words(dict[str, str]):
    """Class words by what they are read from; pages of one site share them.

    Quicker than a cache that knows what was used last, and as bounded.
    """

    def __missing__(self, text: str) -> str:
        if len(self) >= _MAX_CACHED:
            self.clear()
        found = self[text] = _class_words(text)
        return found


_WORDS = _Words()


def _class_words(text: str) -> str:
    plain = text.isascii()
    if text == text.lower():
        words = (_ASCII_LOWER_WORD if plain else _LOWER_WORD).findall(text)
    else:
        found = (_ASCII_CLASS_WORD if plain else _CLASS_WORD).findall(text)
        words = [word.lower() for word in found if len(word) > 1]
    if len(words) <= 1:
        return words[0] if words else ""
    return " ".join(list(dict.fromkeys(words))[:_MAX_CLASS_WORDS])
