"""Finds captions of pictures and photo credits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.page import Ancestors, Page

_CAPTION = re.compile(
    r"\b(?:caption\w*|figcaption|cutline|bildunterschrift|legend[ae]|credit|copyright|"
    r"(?:photo|image|img|media|foto|picture) (?:credits?|metadata|source|author|legend\w*))\b"
)
"""Class words of the element of a caption. Elements around it are not searched: they often hold a
whole gallery or footer."""
_CAPTION_STEMS = (
    "caption cutline bildunterschrift legend credit copyright metadata source author".split()
)
"""Every text in which ``_CAPTION`` finds something has one of these."""
_of_captions = ClassNames(_CAPTION_STEMS, _CAPTION)
_CREDIT = re.compile(
    r"\W*(?:foto|photo|image|bild|cr[ée]dits? photos?|imagen|снимка|фото|bildquelle)s?"
    r"(?: credit| by)?\s*[:©/]",
    re.IGNORECASE,
)
"""How a photo credit begins; it has one of the signs ``:``, ``/`` and ``©``."""
_CAPTION_CHARS, _CREDIT_CHARS = 500, 120
"""Characters of the longest caption, and of the longest block that is one by its beginning."""
_OUTSIDE_CAPTIONS = frozenset({"nav", "footer"})
_BLOCKS_BEFORE, _BLOCKS_AFTER = 20, 1
"""How many blocks before the first and after the last block of content a caption can be. Captions
of other articles are farther away."""


def is_caption(tags: Ancestors, class_words: Ancestors) -> bool:
    """Return whether the tags or class words of a path say that its blocks are captions."""
    return "figcaption" in tags or _CAPTION.search(class_words[-1]) is not None


def find_captions(page: Page, decided: Sequence[bool]) -> frozenset[int]:
    """Return the indexes of the captions and photo credits in the content, or close to it.

    They are the blocks of ``figcaption`` or of an element with a class such as ``caption``, and
    blocks that begin like a photo credit. A page without content has none.
    """
    if True not in decided:
        return frozenset()
    texts, hidden, (pairs, places) = page.texts, page.hidden, page.paths
    names = _of_captions.on(page)
    begin = max(0, decided.index(True) - _BLOCKS_BEFORE)
    end = len(decided) - decided[::-1].index(True) + _BLOCKS_AFTER
    named: set[int] = set()
    if names or "figcaption" in page.names[0]:
        named = {
            i
            for i, (tags, class_words) in enumerate(pairs)
            if (class_words[-1] in names and "table" not in tags) or "figcaption" in tags
        }
    captions = [
        i
        for i, (text, place) in enumerate(
            zip(texts[begin:end], places[begin:end], strict=True), begin
        )
        if (place in named and len(text) <= _CAPTION_CHARS)
        or (
            len(text) < _CREDIT_CHARS
            and (":" in text or "/" in text or "©" in text)
            and _CREDIT.match(text)
        )
    ]
    return frozenset(
        i for i in captions if not hidden[i] and _OUTSIDE_CAPTIONS.isdisjoint(pairs[places[i]][0])
    )
