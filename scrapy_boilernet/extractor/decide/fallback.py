"""The fallback: the steps that are tried, in order, on a page of which the model keeps nothing.

The result names the step that found something, or is ``"nothing"``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.threshold import choose_threshold
from scrapy_boilernet.extractor.features.words import tokens, trigrams
from scrapy_boilernet.extractor.options import FallbackStep, Favor, Source
from scrapy_boilernet.extractor.page import Block, Page

Kept = NDArray[np.bool_]

_MIN_BLOCKS = 80
"""Blocks of a page whose likeliest ones are content although the model keeps nothing. Those with
fewer are mostly errors and empty searches. Chosen by folds of the training sets."""
_MIN_MEAN_WORDS = 6.0
"""Words of six characters that these blocks have in the mean. With fewer, they are the entries of
an index or the labels of a form. Chosen by the same folds."""
_MIN_WORDS = 50
"""Words of a JSON-LD body, or of the blocks in a main element; fewer are only a teaser."""
_MIN_CLAIMED, _MIN_COVERED = 0.6, 0.5
"""The share of a block's trigrams that the JSON-LD body has, and the share of the body's trigrams
that such blocks have."""
_MOSTLY_HIDDEN, _NEARLY_ALL = 0.75, 0.9
"""Shares of the content, and of all text, that a page hides if it is hidden as a whole."""
_SURE = 0.5
"""The probability from which a block is more likely content than not."""
_SURE_CHARS, _ARTICLE_CHARS = 1_200, 1_700
"""Characters of an article that is shown, some 200 and 280 words: those of probability 0.5 or more,
and all that the model keeps. Less is a lead, or one slide of many."""
_LEAD_CHARS, _MAX_TIMES = 250, 40
"""Characters of a lead, some 40 words, and how much longer the rest of its article is at most."""
_MAIN_TAGS = frozenset({"main", "article"})
_OUTSIDE = frozenset({"nav", "header", "footer", "aside"})
_MIN_BLOCK_WORDS, _MAX_LINK_SHARE = 10, 1 / 3


class Selection(NamedTuple):
    """The blocks that the model or a step of the fallback keeps of a page."""

    source: Source
    kept: Kept
    """Per block whether it is content."""
    threshold: float
    """The least probability kept; for steps without a threshold, the one that no block reached."""


def fall_back(
    page: Page,
    probabilities: NDArray[np.float32],
    threshold: float,
    favor: Favor,
    steps: Iterable[FallbackStep],
) -> Selection:
    """Return what the first step keeps that finds something, else an empty selection.

    ``threshold``: the probability that no block reached.
    """
    enabled = set(steps) if page.blocks else set()
    if "json-ld" in enabled and (kept := _in_json_ld_body(page)).any():
        return Selection("json-ld", kept, threshold)
    is_near = len(page.blocks) >= _MIN_BLOCKS and probabilities.max() >= threshold / 2
    if "lower-threshold" in enabled and is_near:
        lower = choose_threshold(probabilities, page.words, 0.0, favor, "correlated-f")
        kept = probabilities.astype(np.float64) >= lower
        if page.words[kept].mean() >= _MIN_MEAN_WORDS:
            return Selection("lower-threshold", kept, lower)
    if "main-element" in enabled and (kept := _in_main_element(page)).any():
        return Selection("main-element", kept, threshold)
    return Selection("nothing", np.zeros(len(page.blocks), dtype=np.bool_), threshold)


def shows_article(page: Page, probabilities: NDArray[np.float32]) -> bool:
    """Return whether the page shows 1,200 characters of probability 0.5 or more."""
    shown = 0
    for i in np.flatnonzero(probabilities >= _SURE).tolist():
        shown += 0 if page.hidden[i] else len(page.texts[i])
        if shown >= _SURE_CHARS:
            return True
    return False


def is_hidden_as_a_whole(page: Page, kept: Kept, probabilities: NDArray[np.float32]) -> bool:
    """Return whether the page hides its main text, not only passages beside what it shows.

    A script shows the main text of such pages later: React sends it in ``<div hidden>``, paywalls
    wait, consent dialogs set ``aria-hidden`` on all their siblings.

    - A page that shows 1,200 characters of probability 0.5 or more has a visible article, so it
      hides only passages.
    - If nine tenths of all text are hidden and no visible block has probability 0.5, one kept
      hidden block is enough: the words of a dialog may be kept as well as those of a product.
    - Otherwise three quarters of the kept characters must be hidden, and three quarters of the kept
      characters of probability 0.5 or more: a threshold can be so low that many unlikely words
      outweigh an article.

    How often this is right: ``docs/results/robustness/hidden-pages.md``.
    """
    hidden = ~page.shown
    if shows_article(page, probabilities) or not (kept & hidden).any():
        return False
    chars = np.array([*map(len, page.texts)])
    sure = probabilities >= _SURE
    shown = chars[sure & ~hidden].sum()
    if not shown and chars[hidden].sum() >= _NEARLY_ALL * chars.sum():
        return True
    return all(
        chars[some & hidden].sum() >= _MOSTLY_HIDDEN * chars[some].sum()
        for some in (kept, kept & sure)
    )


def shows_main_text(page: Page, kept: Kept) -> bool:
    """Return whether the visible text that is kept is the main text, whatever the page hides.

    It is if it is as long as an article. It also is if it is longer than a teaser, and the hidden
    text that is kept is out of proportion: a lead is no 40th of its article.
    """
    hidden = ~page.shown
    chars = np.array([*map(len, page.texts)])
    shown = chars[kept & ~hidden].sum()
    is_heap = chars[kept & hidden].sum() > _MAX_TIMES * shown
    return bool(shown >= _ARTICLE_CHARS or (shown >= _LEAD_CHARS and is_heap))


def _in_json_ld_body(page: Page) -> Kept:
    """Return the blocks that are in the JSON-LD body; none if they cover less than half of it."""
    kept = np.zeros(len(page.blocks), dtype=np.bool_)
    body_tokens = tokens(page.head.article_body)
    if len(body_tokens) < _MIN_WORDS:
        return kept
    body = trigrams(body_tokens)
    covered: set[tuple[str, str, str]] = set()
    for i, text in enumerate(page.texts):
        own = trigrams(tokens(text))
        common = own & body
        if common and len(common) >= _MIN_CLAIMED * len(own):
            kept[i] = True
            covered |= common
    return kept if len(covered) >= _MIN_COVERED * len(body) else np.zeros_like(kept)


def _in_main_element(page: Page) -> Kept:
    """Return the paragraphs of ``<main>`` or ``<article>``; none if they have too few words."""
    words = np.array([len(tokens(text)) for text in page.texts])
    in_main = np.array([_is_in_main(block) for block in page.blocks_without_xpaths], dtype=np.bool_)
    kept = in_main & (words >= _MIN_BLOCK_WORDS)
    return kept if words[kept].sum() >= _MIN_WORDS else np.zeros_like(kept)


def _is_in_main(block: Block) -> bool:
    """Return whether the block is visible text of a main element, outside of forms in it.

    A form around the main element is layout.
    """
    depth = next((d for d, tag in enumerate(block.tags) if tag in _MAIN_TAGS), None)
    if depth is None or block.hidden or block.noscript:
        return False
    if _OUTSIDE & set(block.tags) or "form" in block.tags[depth:]:
        return False
    return block.link_chars < _MAX_LINK_SHARE * len(block.text)
