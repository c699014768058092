"""The health of a crawl by domain: empty pages, confidence, and domains that turn bad."""

from __future__ import annotations

import heapq
import json
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from scrapy_boilernet.crawl.templates import LostTemplate, Templates
from scrapy_boilernet.extractor.sites.domains import host_of
from scrapy_boilernet.settings.config import ConfigError

WINDOW_PAGES = 20
"""How many of a domain's last pages are compared with the pages before them."""
MIN_PAGES_BEFORE = 20
MIN_SCORE_BEFORE = 0.5
"""A domain was good if the pages before the window had at least this mean score."""
MIN_FALL = 0.2
"""The least fall of the mean score that is reported."""
MIN_ERRORS = 4.5
"""The least fall, in standard errors of the difference of the two means."""
MAX_DOMAINS = 10_000
"""Domains of a crawl that are followed, and domains that are kept in the file. The pages of all
other domains are counted together."""
MAX_DOMAINS_IN_STATS = 100
_MIN_WITHOUT_MATCH = 5
"""A domain is reported if ``keep`` of its rule found nothing on so many of its last
``WINDOW_PAGES`` pages with the rule, and on half of them."""
_MAX_PAGES = 2**53
"""More pages of a domain than any crawl has; floats count up to it."""
OTHER = "(other)"
"""Stands for the domains that have no stats of their own. No host has such a name."""

Confidence = float | None
"""A page's confidence in [0, 1]; None for an empty page, one without content."""


@dataclass(slots=True)
class Tally:
    """Counts over some pages. A page's score is its confidence, or 0 if the page is empty."""

    pages: int = 0
    empty: int = 0
    confidence: float = 0.0
    """Summed over the pages with content."""
    squares: float = 0.0
    """The sum of the squares of the confidences."""

    def add(self, confidence: Confidence) -> None:
        """Count a page."""
        self.pages += 1
        if confidence is None:
            self.empty += 1
        else:
            self.confidence += confidence
            self.squares += confidence * confidence

    @classmethod
    def of(cls, confidences: Iterable[Confidence]) -> Tally:
        """Return the counts over these pages."""
        tally = cls()
        for confidence in confidences:
            tally.add(confidence)
        return tally

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.pages + other.pages,
            self.empty + other.empty,
            self.confidence + other.confidence,
            self.squares + other.squares,
        )

    @property
    def empty_share(self) -> float:
        """The share of the pages that are empty; 0 without pages."""
        return self.empty / max(self.pages, 1)

    @property
    def mean_confidence(self) -> Confidence:
        """The mean over the pages with content; None if there are none."""
        with_content = self.pages - self.empty
        return self.confidence / with_content if with_content else None

    @property
    def score(self) -> float:
        """The mean score of the pages, in [0, 1]; 0 without pages."""
        return self.confidence / max(self.pages, 1)

    @property
    def variance(self) -> float:
        """The variance of the pages' scores; 0 without pages."""
        return max(self.squares / max(self.pages, 1) - self.score**2, 0.0)

    def __str__(self) -> str:
        mean = self.mean_confidence
        confidence = "" if mean is None else f", mean confidence {mean:.2f}"
        return f"{self.pages} pages, {self.empty_share:.0%} empty{confidence}"


def turned_bad(before: Tally, window: Tally) -> bool:
    """Return whether the pages before the window were good and the window's are worse."""
    if before.pages < MIN_PAGES_BEFORE or before.score < MIN_SCORE_BEFORE:
        return False
    fall = before.score - window.score
    variance = max(before.variance, window.variance)
    error = math.sqrt(variance * (1 / before.pages + 1 / window.pages))
    return fall >= MIN_FALL and fall >= MIN_ERRORS * error


