"""The templates of a page by numbers that are the same on all pages, and what is kept of each.

A template is the tags and class words of the innermost elements around blocks, as in
:mod:`~scrapy_boilernet.extractor.decide.pooling`.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.pooling import CLASS_STEPS, TAG_STEPS
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.page import Ancestors, Page

MAX_TEMPLATES = 200
"""Templates of a page that are reported, those with the most words."""
_SHOWN_CHARS = 60


def judged_templates(result: LabeledPage) -> tuple[int, ...]:
    """Return the templates of a page: the numbers of those of which at least half of the words are
    kept, then the others' numbers, negative. Of each kind, those with more words come first.

    Blocks that the rule of a site decides are left out.
    """
    page = result.page
    numbers, places = _templates(page)
    words = page.words
    if page.site is not None:
        words = np.where([step == "site rule" for step in result.steps], 0.0, words)
    all_words = np.bincount(places, words, len(numbers))
    kept_words = np.bincount(places, words * np.array(result.kept, dtype=np.bool_), len(numbers))
    signs = np.where(kept_words >= all_words / 2, 1, -1)
    largest = np.argsort(-all_words, kind="stable")[:MAX_TEMPLATES]
    largest = largest[all_words[largest] > 0]
    signed = (np.array(numbers, dtype=np.int64) * signs)[largest]
    return (*signed[signed > 0].tolist(), *signed[signed < 0].tolist())


def shown_template(result: LabeledPage, number: int) -> str:
    """Return the tags and class words of a template, and the beginning of its first block, such as
    ``div > p (intro < story) "Low tide at…"``; ``a template`` if the page does not have it.
    """
    try:  # another process may have sent any page
        shown = _shown(result.page, number)
    except (LookupError, TypeError, ValueError):
        return "a template"
    return "".join([one if one.isprintable() else "?" for one in shown])


def _shown(page: Page, number: int) -> str:
    """Return the same as the page has it; raises ``ValueError`` if it does not have it."""
    numbers, places = _templates(page)
    block = places.tolist().index(numbers.index(number))
    tags, class_words = page.paths.pairs[page.paths.places[block]]
    names = " < ".join(filter(None, class_words[: -CLASS_STEPS - 1 : -1]))
    text = page.texts[block]
    begin = text if len(text) <= _SHOWN_CHARS else f"{text[: _SHOWN_CHARS - 1]}…"
    return f'{" > ".join(tags[-TAG_STEPS:])} {f"({names}) " if names else ""}"{begin}"'


def _templates(page: Page) -> tuple[list[int], NDArray[np.int64]]:
    """Return (the numbers of the page's templates, per block the place of its template)."""
    places: dict[int, int] = {}
    of_pairs = [
        places.setdefault(_number(tags[-TAG_STEPS:] + class_words[-CLASS_STEPS:]), len(places))
        for tags, class_words in page.paths.pairs
    ]
    return [*places], np.array(of_pairs, dtype=np.int64)[page.path_places]


def _number(template: Ancestors) -> int:
    """Return the number of tags and class words, 1 or more."""
    return crc32("\t".join(template).encode("utf-8", "surrogatepass")) + 1
