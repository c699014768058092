"""The titles of teasers on a page that lists others: a home page, a category, a search, a shop.

A model reads such titles as links and keeps few of them, although they are the text of these pages.
``docs/results/quality/steps.md`` tells what it gains to keep them, by models that had not seen the
pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.addresses import EXTENSION, address_of
from scrapy_boilernet.extractor.decide.threads import states_kind
from scrapy_boilernet.extractor.page import Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_OF_ONE = re.compile(
    r"(?:\A|&)f?(?:(?:article|story|post|news|content|page|item|product|topic|thread|doc)?_?id|"
    r"article|story|post|p)=[a-z]*\d{2}"
)
"""What names one page in a query."""
_HOME = re.compile(r"(?:/[a-z]{2})?/?(?:(?:index|home|default)(?:\.\w{2,5})?)?")
"""The path of a home page, perhaps of one language."""
_LISTING_STEP = lazy_pattern(
    r"page|p(?:age)?\d+|seite|pagina|categor\w+|kategori\w*|rubri\w*|tags?|topics?|themen|temas?|"
    r"archives?|hub|sections?|collections?|product-category|shop|store|catalog|search|authors?|"
    r"browse|explore|trending|popular|c|cat|subcategory|directory|list"
)
_LISTING_END = re.compile(
    r"(?:.*/)?(?:blogs?|news|articles|latest|all|jobs|resources|events|courses)"
    r"(?:\.\w{2,5}|/[a-z]{2,15})?"
)
"""A step of the path of a page that lists others, and what such a path ends with."""
_MOST_HYPHENS = 2
"""The most hyphens in such a path; the title of an article has more."""
_UNSURE = 0.5
"""Below this confidence, a page may be a listing whatever its path is."""
_HEADINGS = frozenset(("h2", "h3", "h4"))
_TITLE = re.compile(r"\b(?:title|headline|heading|name)\b")
"""The tags of titles of teasers, and their class words."""
_HEADING_LEVELS, _TITLE_LEVELS = 4, 3
"""The innermost elements of which one is such a heading, or has such a class."""
_BESIDE_TAGS = frozenset(("nav", "aside", "footer", "form"))
_OF_TEXT = frozenset(("article", "li", "section", "main"))
"""A header in one of these is that of a teaser, and not that of the page."""
_BESIDE = re.compile(
    r"\b(?:nav\w*|menu|side ?bar|footer|related|widget|newsletter|breadcrumbs?|comments?|ads?|"
    r"masthead|top ?bar|filters?|facets?|sponsor\w*|cookie\w*|consent|onetrust|ot|cmp|gdpr|modal)\b"
)
"""Class words of what stands beside the list."""
_LEAST = 3
"""Titles of one template that make a list."""
_LISTS = frozenset(("ul", "ol", "dl"))


def complete_teasers(
    page: Page, kept: NDArray[np.bool_], confidence: Callable[[], float]
) -> NDArray[np.bool_]:
    """Return ``kept`` with the titles of teasers, if the page lists others: by its path, or since
    the model is not sure of what it keeps. Links in the lists below such titles, as in a table of
    contents, are added, too. Hidden blocks are not added, nor is anything to a page of which
    nothing is kept, or that states what else it is.

    ``confidence``: returns that of what is kept; not called for most pages.
    """
    if states_kind(page) or not kept.any():
        return kept
    if not _is_listing(page) and confidence() >= _UNSURE:
        return kept
    pairs, places = page.paths
    titles = [_title_of(*pair) for pair in pairs]
    leads = (page.shown & (page.marks[0] > 0)).tolist()
    linked = [
        titles[place] if leads_on else None for place, leads_on in zip(places, leads, strict=True)
    ]
    counts = Counter(linked)
    found = np.array([t is not None and counts[t] >= _LEAST for t in linked], np.bool_)
    return kept | found | _below(page, found, leads) if found.any() else kept


def _below(page: Page, titles: NDArray[np.bool_], leads: Sequence[bool]) -> NDArray[np.bool_]:
    """Return the blocks with links in lists that are inside of a list of titles.

    ``leads``: whether each block is shown and has a link.
    """
    pairs, places = page.paths
    steps = [[i for i, tag in enumerate(tags) if tag in _LISTS] for tags, _ in pairs]
    may_be = [
        len(own) > 1 and not _stands_beside(*pair) for own, pair in zip(steps, pairs, strict=True)
    ]
    below = np.zeros_like(titles)
    if not any(may_be):
        return below
    nodes, starts = page.nodes[0].tolist(), page.starts.tolist()
    around = [
        [nodes[start + step] for step in steps[place]]
        for start, place in zip(starts, places, strict=True)
    ]
    lists = {around[i][-1] for i in titles.nonzero()[0].tolist() if around[i]}
    for i, (own, place) in enumerate(zip(around, places, strict=True)):
        below[i] = leads[i] and may_be[place] and not lists.isdisjoint(own[:-1])
    return below


def _is_listing(page: Page) -> bool:
    """Return whether the URL is that of a home page, or of one that lists others."""
    address = address_of(page)
    if address is None:
        return False
    path = address.path.rstrip("/")
    if _OF_ONE.search(address.query) or path.count("-") > _MOST_HYPHENS:
        return False
    if _HOME.fullmatch(path) or _LISTING_END.fullmatch(path):
        return True
    return any(map(_LISTING_STEP.fullmatch, EXTENSION.sub("", path).split("/")))


@lru_cache(maxsize=1 << 13)  # every page of a site has the same paths
def _title_of(tags: Ancestors, class_words: Ancestors) -> tuple[Ancestors, Ancestors] | None:
    """Return the path of the title that holds the blocks of this path; None if none does."""
    if _stands_beside(tags, class_words):
        return None
    depth = len(tags)
    headings = range(max(depth - _HEADING_LEVELS, 1), depth)
    titles = range(max(depth - _TITLE_LEVELS, 1), depth)
    step = next((i for i in reversed(headings) if tags[i] in _HEADINGS), 0) or next(
        (i for i in reversed(titles) if _TITLE.search(class_words[i])), 0
    )
    return (tags[: step + 1], class_words[: step + 1]) if step else None


def _stands_beside(tags: Ancestors, class_words: Ancestors) -> bool:
    """Return whether what has this path stands beside the list, or in the header of the page."""
    if not _BESIDE_TAGS.isdisjoint(tags) or any(map(_BESIDE.search, class_words[1:])):
        return True
    return "header" in tags and _OF_TEXT.isdisjoint(tags[: tags.index("header")])
