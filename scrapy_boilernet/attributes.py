"""What an element's attributes tell: the words of its class and its like, and whether it hides."""

from __future__ import annotations

import re

from lxml import etree

_CLASS_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MAX_CLASS_WORDS = 8
_MAX_ATTRIBUTE_CHARS = 200


def class_words(element: etree._Element) -> str:
    """Return the element's class, id, role and itemprop as words, at most eight."""
    values = (element.get(name) for name in ("class", "id", "role", "itemprop"))
    text = " ".join(value[:_MAX_ATTRIBUTE_CHARS] for value in values if value)
    if not text:
        return ""
    words = dict.fromkeys(word.lower() for word in _CLASS_WORD.findall(text) if len(word) > 1)
    return " ".join(list(words)[:_MAX_CLASS_WORDS])


def is_hidden(element: etree._Element) -> bool:
    """Return whether the element's own attributes hide it; its style sheets are not looked at."""
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    style = element.get("style")
    return bool(style and _HIDING_STYLE.search(style))
