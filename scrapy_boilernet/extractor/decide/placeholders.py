"""Places that a script would have filled: ``{{ item.price }}``.

Vue, Angular and Handlebars write them into the page, and a browser replaces them.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.page import Page

_SIGN = "{{"
_PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}")
_MIN_SHARE = 0.7
"""Share of a text's characters from which it is nothing but such places."""
_CODE_TAGS = frozenset("pre code kbd samp td th dt".split())
"""Elements in which a manual of templates writes of such places."""


def is_placeholder(text: str) -> bool:
    """Return whether a text is a place that a script would have filled, or several.

    >>> is_placeholder("{{ page.title }}")
    True
    """
    if _SIGN not in text:
        return False
    return sum(map(len, _PLACEHOLDER.findall(text))) >= _MIN_SHARE * len(text)


def are_placeholders(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which kept blocks are such places, but for code: (blocks,)."""
    found, texts, (pairs, places) = np.zeros_like(kept), page.texts, page.paths
    for i in kept.nonzero()[0].tolist():
        if _SIGN in texts[i] and is_placeholder(texts[i]):
            found[i] = _CODE_TAGS.isdisjoint(pairs[places[i]][0])
    return found
