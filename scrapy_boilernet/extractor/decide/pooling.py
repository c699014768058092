"""Pooling: the log-odds of a template's blocks are moved towards the template's mean.

A page repeats its templates: the posts of a thread, the items of a listing or the paragraphs of an
article have the same tags and class names, and mostly the same label. A network that reads block
after block sees each of them in another place, and may judge some differently from the rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.threshold import log_odds
from scrapy_boilernet.extractor.features.table import number_pairs
from scrapy_boilernet.extractor.page import Page

TAG_STEPS, CLASS_STEPS = 4, 3
"""Innermost elements whose tags, and whose class words, make a template."""


def pooled(page: Page, probabilities: NDArray[np.float32], share: float) -> NDArray[np.float32]:
    """Return P(content) per block after pooling, in [0, 1]: (blocks,), as ``probabilities``.

    ``share``: the share of the distance to its template's mean by which a block's log-odds move; 0:
    they stay. In the mean, blocks are weighted by their words.
    """
    if not share or not len(probabilities):
        return probabilities
    logits = pooled_logits(page, log_odds(probabilities), share)
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)


def pooled_logits(page: Page, logits: NDArray[np.floating], share: float) -> NDArray[np.float64]:
    """Return the log-odds after pooling, from those before it: (blocks,)."""
    if not share or not len(logits):
        return logits.astype(np.float64)
    template, words = templates(page), page.words
    means = np.bincount(template, words * logits) / np.bincount(template, words)
    return np.asarray((1 - share) * logits + share * means[template], dtype=np.float64)


def templates(page: Page) -> NDArray[np.int64]:
    """Return the number of each block's template, from 0 in the order of their first blocks."""
    return number_pairs(page.paths.pairs, TAG_STEPS, CLASS_STEPS)[page.path_places]
