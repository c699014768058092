"""The rules of sites that a crawl did not use, such as those with a mistake in the domain."""

from __future__ import annotations

from itertools import islice

from scrapy_boilernet.extractor.sites.rules import SiteRules

MAX_NAMED = 10
"""So many keys are named in the log."""


class UnusedRules:
    """The rules that are for no page that was labeled so far."""

    def __init__(self, sites: SiteRules | None) -> None:
        self._sites = sites
        self._keys = dict.fromkeys(rule.key for rule in sites.rules) if sites else {}
        self._pages = 0
        self.is_any_used = False
        """Whether there was a page with a rule."""

    def see(self, url: str) -> None:
        """Note that the page with this URL was labeled."""
        self._pages += 1
        if self._sites and self._keys and (rule := self._sites.rule_for(url)):
            self._keys.pop(rule.key, None)
            self.is_any_used = True

    @property
    def number(self) -> int:
        """How many there are; 0 if no page was labeled."""
        return len(self._keys) if self._pages else 0

    @property
    def message(self) -> str:
        """Which they are, and what to do."""
        named = ", ".join(map(repr, islice(self._keys, MAX_NAMED)))
        more = len(self._keys) - MAX_NAMED
        return (
            f"{self.number:,} of {len(self._sites.rules) if self._sites else 0:,} rules in "
            f"BOILERNET_SITES are for none of the {self._pages:,} labeled pages: {named}"
            f"{f' and {more:,} more' if more > 0 else ''}. Compare them with the hosts in the "
            "stats boilernet/domain/<host>/pages; of several rules for a page, only the first "
            "pattern, else the longest domain, is used"
        )
