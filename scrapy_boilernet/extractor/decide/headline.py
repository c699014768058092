"""Finds the headline of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import compress

from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.page import Ancestors, Page

_HEADINGS = frozenset({"h1", "h2", "h3"})
_HEADLINE_WORDS = ("title", "headline")
_HEADLINE = re.compile(rf"\b(?:{'|'.join(_HEADLINE_WORDS)})\b")
_OUTSIDE = frozenset({"nav", "aside", "footer"})
_LOGO = re.compile(
    r"\b(?:logo|brand|masthead|site (?:title|name|header)|blog title|titlewrapper)\b"
)
"""Class words of an element with the site's name, which is also in the page's title."""
_LOGO_LEVELS = 4
_H1_BONUS = 0.3
"""What ``h1`` adds to the likeness of a heading; site names and sections are often ``h2``."""
_PARTS = re.compile(r"\s+[-–—/·:]+\s+|\s*[|»«•]\s*|:\s+")
"""What separates headline and site in a page's title."""
_MIN_CONTAINED, _MIN_SCORE = 0.6, 0.5
_LEAD_WORDS = 30
"""Words of content, of six characters each, that may stand before the title: a kicker, a byline."""


def find_title(page: Page, decided: Sequence[bool]) -> frozenset[int]:
    """Return the index of the page's headline, and the indexes of equal blocks right after it.

    Candidates are headings and blocks of a class such as ``headline``, before or at the beginning
    of the content, but not the site's name. The headline is the candidate that is most like the
    page's title or the longest part of it; if none is like it, the last ``h1`` among them. A page
    without content has no headline.
    """
    candidates = [tokens(page.title), *map(tokens, _PARTS.split(page.title))]
    # The title is counted only once: it can be long, and there can be many headings.
    longest_part = max(candidates[1:], key=len)
    titles = [(Counter(words), len(words)) for words in (candidates[0], longest_part)]
    either = {*candidates[0], *longest_part}
    best, best_score, last_h1 = -1, 0.0, -1
    texts, hidden, (pairs, places) = page.texts, page.hidden, page.paths
    for i in _headings_of(page, _end_of_lead(texts, decided)):
        if hidden[i]:
            continue
        words, score = tokens(texts[i]), 0.0
        if not either.isdisjoint(words):
            own = Counter(words)
            score = max(_likeness(own, *title) for title in titles)
        if "h1" in pairs[places[i]][0][-3:]:
            last_h1 = i
            score += _H1_BONUS if score else 0.0
        if score > best_score:
            best, best_score = i, score
    best = last_h1 if best < 0 else best
    end = best + 1
    while 0 < end < len(texts) and texts[end] == texts[best]:
        end += 1
    same = range(best, end) if best >= 0 else ()
    return frozenset(i for i in same if not hidden[i])


def _end_of_lead(texts: Sequence[str], decided: Sequence[bool]) -> int:
    """Return the index behind the last block in which the headline may be; 0 without content."""
    lead = 0
    for i in compress(range(len(texts)), decided):
        lead += len(texts[i])
        if lead > 6 * _LEAD_WORDS:
            return i + 1
    return len(texts) if lead else 0


def _headings_of(page: Page, end: int) -> list[int]:
    """Return the indexes of the blocks before ``end`` that may be the page's headline."""
    pairs, places = page.paths
    named = {*filter(_HEADLINE.search, page.class_words_with(_HEADLINE_WORDS))}
    pairs = pairs[: 1 + max(places[:end], default=-1)]
    may_be = [_is_of_heading(*pair, named) for pair in pairs]
    return [i for i, place in enumerate(places[:end]) if may_be[place]]


def _is_of_heading(tags: Ancestors, class_words: Ancestors, named: AbstractSet[str]) -> bool:
    """Return whether a block of this path may be the page's headline.

    ``named``: the class words that name a headline.
    """
    if _HEADINGS.isdisjoint(tags[-3:]) and named.isdisjoint(class_words[-3:]):
        return False
    return _OUTSIDE.isdisjoint(tags) and not _LOGO.search(" ".join(class_words[-_LOGO_LEVELS:]))


def _likeness(block: Counter[str], title: Counter[str], title_size: int) -> float:
    """Return the F1 of the common tokens; 0.0 if it is too low, or they are too few of the block's.

    ``title_size``: how many tokens ``title`` counts. The time depends only on the block's size.
    """
    size = block.total()
    common = sum(min(number, title[token]) for token, number in block.items())
    score = 2 * common / max(size + title_size, 1)
    return score if common >= _MIN_CONTAINED * size and score >= _MIN_SCORE else 0.0
