"""Finds the blocks of a page that show its title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress

from scrapy_boilernet.extractor.decide.headline import is_no_headline
from scrapy_boilernet.extractor.decide.placeholders import is_placeholder
from scrapy_boilernet.extractor.output.name_lists import is_moment
from scrapy_boilernet.extractor.page import Page

_TRANSLATOR = re.compile(r"\bskiptranslate\b")
"""The class of the box that a translator of browsers adds to a page."""
_BANNER = re.compile(r"\b(?:banner|masthead|logo|site (?:title|name|header))\b")
_HEADINGS = frozenset({"h1", "h2", "h3"})
_MAX_LEAD_CHARS = 200
"""Characters of content above the first heading of a page without a title."""


def _is_banner(page: Page, index: int) -> bool:
    """Return whether a heading is a link in an element called a banner or the like, or to the home
    page, and not to the page itself: the site's name.
    """
    block = page.blocks_at([index])[0]
    own = page.stated.own_links if page.stated else ()
    if block.link_chars < len(block.text) or not set(own).isdisjoint(block.nodes):
        return False
    is_named = _BANNER.search(" ".join(block.class_words[-4:])) is not None
    return is_named or not set(page.home_links).isdisjoint(block.nodes)


def headline_places(
    page: Page, found: Sequence[int], kept: Sequence[bool], is_titled: bool
) -> tuple[Sequence[int], int]:
    """Return the lines of the headline, and the index of the first ``h1`` or -1.

    On a page without a ``<title>``, an ``h1`` that is a banner is none. If no metadata states a
    title either, the headline is then the first heading of the content; without an ``h1``, too, but
    only if no other heading has its tag. If there is no such heading, the banner stays.

    ``is_titled``: whether metadata states a title.
    """
    h1 = _first_h1(page)
    if page.title or (found and found != [h1]) or (h1 >= 0 and not _is_banner(page, h1)):
        return found, h1
    if is_titled:
        return (found, h1) if h1 < 0 else ([], -1)
    pairs, places = page.paths
    content = [*compress(range(len(places)), kept)]
    first = _first_heading(page, content)
    if first < 0:
        return found, h1
    if h1 < 0:
        tag = next(tag for tag in reversed(pairs[places[first]][0]) if tag in _HEADINGS)
        if sum(tag in pairs[places[i]][0][-3:] for i in content) > 1:
            return found, h1
    return [first], -1


def _first_heading(page: Page, content: Sequence[int]) -> int:
    """Return the index of the first heading of the content, above its first long text, that is
    neither a date nor a banner; -1 without one.
    """
    pairs, places = page.paths
    lead = 0
    for i in content:
        text, tags = page.texts[i], pairs[places[i]][0]
        is_heading = not _HEADINGS.isdisjoint(tags[-3:]) and not is_no_headline(text)
        if is_heading and not is_moment(text) and not _is_banner(page, i):
            return i
        lead += len(text)
        if lead > _MAX_LEAD_CHARS:
            break
    return -1


def _first_h1(page: Page) -> int:
    """Return the index of the first block of an ``h1`` that is neither hidden nor what
    :func:`is_no_headline` tells, unless it is a placeholder that the title has among other words,
    as in a manual of templates; -1 if there is none.
    """
    if "h1" not in page.names[0]:
        return -1
    pairs, places = page.paths
    of_h1 = {
        place
        for place, (tags, class_words) in enumerate(pairs)
        if "h1" in tags[-3:]
        and not any("skip" in words and _TRANSLATOR.search(words) for words in class_words[-4:])
    }
    headings = (i for i, place in enumerate(places) if place in of_h1 and not page.hidden[i])
    named = page.title if not is_placeholder(page.title) else ""
    texts = ((i, page.texts[i]) for i in headings)
    titles = (
        i
        for i, text in texts
        if not is_no_headline(text) or (is_placeholder(text) and text in named)
    )
    return next(titles, -1)
