"""The fallback ladder: what is tried, in order, on a page of which the model keeps nothing.

No empty result goes out in silence: a rung that finds something is named, and so is nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.decide.threshold import block_words, choose_threshold
from scrapy_boilernet.features.words import tokens, trigrams
from scrapy_boilernet.options import Favor, Rung, Source
from scrapy_boilernet.page import Block, Page

Kept = NDArray[np.bool_]

_MIN_WORDS = 50
"""Words of a JSON-LD body, or of blocks in a main element: less is a teaser."""
_MIN_CLAIMED, _MIN_COVERED = 0.6, 0.5
"""Share of a block's trigrams in the JSON-LD body; share of the body's in such blocks."""
_MOSTLY_HIDDEN, _NEARLY_ALL = 0.75, 0.9
"""Share of the content, and of all text, that is hidden where the page is."""
_SURE = 0.5
"""The probability from which a block is content rather than not."""
_ARTICLE_CHARS = 1500
"""Of an article that is there to be read, some 250 words; less is a lead, or a slide of many."""
_MAIN_TAGS = frozenset({"main", "article"})
_OUTSIDE = frozenset({"nav", "header", "footer", "aside"})
_MIN_BLOCK_WORDS, _MAX_LINK_SHARE = 10, 1 / 3


class Found(NamedTuple):
    """What a rung keeps of a page."""

    source: Source
    kept: Kept
    """Per block whether it is content."""
    threshold: float
    """From which probability on; for rungs that do not look at it, the one that none reached."""


def fall_back(
    page: Page,
    probabilities: NDArray[np.float32],
    threshold: float,
    favor: Favor,
    rungs: Iterable[Rung],
) -> Found:
    """Return what the first rung that finds something keeps, else a result that says nothing.

    ``threshold``: what no block's probability reached.
    """
    wanted = set(rungs) if page.blocks else set()
    if "json-ld" in wanted and (kept := _claimed(page)).any():
        return Found("json-ld", kept, threshold)
    if "lower-threshold" in wanted and probabilities.max() >= threshold / 2:
        lower = choose_threshold(probabilities, block_words(page), 0.0, favor)
        return Found("lower-threshold", probabilities.astype(np.float64) >= lower, lower)
    if "main-element" in wanted and (kept := _in_main_element(page)).any():
        return Found("main-element", kept, threshold)
    return Found("nothing", np.zeros(len(page.blocks), dtype=np.bool_), threshold)


def is_hidden_as_a_whole(page: Page, kept: Kept, probabilities: NDArray[np.float32]) -> bool:
    """Return whether the page hides its main text, not only passages beside what it shows.

    So it is where a script shows the main text: React sends it in ``<div hidden>``, paywalls wait,
    consent dialogs put ``aria-hidden`` on all that stands beside them. Three quarters of what is
    kept are hidden then, by characters, and of what is kept for sure, too: a threshold can be so
    low that a heap of words counts more than an article. Where nine tenths of all text are hidden
    and no visible block is sure, any hidden block that is kept is enough, since the words of a
    dialog are then kept as well as a product's. A page that shows 1,500 characters that are sure
    has an article to be read, and what it hides are passages, whatever their size.

    Of 2,907 pages 29 are hidden as a whole; of 401 with an article, in which 11,000 words of spam
    were hidden, 20 give them out: docs/results/robustness/hidden-pages.md.
    """
    hidden = np.array([block.hidden for block in page.blocks], dtype=np.bool_)
    chars = np.array([len(block.text) for block in page.blocks])
    sure = probabilities >= _SURE
    shown = chars[sure & ~hidden].sum()
    if shown >= _ARTICLE_CHARS or not (kept & hidden).any():
        return False
    if not shown and chars[hidden].sum() >= _NEARLY_ALL * chars.sum():
        return True
    return all(
        chars[some & hidden].sum() >= _MOSTLY_HIDDEN * chars[some].sum()
        for some in (kept, kept & sure)
    )


def _claimed(page: Page) -> Kept:
    """The blocks of which the JSON-LD body is made; none if they are less than half of it."""
    kept = np.zeros(len(page.blocks), dtype=np.bool_)
    body_tokens = tokens(page.head.article_body)
    if len(body_tokens) < _MIN_WORDS:
        return kept
    body = trigrams(body_tokens)
    covered: set[tuple[str, str, str]] = set()
    for i, block in enumerate(page.blocks):
        own = trigrams(tokens(block.text))
        common = own & body
        if common and len(common) >= _MIN_CLAIMED * len(own):
            kept[i] = True
            covered |= common
    return kept if len(covered) >= _MIN_COVERED * len(body) else np.zeros_like(kept)


def _in_main_element(page: Page) -> Kept:
    """The paragraphs of ``<main>`` or ``<article>``; none if they have too few words."""
    words = np.array([len(tokens(block.text)) for block in page.blocks])
    standing = np.array([_stands_in_main(block) for block in page.blocks], dtype=np.bool_)
    kept = standing & (words >= _MIN_BLOCK_WORDS)
    return kept if words[kept].sum() >= _MIN_WORDS else np.zeros_like(kept)


def _stands_in_main(block: Block) -> bool:
    """Whether it is visible text of a main element; a form around that element is layout."""
    depth = next((d for d, tag in enumerate(block.tags) if tag in _MAIN_TAGS), None)
    if depth is None or block.hidden or block.noscript:
        return False
    if _OUTSIDE & set(block.tags) or "form" in block.tags[depth:]:
        return False
    return block.link_chars < _MAX_LINK_SHARE * len(block.text)
