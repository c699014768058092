"""Copies of a text for another device, for print, for browsers without scripts, or for a slider;
and subjects of replies, which say the headline again.

Many pages have a part twice, and an outer style sheet shows one of them. Class words tell such
parts. Other texts that stand twice, such as quotes in a thread, are left as they are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.decide.line_signs import LineSigns
from scrapy_boilernet.extractor.page import Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_HIDES = r"(?<!overflow )(?<!decoration )(?<!border )\b(?:hidden|hide|none)"
_SHOWN = r"(?:block|flex|grid|inline|table)\b"
_COPY = re.compile(r"\b(?:print|cloned?|slide duplicate|line clamp)\b")
"""Class words of a part that is a copy by its name; of the last kind is the beginning of the post
that another one answers."""
_SLIDE = re.compile(r"\b(?:slide|carousel (?:item|cell)|marquee|ticker)\b")
"""Those of a part of a slider, which often has each of them several times."""
_SMALL = lazy_pattern(
    r"(?<!is )(?<!size )\b(?:mobile|phone|handheld|tablet)\b|\bvisible (?:xs|sm|small)\b|"
    r"\b(?:sm|md|lg|xl|medium|large) (?:none|hidden)\b|"
    rf"{_HIDES} (?:for )?(?:md|lg|xl|large|desktop)\b(?! {_SHOWN})"
)
_LARGE = lazy_pattern(
    r"\bdesktop\b|\bssr variant\b|\bvisible (?:md|lg|large)\b|"
    rf"{_HIDES} (?:(?:on |for )?(?:xs|sm|small|medium|mobile|phone|tablet)\b|(?:md|lg|xl) {_SHOWN})"
)
"""Those of a part for small screens, and for others."""
_STEMS = (
    "print", "clone", "slide", "carousel", "marquee", "ticker", "line clamp", "mobile", "phone",
    "handheld", "tablet", "desktop", "ssr variant", "hidden", "hide", "none", "visible",
)  # fmt: skip
"""Every text in which one of these finds something has one of these words."""
_NO_SCRIPT = "noscript"
_PAGE_TAGS = frozenset(("html", "body", "main"))
"""Elements of the page as a whole, whatever their classes say."""
_MIN_COPIED, _MIN_CHARS = 0.8, 20
"""The share of the kept characters of a part that must stand elsewhere, and how many."""
_MOST_TIMES = 2
"""How often a text of other parts may stand elsewhere, for each time in the part. What stands there
more often is a label or a cell."""
_SLIDES = 2
"""The rank of parts of sliders; this one and that before may stand any number of times."""
_MAX_PARTS = 8
"""So many parts around a block are looked at."""
_REPLY = re.compile(
    r"(?:re|aw|antw|sv|vs|odp|ynt|ответ|відп|回复|回覆)\s*(?:\[\d+\])?\s*[:：]\s*", re.IGNORECASE
)
"""How the subject of a reply begins."""
_replies = LineSigns(":：")
_WRITTEN_BY = re.compile(r" (?:by|von|par|por|от|od|av|af) ", re.IGNORECASE)
"""What may follow a subject in its text: who wrote the reply."""
_MAX_SUBJECT_CHARS, _SUBJECT_CHARS, _SUBJECTS = 120, 40, 2
"""The most characters of a subject, so many of which are compared behind its beginning, and how
many subjects are alike if they say the headline again."""
_LISTED = 3
"""A subject in an item of a list, among so many innermost elements, is one of those that a page
lists."""


class _Part(NamedTuple):
    """An element that may be a copy of another one."""

    rank: int
    """1 for a copy by its name, 2 in a slider, 3 for small screens, 4 for others; the least is
    dropped first."""
    first: int
    """Its first kept block; of two parts of a rank, the later one is dropped."""
    places: tuple[int, ...]
    """Its kept blocks."""


def copied(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which kept blocks are copies: those whose text is kept outside of a part of the page
    for another device or the like, of which most of what is kept stands outside; and subjects of
    replies. Shape (blocks,).
    """
    places = kept.nonzero()[0].tolist()
    found = _copied_parts(page, places)
    found[_subjects(page, kept)] = True
    return found


