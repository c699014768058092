"""Lines that say who wrote or says the text below them: bylines of posts, turns of a conversation.

A model decides block by block, so of the bylines of a thread it keeps some and drops others. And a
page that shows its turns by colours names their speakers for screen readers only, in headings such
as "You said:".
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.page import HEADING_TAGS, Ancestors, Page

_COLONS = (":", "：")
_MAX_TURN_CHARS, _MIN_TURNS = 40, 2
_DIGIT = re.compile(r"\d")
_MAX_BYLINE_CHARS = 100
_NEAR = 2
"""How many of the innermost elements around a byline tell its template."""


def complete_speakers(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with what says who wrote or says a kept text.

    Those are bylines of a template of which most are kept, and headings for screen readers that end
    with a colon, if the page has at least two of them above kept texts.
    """
    completed = _with_bylines(page, kept)
    completed[_turns(page, kept)] = True
    return completed


def _with_bylines(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the bylines directly above kept texts, if at least half of those of
    their template are kept.

    A byline is a short text with a digit, in an element with a class. Hidden blocks are passed.
    """
    shown = page.shown.nonzero()[0]
    is_above = shown[:-1][kept[shown[1:]]]
    dropped = _templates(page, is_above[~kept[is_above]])
    if not dropped:  # as on most pages
        return kept.copy()
    templates = _templates(page, is_above)
    number = Counter(templates.values())
    of_kept = Counter(template for i, template in templates.items() if kept[i])
    completed = kept.copy()
    for i in dropped:
        completed[i] = 2 * of_kept[templates[i]] >= number[templates[i]]
    return completed


def _templates(page: Page, blocks: NDArray[np.intp]) -> dict[int, Ancestors]:
    """Return the tags and class words that bylines of one template share, by those of the blocks
    that may be bylines.
    """
    (pairs, places), texts = page.paths, page.texts
    return {
        i: (*tags[-_NEAR:], *class_words[-_NEAR:])
        for i in blocks.tolist()
        if len(texts[i]) <= _MAX_BYLINE_CHARS
        for tags, class_words in (pairs[places[i]],)
        if class_words[-1] and _DIGIT.search(texts[i])
    }


def _turns(page: Page, kept: NDArray[np.bool_]) -> list[int]:
    """Return the hidden headings that name the speakers of kept texts."""
    (pairs, places), texts = page.paths, page.texts
    above = (~page.shown[:-1] & kept[1:]).nonzero()[0].tolist()
    turns = [
        i
        for i in above
        if texts[i].endswith(_COLONS)
        and len(texts[i]) <= _MAX_TURN_CHARS
        and not HEADING_TAGS.isdisjoint(pairs[places[i]][0])
    ]
    return turns if len(turns) >= _MIN_TURNS else []