@dataclass(slots=True)
class Domain:
    """The scores of a domain. The pages of the window are not counted in ``before``."""

    before: Tally = field(default_factory=Tally)
    window: list[Confidence] = field(default_factory=list)
    crawl: Tally = field(default_factory=Tally)
    """The pages of this crawl."""
    warned: bool = False
    hidden_chars: int = 0
    """Characters that the pages of this crawl hide."""
    without_match: int = 0
    """Pages of this crawl on which ``keep`` of the rule of the site found nothing."""
    by_rule: list[bool] = field(default_factory=list)
    """Of the last pages with ``keep``, whether it found something."""
    warned_of_rule: bool = False
    templates: Templates = field(default_factory=Templates)
    warned_of_template: bool = False

    def add_match(self, found: bool) -> str:
        """Count a page with ``keep``; return how often it found nothing if that is often, or ""."""
        self.without_match += not found
        self.by_rule = [*self.by_rule[1 - WINDOW_PAGES :], found]
        without = self.by_rule.count(False)
        if self.warned_of_rule or without < max(_MIN_WITHOUT_MATCH, len(self.by_rule) / 2):
            return ""
        self.warned_of_rule = True
        return f"on {without} of its last {len(self.by_rule)} pages with this rule"

    def add(self, confidence: Confidence) -> str:
        """Count a page; return a comparison of its pages when the domain turns bad, else ""."""
        self.crawl.add(confidence)
        self.window.append(confidence)
        if len(self.window) > WINDOW_PAGES:
            self.before.add(self.window.pop(0))
        if self.warned or len(self.window) < WINDOW_PAGES:
            return ""
        window = Tally.of(self.window)
        if not turned_bad(self.before, window):
            return ""
        comparison = f"its last {window}; before: {self.before}"
        # Later pages are compared with those that come from here on.
        self.before, self.window, self.warned = Tally(), [], True
        return comparison


