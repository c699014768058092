"""``scrapy boilernet annotations --rules``: the rules of sites that keep and drop what people did.

Each element has selectors by its id, its classes and its tag. Selectors are taken one by one, into
``keep`` or into ``drop``, as long as the F1 of the kept words grows by more than the price of the
selector, which is its length. The same in JavaScript: ``extension/src/annotate/site_rule.js``.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.html.encoding import to_utf8, unpack
from scrapy_boilernet.extractor.html.tree import parse
from scrapy_boilernet.extractor.options import MAX_BYTES
from scrapy_boilernet.extractor.sites.domains import host_of
from scrapy_boilernet.lab.annotations.gold import Usable, sort_usable
from scrapy_boilernet.lab.annotations.placing import Placed, place
from scrapy_boilernet.lab.annotations.sidecar import open_sidecars
from scrapy_boilernet.workers.progress import counted

PRICE = 0.0005
"""The F1 that a selector must gain per character."""
PRICE_OF_TAG = 12
"""Characters that a tag alone costs more, since other parts of a page often have it, too."""
MAX_SELECTORS = 5
"""Selectors of ``keep``, and of ``drop``."""
OPEN_KINDS = ("title", "caption")
"""Blocks of these kinds may be kept or not, unless they are asked for."""
TELLING_TAGS = frozenset("article aside footer header main nav".split())
"""Tags that cost no more."""
_AHEAD = 10
"""How many of the best rules are also tried with one more selector of ``drop``."""
_NAME = re.compile(r"[A-Za-z_][\w-]{0,60}", re.ASCII)
_NAMING = ("role", "itemprop")
"""Attributes whose values name an element as classes do."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class JudgedPage:
    """A page with a person's decisions."""

    domain: str
    words: NDArray[np.float64]
    """Per block its words; 0 for a block that the person did not see, or of ``OPEN_KINDS``."""
    content: Mask
    inside: Mapping[str, Mask]
    """Per selector whether each block is inside of one of its elements."""


