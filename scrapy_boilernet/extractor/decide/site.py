"""Applies the rule of a site: what it keeps is content, what it drops is not."""

from __future__ import annotations

from itertools import chain

from scrapy_boilernet.extractor.options import Step
from scrapy_boilernet.extractor.page import Page, SiteMarks

SITE_RULE: Step = "site rule"


def apply_site(page: Page, kept: list[bool], steps: list[Step]) -> bool:
    """Apply the rule of the page's site to ``kept`` and ``steps``, which are per block.

    Return whether its ``keep`` found a block; then no block outside of it is content. If it found
    none, the model's decision stays.
    """
    if page.site is None:
        return False
    keeps = page.site.keeps
    inside = frozenset(chain.from_iterable(places for _, places in page.site.keep))
    dropped = frozenset(chain.from_iterable(places for _, places in page.site.drop))
    for i, keep in enumerate(kept):
        wanted = keep if not keeps else i in inside and (page.site.inside == "all" or keep)
        wanted = wanted and i not in dropped
        if wanted != keep:
            kept[i], steps[i] = wanted, SITE_RULE
    return keeps


def selector_of(marks: SiteMarks, place: int, kept: bool) -> str:
    """Return the first selector that decided about a block; "" if it stands outside of all."""
    which = marks.keep if kept else marks.drop
    return next((selector for selector, places in which if place in places), "")
