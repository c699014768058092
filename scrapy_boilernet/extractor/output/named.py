"""Values with their sources, and the stated objects that describe the page itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.metadata import Stated, StatedObject

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
"""The rank of each type; objects with a low rank describe the page best."""
_ELSEWHERE = frozenset(
    "itemlistelement comment suggestedanswer acceptedanswer haspart blogpost blogposts mentions "
    "review reviews relatedlink citation isrelatedto issimilarto parentitem isbasedon "
    "potentialaction subjectof item workexample hasvariant".split()
)
"""Properties whose objects describe other pages, or are by readers."""
_ABOVE, _RIGHT_ABOVE, _BELOW, _FAR = 12, 4, 20, 80
_AFTER_FIRST, _BEFORE_LAST, _AFTER_LAST = 8, 3, 10
"""Blocks around the headline, around the first block of the content, and around the last."""
_MANY = 3
_ALIKE = 0.6
_MAX_HEADLINES = 5
"""Names of an object that are compared with the title, which takes time."""


class Sourced(NamedTuple):
    """A value that a page gives, and its source."""

    value: str
    source: str


Names = tuple[tuple[str, ...], str]
"""Names and their source."""
Ranked = Sequence[tuple[int, StatedObject]]
"""(rank in :data:`RANKS`, object) of the objects that describe the page."""


class Place(NamedTuple):
    """The blocks that can hold a byline: around the headline, and around the end."""

    headline: int
    """Index of the headline's block, or of the first block of the content."""
    top: range
    bottom: range
    content: range = range(0)
    """From the first block of the content to its last."""
    others: frozenset[int] = frozenset()
    """The blocks in which names and dates are of readers, of other pages or of who is quoted."""

    def areas(self) -> tuple[range, range, range]:
        """Return the ranges in the order in which they are searched."""
        start = max(self.headline - _RIGHT_ABOVE, self.top.start)
        return range(start, self.top.stop), range(self.top.start, start), self.bottom

    @classmethod
    def of(cls, title: int, decided: Sequence[bool]) -> Place:
        """Return the place.

        ``title``: the index of the headline's block, or -1; ``decided``: per block whether it is
        content.
        """
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
            range(first, after + 1) if content else range(0),
        )


def likeness(one: str, other: str) -> float:
    """Return the F1 of the common tokens, in [0, 1]."""
    a, b = tokens(one[:1_000]), tokens(other[:1_000])
    common = (Counter(a) & Counter(b)).total()
    return 2 * common / max(len(a) + len(b), 1)


def main_objects(stated: Stated, title: str) -> Ranked:
    """Return (rank, object) of the objects that describe this page, in the order of the ranks.

    ``title``: the page's title as a reader sees it. Of more than three articles and postings, only
    those with this title count, or the first one of a thread; the others belong to a list.
    """
    ranked = [
        (min((RANKS[t] for t in o.types if t in RANKS), default=-1), o)
        for o in stated.objects
        if o.place not in _ELSEWHERE and (o.types or o.syntax == "json-ld")
    ]
    ranked = [(rank if o.types else 0, o) for rank, o in ranked if rank >= 0 or not o.types]
    first = [o for rank, o in ranked if rank <= 1]
    if len(first) > _MANY:
        chosen = [o for o in first if _is_alike(o, title)]
        if not chosen and _is_one_thread(first):
            chosen = first[:1]
        ranked = [(rank, o) for rank, o in ranked if rank > 1 or any(o is one for one in chosen)]
    return sorted(ranked, key=lambda pair: (pair[0], pair[1].syntax != "json-ld"))


def _is_alike(stated: StatedObject, title: str) -> bool:
    names = islice(stated.all("headline", "name"), _MAX_HEADLINES)
    return any(likeness(name, title) >= _ALIKE for name in names)


def _is_one_thread(objects: Sequence[StatedObject]) -> bool:
    """Return whether the objects are the postings of one thread."""
    names = {name for o in objects for name in o.all("headline", "name")}
    return len(names) <= 1


def distinct(values: Iterable[str]) -> tuple[str, ...]:
    """Return the values without those that equal an earlier one, ignoring case."""
    found: dict[str, str] = {}
    for value in values:
        found.setdefault(value.casefold(), value)
    return tuple(found.values())