class DerivedRule(NamedTuple):
    """Selectors for a rule."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


class Fit(NamedTuple):
    """How far rules fit pages that did not make them."""

    precision: float
    """The share of the kept words that are content, in [0, 1]; 1 if none is kept."""
    recall: float
    """The share of the words of the content that are kept, in [0, 1]; 1 if there is none."""


def derived_rules(
    paths: Sequence[Path], kinds: frozenset[str], say: Callable[[str], object]
) -> str:
    """Return a TOML file with a rule per domain.

    ``kinds``: the kinds of blocks that are content. ``say``: called with each message about what is
    left out. Raises ``AnnotationError`` if a file cannot be
    used or no annotation can, and ``OSError``.
    """
    sites: defaultdict[str, list[JudgedPage]] = defaultdict(list)
    with open_sidecars(paths) as found:
        by_url: defaultdict[str, list[Usable]] = defaultdict(list)
        for message in sort_usable(found, by_url):
            say(message)
        for url in sorted(by_url):
            last = max(by_url[url], key=lambda usable: usable.saved)
            page = judged(place(last.read()), kinds)
            sites[page.domain].append(page)
    return "\n".join(_written(sites))


def judged(placed: Placed, kinds: frozenset[str]) -> JudgedPage:
    """Return the page of an annotation."""
    sidecar, page = placed.sidecar, placed.page
    open_kinds = frozenset(OPEN_KINDS) - kinds
    words = [
        float(len(text.split()) if given and given.kind not in open_kinds else 0)
        for text, given in zip(page.texts, placed.given, strict=True)
    ]
    body = unpack(sidecar.body, MAX_BYTES)[0]
    encoding = "utf-8" if sidecar.from_dom else None
    roots = parse(to_utf8(body, encoding, sidecar.charset or None, sidecar.url)).roots
    elements = [*chain.from_iterable(root.iter("*") for root in roots)]
    inside: defaultdict[str, Mask] = defaultdict(lambda: np.zeros(len(words), dtype=np.bool_))
    known: dict[Any, frozenset[str]] = {}
    for i, block in enumerate(page.blocks):
        for selector in _around(elements[block.nodes[-1] - 1], known):
            inside[selector][i] = True
    domain = host_of(sidecar.url).removeprefix("www.")
    return JudgedPage(domain, np.array(words), np.array(placed.marks(kinds), np.bool_), inside)


def _around(element: Any, known: dict[Any, frozenset[str]]) -> frozenset[str]:
    """Return the selectors of an element and of all around it."""
    waiting = []
    while element is not None and element not in known:
        waiting.append(element)
        element = element.getparent()
    found = known[element] if element is not None else frozenset()
    for one in reversed(waiting):
        found = known[one] = found.union(_selectors(one))
    return found


def _selectors(element: Any) -> Iterator[str]:
    """Yield the selectors of an element."""
    tag, parent = element.tag, element.getparent()
    if tag in ("html", "body") or not _NAME.fullmatch(tag):
        return
    named = [*_names(element)]
    yield tag
    for name in named:
        yield name
        yield f"{tag}{name}"
    for name in _names(parent) if parent is not None and not named else ():
        yield f"{name} > {tag}"


def _names(element: Any) -> Iterator[str]:
    """Yield the selectors of an element by its id, its classes and its roles."""
    if _NAME.fullmatch(name := element.get("id", "")):
        yield f"#{name}"
    for name in dict.fromkeys(element.get("class", "").split()):
        if _NAME.fullmatch(name):
            yield f".{name}"
    for attribute in _NAMING:
        if _NAME.fullmatch(name := element.get(attribute, "")):
            yield f"[{attribute}={name}]"


def price(selector: str) -> float:
    """Return the F1 that the selector must gain."""
    is_tag = selector.isalnum() and selector not in TELLING_TAGS
    return PRICE * (len(selector) + PRICE_OF_TAG * is_tag)


class _Search:
    """Finds the rule of some pages."""

    def __init__(self, pages: Sequence[JudgedPage]) -> None:
        self.words = np.concatenate([page.words for page in pages])
        self.content = self.words * np.concatenate([page.content for page in pages])
        self.masks: dict[str, Mask] = {}
        seen: set[bytes] = set()
        for selector in _candidates(pages):
            mask = _mask(pages, selector)
            if (key := mask.tobytes()) not in seen:
                seen.add(key)
                self.masks[selector] = mask

    def rule(self) -> DerivedRule:
        """Return the selectors, those of each list in the order in which they were found."""
        chosen, best = DerivedRule(), 0.0
        while True:
            options = self._scored([*self._longer(chosen), *_shorter(chosen)])
            further = (self._with_drop(option) for _, option in options[:_AHEAD])
            options += self._scored(chain.from_iterable(further))
            score, option = max(options, key=itemgetter(0), default=(0.0, chosen))
            if score <= best + 1e-9:
                return chosen
            best, chosen = score, option

    def _scored(self, options: Iterable[DerivedRule]) -> list[tuple[float, DerivedRule]]:
        """Return the rules with their scores, the best first."""
        scored = ((self.score(option), option) for option in options)
        return sorted(scored, key=itemgetter(0), reverse=True)

    def score(self, rule: DerivedRule) -> float:
        """Return the F1 of the words that the rule keeps, less the prices of its selectors."""
        kept = self._any(rule.keep) & ~self._any(rule.drop)
        both = self.words[kept].sum() + self.content.sum()
        f1 = 2 * self.content[kept].sum() / both if both else 0.0
        return float(f1) - sum(map(price, (*rule.keep, *rule.drop)))

    def _longer(self, rule: DerivedRule) -> Iterator[DerivedRule]:
        for selector in self.masks:
            if len(rule.keep) < MAX_SELECTORS:
                yield DerivedRule((*rule.keep, selector), rule.drop)
        yield from self._with_drop(rule)

    def _with_drop(self, rule: DerivedRule) -> Iterator[DerivedRule]:
        for selector in self.masks if rule.keep and len(rule.drop) < MAX_SELECTORS else ():
            yield rule._replace(drop=(*rule.drop, selector))

    def _any(self, selectors: Sequence[str]) -> Mask:
        found = np.zeros(len(self.words), dtype=np.bool_)
        for selector in selectors:
            found |= self.masks[selector]
        return found


def _shorter(rule: DerivedRule) -> Iterator[DerivedRule]:
    for one in rule.keep if len(rule.keep) > 1 else ():
        yield rule._replace(keep=tuple(other for other in rule.keep if other != one))
    for one in rule.drop:
        yield rule._replace(drop=tuple(other for other in rule.drop if other != one))


def _candidates(pages: Sequence[JudgedPage]) -> list[str]:
    """Return the selectors of at least two pages, or of the only one, the cheapest first."""
    pages_with: defaultdict[str, int] = defaultdict(int)
    for selector in chain.from_iterable(page.inside for page in pages):
        pages_with[selector] += 1
    least = min(2, len(pages))
    common = (selector for selector, number in pages_with.items() if number >= least)
    return sorted(common, key=lambda selector: (price(selector), selector))


def _mask(pages: Iterable[JudgedPage], selector: str) -> Mask:
    none = ((page.inside.get(selector), len(page.words)) for page in pages)
    return np.concatenate([m if m is not None else np.zeros(n, np.bool_) for m, n in none])


def derive(pages: Sequence[JudgedPage]) -> DerivedRule:
    """Return the rule that keeps and drops what people did on these pages of one site."""
    return _Search(pages).rule()


def fit(pages: Sequence[JudgedPage]) -> Fit:
    """Return how far rules fit each page that the other pages made."""
    kept_words = right_words = content_words = 0.0
    for i, page in enumerate(pages):
        rule = derive([*pages[:i], *pages[i + 1 :]])
        kept = np.zeros(len(page.words), dtype=np.bool_)
        for selectors, keeps in ((rule.keep, True), (rule.drop, False)):
            for selector in selectors:
                kept[_mask([page], selector)] = keeps
        kept_words += page.words[kept].sum()
        right_words += page.words[kept & page.content].sum()
        content_words += page.words[page.content].sum()
    precision = right_words / kept_words if kept_words else 1.0
    return Fit(precision, right_words / content_words if content_words else 1.0)


def _written(sites: Mapping[str, Sequence[JudgedPage]]) -> Iterator[str]:
    """Yield the lines of the TOML file."""
    for domain in sorted(sites):
        pages = sites[domain]
        rule = derive(pages)
        yield f"# {domain}: {counted(len(pages), 'page')}. {_tested(pages)}"
        if not rule.keep:
            yield "# No selector keeps what is content.\n"
            continue
        yield f"[{json.dumps(domain)}]"
        for name, selectors in rule._asdict().items():
            if selectors:
                yield f"{name} = {json.dumps([*selectors])}"
        yield ""


def _tested(pages: Sequence[JudgedPage]) -> str:
    if len(pages) < 2:
        return "Not tested: it needs another page of the site."
    precision, recall = fit(pages)
    figures = f"precision {precision:.2f}, recall {recall:.2f}"
    return f"Words on pages that did not make the rule: {figures}."
