"""Labels that a page puts where an advertisement stands or stood: "Advertisement".

They stand among the paragraphs of an article, so a model that decides by the place of a block keeps
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import product

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.line_signs import LineSigns
from scrapy_boilernet.extractor.page import Page

_WORDS = (
    "advertisement", "advertisements", "advertising", "sponsored", "sponsored content",
    "sponsored links", "sponsored link", "skip ad", "skip advertisement", "anzeige", "anzeigen",
    "werbung", "publicité", "publicidad", "publicidade", "pubblicità", "publicitat", "reclame",
    "advertentie", "advertenties", "annons", "annonser", "annonse", "annonce", "reklam", "reklama",
    "reklame", "mainos", "mainokset", "hirdetés", "publicitate", "oglas", "iklan", "quảng cáo",
    "διαφήμιση", "реклама", "广告", "廣告", "広告", "スポンサーリンク", "광고", "إعلان", "اعلان",
    "פרסומת", "विज्ञापन", "বিজ্ঞাপন", "โฆษณา",
)  # fmt: skip
_LEADS = tuple(
    map(" ".join, product(
        ("story continues", "article continues", "content continues", "continue reading",
         "continues", "scroll to continue", "scroll down to continue"),
        ("below", "below ad", "below advertisement", "below this ad", "below this advertisement",
         "after ad", "after advertisement", "after the ad", "after this ad", "with content"),
    )),
)  # fmt: skip
_BEHIND = (
    "scroll to continue", "scroll to continue reading", "scroll down to continue reading",
    "scroll for more content", "scroll down for more content", "members don't see this ad",
    "members don’t see this ad", "gone after registration", "remove ads", "ad-free",
)  # fmt: skip
_AD_LEADS = tuple(
    f"advertisement{mark} {lead}"
    for mark in (" -", " –", " —", " ·", " |", ".", ":")
    for lead in (*_LEADS, *_BEHIND)
)
_LABELS = frozenset((*_WORDS, *_LEADS, *_AD_LEADS, *(f"advertisement ({s}" for s in _BEHIND)))
_AROUND = " .…:;,!?*+-–—_|·•[](){}<>«»‹›↓↑←→▼▲▾▴▸►#"
"""What may stand around a label."""
_SIGN_CHARS = 5
"""So much of the beginning of a label is looked for in all lines of a page."""
_MAX_CHARS = 80
_NOT_IN = frozenset("h1 h2 h3 h4 h5 h6 th td dt dd li a button label summary figcaption".split())
"""Tags of elements in which such a word heads a text, or is one of several."""
_NEAR = 2
"""How many of the innermost elements around a block are looked at."""


def signs_of_labels(labels: Iterable[str]) -> frozenset[str]:
    """Return signs by which lines with a label are found: their beginnings."""
    return frozenset(label[:_SIGN_CHARS] for label in labels)


_signs = LineSigns(signs_of_labels(_LABELS))


def label_ads(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which kept blocks are nothing but such a label. Shape (blocks,)."""
    found, texts = np.zeros_like(kept), page.texts
    short = [i for i in _signs.on(page) if kept[i] and len(texts[i]) <= _MAX_CHARS]
    if labels := only_labels(page, short, _LABELS, _NOT_IN):
        found[labels] = True
    return found


def only_labels(
    page: Page, kept: Sequence[int], labels: AbstractSet[str], not_in: AbstractSet[str]
) -> list[int]:
    """Return which of these kept blocks are nothing but one of these labels, which are in lower
    case, and have none of these tags around them.
    """
    texts, (pairs, places) = page.texts, page.paths
    found = [i for i in kept if texts[i].strip(_AROUND).lower() in labels]
    return [i for i in found if not_in.isdisjoint(pairs[places[i]][0][-_NEAR:])]
