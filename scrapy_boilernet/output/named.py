"""A value with its source, and the objects of a page that describe the page itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scrapy_boilernet.features.words import tokens
from scrapy_boilernet.metadata import Stated, StatedObject

_ARTICLE = (
    "newsarticle article blogposting reportagenewsarticle opinionnewsarticle analysisnewsarticle "
    "liveblogposting report scholarlyarticle techarticle medicalscholarlyarticle "
    "backgroundnewsarticle reviewnewsarticle askpublicnewsarticle satiricalarticle apireference"
).split()
_POSTING = "discussionforumposting socialmediaposting question post item sioc:post".split()
_WORK = (
    "recipe product productgroup jobposting event course videoobject howto book movie "
    "review podcastepisode creativework softwareapplication softwaresourcecode dataset "
    "vacationrental hotel localbusiness service podcastseries audioobject place"
).split()
_PAGE = (
    "webpage qapage faqpage collectionpage itempage aboutpage contactpage medicalwebpage "
    "profilepage searchresultspage blog webpageelement"
).split()
RANKS = {
    name: rank for rank, names in enumerate((_ARTICLE, _POSTING, _WORK, _PAGE)) for name in names
}
"""From types that say most about a page to those that say least."""
_ELSEWHERE = frozenset(
    "itemlistelement comment suggestedanswer acceptedanswer haspart blogpost blogposts mentions "
    "review reviews relatedlink citation isrelatedto issimilarto parentitem isbasedon "
    "potentialaction subjectof item workexample hasvariant".split()
)
"""Properties under which objects of other pages or readers stand."""
_ABOVE, _RIGHT_ABOVE, _BELOW, _FAR = 12, 4, 20, 80
_AFTER_FIRST, _BEFORE_LAST, _AFTER_LAST = 8, 3, 10
"""Blocks around the headline, the first block of the content, and the last."""
_MANY = 3
_ALIKE = 0.6


class Sourced(NamedTuple):
    """A value that a page gives and where it comes from."""

    value: str
    source: str


Ranked = Sequence[tuple[int, StatedObject]]
"""Objects that describe the page with their rank in :data:`RANKS`."""


class Place(NamedTuple):
    """Where a byline can stand: indexes of blocks around the headline, and around the end."""

    headline: int
    """Index of the headline's block, or of the first block of the content."""
    top: range
    bottom: range

    def areas(self) -> tuple[range, range, range]:
        """Return the ranges in the order in which they are searched."""
        start = max(self.headline - _RIGHT_ABOVE, self.top.start)
        return range(start, self.top.stop), range(self.top.start, start), self.bottom

    @classmethod
    def of(cls, title: int, decided: Sequence[bool]) -> Place:
        """Return the place; ``title``: the headline's index, or -1; ``decided``: the content."""
        content = [i for i, keep in enumerate(decided) if keep]
        first = content[0] if content else max(title, 0)
        anchor = title if title >= 0 else first
        end = anchor + _BELOW
        if anchor < first < anchor + _FAR:
            end = max(end, first + _AFTER_FIRST)
        after = content[-1] if content else end
        return cls(
            anchor,
            range(max(anchor - _ABOVE, 0), end + 1),
            range(max(after - _BEFORE_LAST, 0), after + _AFTER_LAST + 1),
        )


def likeness(one: str, other: str) -> float:
    """Return the F1 of the common tokens, in [0, 1]."""
    a, b = tokens(one[:1_000]), tokens(other[:1_000])
    common = (Counter(a) & Counter(b)).total()
    return 2 * common / max(len(a) + len(b), 1)


def main_objects(stated: Stated, title: str) -> Ranked:
    """Return (rank, object) of those that describe this page, those that say most first.

    ``title``: the page's as a reader sees it. Of many articles only one of that title counts: the
    others are a list's.
    """
    ranked = [
        (min((RANKS[t] for t in o.types if t in RANKS), default=-1), o)
        for o in stated.objects
        if o.place not in _ELSEWHERE and (o.types or o.syntax == "json-ld")
    ]
    ranked = [(rank if o.types else 0, o) for rank, o in ranked if rank >= 0 or not o.types]
    first = [o for rank, o in ranked if rank <= 1]
    if len(first) > _MANY:
        own = [o for o in first if _is_alike(o, title)] or first[: _is_one_thread(first)]
        ranked = [(rank, o) for rank, o in ranked if rank > 1 or any(o is one for one in own)]
    return sorted(ranked, key=lambda pair: (pair[0], pair[1].syntax != "json-ld"))


def _is_alike(stated: StatedObject, title: str) -> bool:
    return any(likeness(name, title) >= _ALIKE for name in stated.all("headline", "name"))


def _is_one_thread(objects: Sequence[StatedObject]) -> int:
    """1 if the objects are the postings of a thread, of which the first one counts; else 0."""
    names = {name for o in objects for name in o.all("headline", "name")}
    return int(len(names) <= 1)


def distinct(values: Iterable[str]) -> tuple[str, ...]:
    """Return the values without those equal to an earlier one, case aside."""
    found: dict[str, str] = {}
    for value in values:
        found.setdefault(value.casefold(), value)
    return tuple(found.values())
