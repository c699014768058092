"""Places that a script would have filled: ``{{ item.price }}``.

Vue, Angular and Handlebars write them into the page, and a browser replaces them.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.line_signs import LineSigns
from scrapy_boilernet.extractor.page import Page

_SIGN = "{{"
_signs = LineSigns((_SIGN,))
_PLACEHOLDER = re.compile(r"\{\{(?![A-Z][\w -]*(?:\}\}|\|\S))[^{}]*\}\}")
"""Not the templates of wikis, such as ``{{Stub|mills}}``."""
_MIN_SHARE = 0.7
"""Share of a text's characters from which it is nothing but such places."""
_MAX_CHARS = 200
_CODE_TAGS = frozenset("pre code kbd samp td th dt".split())
"""Elements in which a manual of templates writes of such places."""


def is_placeholder(text: str) -> bool:
    """Return whether a text is a place that a script would have filled, or several.

    >>> is_placeholder("{{ page.title }}")
    True
    """
    if _SIGN not in text or len(text) > _MAX_CHARS:
        return False
    return sum(map(len, _PLACEHOLDER.findall(text))) >= _MIN_SHARE * len(text)


def are_placeholders(page: Page, kept: NDArray[np.bool_]) -> list[int]:
    """Return which of the kept blocks are such places, but for code. ``kept``: (blocks,)."""
    texts, (pairs, places) = page.texts, page.paths
    found = [i for i in _signs.on(page) if kept[i] and is_placeholder(texts[i])]
    return [i for i in found if _CODE_TAGS.isdisjoint(pairs[places[i]][0])]