class Health:
    """Counts the pages of a crawl by domain, and those of earlier crawls if they left a file.

    A domain is the host of a page's URL without "www.": a subdomain such as a shop or a blog has
    its own templates, and no list of public suffixes is needed.
    """

    def __init__(self, file: str | None = None) -> None:
        """Read the file; raises ``ConfigError`` if it is broken or cannot be written."""
        self.file = Path(file) if file else None
        self.domains: dict[str, Domain] = {}
        self.other = Tally()
        self.other_hidden_chars = 0
        self.other_without_match = 0
        self.earlier: dict[str, Domain] = {}
        """Domains of the file of which this crawl has seen no page."""
        if self.file:
            self._read(self.file)

    def add(self, url: str, confidence: Confidence, hidden_chars: int = 0) -> str:
        """Count a page; return a warning if its domain turns bad with it, else "".

        ``hidden_chars``: the characters that the page hides and that were left out.
        """
        name, domain = self._domain_of(url)
        if domain is None:
            self.other.add(confidence)
            self.other_hidden_chars += hidden_chars
            return ""
        domain.hidden_chars += hidden_chars
        comparison = domain.add(confidence)
        return comparison and (
            f"{name} turned bad: {comparison}. The site may have a new template, need a browser or "
            f"turn the crawler away: look at {url}"
        )

    def add_match(self, url: str, found: bool) -> str:
        """Count a page whose site has a rule with ``keep``; return a warning if it finds nothing on
        many pages of the domain, else "".

        ``found``: whether it found a block.
        """
        name, domain = self._domain_of(url)
        if domain is None:
            self.other_without_match += not found
            return ""
        often = domain.add_match(found)
        return often and (
            f"{name}: keep of its rule in BOILERNET_SITES found nothing {often}, and the model "
            f"decided. The site may have changed its markup: look at {url}"
        )

    def add_templates(self, url: str, judged: Sequence[int]) -> LostTemplate | None:
        """Count the templates of a page with content; return one that the model kept on the
        domain's pages and now drops, once per domain, else None.

        ``judged``: as :func:`~scrapy_boilernet.workers.templates.judged_templates` returns it.
        """
        _, domain = self._domain_of(url)
        lost = domain.templates.add(judged) if domain is not None else None
        if domain is None or lost is None or domain.warned_of_template:
            return None
        domain.warned_of_template = True
        return lost

    def _domain_of(self, url: str) -> tuple[str, Domain | None]:
        """Return the name of the page's domain, and its scores; None if too many are followed."""
        name = host_of(url).removeprefix("www.") or "(none)"
        domain = self.domains.get(name)
        if domain is None and len(self.domains) < MAX_DOMAINS:
            domain = self.domains[name] = self.earlier.pop(name, Domain())
        return name, domain

    def stats(self) -> dict[str, float]:
        """Return this crawl's stats without their prefix.

        There are stats of each of the domains with the most pages, and of all others together.
        """
        first = heapq.nlargest(
            MAX_DOMAINS_IN_STATS, self.domains, key=lambda name: self.domains[name].crawl.pages
        )
        shown = {name: self.domains[name].crawl for name in first}
        hidden = {name: self.domains[name].hidden_chars for name in first}
        unmatched = {name: self.domains[name].without_match for name in first}
        others = [self.domains[name] for name in self.domains.keys() - shown.keys()]
        shown[OTHER] = sum((domain.crawl for domain in others), self.other)
        hidden[OTHER] = sum((each.hidden_chars for each in others), self.other_hidden_chars)
        unmatched[OTHER] = sum((each.without_match for each in others), self.other_without_match)
        stats: dict[str, float] = {}
        for name, tally in shown.items():
            if tally.pages:
                stats[f"domain/{name}/pages"] = tally.pages
                stats[f"domain/{name}/empty_share"] = round(tally.empty_share, 3)
            if hidden[name]:
                stats[f"domain/{name}/hidden_chars"] = hidden[name]
            if unmatched[name]:
                stats[f"sites/no_match/{name}"] = unmatched[name]
            if tally.mean_confidence is not None:
                stats[f"domain/{name}/mean_confidence"] = round(tally.mean_confidence, 3)
        return stats

    def document(self) -> dict[str, Any]:
        """Return the state for the next crawl as plain JSON.

        It has the domains of this crawl, then those of the file of which the crawl has seen no
        page, at most ``MAX_DOMAINS`` in all.
        """
        known = [*self.domains.items(), *self.earlier.items()][:MAX_DOMAINS]
        return {
            name: {
                **asdict(domain.before),
                "last": domain.window,
                "templates": domain.templates.document(),
            }
            for name, domain in known
        }

    def know(self, document: dict[str, Any]) -> None:
        """Continue from the end of the crawl that made this :meth:`document`.

        Raises ``ValueError``, ``TypeError``, ``LookupError`` or ``ArithmeticError`` for anything
        else.
        """
        names = [*document][:MAX_DOMAINS]
        self.earlier = {name: _domain(name, document[name]) for name in names}

    def save(self) -> None:
        """Write the file, if there is one, completely or not at all; raises ``OSError``."""
        if not self.file:
            return
        part = self.file.with_name(f"{self.file.name}.{os.getpid()}.part")
        try:
            with part.open("w", encoding="utf-8") as stream:
                json.dump({"domains": self.document()}, stream)
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(self.file)
        finally:
            part.unlink(missing_ok=True)

    def _read(self, file: Path) -> None:
        """Read the file, and write it again to check that it can be written."""
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.exists():
                self.know(json.loads(file.read_text(encoding="utf-8"))["domains"])
            self.save()
        except OSError as error:
            raise ConfigError(
                f"BOILERNET_HEALTH_FILE = {str(file)!r}: cannot be read and written: {error}; "
                "name a file in a folder that can be written, or None"
            ) from error
        except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError) as error:
            raise ConfigError(
                f"BOILERNET_HEALTH_FILE = {str(file)!r}: not the file of an earlier crawl: "
                f"{error!r}; delete it, or name another one"
            ) from error


def _domain(name: str, values: dict[str, Any]) -> Domain:
    """Return the domain that :meth:`Health.save` wrote; raises ``ValueError`` for other values."""
    last = values["last"]
    before = Tally(*(values[one.name] for one in fields(Tally)))
    confidences = [confidence for confidence in last if confidence is not None]
    with_content = before.pages - before.empty
    if (
        not isinstance(last, list)
        or len(last) > WINDOW_PAGES
        or not (type(before.pages) is type(before.empty) is int)
        or not 0 <= before.empty <= before.pages <= _MAX_PAGES
        or not 0 <= before.squares <= before.confidence * (1 + 1e-9) <= with_content * (1 + 2e-9)
        or not all(0 <= confidence <= 1 for confidence in confidences)
    ):
        raise ValueError(f"wrong values of the domain {name!r}")
    return Domain(before, last, templates=Templates.of(values.get("templates", {})))
