"""What the rule of a site decides on a page: blocks that are content, and blocks that never are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.options import Step
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.sites.marks import SiteMarks


def by_rule(page: Page) -> NDArray[np.bool_] | None:
    """Return the blocks that are content; None if the rule leaves that to the model."""
    return page.site.kept if page.site is not None and page.site.decides else None


def shown_on(page: Page) -> NDArray[np.bool_]:
    """Return per block whether the page shows it. Inside of ``keep``, hidden text counts as shown:
    it is in tabs and accordions.
    """
    return page.shown if page.site is None else page.shown | page.site.kept


def keep_to_rule(site: SiteMarks, kept: list[bool], steps: list[Step]) -> NDArray[np.bool_]:
    """Make ``kept`` and ``steps`` obey the rule, which overrules all steps; return ``kept``.

    They have, per block, whether it is content, and the step that decided it.
    """
    for i in np.flatnonzero(site.kept) if site.decides else ():
        kept[i], steps[i] = True, "site rule"
    for i in np.flatnonzero(site.never):
        kept[i], steps[i] = False, "site rule"
    return np.array(kept, dtype=np.bool_)
