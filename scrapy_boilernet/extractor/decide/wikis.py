"""Lists of wikis: MediaWiki, which runs them, states what the content of a page is.

A model takes a page that is one long list, or one large table, for links beside a text, and keeps
its introduction. In pages of other software, an element that holds the text often holds more.
``docs/results/quality/structures.md`` has how many lists and tables are kept.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.page import Ancestors, Page

_STEMS = ("parser output", "category generated")
_CONTENT = re.compile(r"\b(?:parser output|category generated)\b")
"""Class words of the element that holds a page's text, since MediaWiki 1.31, or the members of a
category."""
_of_content = ClassNames(_STEMS, _CONTENT)
_BESIDE = re.compile(
    r"\b(?:navbox|toc|hatnote|side ?box|sister\w*|metadata|noprint|edit ?section|navigation|"
    r"references|reflist|refbegin|printfooter|portal ?box|ambox|authority control|template meta)\b"
)
"""Class words of what stands beside the text in that element, and of sources, of which the model
decides."""


def complete_wikis(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the whole text of a page of MediaWiki of which less than half is kept.

    Hidden blocks are not added, nor boxes for navigation, notices and sources.
    """
    if not _of_content.on(page):
        return kept
    own = np.array([_is_text(words) for _, words in page.paths.pairs], np.bool_)
    inside = own[page.path_places] & page.shown
    words = page.words
    if 2 * words[inside & kept].sum() >= words[inside].sum():
        return kept
    whole: NDArray[np.bool_] = kept | inside
    return whole


@lru_cache(maxsize=1 << 13)  # every page of a site has the same paths
def _is_text(class_words: Ancestors) -> bool:
    """Return whether what has these class words around it is in the text of a page of MediaWiki."""
    step = next((i for i, words in enumerate(class_words) if _CONTENT.search(words)), -1)
    return step >= 0 and not any(map(_BESIDE.search, class_words[step + 1 :]))
