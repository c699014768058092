"""What the rules of sites found on a page, as lines of an explanation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.sites.marks import SiteMarks
from scrapy_boilernet.extractor.sites.rules import SiteRules


def rule_lines(page: Page, sites: SiteRules | None) -> tuple[str, ...]:
    """Return the key of the page's rule, then a line such as ``"drop .ad: 3 blocks"`` per selector
    of ``keep`` and ``drop``; () if there are no rules.
    """
    if sites is None:
        return ()
    rule, marks = sites.rule_for(page.url), page.site
    if rule is None or marks is None:
        where = "this address" if page.url else "a page without an address"
        return (f"none: of {len(sites.rules):,} rules, no domain or pattern is that of {where}",)
    found = (*_found("keep", rule.keep, marks), *_found("drop", rule.drop, marks))
    if marks.no_match:
        found = (*found, "keep found no block, so the model decides")
    return (rule.key, *(found or ("only for the metadata",)))


def _found(name: str, sources: Sequence[str], marks: SiteMarks) -> Iterator[str]:
    """Yield a line per selector. Of the blocks that several find, the first has all."""
    sign = 1 if name == "keep" else -1
    blocks = Counter(
        marks.selectors[sign * place - 1] for place in marks.places if place * sign > 0
    )
    has_found = False
    for source in sources:
        number = blocks[source]
        if number:
            shown = f"{number:,} block{'' if number == 1 else 's'}"
        elif source in marks.selectors:
            shown = "no block that drop leaves"
        else:
            shown = "no other block" if has_found else "no block"
        has_found |= number > 0
        yield f"{name} {source}: {shown}"
