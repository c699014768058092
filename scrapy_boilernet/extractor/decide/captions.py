"""Finds captions of pictures and photo credits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.decide.line_signs import LineSigns
from scrapy_boilernet.extractor.page import Ancestors, Page

_CAPTION = re.compile(
    r"\b(?:caption\w*|figcaption|cutline|bildunterschrift|bildtext|billedtekst|didascalia|bijschrift|"
    r"podpis zdjecia|legend[ae]|credit|copyright|"
    r"\w*(?:thumb|photos?|image|img|pic|picture|gallery|media|foto)captions?|"
    r"(?:photo|image|img|media|foto|picture|pic) (?:credits?|metadata|source|author|legend\w*|"
    r"desc(?:ription)?|attrib(?:ution)?))\b"
)
"""Class words of the element of a caption. Elements around it are not searched: they often hold a
whole gallery or footer."""
_CAPTION_STEMS = (
    "caption cutline bildunterschrift bildtext billedtekst didascalia bijschrift podpis legend "
    "credit copyright metadata source author desc attrib".split()
)
"""Every text in which ``_CAPTION`` finds something has one of these."""
_AROUND_INLINE = ("caption", "cutline")
"""Words of the class of a caption that is as a whole in an inline element."""
_INLINE = frozenset(("i", "em", "small", "font", "span"))
_CELLS, _CELL_OF_CAPTION = frozenset(("td", "th")), "tr caption"
"""Tags of elements that are captions only with the class that Blogger gives them."""
_of_captions = ClassNames(_CAPTION_STEMS, _CAPTION)
_CREDIT = re.compile(
    r"\W*(?:foto|photo|image|bild|cr[ée]dits? photos?|imagen|снимка|фото|bildquelle)s?"
    r"(?: credit| by)?\s*[:©/]",
    re.IGNORECASE,
)
"""How a photo credit begins."""
_credits = LineSigns(("foto", "photo", "image", "bild", "снимка", "фото"))
_CAPTION_CHARS, _CREDIT_CHARS = 500, 120
"""Characters of the longest caption, and of the longest block that is one by its beginning."""
_OUTSIDE_CAPTIONS = frozenset({"nav", "footer"})
_BLOCKS_BEFORE, _BLOCKS_AFTER = 20, 1
"""How many blocks before the first and after the last block of content a caption can be. Captions
of other articles are farther away."""


def is_caption(tags: Ancestors, class_words: Ancestors) -> bool:
    """Return whether the tags or class words of a path say that its blocks are captions."""
    return "figcaption" in tags or _CAPTION.search(class_words[-1]) is not None


def _is_named(tags: Ancestors, class_words: Ancestors, names: AbstractSet[str]) -> bool:
    """Return whether the class words of the innermost element of a path name a caption, or those of
    the element around it if it is inline. ``names``: those of the page that name captions.
    """
    step = len(tags) - 1
    if tags[step] in _INLINE and step and class_words[step] not in names:
        step -= 1
        if not any(word in class_words[step] for word in _AROUND_INLINE):
            return False
    own = class_words[step]
    return own in names and (tags[step] not in _CELLS or own == _CELL_OF_CAPTION)


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
            if "figcaption" in tags
            or (not names.isdisjoint(class_words[-2:]) and _is_named(tags, class_words, names))
        }
    captions = {
        i
        for i, place in enumerate(places[begin:end] if named else (), begin)
        if place in named and len(texts[i]) <= _CAPTION_CHARS
    }
    captions |= {
        i
        for i in _credits.on(page)
        if begin <= i < end and len(texts[i]) < _CREDIT_CHARS and _CREDIT.match(texts[i])
    }
    return frozenset(
        i for i in captions if not hidden[i] and _OUTSIDE_CAPTIONS.isdisjoint(pairs[places[i]][0])
    )