def _subjects(page: Page, kept: NDArray[np.bool_]) -> list[int]:
    """Return which of the kept blocks are subjects of replies that say again what another text of
    the page says, such as ``Re: Stuck gate`` below the headline ``Stuck gate``.
    """
    rest: dict[int, str] = {}
    texts = page.texts
    for i in _replies.on(page):
        text = texts[i]
        reply = _REPLY.match(text) if kept[i] and len(text) <= _MAX_SUBJECT_CHARS else None
        if reply and "li" not in page.paths.pairs[page.paths.places[i]][0][-_LISTED:]:
            rest[i] = _subject(text[reply.end() :])
    if len(rest) < _SUBJECTS:  # as on most pages
        return []
    number = Counter(rest.values())
    said = {*map(_subject, texts)}
    return [i for i, subject in rest.items() if number[subject] >= _SUBJECTS and subject in said]


def _subject(text: str) -> str:
    begin = _WRITTEN_BY.split(text[: 2 * _SUBJECT_CHARS], maxsplit=1)[0]
    return begin[:_SUBJECT_CHARS].lower()


def _copied_parts(page: Page, places: list[int]) -> NDArray[np.bool_]:
    """Return which of the kept blocks, at these places, are copies in such a part: (blocks,)."""
    texts = page.texts
    found = np.zeros(len(texts), dtype=np.bool_)
    kept_texts = [texts[i] for i in places]
    if len({*kept_texts}) == len(places):  # as on most pages
        return found
    number = Counter(kept_texts)
    for part in _parts(page, places):
        own = [i for i in part.places if not found[i]]
        inside = Counter([texts[i] for i in own])
        most = inf if part.rank <= _SLIDES else 1 + _MOST_TIMES
        copies = [i for i in own if inside[texts[i]] < number[texts[i]] <= most * inside[texts[i]]]
        chars = sum(len(texts[i]) for i in copies)
        if chars >= max(_MIN_CHARS, _MIN_COPIED * sum(len(texts[i]) for i in own)):
            found[copies] = True
            number.subtract(texts[i] for i in copies)
    return found


def _parts(page: Page, places: list[int]) -> list[_Part]:
    """Return the parts around kept blocks, in the order in which they are dropped."""
    ranks = {words: _rank(words) for words in _of_copies.on(page)}
    if not ranks and _NO_SCRIPT not in page.names[0]:
        return []
    steps = [_steps(tags, class_words, ranks) for tags, class_words in page.paths.pairs]
    (nodes, _), starts = page.nodes, page.starts
    rank_of: dict[int, int] = {}
    inside: dict[int, list[int]] = defaultdict(list)
    for i in places:
        for step, rank in steps[page.paths.places[i]]:
            element = int(nodes[starts[i] + step])
            rank_of[element] = rank
            inside[element].append(i)
    parts = (_Part(rank, inside[each][0], tuple(inside[each])) for each, rank in rank_of.items())
    return sorted(parts, key=lambda part: (part.rank, -part.first, -len(part.places)))


def _steps(tags: Ancestors, class_words: Ancestors, ranks: dict[str, int]) -> list[tuple[int, int]]:
    """Return the steps of a path that are parts, the outermost first, each with its rank."""
    if ranks.keys().isdisjoint(class_words) and _NO_SCRIPT not in tags:
        return []
    found = [
        (step, 1 if tag == _NO_SCRIPT else ranks[words])
        for step, (tag, words) in enumerate(zip(tags, class_words, strict=True))
        if (words in ranks or tag == _NO_SCRIPT) and tag not in _PAGE_TAGS
    ]
    return found[:_MAX_PARTS]


@lru_cache(maxsize=1 << 12)  # pages of a site have the same class words
def _rank(words: str) -> int:
    """Return the rank of a part with these class words; 0 if it is none."""
    patterns = enumerate((_COPY, _SLIDE, _SMALL, _LARGE), 1)
    return next((rank for rank, pattern in patterns if pattern.search(words)), 0)


_of_copies = ClassNames(_STEMS, _rank)
